"""Python's operators, and their function forms in `operator` and `builtins`."""
import operator

from tangent.templates.language.declare import bilinear, constant, elementwise, general, linear
from tangent.templates.numpy.extremes import extreme

elementwise('z = x + y', 'd[z]', 'd[z]', also=[operator.add])
elementwise('z = x - y', 'd[z]', '-d[z]', also=[operator.sub])
elementwise('z = x * y', 'd[z] * y', 'd[z] * x', also=[operator.mul])
elementwise('z = x / y', 'd[z] / y', '-d[z] * z / y', also=[operator.truediv])
elementwise('z = x % y', 'd[z]', '-d[z] * (x // y)', also=[operator.mod])
elementwise('y = -x', '-d[y]', also=[operator.neg])
elementwise('y = +x', 'd[y]', also=[operator.pos])
bilinear('z = x @ y', 'matmul_left(d[z], x, y)', 'matmul_right(d[z], x, y)', also=[operator.matmul])

# A literal exponent is the common case. At 0 `numpy.power` gives inf where Python's numbers raise.
for power, x, y in [('x ** y', 'x', 'y'), ('operator.pow(a, b)', 'a', 'b'), ('pow(base, exp)', 'base', 'exp'),
                    ('math.pow(x, y)', 'x', 'y'), ('numpy.power(x, y)', 'x', 'y')]:
    elementwise(f'z = {power}', f'd[z] * dpower_dx({x}, {y})', f'd[z] * dpower_dy({x}, {y}, z)', gives='same',
                pushed=[None, f'null_times(d[z], dpower_dy({x}, {y}, z))'])
    elementwise(f'z = {power}', '0.0 * d[z]', when=f'{y} == 0')
    elementwise(f'z = {power}', 'd[z]', when=f'{y} == 1')
    elementwise(f'z = {power}', f'{y} * d[z] * numpy.power({x}, {y} - 1)', when=f'0 < {y} < 1')
    elementwise(f'z = {power}', f'{y} * d[z] * {x} ** ({y} - 1)', when=f'{y} > 1 or {y} < 0')

elementwise('y = abs(x)', 'd[y] * sign(x)', also=[operator.abs], gives='real')
elementwise('y = float(x)', 'd[y]', elementwise=False)
linear('y = sum(iterable, start=0)', 'unsum(d[y], iterable)', 'unbroadcast(d[y], start)')
linear('y = operator.getitem(a, b)', 'add_at(init_grad(a), b, d[y])', shape='container')
extreme('y = max(*args)')
extreme('y = min(*args)')

general('z = divmod(x, y)', 'unbroadcast(d[z][1], x)', 'unbroadcast(-d[z][1] * z[0], y)',
        forward='(0.0 * z[0], d[x] - d[y] * z[0])')

constant('x // y', 'x & y', 'x | y', 'x ^ y', 'x << y', 'x >> y', '~x', 'not x')
constant(operator.floordiv, operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
         operator.invert, operator.not_, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
         operator.is_, operator.is_not, operator.contains, operator.truth, operator.index, operator.length_hint)
