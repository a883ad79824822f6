"""Complex numbers: gradients are `dL/dx + 1j * dL/dy`, by reverse and forward mode, against differences in both directions."""
import importlib.util

import numpy as np
import pytest

import tangent
from tangent import errors

RNG = np.random.default_rng(11)
Z = RNG.normal(size=3) + 1j * RNG.normal(size=3)
W = RNG.normal(size=3) + 1j * RNG.normal(size=3)
M = RNG.normal(size=(2, 3)) + 1j * RNG.normal(size=(2, 3))
A = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3)) + 2 * np.eye(3)
VALUES = {'s': 0.7, 'c': 0.3 - 0.8j, 'x': RNG.normal(size=3), 'q': RNG.normal(size=(4, 5)), 'z': Z, 'w': W, 'm': M, 'a': A,
          'h': RNG.normal(size=(2, 4, 3)) + 1j * RNG.normal(size=(2, 4, 3))}

ELEMENTWISE = '''exp expm1 log log2 log10 log1p sqrt square reciprocal negative sin cos tan sinh cosh tanh arcsin arccos arctan
    arcsinh arccosh arctanh conj sinc'''.split()
EXPRESSIONS = [f'np.{name}(z)' for name in ELEMENTWISE] + [f'np.{name}(0.3 * z * z + c)' for name in ELEMENTWISE] + '''
np.abs(z)
np.abs(z) * z
abs(c) ** 2
abs(c * s)
abs(s - c)
c.real * c.imag
c.conjugate() * c
z.real ** 2 + z.imag * w.real
np.angle(z)
np.angle(z * w, deg=True)
np.real(z * w) + np.imag(z / w)
z * np.conj(w)
z ** 2
z ** 3 / w
z ** w
x ** z
z ** x
2.0 ** z
x * z
x + 1j * x ** 2
x * 1j
np.abs(x * 1j - 2)
np.sum(z) * np.mean(w)
np.prod(z)
np.cumsum(z) * w
np.cumprod(z)
np.var(z)
np.std(m, axis=1)
np.var(m, axis=0, ddof=1, keepdims=True)
np.linalg.norm(z)
np.linalg.norm(m)
np.linalg.norm(m, axis=1)
np.linalg.norm(z, 1)
np.linalg.norm(z, 3)
np.linalg.norm(z, np.inf)
np.linalg.norm(m, 'nuc')
np.linalg.norm(m, 2)
np.linalg.norm(m, 1)
np.linalg.vector_norm(m, axis=0)
np.linalg.matrix_norm(m)
np.dot(z, w)
np.vdot(z, w)
np.vdot(x, z)
np.vecdot(m, z)
np.inner(z, w)
np.outer(z, w)
np.kron(z, w)
m @ a @ z
np.matvec(a, z)
np.vecmat(z, a)
x @ a
a @ x
np.tensordot(m, a, 1)
np.einsum('ij,jk->ik', m, a)
np.einsum('ij,j->i', m, x)
np.einsum('ii', a)
np.cross(z, w)
np.convolve(z, w)
np.correlate(z, w, 'full')
np.correlate(z, w[:2])
np.linalg.inv(a)
np.linalg.det(a)
np.linalg.slogdet(a)[1]
np.linalg.slogdet(a)[0]
np.linalg.solve(a, z)
np.linalg.solve(a, x)
np.linalg.pinv(m)
np.linalg.lstsq(a, z, rcond=None)[0]
np.linalg.cholesky(a @ np.conj(a.T))
np.linalg.eigvalsh(a + np.conj(a.T))
np.linalg.eigh(a + np.conj(a.T))[0]
np.abs(np.linalg.eigh(a + np.conj(a.T))[1])
np.linalg.eigvals(a)
np.abs(np.linalg.eig(a)[1])
np.linalg.svd(m, compute_uv=False)
np.linalg.svd(a)[1]
np.abs(np.linalg.svd(m, full_matrices=False)[0])
np.abs(np.linalg.svd(m, full_matrices=False)[2])
np.linalg.qr(a)[1]
np.linalg.qr(a)[0]
np.linalg.qr(m)[1]
np.linalg.matrix_power(a, 3)
np.linalg.multi_dot([m, a, z])
np.linalg.cond(a)
np.cov(m)
np.trace(a)
np.diag(z)
np.tril(a)
np.where(x > 0, z, x)
np.concatenate([z, x])
np.stack([x, z])
np.array([c, s, 2.0])
np.append(x, z)
np.block([[a, z[:, None]], [x, c]])
np.insert(x, 1, 2.0) * np.insert(z, 0, c)
np.pad(z, 2, 'reflect')
np.pad(m, 1, 'mean')
np.roll(z, 1) * z[::-1]
np.take(z, [0, 0, 2])
np.tile(z, 2)
np.repeat(z, 2)
np.diff(z)
np.gradient(z)
np.trapezoid(z, x)
np.interp(0.5, [0.0, 1.0, 2.0], z)
np.sort_complex(z)
np.sum(np.abs(z), where=x > 0)
z[1] * z[[0, 0]]
m[0] * m[1, ::-1]
z.sum() + m.mean(axis=0) * c
np.float64(s) * z
complex(s, 2 * s) * z
np.complex128(s) * z
x.astype(complex) * z
np.power(z, 3)
np.polyval([1.0, 2.0, 0.5], z)
np.polyval(z, c)
np.polymul(z, w)
np.roots(z)
np.emath.sqrt(x)
np.emath.log(x)
np.emath.power(x, 1.5)
cmath.phase(c)
cmath.polar(c)[0] * cmath.polar(c)[1]
cmath.rect(s, 2 * s)
abs(cmath.exp(c) - cmath.sqrt(s))
'''.strip().splitlines() + '''
np.fft.fft(z)
np.fft.fft(x)
np.fft.fft(x, 5)
np.fft.fft(z, 2)
np.fft.fft(h, axis=1, norm='ortho')
np.fft.ifft(z)
np.fft.ifft(x, 6, norm='forward')
np.fft.rfft(q)
np.fft.rfft(q, axis=0)
np.fft.rfft(x, 7)
np.fft.rfft(q, 3, norm='ortho')
np.fft.irfft(z)
np.fft.irfft(z, 5)
np.fft.irfft(h, 3, axis=1)
np.fft.irfft(h, 9, norm='forward')
np.fft.hfft(z)
np.fft.hfft(z, 3)
np.fft.ihfft(x)
np.fft.ihfft(q, 6, axis=0)
np.fft.fft2(h)
np.fft.fft2(h, (3, 5))
np.fft.ifft2(q, axes=(1, 0))
np.fft.rfft2(q)
np.fft.rfft2(q, (3, 4))
np.fft.irfft2(h)
np.fft.irfft2(h, (4, 5))
np.fft.fftn(h)
np.fft.fftn(h, (3, 2), axes=(0, 2))
np.fft.ifftn(h, norm='ortho')
np.fft.rfftn(q)
np.fft.rfftn(q, (5, 6))
np.fft.irfftn(h)
np.fft.irfftn(h, (3, 4), axes=(1, 2))
np.fft.fftshift(np.fft.fft(x))
np.abs(np.fft.fft(x)) ** 2
np.fft.ifft(np.fft.fft(x) * z).real
'''.strip().splitlines()


def names(expression):
    compiled = compile(expression, 'expression', 'eval')
    return [n for n in compiled.co_names if n in VALUES]


@pytest.fixture(scope='module')
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp('complex') / 'complex_calls.py'
    lines = ['import cmath\n\nimport numpy as np\n']
    for k, e in enumerate(EXPRESSIONS):
        args = ', '.join(n if n in ('s', 'x', 'q') else f'{n}: complex' for n in names(e))
        lines.append(f'\n\ndef f{k}({args}):\n    return {e}\n')
    path.write_text(''.join(lines))
    spec = importlib.util.spec_from_file_location('complex_calls', path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def inner(seed, value):
    """The real number that a seed makes of a result, for gradients `dL/dx + 1j * dL/dy`."""
    return float(np.sum(np.real(np.conj(seed) * value)))


def seed_of(value):
    rng = np.random.default_rng(2)
    seed = rng.uniform(0.5, 1.5, np.shape(value))
    return (seed + 1j * rng.uniform(0.5, 1.5, np.shape(value)) if np.iscomplexobj(value) else seed)[()]


def gradient(scalar, value, step=1e-6):
    """Differences of a function of one argument in both directions."""
    out = np.zeros(np.shape(value), np.asarray(value).dtype)
    for index in np.ndindex(np.shape(value)):
        for unit in (1, 1j) if np.iscomplexobj(value) else (1,):
            ends = []
            for h in (step, -step):
                moved = np.array(value)
                moved[index] += h * unit
                ends.append(scalar(moved if np.ndim(value) else moved[()].item()))
            out[index] += unit * (ends[0] - ends[1]) / (2 * step)
    return out


def calls(k, module):
    f = getattr(module, f'f{k}')
    if 'trapezoid' in EXPRESSIONS[k] and not hasattr(np, 'trapezoid'):
        pytest.skip('not in this release')
    args = [VALUES[n] for n in names(EXPRESSIONS[k])]
    try:
        return f, args, f(*args)
    except AttributeError as error:
        pytest.skip(f'not in this release: {error}')


@pytest.mark.parametrize('k', range(len(EXPRESSIONS)), ids=EXPRESSIONS)
@pytest.mark.filterwarnings('ignore')
def test_reverse(k, module):
    f, args, value = calls(k, module)
    seed = seed_of(value)
    df = tangent.vjp(f, wrt=tuple(range(len(args))))
    name = df.__code__.co_varnames[df.__code__.co_argcount - 1]
    found = df(*args, **{name: seed})
    for j, g in enumerate(found if len(args) > 1 else [found]):
        right = gradient(lambda v, j=j: inner(seed, f(*args[:j], v, *args[j + 1:])), args[j])
        np.testing.assert_allclose(g, right, 2e-6, 2e-7, err_msg=df.source)
        assert np.iscomplexobj(g) == np.iscomplexobj(args[j]) and np.shape(g) == np.shape(args[j])


@pytest.mark.parametrize('k', range(len(EXPRESSIONS)), ids=EXPRESSIONS)
@pytest.mark.filterwarnings('ignore')
def test_forward(k, module):
    f, args, value = calls(k, module)
    rng = np.random.default_rng(8)
    tangents = [rng.normal(size=np.shape(v)) + (1j * rng.normal(size=np.shape(v)) if np.iscomplexobj(v) else 0) for v in args]
    tangents = [t if np.ndim(v) else type(v)(t) for t, v in zip(tangents, args)]
    found = tangent.jvp(f, wrt=tuple(range(len(args))))(*args, *tangents)
    h = 1e-6
    ends = [f(*(v + s * t for v, t in zip(args, tangents))) for s in (h, -h)]
    np.testing.assert_allclose(found, (ends[0] - ends[1]) / (2 * h), 2e-6, 2e-7)


# Without a word about complex numbers

def power(z):
    return abs(z) ** 2


def distance(z):
    return np.sum(np.abs(2.0 * z - np.mean(z)) ** 2)


def length(z):
    return np.linalg.norm(z[1:] - z[:-1])


def spread(z):
    return np.std(np.reshape(z, -1))


@pytest.mark.parametrize(('f', 'value'), [(power, 1 + 2j), (distance, Z), (length, Z), (spread, M), (power, 0j), (distance, VALUES['x'])])
def test_functions_that_do_not_say_so(f, value):
    np.testing.assert_allclose(tangent.grad(f)(value), gradient(f, value), 1e-6, 1e-6)


def test_the_convention():
    assert tangent.grad(power)(1 + 2j) == 2 + 4j


def scaled(z, w):
    return abs(z * w)


def squared(z):
    return np.sum(np.sin(z) * z)


@pytest.mark.parametrize('df', [lambda: tangent.grad(scaled)(1j, 2.0), lambda: tangent.vjp(squared)(Z, 1j)])
def test_what_would_be_wrong_is_refused(df):
    with pytest.raises(errors.ComplexNotImplementedError, match='z: complex'):
        df()


def annotated(z: complex):
    return np.sum(np.sin(z) * z)


def test_a_complex_result_is_refused_by_grad():
    with pytest.raises(errors.ShapeError, match='holomorphic_grad'):
        tangent.grad(annotated)(Z)


def callee(z):
    return np.abs(z * 1j) ** 2


def caller(z):
    return np.sum(callee(z * z))


def looped(z: complex, n):
    total = 0
    for k in range(n):
        total = total + abs(z ** k - 1) * k
        z = z * 0.5
    return total


def nested(parts: complex):
    return abs(parts[0] * parts[1]) + parts[2]


def test_through_functions_loops_and_containers():
    np.testing.assert_allclose(tangent.grad(caller)(Z), gradient(caller, Z), 1e-6)
    np.testing.assert_allclose(tangent.grad(looped)(0.3 + 1j, 4), gradient(lambda z: looped(z, 4), 0.3 + 1j), 1e-6)
    found = tangent.grad(nested)((1j, 2.0, 3.0))
    np.testing.assert_allclose(found, (2j, 1.0, 1.0))
    assert isinstance(found, tuple) and isinstance(found[1], float)


def test_gradients_point_downhill():
    z = Z.copy()
    for _ in range(200):
        z = z - 0.1 * tangent.grad(misfit)(z)
    np.testing.assert_allclose(z ** 2, W, 1e-6)


def misfit(z: complex):
    return np.sum(np.abs(z ** 2 - W) ** 2)
