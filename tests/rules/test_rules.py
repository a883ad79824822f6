"""The rule tables test themselves: every rule against differences, and its two modes against each other."""
import cmath
import importlib
import inspect
import math
import operator
import sys
import warnings

import gast
import numpy
import pytest

import tangent.grads
import tangent.non_differentiable
import tangent.tangents
import tangent.templates  # noqa: F401  (fills the tables)
from tangent import errors
from tangent.emit import library
from tangent.frontend import tree
from tangent.runtime import broadcast, facts
from tangent.templates.language import registry
from tests.corpora.samples.rule_samples import HOLOMORPHIC, SAMPLES, pool

ENV = {**{k: v for name in facts.RUN_TIME[::-1] for k, v in vars(importlib.import_module(name)).items()}, **vars(broadcast),
       'numpy': numpy, 'math': math, 'cmath': cmath, 'operator': operator}


def parse(text):
    """(rule, bound) of a call, an operation or an attribute written as text."""
    form = tree.expression(text)
    if isinstance(form, gast.BinOp):
        rule, args, keywords = registry.operator(type(form.op)), [form.left, form.right], {}
    elif isinstance(form, gast.UnaryOp):
        rule, args, keywords = registry.operator(type(form.op)), [form.operand], {}
    elif isinstance(form, gast.Attribute):
        rule, args, keywords = registry.attribute(form.attr), [form.value], {}
    else:
        args, keywords = form.args, {k.arg: k.value for k in form.keywords}
        if isinstance(form.func, gast.Attribute) and tree.dotted(form.func).split('.')[0] not in registry.MODULES:
            rule, args = registry.method(form.func.attr), [form.func.value, *args]
        else:
            rule = registry.lookup(eval(gast.unparse(form.func), ENV))
    assert rule is not None, text
    return rule, rule.bind(args, keywords)


def evaluate(expr, env):
    return eval(gast.unparse(expr).strip(), {**ENV, **env})


def parts(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def inner(x, y):
    return sum(numpy.sum(numpy.real(numpy.multiply(numpy.conj(a), b))) for a, b in zip(parts(x), parts(y)))


def seeds(value):
    rng = numpy.random.default_rng(3)
    drawn = [rng.uniform(0.5, 2, numpy.shape(v))[()] for v in parts(value)]
    return drawn if isinstance(value, (list, tuple)) else drawn[0]


def active(rule, bound, names):
    """The differentiable parameters that are bound to something made of these names."""
    return {p for p in rule.differentiable if set(tree.names(bound[p], gast.Load)) & set(names)}


def deposit(expr, gradient, found, rule, env):
    """Add the gradient of an argument to those of the pool's variables that it is made of."""
    if isinstance(expr, (gast.List, gast.Tuple)):
        for k, element in enumerate(expr.elts):
            deposit(element, gradient[k], found, rule, env)
    elif isinstance(expr, gast.Name) and expr.id in env:
        value = env[expr.id]
        if rule.kind == 'elementwise':
            gradient = broadcast.unbroadcast(gradient, value)
        assert numpy.shape(gradient) == numpy.shape(value), (expr.id, gradient)
        found[expr.id] = found.get(expr.id, 0) + gradient


def gradients(text, env, seed):
    """Variable of the pool -> its gradient, by the rule."""
    rule, bound = parse(text)
    value = evaluate(tree.expression(text), env)
    taken = tree.Names(env)
    stmts, terms = rule.terms(bound, tree.load('_y'), tree.load('_b'), active(rule, bound, env), taken.fresh)
    assert not stmts
    found = {}
    for param, term in terms.items():
        elements = bound[param].elts if param == rule.vararg else [bound[param]]
        for element, each in zip(elements, term if param == rule.vararg else [term]):
            deposit(element, evaluate(each, {**env, '_y': value, '_b': seed}), found, rule, env)
    return found


def pushed(text, env, tangents):
    """The tangent of the result, by the rule's forward mode."""
    rule, bound = parse(text)
    move = {name: tree.load('d' + name) for name in tangents}

    def tangent(expr):
        if isinstance(expr, gast.Constant) or not tree.names(expr, gast.Load):
            return tree.expression('0.0')
        if isinstance(expr, (gast.List, gast.Tuple)):
            return tree.replace(expr, elts=[tangent(e) for e in expr.elts])
        return tree.substitute(expr, move)
    def moved(expr):
        return tangent(expr) if set(tree.names(expr, gast.Load)) & set(tangents) else None
    given = {p: [moved(e) for e in bound[p].elts] if p == rule.vararg else tangent(bound[p])
             for p in active(rule, bound, tangents)}
    stmts, expr = rule.forward(bound, tree.load('_y'), given, set(given))
    value = evaluate(tree.expression(text), env)
    return evaluate(expr, {**env, **{'d' + n: t for n, t in tangents.items()}, '_y': value})


def difference(text, env, name, seed):
    """Central differences of <seed, f> by every element of one variable."""
    value = numpy.asarray(env[name], float)
    out = numpy.zeros(value.shape)
    for index in numpy.ndindex(value.shape):
        ends = []
        for step in (1e-6, -1e-6):
            moved = value.copy()
            moved[index] += step
            moved = moved if isinstance(env[name], numpy.ndarray) else float(moved)
            ends.append(inner(seed, evaluate(tree.expression(text), {**env, name: moved})))
        out[index] = (ends[0] - ends[1]) / 2e-6
    return out


@pytest.mark.parametrize('text', SAMPLES)
def test_reverse(text):
    env = pool()
    seed = seeds(evaluate(tree.expression(text), env))
    found = gradients(text, env, seed)
    for name in set(tree.names(tree.expression(text), gast.Load)) & set(env):
        if name not in ('k', 'idx', 'grid', 'grid2', 'W'):
            numpy.testing.assert_allclose(found.get(name, 0.0), difference(text, env, name, seed), 2e-6, 2e-7, err_msg=name)


@pytest.mark.parametrize('text', SAMPLES)
def test_forward_is_the_transpose_of_reverse(text):
    env = pool()
    seed = seeds(evaluate(tree.expression(text), env))
    found = gradients(text, env, seed)
    rng = numpy.random.default_rng(5)
    tangents = {name: rng.uniform(-1, 1, numpy.shape(env[name]))[()] for name in found}
    if not tangents:
        return
    moved = pushed(text, env, tangents)
    for push, value in zip(parts(moved), parts(evaluate(tree.expression(text), env))):
        assert numpy.shape(push) == numpy.shape(value)
    assert inner(seed, moved) == pytest.approx(sum(inner(found[n], t) for n, t in tangents.items()), rel=1e-9)


@pytest.mark.parametrize('text', [s for s in SAMPLES if not {'s', 'r', 'n', 'zero'} & set(tree.names(tree.expression(s), gast.Load))
                                  and 'float' not in s])
def test_float32_stays(text):
    env = pool(numpy.float32)
    value = evaluate(tree.expression(text), env)
    seed = [numpy.asarray(v).astype(numpy.float32)[()] for v in parts(seeds(value))]
    for name, gradient in gradients(text, env, seed if isinstance(value, (list, tuple)) else seed[0]).items():
        assert numpy.asarray(gradient).dtype == numpy.float32, name


LIKE = {name: known.like for name, known in facts.NAMED.items() if known.like is not None and not hasattr(numpy, name)}
IN_STATEMENTS = {'init_grad', 'zero_gradient', 'array_copy', 'copy_alike', 'copy_along', 'in_place', 'own_gradient', 'check_scalar',
                 'add_at'}                                                                                   # in no rule


def likenesses(text, env):
    """(name, result, argument) for each call in the terms of a rule to a function whose result is like an argument."""
    rule, bound = parse(text)
    value = evaluate(tree.expression(text), env)
    near = {**env, '_y': value, '_b': numpy.asarray(seeds(value)).astype(numpy.float64)[()]}
    _, terms = rule.terms(bound, tree.load('_y'), tree.load('_b'), active(rule, bound, env), tree.Names(env).fresh)
    for term in [t for t in terms.values() if isinstance(t, gast.AST)]:
        for call in [n for n in gast.walk(term) if isinstance(n, gast.Call) and tree.dotted(n.func) in LIKE]:
            like = call.args[LIKE[call.func.id]]
            if isinstance(like, gast.Name):
                yield call.func.id, evaluate(call, near), evaluate(like, near)


def test_results_that_are_said_to_be_like_an_argument():
    found = set()
    for text in SAMPLES:
        if not isinstance(evaluate(tree.expression(text), pool()), (list, tuple)):
            for name, result, like in likenesses(text, pool(numpy.float32)):
                found.add(name)
                assert numpy.shape(result) == numpy.shape(like), text
                assert not hasattr(like, 'dtype') or like.ndim == 0 or result.dtype == like.dtype, text
    elsewhere = {name for path, module in sys.modules.items() if path.startswith('tangent.runtime.functions.parallel.')
                 for name in vars(module)}                                # of messages: tests/parallel
    assert set(LIKE) - found <= IN_STATEMENTS | elsewhere


def test_results_that_are_like_a_matrix_of_double_precision():
    """What `analysis.kinds` says of them."""
    a = numpy.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.1]])
    factor = numpy.linalg.cholesky(a)
    for result in (ENV['uncholesky'](numpy.ones_like(factor), factor), ENV['unslogdet'](0.7, a), ENV['unslogdet'](numpy.float64(2), a)):
        assert type(result) is numpy.ndarray and result.shape == a.shape and result.dtype == numpy.float64


@pytest.mark.parametrize('text', HOLOMORPHIC)
def test_complex_derivative(text):
    rule, bound = parse(text)
    z, h = 0.3 + 0.4j, 1e-6

    def f(z):
        return evaluate(tree.expression(text), {'z': z})
    _, terms = rule.terms(bound, tree.load('_y'), tree.load('_b'), {'x'})
    found = evaluate(terms['x'], {'z': z, '_y': f(z), '_b': 1.0})
    assert found == pytest.approx((f(z + h) - f(z - h)) / (2 * h), rel=1e-8)


INF, NAN = math.inf, math.nan

EDGES = [
    ('abs(x)', 0.0, 0), ('numpy.abs(x)', 0.0, 0), ('math.fabs(x)', 0.0, 0),
    ('numpy.sqrt(x)', 0.0, INF), ('math.sqrt(x)', 0.0, INF), ('x ** 0.5', 0.0, INF), ('numpy.log(x)', 0.0, INF),
    ('numpy.cbrt(x)', 0.0, INF), ('numpy.arcsin(x)', 1.0, INF), ('math.asin(x)', 1.0, INF), ('numpy.arccosh(x)', 1.0, INF),
    ('math.acosh(x)', 1.0, INF), ('1.0 / x', 0.0, -INF), ('x ** -0.5', 0.0, -INF), ('x ** 0.0', 0.0, 0),
    ('numpy.reciprocal(x)', 0.0, -INF),
    ('numpy.maximum(x, 1.0)', 1.0, 0.5), ('numpy.minimum(1.0, x)', 1.0, 0.5), ('numpy.fmax(x, 1.0)', 1.0, 0.5),
    ('numpy.fmin(x, 1.0)', 1.0, 0.5), ('max(x, 1.0)', 1.0, 0.5), ('min(1.0, x)', 1.0, 0.5), ('max(x, 1.0, 1.0)', 1.0, 1 / 3),
    ('numpy.clip(x, 0.0, 1.0)', 1.0, 1), ('numpy.clip(x, 0.0, 1.0)', 0.0, 1), ('numpy.clip(x, 0.0, 1.0)', 2.0, 0),
    ('numpy.hypot(x, 0.0)', 0.0, 0), ('numpy.arctan2(x, 0.0)', 0.0, 0), ('math.atan2(x, 0.0)', 0.0, 0),
    ('math.hypot(x, 0.0)', 0.0, 0), ('numpy.sinc(x)', 0.0, 0), ('numpy.nan_to_num(x)', NAN, 0),
    ('numpy.max(x)', [1.0, 3.0, 3.0, 3.0], [0, 1 / 3, 1 / 3, 1 / 3]), ('numpy.min(x)', [1.0, 1.0, 3.0], [0.5, 0.5, 0]),
    ('numpy.amax(x, axis=1)', [[1.0, 1.0], [0.0, 2.0]], [[0.5, 0.5], [0, 1]]), ('max(x)', [2.0, 2.0], [0.5, 0.5]),
    ('numpy.prod(x)', [0.0, 2.0, 3.0], [6, 0, 0]), ('numpy.prod(x)', [0.0, 0.0, 3.0], [0, 0, 0]),
    ('numpy.cumprod(x)', [0.0, 2.0, 3.0], [1 + 2 + 6, 0, 0]), ('numpy.cumprod(x)', [2.0, 0.0, 3.0], [1, 2 + 6, 0]),
    ('numpy.sort(x)', [2.0, 1.0, 2.0], [1, 1, 1]), ('numpy.median(x)', [4.0, 1.0, 2.0, 9.0], [0.5, 0, 0.5, 0]),
    ('numpy.linalg.norm(x)', [0.0, 0.0], [0, 0]), ('numpy.linalg.norm(x, 1)', [0.0, -2.0], [0, -1]),
    ('numpy.linalg.norm(x, numpy.inf)', [1.0, -1.0], [0.5, -0.5]), ('numpy.linalg.norm(x, 2, axis=0)', [0.0, 0.0], [0, 0]),
    ('numpy.std(x)', [1.0, 1.0, 1.0], [0, 0, 0]), ('numpy.var(x, ddof=1)', [1.0], [NAN]),
    ('numpy.linalg.det(x)', [[1.0, 2.0], [2.0, 4.0]], [[4, -2], [-2, 1]]),
    ('numpy.take(x, [0, 0])', [1.0, 5.0], [2, 0]),
    ('x // 2.0', 3.0, 0), ('x % 2.0', 3.0, 1), ('7.0 % x', 2.0, -3), ('numpy.mod(7.0, x)', 2.0, -3), ('numpy.fmod(-5.5, x)', 2.0, 2),
    ('math.fmod(-5.5, x)', 2.0, 2), ('numpy.mean(x)', [], []), ('numpy.sum(x)', [], []),
]


@pytest.mark.parametrize(('text', 'value', 'expected'), EDGES)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_values_at_the_edges(text, value, expected):
    if 'math' not in text or isinstance(value, list):
        value = numpy.asarray(value)[()]
    result = evaluate(tree.expression(text), {'x': value})
    found = gradients(text, {'x': value}, numpy.ones_like(result)[()] if 'math' not in text else 1.0).get('x', 0.0)
    numpy.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(('x', 'y', 'dx', 'dy'), [
    (0.0, 0.0, 0, 0), (0.0, 2.0, 0, 0), (0.0, 1.0, 1, 0), (0.0, 0.5, INF, 0), (-2.0, 2.0, -4, NAN), (0.0, -1.0, -INF, NAN)])
@pytest.mark.parametrize('text', ['x ** y', 'numpy.power(x, y)', 'pow(x, y)', 'math.pow(x, y)'])
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_powers_at_the_edges(text, x, y, dx, dy):
    if 'math' in text and y < 0:
        return                                                # Python's own numbers raise
    wrap = float if 'math' in text else numpy.float64
    found = gradients(text, {'x': wrap(x), 'y': wrap(y)}, 1.0)
    numpy.testing.assert_equal([float(found['x']), float(found['y'])], [dx, dy])


# Texts

def shown(text, *active):
    """The reverse term of a call, as text, for its only or for the given parameter."""
    rule, bound = parse(text)
    _, terms = rule.terms(bound, tree.load('y'), tree.load('by'), active or {p for p in rule.differentiable if not registry.literal(bound[p])}, tree.Names([]).fresh)
    term, = terms.values()
    return gast.unparse(term).strip()


@pytest.mark.parametrize(('text', 'term'), [
    ('x ** 2', '2 * by * x'), ('x ** 3', '3 * by * x ** 2'), ('x ** 1', 'by'), ('x ** -1', '-1 * by * x ** (-2)'),
    ('pow(x, 2.0)', '2.0 * by * x'), ('numpy.sum(x)', 'unreduce_like(by, x)'),
    ('x.sum(axis=0)', 'unreduce_like(by, x, axis=0)'), ('numpy.sum(x, axis=k)', 'unreduce_like(by, x, axis=k)'),
    ('numpy.linalg.norm(x)', 'by * safe_divide(x, y)'), ('x.T', 'by.T'), ('numpy.transpose(x)', 'numpy.transpose(by)'),
    ('numpy.transpose(x, (1, 2, 0))', 'numpy.transpose(by, (2, 0, 1))'), ('math.log(x)', 'by / x'),
    ('numpy.concatenate([x, z], axis=1)', 'unconcatenate(by, [x, z], axis=1)'), ('numpy.max(x)', 'by * ties(x, y)'),
    ('numpy.var(x)', 'by * (2 * centred(x) / array_size(x))'),
    ('numpy.var(x, ddof=1)', 'by * (2 * centred(x) / (array_size(x) - 1))'),
])
def test_terms_are_what_a_person_writes(text, term):
    assert shown(text) == term


def test_a_literal_transposition_of_any_rank_is_inverted():
    assert shown('numpy.transpose(x, (0, -1, 1))') == 'untranspose(by, (0, -1, 1))'


@pytest.mark.parametrize('text', ['numpy.sum(x, 0, None, None, True, 0, True, 0)', 'numpy.average(x, returned=True)', 'numpy.sum()',
                                  'numpy.sum(x, out=z)', 'numpy.tanh(x, where=k)', 'numpy.reshape(x, (2, 3), order="A")',
                                  'numpy.dot(*xs)', 'numpy.sum(x, a=x)'])
def test_arguments_without_a_rule_are_refused(text):
    with pytest.raises(errors.ArgumentError) as caught:
        parse(text)
    assert text.partition('(')[0] in str(caught.value)


def test_a_parameter_without_a_derivative_rule_is_refused_where_it_is_active():
    rule, bound = parse('numpy.gradient(x, c)')
    rule.terms(bound, tree.load('y'), tree.load('by'), {'f'})
    with pytest.raises(errors.ReverseNotImplementedError, match='varargs'):
        rule.terms(bound, tree.load('y'), tree.load('by'), {'f', 'varargs'})


def test_library_names_are_those_that_the_texts_read():
    assert registry.lookup(numpy.tanh).library == set()
    assert registry.lookup(numpy.max).library == {'numpy', 'ties', 'unbroadcast', 'unreduce_like'}
    assert registry.lookup(max).library == {'balanced_eq', 'share', 'unextreme', 'push_extreme'}


def every_rule():
    """All but those of packages that may be missing, whose run-time functions have tests of their own."""
    for table in (registry.REVERSE, registry.METHODS, registry.ATTRIBUTES, registry.OPERATORS):
        yield from {id(r): r for r in table.values() if r.globals is None and not r.name.startswith(EXTRAS)}.values()


EXTRAS = 'scipy.', 'mpmath.', 'sympy.', 'uncertainties.'


def test_texts_read_nothing_that_does_not_exist():
    rooms = [room for package, room in facts.EXTRA_RUN_TIME if package in sys.modules]         # methods are theirs, too
    known = set(ENV).union(*(vars(importlib.import_module(room)) for room in rooms))
    assert {n for rule in every_rule() for n in rule.library} - known == set()


NAMED = {'copied'}         # whose parameters are named after what they hold


def test_parameters_are_those_of_the_function():
    wrong = {}
    for function, rule in list(registry.REVERSE.items()):
        if isinstance(function, type):
            continue                       # numpy.complex128 tells its parameters on some versions of Python only
        if str(getattr(function, '__module__', '')).startswith('dask.'):
            continue                       # their arguments are put in the order of NumPy's: tests/parallel/test_dask_arrays.py
        try:
            known = list(inspect.signature(function).parameters.values())
        except (ValueError, TypeError):
            continue
        if rule.kind in ('constant', 'template') or rule.name in NAMED or rule.name.startswith(('numpy.ma.', *EXTRAS[1:])) \
                or any(p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in known):
            continue
        names = [p.name for p in known if p.kind is not p.KEYWORD_ONLY]
        only = {p.name for p in known if p.kind is p.KEYWORD_ONLY}
        given = [p for p in rule.parameters if p not in only]
        if given != names[:len(given)]:
            wrong[rule.name] = rule.parameters, names
    assert wrong == {}


def test_constants():
    assert all(map(registry.is_constant, [len, print, numpy.argmax, numpy.shape, math.floor, numpy.random.rand,
                                       numpy.random.default_rng(0).normal]))
    assert not any(map(registry.is_constant, [numpy.sin, sum, parse, [], 3, numpy.unique]))
    assert registry.attribute('shape').kind == registry.method('argmax').kind == registry.operator(gast.FloorDiv).kind == 'constant'


def test_unhashable_and_unknown_objects_have_no_rule():
    assert registry.lookup([]) is registry.lookup(parse) is registry.method('no_such_method') is None


# Rules that are not calls on real arguments

def test_cholesky():
    env = pool()
    spd, y = env['spd'], numpy.linalg.cholesky(env['spd'])
    rule, bound = parse('numpy.linalg.cholesky(spd)')
    d = numpy.tril(seeds(y))
    _, terms = rule.terms(bound, tree.load('_y'), tree.load('_b'), {'a'})
    gradient = evaluate(terms['a'], {**env, '_y': y, '_b': d})
    step = numpy.diag([1.0, 2.0, 3.0]) + numpy.array([[0, 1.0, 0], [1, 0, 2], [0, 2, 0]])
    ends = [inner(d, numpy.linalg.cholesky(spd + h * step)) for h in (1e-6, -1e-6)]
    assert inner(gradient, step) == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
    _, push = rule.forward(bound, tree.load('_y'), {'a': tree.load('_t')}, {'a'})
    assert inner(d, evaluate(push, {**env, '_y': y, '_t': step})) == pytest.approx(inner(gradient, step), rel=1e-9)


def test_flat():
    assert shown('x.flat') == 'numpy.reshape(by, numpy.shape(x))'


@pytest.mark.parametrize('draw', ['numpy.random.normal(m, c, 5)', 'numpy.random.uniform(m, c, 5)'])
def test_samples_move_with_their_distribution(draw):
    def f(m, c):
        numpy.random.seed(1)
        return evaluate(tree.expression(draw), {'m': m, 'c': c})
    rule, bound = parse(draw)
    _, terms = rule.terms(bound, tree.load('_y'), tree.load('_b'), rule.differentiable)
    at = {'m': 0.3, 'c': 1.7}
    found = [evaluate(t, {**at, '_y': f(**at), '_b': 1.0}) * numpy.ones(5) for t in terms.values()]
    numpy.testing.assert_allclose(found[0], (f(0.3 + 1e-6, 1.7) - f(0.3 - 1e-6, 1.7)) / 2e-6, 1e-6)
    numpy.testing.assert_allclose(found[1], (f(0.3, 1.7 + 1e-6) - f(0.3, 1.7 - 1e-6)) / 2e-6, 1e-6)


@pytest.mark.parametrize('text', [
    'abs(z)', 'numpy.abs(z)', 'numpy.absolute(Z)', 'operator.abs(z)', 'numpy.real(z)', 'numpy.imag(Z)', 'z.real', 'Z.imag',
    'numpy.angle(z)', 'numpy.angle(Z, deg=True)', 'numpy.conj(z)', 'z.conjugate()', 'Z.conj()', 'numpy.linalg.norm(Z)',
    'numpy.linalg.norm(S, "nuc")', 'numpy.linalg.norm(S, axis=1)', 'numpy.var(Z)', 'numpy.std(Z)', 'numpy.std(S, axis=1)',
    'Z.var()', 'Z.std(axis=0)', 'numpy.nanvar(Z)', 'numpy.nanstd(Z)', 'numpy.linalg.slogdet(S)', 'Z.astype(float)',
    'numpy.array(Z, dtype=float)', 'numpy.asarray(Z, float)'])
def test_complex_numbers_do_not_become_real(text):
    env = {'z': 0.3 + 0.4j, 'Z': numpy.array([1 + 2j, 3.0]), 'S': numpy.array([[1 + 2j, 3.0], [0.5, 1j]])}
    with warnings.catch_warnings(), pytest.raises(errors.ComplexNotImplementedError, match='complex'):
        warnings.simplefilter('ignore')
        gradients(text, env, numpy.ones_like(evaluate(tree.expression(text), env)) if 'slogdet' not in text else (0.0, 1.0))


def test_gradients_of_real_values_of_any_kind():
    assert ENV['sign'](-0.5) == -1.0
    assert ENV['sign'](0.0) == ENV['sign'](0) == 0.0
    assert math.isnan(ENV['sign'](math.nan)) == math.isnan(numpy.sign(math.nan))
    assert list(ENV['sign'](numpy.array([2, 0, -3]))) == [1, 0, -1]
    assert numpy.all(numpy.isinf(ENV['unslogdet'](1.0, numpy.ones((2, 2)))))


def test_every_name_in_a_text_is_known():
    tables = [registry.REVERSE, registry.METHODS, registry.ATTRIBUTES, registry.OPERATORS, registry.HELPERS]
    for rule in {id(r): r for table in tables for r in table.values()}.values():
        for name in rule.library:
            assert library.find(name, in_complex=True) is not None, (rule, name)


# Users' rules

def scale(x, w, by=1.0):
    return x * w * by


def test_templates_keep_their_statements_defaults_and_names():
    before = registry.version()

    @tangent.grads.adjoint(scale)
    def adjoint(y, x, w, by=1.0):
        """The docstring is no statement."""
        t = numpy.tanh(x)
        d[x] = d[y] * w * by * t  # noqa: F821
        t = t + 1
        d[w] = d[y] * t * inner(1, 1)  # noqa: F821
    try:
        assert registry.version() > before
        assert tangent.grads.adjoints[scale] is registry.lookup(scale)
        rule = registry.lookup(scale)
        names = tree.Names(['t'])
        stmts, terms = rule.terms(rule.bind([tree.load('a'), tree.load('b')], {}), tree.load('y'), tree.load('g'), {'x', 'w'},
                                  names.fresh)
        assert [gast.unparse(s).strip() for s in stmts] == ['t2 = numpy.tanh(a)', 'bx = g * b * 1.0 * t2', 't2 = t2 + 1']
        assert {p: gast.unparse(t).strip() for p, t in terms.items()} == {
            'x': "fitting(bx, a, 'tests.rules.test_rules.scale', 0)",
            'w': "fitting(g * t2 * inner(1, 1), b, 'tests.rules.test_rules.scale', 1)"}
        assert rule.namespace == {'numpy': numpy, 'inner': inner} and rule.library == {'fitting'}
        with pytest.raises(errors.ArgumentError, match='scale: keyword "z"'):
            rule.bind([tree.load('a')], {'z': tree.load('b')})
    finally:
        tangent.grads.adjoints.pop(scale)
    assert registry.lookup(scale) is None


def test_a_template_may_take_any_number_of_arguments():
    @tangent.grads.adjoint(scale)
    def adjoint(y, *xs):
        d[xs] = [d[y] * x for x in xs]  # noqa: F821
    try:
        rule = registry.lookup(scale)
        _, terms = rule.terms(rule.bind([tree.load('a'), tree.load('b')], {}), tree.load('y'), tree.load('g'), {'xs'},
                              tree.Names([]).fresh)
        assert [evaluate(t, {'a': 2.0, 'b': 3.0, 'g': 5.0}) for t in terms['xs']] == [10.0, 15.0]
    finally:
        tangent.grads.adjoints.pop(scale)


def test_forward_templates():
    @tangent.tangents.tangent_(scale)
    def tangent_of_scale(y, x, w, by=1.0):
        d[y] = (d[x] * w + x * d[w]) * by  # noqa: F821
    try:
        rule = registry.lookup(scale, 'forward')
        bound = rule.bind([tree.load('a'), tree.load('b')], {'by': tree.load('c')})
        _, term = rule.forward(bound, tree.load('y'), {'x': tree.load('da')}, {'x'}, tree.Names([]).fresh)
        assert gast.unparse(term).strip() == '(da * b + a * init_grad(b)) * c'
        assert registry.lookup(scale) is None
    finally:
        tangent.tangents.tangents.pop(scale)


def test_primal_templates():
    @tangent.grads.primal(scale)
    def primal(y, x, w, by=1.0):
        t = x * w
        y = t * by  # noqa: F841
    try:
        rule = registry.PRIMAL[scale]
        stmts = rule.replacement(rule.bind([tree.load('a'), tree.load('b')], {}), 'r', tree.Names([]).fresh)
        assert [gast.unparse(s).strip() for s in stmts] == ['t = a * b', 'r = t * 1.0']
    finally:
        tangent.grads.primals.pop(scale)


def refused(error, template):
    with pytest.raises(error) as caught:
        tangent.grads.adjoint(scale)(template)
    assert scale not in tangent.grads.adjoints
    return str(caught.value)


def test_templates_that_make_no_sense_are_refused():
    def unknown(y, x):
        d[z] = d[y]  # noqa: F821

    def loop(y, x):
        for _ in range(3):
            d[x] = d[y]  # noqa: F821

    def keywords(y, x, **more):
        d[x] = d[y]  # noqa: F821

    assert 'd[z]' in refused(errors.RegistrationError, unknown)
    assert 'straight-line' in refused(errors.RegistrationError, loop)
    assert '**more' in refused(errors.RegistrationError, keywords)
    assert 'def' in refused(errors.SourceError, lambda y, x: None)
    assert 'source' in refused(errors.SourceError, eval('len'))


def test_functions_declared_without_derivative():
    tangent.non_differentiable.register_non_differentiable_functions(scale)
    try:
        assert registry.is_constant(scale)
    finally:
        registry.REVERSE.pop(scale), registry.FORWARD.pop(scale)


def test_arguments_left_out_of_a_text_have_the_same_default_there():
    """`axis=axis` is left out where a call leaves `axis` at its default: the function in the text must have it too."""
    wrong, seen = [], 0
    for rule in every_rule():
        texts = [t for p in [rule.partials, *(v for _, v, _ in rule.variants)] for t in p.values()] + [rule.forward_text]
        calls = [n for t in texts if isinstance(t, gast.AST) for n in gast.walk(t) if isinstance(n, gast.Call)]
        for call in calls:
            given = [k.arg for k in call.keywords if isinstance(k.value, gast.Name) and k.value.id in rule.defaults]
            if given and not isinstance(eval(gast.unparse(call.func), ENV), (numpy.ufunc, type(numpy.add.reduce))):
                try:
                    known = inspect.signature(eval(gast.unparse(call.func), ENV)).parameters
                except ValueError:                 # older versions of NumPy do not tell
                    continue
                for name in known.keys() & given:
                    mine, theirs = registry.literal(rule.defaults[name]), known[name].default
                    seen += 1
                    if theirs is not numpy._NoValue and mine != [theirs]:
                        wrong.append((rule, gast.unparse(call).strip(), theirs))
    assert wrong == [] and seen > 50
