"""Calls of the rarer functions of NumPy, through the whole library and against differences; none may be refused."""
import copy
import importlib.util
import warnings

import pytest

import tangent
from tests.rules.test_numpy_calls import HEAD, VALUES, names
from tests.tools.checking import assert_close, differences, random_like, seed_name

CALLS = '''
np.linalg.eigvalsh(q + q.T)
np.linalg.eigvalsh(q + q.T, 'U')
np.linalg.eigh(q + q.T)[0]
np.abs(np.linalg.eigh(q + q.T)[1])
np.linalg.eigh(q + q.T)[1] ** 2
np.linalg.cholesky(q @ q.T)
np.linalg.svd(q)[1]
np.linalg.svd(m, full_matrices=False)[0] ** 2
np.linalg.svd(m, compute_uv=False)
np.linalg.svd(q + q.T, hermitian=True)[1]
np.linalg.qr(q)[0]
np.linalg.qr(q)[1]
np.linalg.qr(m, mode='r')
np.linalg.pinv(q)
np.linalg.lstsq(q, v, rcond=None)[0]
np.linalg.lstsq(m.T, v, rcond=None)[1]
np.linalg.multi_dot([m, q, v])
np.linalg.eig(q @ q.T)[0]
np.linalg.eig(q @ q.T)[1] ** 2
np.linalg.eigvals(q @ q.T)
np.linalg.cond(q)
np.linalg.norm(m, 'nuc')
np.linalg.norm(t, 2, axis=(0, 2))
np.linalg.slogdet(q)[1]
np.linalg.matrix_power(q, 3)
np.quantile(m, 0.3)
np.percentile(t, [20, 70], axis=1)
np.median(t, axis=(0, 1))
np.cov(m)
np.corrcoef(m.T)
np.cumsum(t, axis=1)
np.gradient(m)[0]
np.gradient(v, 0.5)
np.interp(s, [0.0, 1.0, 2.0], v)
np.interp(v, [-1.0, 0.0, 2.0], v * v)
np.pad(m, 1, mode='reflect')
np.pad(m, ((1, 2), (0, 1)), mode='linear_ramp', end_values=s)
np.pad(v, 2, mode='mean')
np.pad(v, 2, constant_values=s)
np.insert(v, 1, s)
np.block([[q, v[:, None]], [v, s]])
np.partition(v, 1)
np.choose([0, 1, 0], [v, v * 2])
np.einsum(m, [0, 1], q, [1, 2], [0, 2])
np.einsum('i...->...', t)
np.sum(m, where=m > 0)
np.mean(m, axis=0, where=m > -0.6)
np.max(m, initial=s)
np.min(m, axis=0, initial=s)
np.prod(m, axis=1, initial=s, where=m > 0)
m.max(initial=0.0)
np.std(m, correction=1)
np.diff(v, prepend=s)
np.correlate(v, m[0], 'full')
np.logspace(s, 2.0, 3)
np.geomspace(s, 2.0, 3)
np.unwrap(v)
np.resize(v, (2, 2))
np.linalg.vector_norm(m, axis=1)
np.linalg.matrix_norm(t)
np.vecdot(m, v)
np.matvec(q, v)
np.vecmat(v, q)
np.cumulative_sum(v, include_initial=True)
np.nanquantile(m, s)
np.histogram([0.5, 1.5, 2.5], 3, weights=v)[0]
np.bincount([0, 2, 0], weights=v)
np.maximum.accumulate(v)
'''.strip().splitlines()


@pytest.fixture(scope='module')
def functions(tmp_path_factory):
    """Function number k returns expression number k."""
    path = tmp_path_factory.mktemp('calls') / 'more_calls.py'
    path.write_text(HEAD + ''.join(f'\n\ndef f{k}({", ".join(names(e))}):\n    return {e}\n' for k, e in enumerate(CALLS)))
    spec = importlib.util.spec_from_file_location('more_calls', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f'f{k}') for k in range(len(CALLS))]


@pytest.mark.parametrize('k', range(len(CALLS)), ids=CALLS)
def test_call(k, functions):
    f, args = functions[k], tuple(VALUES[n] for n in names(CALLS[k]))
    wrt = tuple(range(len(args)))
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            value = f(*copy.deepcopy(args))
        except AttributeError as error:
            pytest.skip(f'not in this release: {error}')
    seed = random_like(value)
    right = differences(f, args, wrt, seed)
    df = tangent.vjp(f, wrt=wrt)
    gradients = df(*copy.deepcopy(args), **{seed_name(df): seed})
    for actual, expected in zip([gradients] if len(wrt) == 1 else gradients, right, strict=True):
        assert_close(actual, expected)
