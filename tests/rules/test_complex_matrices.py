"""Jacobians and derivatives of functions with complex arguments and results: every promotion, in both modes."""
import numpy as np
import pytest

import tangent
from tangent import errors

Z = np.array([1.0 + 2.0j, -0.5 + 0.3j])
X = np.array([0.7, -1.2])


def difference(f, x):
    """The derivative of the only element after the other: along 1, and along 1j for complex arguments."""
    h, columns = 1e-6, []
    for k in range(x.size):
        step = h * np.eye(x.size)[k]
        along = (f(x + step) - f(x - step)) / (2 * h)
        turned = (f(x + 1j * step) - f(x - 1j * step)) / (2 * h) if np.iscomplexobj(x) else 0.0
        columns.append(along + 1j * turned if np.iscomplexobj(x) and not np.iscomplexobj(along) else along)
    return np.stack(columns, -1)


CASES = {
    'real to complex': (lambda x: np.exp(1j * x) * x[::-1], X),
    'complex to real': (lambda z: np.abs(z) ** 2 * z[::-1].imag, Z),
    'complex to complex': (lambda z: np.exp(z) * z[::-1], Z),
    'fft of real numbers': (lambda x: np.fft.fft(x * x), X),
    'rfft': (lambda x: np.fft.rfft(x * x), X),
    'irfft': (lambda z: np.fft.irfft(z * z, 3), Z),
    'fft of complex numbers': (lambda z: np.fft.ifft(z * z), Z),
    'real, complex, real': (lambda x: np.abs(np.fft.fft(x)) + np.angle(1j + x), X),
    'a complex constant': (lambda x: x * (2.0 - 1.0j), X),
    'astype': (lambda x: x.astype(complex) * 1j, X),
}


@pytest.mark.parametrize('mode', ['forward', 'reverse'])
@pytest.mark.parametrize('name', CASES)
def test_jacobians(name, mode):
    f, at = CASES[name]
    found = tangent.jacobian(f, mode=mode)(at)
    np.testing.assert_allclose(found, difference(f, at), rtol=1e-6, atol=1e-8)
    assert np.iscomplexobj(found) == (np.iscomplexobj(at) or np.iscomplexobj(f(at)))


@pytest.mark.parametrize('mode', ['forward', 'reverse'])
@pytest.mark.parametrize('f', [np.conj, lambda z: z * np.abs(z), lambda z: z.real + 0j])
def test_what_is_not_holomorphic_has_no_complex_jacobian(f, mode):
    with pytest.raises(errors.ComplexNotImplementedError, match='no holomorphic function'):
        tangent.jacobian(lambda z: f(z), mode=mode)(Z)


@pytest.mark.parametrize('f', [np.conj, np.abs, lambda z: z * z.real])
def test_holomorphic_grad_looks_whether_it_is(f):
    with pytest.raises(errors.ComplexNotImplementedError, match='no holomorphic function'):
        tangent.holomorphic_grad(lambda z: f(z))(1.0 + 2.0j)


def test_holomorphic_grad():
    def f(z):
        return z ** 3 + np.exp(z)
    assert tangent.holomorphic_grad(f)(1 + 2j) == pytest.approx(3 * (1 + 2j) ** 2 + np.exp(1 + 2j))
    np.testing.assert_allclose(tangent.holomorphic_grad(f)(Z), 3 * Z ** 2 + np.exp(Z))
    assert tangent.holomorphic_grad(f)(2.0) == pytest.approx(12 + np.exp(2))                  # a real one is a complex one, too
    assert tangent.holomorphic_grad(f)(Z.astype(np.complex64)).dtype == np.complex64


def test_holomorphic_as_in_jax():
    jax = pytest.importorskip('jax')

    def f(z):
        return z * z * z
    assert tangent.func.grad(f, holomorphic=True)(1 + 2j) == pytest.approx(complex(jax.grad(f, holomorphic=True)(1 + 2j)), rel=1e-6)
    value, derivative = tangent.func.value_and_grad(f, holomorphic=True)(1 + 2j)
    assert value == f(1 + 2j) and derivative == pytest.approx(3 * (1 + 2j) ** 2)
    for make in ('jacfwd', 'jacrev'):
        theirs = getattr(jax, make)(f, holomorphic=True)(Z)
        np.testing.assert_allclose(getattr(tangent.func, make)(f, holomorphic=True)(Z), theirs, rtol=1e-5)
    assert tangent.func.grad(lambda z: (f(z), 'more'), holomorphic=True, has_aux=True)(1 + 2j)[1] == 'more'


def test_promotions_give_real_gradients_to_real_numbers():
    def f(x, z):
        return np.sum((x * z).imag + (x + z).real ** 2)
    dx, dz = tangent.grad(f, (0, 1))(X, Z)
    assert dx.dtype == float and dz.dtype == complex
    np.testing.assert_allclose(dx, Z.imag + 2 * (X + Z.real))
    np.testing.assert_allclose(dz, 1j * X + 2 * (X + Z.real))


def test_a_sparse_jacobian_is_of_real_numbers():
    with pytest.raises(errors.ComplexNotImplementedError, match='sparse Jacobian is by real numbers'):
        tangent.jacobian(lambda z: z * z, sparsity=np.eye(2))(Z)
    found = tangent.jacobian(lambda x: x * x * 1j, sparsity=np.eye(2), mode='forward')(X)
    np.testing.assert_allclose(found.toarray(), np.diag(2j * X))
    with pytest.raises(errors.ComplexNotImplementedError, match='forward'):
        tangent.jacobian(lambda x: x * x * 1j, sparsity=np.eye(2), mode='reverse')(X)


@pytest.mark.parametrize('size', [0, -1, 2.5, 'all'])
def test_chunks_that_make_no_sense(size):
    with pytest.raises(errors.ArgumentError, match='chunk_size'):
        tangent.jacobian(np.tanh, chunk_size=size)
