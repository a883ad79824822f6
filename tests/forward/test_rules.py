"""Every sample of the rule tables through forward mode: along each argument alone and all together, against reverse mode."""
import importlib.util
import sys

import numpy
import pytest

import tangent
from tests.corpora.samples.rule_samples import SAMPLES, pool
from tests.rules.test_rules import parts
from tests.rules.test_rules_in_programs import PASSIVE, names_of


@pytest.fixture(scope='module')
def programs(tmp_path_factory):
    path = tmp_path_factory.mktemp('programs') / 'forward_programs.py'
    head = ['import math', 'import numpy', 'import operator', 'from tangent.utils import *', 'from tangent.runtime.functions.elementwise import *',
            'from tangent.runtime.functions.real import *', 'from tangent.runtime.functions.numpy.products import *', 'from tangent.runtime.functions.numpy.statistics import *',
            'from tangent.runtime.tangents.zeros import *']
    head += [f'{n} = numpy.array({v})' for n, v in PASSIVE.items()]
    texts = [f'def f{k}({", ".join(names_of(text))}):\n    y = {text}\n    return y\n' for k, text in enumerate(SAMPLES)]
    path.write_text('\n'.join(head) + '\n\n' + '\n\n'.join(texts))
    spec = importlib.util.spec_from_file_location('forward_programs', path)
    module = importlib.util.module_from_spec(spec)
    sys.modules['forward_programs'] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules['forward_programs']


def like(value, rng):
    return rng.uniform(-1, 1, numpy.shape(value))[()] if isinstance(value, numpy.ndarray) else float(rng.uniform(-1, 1))


def seed_of(value, rng):
    if isinstance(value, tuple):
        made = [seed_of(v, rng) for v in value]
        return type(value)(*made) if hasattr(value, '_fields') else tuple(made)
    return [seed_of(v, rng) for v in value] if isinstance(value, list) else like(numpy.asarray(value), rng)


def inner(a, b):
    return sum(numpy.sum(numpy.asarray(x) * numpy.asarray(y)) for x, y in zip(parts(a), parts(b), strict=True))


@pytest.mark.share(2)
@pytest.mark.parametrize(('k', 'text'), list(enumerate(SAMPLES)), ids=lambda v: v if isinstance(v, str) else '')
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_both_modes_agree(k, text, programs):
    """<v, J u> computed by both modes; and the tangent has the shape of the value."""
    f, env, names = getattr(programs, f'f{k}'), pool(), names_of(text)
    args = [env[n] for n in names]
    rng = numpy.random.default_rng(k)
    if 'complex' in text:                  # refused by reverse mode
        return
    for wrt in {(n,) for n in names} | {tuple(names)}:
        tangents = [like(env[n], rng) for n in wrt]
        dy, y = tangent.jvp(f, wrt=wrt, preserve_result=True)(*args, *tangents)
        shapes = [numpy.shape(p) for p in parts(y)]
        assert [numpy.shape(p) for p in parts(dy)] == shapes, text
        seed = seed_of(y, rng)
        gradients = tangent.vjp(f, wrt=wrt)(*args, seed)
        gradients = [gradients] if len(wrt) == 1 else gradients
        expected = sum(numpy.sum(g * t) for g, t in zip(gradients, tangents))
        numpy.testing.assert_allclose(inner(seed, dy), expected, rtol=1e-9, atol=1e-9)


def eigen(q):
    found = numpy.linalg.eigh(q + q.T)
    return numpy.sum(found.eigenvectors ** 3) + found.eigenvalues[0]


def singular(q):
    found = numpy.linalg.svd(q, full_matrices=False)
    return numpy.sum(found.U[:, 0] ** 3) * found.S[0] + found.Vh[0, 0] ** 2


NAMED = [eigen, singular, lambda q: numpy.linalg.slogdet(q).logabsdet, lambda q: numpy.sum(numpy.linalg.qr(q).R ** 3),
         lambda q: numpy.sum(numpy.linalg.eig(q).eigenvalues.real ** 2)]


@pytest.mark.parametrize('f', NAMED, ids=['eigh', 'svd', 'slogdet', 'qr', 'eig'])
def test_fields_of_named_results(f):
    """`numpy.linalg.eigh(q).eigenvalues`: what NumPy gives names to has them in tangents, too."""
    q, move = numpy.array([[2.0, 1.0], [0.5, 3.0]]), numpy.array([[0.3, -0.2], [0.7, 0.1]])
    if not hasattr(numpy.linalg.slogdet(q), 'logabsdet'):
        pytest.skip('results of this NumPy have no names')
    numpy.testing.assert_allclose(tangent.jvp(f)(q, move), numpy.sum(tangent.grad(f)(q) * move), rtol=1e-9, atol=1e-12)
    change = tangent.grad(f)(q + 1e-6 * move) - tangent.grad(f)(q - 1e-6 * move)
    numpy.testing.assert_allclose(tangent.hvp(f)(q, move), change / 2e-6, rtol=1e-6, atol=1e-6)
