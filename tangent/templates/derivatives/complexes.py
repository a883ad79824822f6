"""Rules in complex form (see `analysis.complexity`): those of functions that conjugate, or make real numbers of complex ones.

The gradient that comes to a real result is real; the one that goes to a complex argument is `dL/dx - 1j * dL/dy`.
"""
from tangent.templates.language.declare import complex_form, elementwise, linear
from tangent.templates.numpy.reductions import MOMENT

for name, x in [('numpy.abs(x)', 'x'), ('abs(x)', 'x')]:
    complex_form(f'y = {name}', f'unabs(d[y], {x})', forward=f'push_abs(d[{x}], {x})')
for name, x in [('numpy.real(val)', 'val'), ('x.real', 'x')]:
    complex_form(f'y = {name}', f'unreal(d[y], {x})', forward=f'numpy.real(d[{x}])')
for name, x in [('numpy.imag(val)', 'val'), ('x.imag', 'x')]:
    complex_form(f'y = {name}', f'unimaginary(d[y], {x})', forward=f'numpy.imag(d[{x}])')
complex_form('y = numpy.arcsinh(x)', 'd[y] / numpy.sqrt(x * x + 1)', forward='d[x] / numpy.sqrt(x * x + 1)')
complex_form('y = numpy.conj(x)', 'unconj(d[y], x)', forward='numpy.conj(d[x])')
for conjugate in 'conj', 'conjugate':
    complex_form(f'y = x.{conjugate}()', 'unconj(d[y], x)', forward='conjugate_beside(d[x], x, y)')
complex_form('y = numpy.angle(z, deg=False)', 'unangle(d[y], z, deg=deg)', forward='push_angle(d[z], z, deg=deg)')
complex_form('y = cmath.phase(x)', 'unangle(d[y], x)', forward='push_angle(d[x], x)')
complex_form('y = cmath.polar(x)', 'unabs(d[y][0], x) + unangle(d[y][1], x)',
             forward='(push_abs(d[x], x), push_angle(d[x], x))')
complex_form('y = complex(real, imag=0)', 'numpy.real(d[y])', '-numpy.imag(d[y])', forward='d[real] + 1j * d[imag]')

for name in ['var', 'std', 'nanvar', 'nanstd']:
    where = '~numpy.isnan(a) & where' if 'nan' in name else 'where'
    given = f'axis=axis, ddof=ddof, where={where}, mean=mean, correction=correction'
    slope = f'2 * deviations(a, {given})' if 'var' in name else \
        f'safe_divide(deviations(a, {given}), numpy.std(a, {given}, keepdims=True))'
    complex_form(f'y = numpy.{name}(a, {MOMENT})', f'spread(d[y], {slope}, a, axis=axis, keepdims=keepdims)',
                 forward=f'push_spread(d[a], {slope}, axis=axis, keepdims=keepdims)')
for name, slope, axes in [
        ('norm(x, ord=None, axis=None, keepdims=False)', 'norm_slope(x, ord=ord, axis=axis)', 'axis=axis'),
        ('vector_norm(x, axis=None, keepdims=False, ord=2)', 'vector_slope(x, ord, axis)', 'axis=axis'),
        ('matrix_norm(x, keepdims=False, ord="fro")', 'matrix_slope(x, ord)', 'axis=(-2, -1)')]:
    complex_form(f'y = numpy.linalg.{name}', f'spread(d[y], {slope}, x, {axes}, keepdims=keepdims)',
                 forward=f'push_spread(d[x], {slope}, {axes}, keepdims=keepdims)')
complex_form('y = numpy.linalg.slogdet(a)', 'unslogdet_parts(d[y], a, y)', forward='push_slogdet(d[a], a, y)')

complex_form('z = numpy.vdot(a, b)', 'unconj(numpy.reshape(d[z] * numpy.ravel(b), numpy.shape(a)), a)',
             'unbroadcast(numpy.reshape(d[z] * numpy.conj(numpy.ravel(a)), numpy.shape(b)), b)',
             forward='numpy.vdot(d[a], b) + numpy.vdot(a, d[b])')
for vecdot in ['vecdot', 'linalg.vecdot']:
    complex_form(f'z = numpy.{vecdot}(x1, x2, axis=-1)', 'unbroadcast(numpy.conj(numpy.expand_dims(d[z], axis) * x2), x1)',
                 'unbroadcast(numpy.expand_dims(d[z], axis) * numpy.conj(x1), x2)',
                 forward=f'numpy.{vecdot}(d[x1], x2, axis=axis) + numpy.{vecdot}(x1, d[x2], axis=axis)')

complex_form('y = numpy.average(a, axis=None, weights=None, returned=False, keepdims=False)',
             'unaverage_values(d[y], a, weights, axis=axis, keepdims=keepdims)', None,
             'unaverage(d[y], a, y, weights, axis=axis, keepdims=keepdims)',
             forward='push_average(d[a], d[weights], a, y, weights, axis=axis, keepdims=keepdims)')
elementwise('y = numpy.sign(x)', gives='same')            # zero, but for complex numbers
complex_form('y = numpy.sign(x)', 'unsign(d[y], x, y)', forward='push_sign(d[x], x, y)')

# The two ends of a derivative in complex form, for derivatives of derivatives

linear('z = check_real(y, by, *leaves)', None, 'unbroadcast(d[z], by)')
linear('z = conjugated(y, by)', None, 'unconj_seed(d[z], by)')
linear('y = unconj_seed(g, by)', 'unconj_seed(d[y], g)', shape='by')
linear('y = as_gradient(b, x)', 'unconjugated(d[y], b, x)', shape='x')
