"""The rule tables test themselves: every rule against differences, and its two modes against each other."""
import cmath
import math
import operator

import gast
import numpy
import pytest

import tangent.templates  # noqa: F401  (fills the tables)
from tangent import broadcasting, helpers, products, rules, tree, utils
from tests.rule_samples import ELSEWHERE, HOLOMORPHIC, SAMPLES, pool

ENV = {**vars(helpers), **vars(products), **vars(broadcasting), **vars(utils), 'numpy': numpy, 'math': math, 'cmath': cmath,
       'operator': operator}


def parse(text):
    """(rule, bound) of a call, an operation or an attribute written as text."""
    form = tree.expression(text)
    if isinstance(form, gast.BinOp):
        rule, args, keywords = rules.operator(type(form.op)), [form.left, form.right], {}
    elif isinstance(form, gast.UnaryOp):
        rule, args, keywords = rules.operator(type(form.op)), [form.operand], {}
    elif isinstance(form, gast.Attribute):
        rule, args, keywords = rules.attribute(form.attr), [form.value], {}
    else:
        args, keywords = form.args, {k.arg: k.value for k in form.keywords}
        if isinstance(form.func, gast.Attribute) and tree.dotted(form.func).split('.')[0] not in rules.MODULES:
            rule, args = rules.method(form.func.attr), [form.func.value, *args]
        else:
            rule = rules.lookup(eval(gast.unparse(form.func), ENV))
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
        if rule.kind == 'elementwise' or rule.mixes:
            gradient = broadcasting.unbroadcast(gradient, value)
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
        if name not in ('k', 'idx', 'grid'):
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


@pytest.mark.parametrize('text', HOLOMORPHIC)
def test_complex_derivative(text):
    rule, bound = parse(text)
    z, h = 0.3 + 0.4j, 1e-6

    def f(z):
        return evaluate(tree.expression(text), {'z': z})
    _, terms = rule.terms(bound, tree.load('_y'), tree.load('_b'), {'x'})
    found = evaluate(terms['x'], {'z': z, '_y': f(z), '_b': 1.0})
    assert found == pytest.approx((f(z + h) - f(z - h)) / (2 * h), rel=1e-8)


def test_every_rule_has_a_sample():
    reached = {id(parse(text)[0]) for text in SAMPLES + HOLOMORPHIC}
    tables = [rules.REVERSE, rules.METHODS, rules.ATTRIBUTES, rules.OPERATORS, rules.HELPERS]
    lacking = {r.name for t in tables for r in t.values() if r.kind not in ('constant', 'template') and id(r) not in reached}
    assert lacking - ELSEWHERE == set()
