"""Every sample of the rule tables once through the whole library: values, dtypes, and whose memory a gradient is."""
import importlib.util
import re
import sys

import gast
import numpy
import pytest

import tangent
from tangent import errors
from tangent.frontend import tree
from tests.corpora.samples.rule_samples import SAMPLES, pool
from tests.rules.test_rules import ENV, gradients, parts

PASSIVE = {'k': [True, False, True], 'idx': [0, 2, 0], 'grid': [0.0, 1.0, 2.5, 4.0], 'grid2': [0.0, 0.5, 1.5, 2.0, 4.0],
           'W': [[True, False, True], [True, True, False]]}
UFUNC_METHOD = re.compile(r'numpy\.\w+\.(reduce|accumulate|outer)\(')      # refused where they are not resolved


def names_of(text):
    return sorted(set(tree.names(tree.expression(text), gast.Load)) & set(pool()) - set(PASSIVE))


def program(k, text):
    """A function of the sample's variables, with one number as its result."""
    value = eval(text, {**ENV, **pool()})
    total = 'numpy.sum(numpy.real(y))'
    if isinstance(value, (list, tuple)) and text.startswith('numpy'):
        total = ' + '.join(f'numpy.sum(y[{j}])' for j in range(len(value)))
    elif isinstance(value, list):
        total = 'numpy.sum(numpy.array(y))'
    return f'def f{k}({", ".join(names_of(text))}):\n    y = {text}\n    return ({total}) * 1.5\n'


@pytest.fixture(scope='module')
def programs(tmp_path_factory):
    path = tmp_path_factory.mktemp('programs') / 'rule_programs.py'
    head = ['import math', 'import numpy', 'import operator', 'from tangent.utils import *', 'from tangent.runtime.functions.elementwise import *',
            'from tangent.runtime.functions.real import *', 'from tangent.runtime.functions.numpy.products import *'] + [f'{n} = numpy.array({v})' for n, v in PASSIVE.items()]
    path.write_text('\n'.join(head) + '\n\n' + '\n\n'.join(program(k, t) for k, t in enumerate(SAMPLES)))
    spec = importlib.util.spec_from_file_location('rule_programs', path)
    module = importlib.util.module_from_spec(spec)
    sys.modules['rule_programs'] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules['rule_programs']


def seeds(value):
    ones = [1.5 * numpy.ones(numpy.shape(v))[()] for v in parts(value)]
    return ones if isinstance(value, (list, tuple)) else ones[0]


def mine(x, others):
    return all(not numpy.shares_memory(x, y) for y in others if isinstance(y, numpy.ndarray))


@pytest.mark.share(2)
@pytest.mark.parametrize(('k', 'text'), list(enumerate(SAMPLES)), ids=lambda v: v if isinstance(v, str) else '')
def test_gradient(k, text, programs):
    env, names = pool(), names_of(text)
    args = [env[n] for n in names]
    try:
        df = tangent.grad(getattr(programs, f'f{k}'), wrt=tuple(range(len(names))))
    except errors.TangentError:
        assert UFUNC_METHOD.match(text)
        return
    try:
        found = df(*args) if len(names) > 1 else (df(*args),)
    except errors.ComplexNotImplementedError:
        assert 'complex' in text           # refused, not wrong
        return
    right = gradients(text, env, seeds(eval(text, {**ENV, **env})))
    for name, gradient in zip(names, found):
        numpy.testing.assert_allclose(gradient, right.get(name, numpy.zeros(numpy.shape(env[name]))), 1e-9, 1e-12, err_msg=name)
        assert numpy.shape(gradient) == numpy.shape(env[name])
        assert mine(gradient, args) and mine(gradient, [g for g in found if g is not gradient])
        assert not isinstance(gradient, numpy.ndarray) or gradient.flags.writeable
    if all(isinstance(a, numpy.ndarray) and a.ndim for a in args):
        small = df(*[a.astype(numpy.float32) for a in args])
        for gradient in small if len(names) > 1 else (small,):
            assert gradient.dtype == numpy.float32


# Gradients that more is added to in place: `q` is read by index too, and shares what it owes with `w`.

def padded(q, w):
    p = numpy.pad(q, 1) + w
    return numpy.sum(p * p) + q[0] * q[1]


def undifferenced(q, w):
    z = numpy.diff(q, n=0) + w[:-2]
    return numpy.sum(z * z) + q[0] * 3.0


def joined(q, w):
    z = numpy.concatenate([q, w]) * 2.0
    v = z + numpy.concatenate([w, q])
    return numpy.sum(v * v) + q[0] * w[0]


def same_array(q, w):
    z = numpy.asarray(q) + w[:-2]
    return numpy.sum(z * z) + q[0] * 3.0


def converted(q, w):
    z = q.astype(float) + w[:-2]
    return numpy.sum(z * z) + q[0] * 3.0


def transposed(q, w):
    z = numpy.transpose(numpy.reshape(q, (3, 1)), (1, -2)) + w[:-2]
    return numpy.sum(z * z) + q[0] * 3.0


def renamed(q, w):
    m = numpy.outer(q, q)
    z = numpy.einsum('ij->ji', m) + w[:-2]
    return numpy.sum(z * z) + m[0, 1] * 3.0 + q[0]


def summed(q, w):
    z = sum([q, w[:-2] * 1.0, q])
    return numpy.sum(z * z) + q[0] * 3.0


def stacked(q, w):
    z = numpy.stack([q, w[2:] * 1.0]) * 2.0
    return numpy.sum(z * z) + q[0] * w[2]


@pytest.mark.parametrize('optimized', [True, False])
@pytest.mark.parametrize('f', [padded, undifferenced, joined, same_array, converted, transposed, renamed, summed, stacked])
def test_gradients_own_their_memory(f, optimized):
    q, w = numpy.array([0.3, -1.2, 0.8]), numpy.array([1.0, 0.5, -0.7, 0.2, 0.9])
    found = tangent.grad(f, wrt=(0, 1), optimized=optimized)(q.copy(), w.copy())
    assert mine(found[0], [found[1]])
    for k, at in enumerate((q, w)):
        for j, step in enumerate(1e-6 * numpy.eye(len(at))):
            ends = [f(*(a + s * step if i == k else a for i, a in enumerate((q, w)))) for s in (1, -1)]
            assert found[k][j] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-7)


# Users' rules

def softplus(x, sharpness=1.0):
    with numpy.errstate(over='ignore'):          # a statement that tangent does not differentiate
        return numpy.log1p(numpy.exp(sharpness * x)) / sharpness


def logistic(x):
    return 1.0 / (1.0 + numpy.exp(-x))


def cost(x, w):
    return numpy.sum(softplus(x * w, sharpness=2.0)) + softplus(x[0])


def test_a_template_is_inlined_with_its_own_names():
    @tangent.grads.adjoint(softplus)
    def adjoint(y, x, sharpness=1.0):
        slope = logistic(sharpness * x)
        d[x] = d[y] * slope  # noqa: F821
    try:
        df = tangent.grad(cost, wrt=(0, 1))
        x, w = numpy.array([0.5, -1.0]), numpy.array([2.0, 0.3])
        found = df(x, w)
        right = w * logistic(2.0 * x * w) + numpy.array([logistic(0.5), 0])
        numpy.testing.assert_allclose(found[0], right, 1e-12)
        numpy.testing.assert_allclose(found[1], x * logistic(2.0 * x * w), 1e-12)
        assert 'logistic(' in tangent.source(df)
    finally:
        tangent.grads.adjoints.pop(softplus)


def test_a_new_rule_replaces_one_that_a_derivative_was_made_with():
    def double(y, x):
        d[x] = 2 * d[y]  # noqa: F821

    def triple(y, x):
        d[x] = 3 * d[y]  # noqa: F821
    try:
        for template, slope in ((double, 2.0), (triple, 3.0)):
            tangent.grads.adjoint(softplus)(template)
            assert tangent.grad(lambda x: softplus(x))(1.0) == slope
    finally:
        tangent.grads.adjoints.pop(softplus)


def test_no_gradient_flows_through_functions_declared_so():
    tangent.non_differentiable.register_non_differentiable_functions(softplus)
    try:
        assert tangent.grad(lambda x: softplus(x) * x)(1.0) == softplus(1.0)
    finally:
        tangent.grads.adjoints.pop(softplus), tangent.tangents.tangents.pop(softplus)
