"""The methods of ufuncs: `outer` from the rule of the ufunc itself, `reduce`, `reduceat`.

Their default axis is 0, so that it is always written out.
"""
import gast
import numpy

from tangent.frontend import tree
from tangent.templates.language.declare import general
from tangent.templates.language.registry import REVERSE, Trees

OUTER = 'divide power float_power maximum minimum fmax fmin arctan2 hypot logaddexp logaddexp2 remainder fmod copysign'.split()
REDUCED = 'subtract fmax fmin logaddexp2 hypot'.split()
SEGMENTS = ['add', 'multiply', 'maximum', 'minimum', 'fmax', 'fmin', 'logaddexp', 'logaddexp2', 'hypot']


def outer_term(rule, param, partials):
    """The term of a ufunc's rule with its operands as `outer` brings them together."""
    left, right = rule.parameters
    move = {left: tree.expression('outer_left(A, B)'), right: tree.load('B'), rule.result: tree.load('y')}
    return gast.unparse(tree.substitute(partials[param], move)).strip()


for name in OUTER:
    rule = REVERSE[getattr(numpy, name)]
    by, pushed = ([outer_term(rule, p, terms) if p in terms else '0.0 * d[y]' for p in rule.parameters]
                  for terms in (rule.partials, Trees({**rule.partials, **rule.pushed})))
    pushed = [t.replace('d[y]', m) for t, m in zip(pushed, ('outer_left(d[A], B)', 'd[B]'))]
    general(f'y = numpy.{name}.outer(A, B)', f'unouter({by[0]}, A)', f'unbroadcast({by[1]}, B)', forward=' + '.join(pushed))

REDUCE = 'reduce(array, axis=0, dtype=None, out=None, keepdims=False)'
for name in REDUCED:
    slope = f'reduce_slope(array, y, "{name}", axis, keepdims)'
    moved = f'null_times({slope}, d[array])' if name in ('fmax', 'fmin') else f'd[array] * {slope}'
    general(f'y = numpy.{name}.{REDUCE}', f'spread_reduced(d[y], array, y, "{name}", axis, keepdims)',
            forward=f'numpy.add.reduce({moved}, axis, keepdims=keepdims)')
for name in SEGMENTS:
    general(f'y = numpy.{name}.reduceat(array, indices, axis=0, dtype=None, out=None)',
            f'unreduceat(d[y], array, indices, y, "{name}", axis)',
            forward=f'push_reduceat(d[array], array, indices, y, "{name}", axis)')
