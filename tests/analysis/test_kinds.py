"""What is inferred of kinds is what NumPy and Python make."""
import builtins
import itertools
import operator
import types
import warnings

import gast
import numpy as np
import pytest

from tangent.analysis import activity
from tangent.analysis.kinds.infer import Inference
from tangent.analysis.kinds.program import Program
from tangent.analysis.kinds.results import RESULTS, Call
from tangent.analysis.kinds.values import SEVERAL, Array, Begun, Items, Less, Number, Parts, Passive, join, kind_of, kinds_of
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.interfaces import registered  # noqa: F401  (rules and facts)
from tangent.runtime import facts

VALUES = [2, 1.5, True, np.float64(1.5), np.int64(2), np.array([1.5, 2.5, 1.0, 2, 3]), np.array([1, 2, 3, 4, 5]),
          np.array([True, False, True, True, False]), np.float32(1.5), np.ones(5, 'f4'), 1j + 1, np.array(1.5), np.ones((5, 1)),
          np.ones((7, 5)), np.ones((5, 5)), np.ones(4)]
UFUNCS = sorted({f for f in vars(np).values() if isinstance(f, np.ufunc) and f.nout == 1 and facts.of(f).elementwise},
                key=lambda f: f.__name__)
OPERATORS = {'+': operator.add, '-': operator.sub, '*': operator.mul, '/': operator.truediv, '//': operator.floordiv,
             '%': operator.mod, '**': operator.pow, '@': operator.matmul, '<': operator.lt}


def right(said, value, lengths):
    """Whether what was said of a value is true, be it less than could be said."""
    known = kind_of(value, {})
    if said is None or known is None:
        return said is None
    if isinstance(said, Parts):
        return type(value) is said.form and all(right(part, v, lengths) for part, v in zip(said.kinds, value, strict=True))
    if isinstance(said, Number):
        return isinstance(known, Number) and said.dtype == known.dtype and said.python in (None, known.python) \
            and is_long(said.axis, value, lengths)
    return type(value) is np.ndarray and said.dtype == known.dtype and len(said.axes) == value.ndim \
        and all(is_long(axis, n, lengths) for axis, n in zip(said.axes, value.shape))


def is_long(axis, n, lengths):
    """Whether that is the length of an axis."""
    if isinstance(axis, Less):
        return is_long(axis.axis, n + axis.fewer, lengths)
    return axis is None or axis == n or lengths.get(n) == axis or axis == SEVERAL and n > 1


def resolver(expr):
    if isinstance(expr, gast.Attribute):
        return getattr(np, expr.attr) if getattr(expr.value, 'id', None) == 'np' else UNKNOWN
    return getattr(builtins, expr.id, UNKNOWN)


def inferred(text, values, lengths):
    names = [f'x{k}' for k in range(len(values))]
    given = dict(zip(names, [kind_of(v, lengths) for v in values]))
    function = gast.parse(f'def f({", ".join(names)}):\n    return {text}').body[0]
    return Inference(function, given, resolver, Program(None)).result


def outcomes(function, count):
    for values in itertools.product(VALUES, repeat=count):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')
                yield values, function(*values)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError):
            pass


@pytest.mark.parametrize('function', UFUNCS, ids=[f.__name__ for f in UFUNCS])
def test_functions(function):
    names = ', '.join(f'x{k}' for k in range(function.nin))
    wrong = []
    for values, value in outcomes(function, function.nin):
        lengths = {}
        if not right(inferred(f'np.{function.__name__}({names})', values, lengths), value, lengths):
            wrong.append(values)
    assert not wrong


@pytest.mark.parametrize('symbol', OPERATORS)
def test_operators(symbol):
    wrong, said = [], 0
    for values, value in outcomes(OPERATORS[symbol], 2):
        lengths = {}
        found = inferred(f'x0 {symbol} x1', values, lengths)
        said += found is not None
        if not right(found, value, lengths):
            wrong.append(values)
    assert not wrong and said > 20


@pytest.mark.parametrize('text, sure', [
    ('np.sum(x0)', True), ('np.sum(x0, axis=0)', True), ('x0.mean(axis=-1, keepdims=True)', True), ('np.max(x0, axis=(0, 1))', True),
    ('x0.T', True), ('x0.shape', True), ('x0[0]', True), ('x0[:, 0]', True), ('x0[1:-1]', True), ('x0[..., None]', True),
    ('x0[::-1]', True), ('x0[None, :, 1:]', True), ('x0[x1]', True), ('x0[[0, 1]]', False), ('x0[x0 > 0]', True),
    ('np.zeros(x0.shape)', True), ('np.zeros((len(x0), 2))', True), ('np.ones_like(x0)', True), ('np.eye(x0.shape[0])', True),
    ('np.outer(x0[0], x0[1])', True), ('np.where(x0 > 0, x0, 0.0)', True), ('np.array([x0[0, 0], 2.0])', True),
    ('x0 if x1 is None else x0[0]', False), ('x0 @ x0.T', True), ('x0.copy()', True), ('np.full(x0.shape, 1)', True),
    ('np.argmax(x0)', True), ('x0 if x1 is None else x0 * 2', True),
    ('x0[1:] - x0[:-1]', True), ('np.concatenate([x0, x0])', True), ('(x0, x0.size)', True), ('len(x0) - 1', True)])
def test_expressions(text, sure):
    values, lengths = [np.arange(42.0).reshape(6, 7), np.array([0, 2])], {}
    value = eval(text, {'np': np, 'x0': values[0], 'x1': values[1]})              # noqa: S307
    said = inferred(text, values, lengths)
    assert right(said, value, lengths) and (said is not None) == sure


def test_names_of_axes():
    assert kinds_of([np.ones((7, 1)), np.ones((7, 6)), np.ones(3)]) == (
        Array(('n0', 1), 'float64'), Array(('n0', Less('n0', 1)), 'float64'), Array((3,), 'float64'))
    assert kinds_of([np.ones(0), 'text', [1.0, 'text']]) == (None, Passive(str), Parts((Number('float64'), Passive(str)), list))
    assert join(Array(('n0',), 'float64'), Array(('n1',), 'float64')) == Array(('n0|n1',), 'float64')


def test_each_function_of_the_table_takes_any_kinds():
    kinds = [*kinds_of([*VALUES, [1.0, 2.0], (VALUES[-1], 1.0), {'a': 1.0}]), None, object()]
    for function, found in RESULTS.items():
        for count in (0, 1, 2, 3):
            for given in itertools.product(kinds[::3] if count == 3 else kinds, repeat=count):
                found(Call(list(given), [gast.Constant(value=0, kind=None)] * count, {}, {}))
        assert function is not None and isinstance(found, types.FunctionType)


SUM = Begun(Array(('n0',), 'float64'))           # an array or a number


@pytest.mark.parametrize('body, kind', [
    ('y = 1.0\n    while (y := np.exp(x)) is not None:\n        y = 0.0\n    return y', SUM),
    ('y = 0.0\n    for v in x:\n        y = y + v\n    return y', Number('float64', None)),
    ('y = x\n    for v in x:\n        if v > 1:\n            y = 1.0\n            break\n    return y', SUM),
    ('y = x[1:]\n    while len(y) > 2:\n        y = y[1:]\n    return y', Array((None,), 'float64')),
    ('try:\n        y = 1.0\n    finally:\n        pass\n    return y', None),
    ('y = 1.0\n    def g():\n        nonlocal y\n        y = x\n    return y', None),
    ('match x:\n        case [y, *_]:\n            pass\n        case y:\n            pass\n    return y', None),
    ('if len(x) > 3:\n        return x\n    return x * 2', Array(('n0',), 'float64')),
    ('z = [x, x]\n    z[0] = 1.0\n    return z[0]', SUM), ('y = [v * 2 for v in x]\n    return y', Items(Number('float64', False))),
    ('y = [v * 2 for v in x]\n    y[0] = 1.0\n    return y[1]', Number('float64', None))])
def test_paths(body, kind):
    function = gast.parse(f'def f(x):\n    {body}').body[0]
    assert Inference(function, {'x': kind_of(np.ones(7), {})}, resolver, Program(None)).result == kind


class Compares:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value * other

    __hash__ = None


@pytest.mark.parametrize('text, names', [
    ('a == b', {'a', 'b'}), ("a == 'numeric'", set()), ("'numeric' != a", set()), ('a in (b, 2.0)', set()), ('a is b', set())])
def test_what_comparisons_of_classes_may_carry(text, names):
    sources = activity.Sources(types.SimpleNamespace(sight=frozenset([Compares])))
    assert sources(tree.expression(text)) == names
