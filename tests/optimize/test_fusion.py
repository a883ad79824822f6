"""`grad(f, fuse=True)`: chains of the adjoint as kernels of their own; their text, their numbers, and where they run."""
import importlib.util
import sys

import numpy as np
import pytest

import tangent
from tests.tools import fake_cupy
from tests.tools.strict_array import to_device, to_host

X = np.linspace(0.2, 1.5, 5)


def chain(x, w):
    t = np.tanh(w * x)
    u = t ** 2 * np.exp(-x)
    return np.sum(np.sin(u) * x)


def gelu(x):
    return np.sum(0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x ** 3))))


def loop(x, n):
    for _ in range(n):
        x = np.sin(x) * x + np.cos(x)
    return np.sum(x)


def bell(x):
    return np.exp(-x * x) / (1 + x * x)


def called(x):
    return np.sum(bell(x) * bell(2 * x))


def read_twice(x):
    y = np.sin(x) * x
    z = np.exp(y) * y
    return np.sum(z * y) + np.sum(np.where(z > 1, z, x) * np.maximum(x, y))


def branches(x, flag):
    y = np.sqrt(x) * x
    if flag:
        y = y * y * x
    else:
        y = np.log(y) / x
    return np.sum(y)


def written(x):
    y = np.zeros_like(x)
    y[1:] = np.sin(x[1:]) * x[:-1]
    y[0] = 1.0
    return np.sum(y * y * x)


def nothing_to_fuse(x):
    return np.sum(x @ x)


PROGRAMS = [(chain, (X, 0.7)), (gelu, (X,)), (loop, (X, 3)), (called, (X,)), (read_twice, (X,)), (branches, (X, True)),
            (branches, (X, False)), (nothing_to_fuse, (X,))]

CHAIN = '''\
@fuse
def dchaindx_fused(bt, x, u):
    # Grad of: return np.sum(np.sin(u) * x)
    return bt * x * np.cos(u)


@fuse
def dchaindx_fused2(bu, t3, t, w):
    # Grad of: u = t ** 2 * np.exp(-x)
    bt3 = 2 * (bu * t3) * t
    # Grad of: t = np.tanh(w * x)
    bt4 = bt3 * (1 - t * t)
    return bt4 * w


def dchaindx(x, w, bchain=1.0):
    t = np.tanh(w * x)
    t2 = t**2
    t3 = np.exp(-x)
    u = t2 * t3
    t4 = np.sin(u)

    bchain = check_scalar(bchain)
    # Grad of: return np.sum(np.sin(u) * x)
    bt = unreduce_like(bchain, t4 * x)
    bu = dchaindx_fused(bt, x, u)
    # Grad of: u = t ** 2 * np.exp(-x)
    bt2 = unbroadcast(bu * t2, t3) * t3
    # Grad of: t = np.tanh(w * x)
    return unbroadcast(bt * t4, x) - bt2 + unbroadcast(dchaindx_fused2(bu, t3, t, w), x)
'''


@pytest.fixture
def cupy():
    with fake_cupy.installed() as module:
        fake_cupy.FUSED.clear()
        yield module


def test_the_text(cupy):
    assert tangent.source(tangent.grad(chain, fuse=True)) == CHAIN
    assert 'fuse' not in tangent.source(tangent.grad(chain))


@pytest.mark.parametrize(('f', 'args'), [*PROGRAMS, (written, (X,))], ids=lambda v: getattr(v, '__name__', ''))
def test_numbers_on_the_host(cupy, f, args):
    """The same numbers to the last digit, and no kernel is made."""
    wrt = tuple(k for k, a in enumerate(args) if isinstance(a, np.ndarray))
    for make in (tangent.grad, tangent.value_and_grad):
        np.testing.assert_equal(make(f, wrt=wrt, fuse=True)(*args), make(f, wrt=wrt)(*args))
    assert fake_cupy.FUSED == []


@pytest.mark.parametrize(('f', 'args'), PROGRAMS, ids=lambda v: getattr(v, '__name__', ''))
@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
def test_numbers_on_the_device(cupy, f, args, optimized):
    found = tangent.grad(f, fuse=True, optimized=optimized)(*to_device(args))
    np.testing.assert_allclose(to_host(found), tangent.grad(f)(*args), 1e-13)
    assert bool(fake_cupy.FUSED) == (f is not nothing_to_fuse)


def test_one_kernel_for_the_whole_adjoint(cupy):
    df = tangent.grad(gelu, fuse=True)
    df(to_device(X))
    df(to_device(X))
    assert [name for name, _ in fake_cupy.FUSED] == ['dgeludx_fused'] * 2
    assert df.source.count('@fuse') == 1


def test_the_kernel_names_cupys_functions(cupy):
    """`cupy.fuse` follows CuPy's functions alone: in the kernel they stand in the place of NumPy's."""
    seen = []
    cupy.fuse = lambda function: seen.append(function) or function
    tangent.grad(chain, fuse=True)(to_device(X), 0.7)
    assert {cell.cell_contents for f in seen for cell in f.__closure__ or ()} | {f.__globals__.get('np', cupy) for f in seen} == {cupy}


def test_what_is_read_twice_stays_outside(cupy):
    text = tangent.source(tangent.grad(read_twice, fuse=True))
    for kernel in text.split('@fuse')[1:]:
        assert 'unbroadcast' not in kernel.split('\n\n')[0] and 'unreduce' not in kernel.split('\n\n')[0]
    np.testing.assert_equal(tangent.grad(read_twice, fuse=True)(X), tangent.grad(read_twice)(X))


def test_products_with_seeds_and_second_derivatives(cupy):
    def f(x):
        return np.tanh(x) * np.exp(-x * x)
    df = tangent.vjp(f, fuse=True)
    np.testing.assert_equal(df(X, X), tangent.vjp(f)(X, X))
    np.testing.assert_equal(tangent.elementwise_grad(f, fuse=True)(X), tangent.elementwise_grad(f)(X))
    np.testing.assert_allclose(tangent.jvp(tangent.grad(gelu, fuse=True))(X, 1.0, X), tangent.jvp(tangent.grad(gelu))(X, 1.0, X), 1e-13)


def test_names_of_the_users(cupy):
    """A function that has a `fuse` of its own keeps it."""
    fuse = np.sin

    def f(x):
        return np.sum(fuse(x) * x * np.exp(x))
    df = tangent.grad(f, fuse=True)
    np.testing.assert_equal(df(X), tangent.grad(f)(X))
    assert '@fuse2' in df.source


def test_the_text_runs_on_its_own(cupy, tmp_path):
    path = tmp_path / 'saved.py'
    path.write_text(tangent.export_source(tangent.grad(gelu, fuse=True)))
    spec = importlib.util.spec_from_file_location('saved', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    np.testing.assert_equal(module.dgeludx(X), tangent.grad(gelu)(X))
    np.testing.assert_allclose(to_host(module.dgeludx(to_device(X))), tangent.grad(gelu)(X), 1e-13)
    assert [name for name, _ in fake_cupy.FUSED] == ['dgeludx_fused']


def in_the_log_form(x):
    items = [x * 2.0]
    held = items
    held[0] += x
    return np.sum(items[0])


def test_refused(cupy, monkeypatch):
    with pytest.raises(tangent.errors.ArgumentError, match='log form'):
        tangent.grad(in_the_log_form, fuse=True)
    monkeypatch.delitem(sys.modules, 'cupy')
    monkeypatch.setattr(importlib.util, 'find_spec', lambda name: None)

    def f(x):
        return np.sum(x * x * x)
    with pytest.raises(tangent.errors.ArgumentError, match='CuPy is not installed: pip install'):
        tangent.grad(f, fuse=True)


def test_refused_with_numba(cupy):
    pytest.importorskip('numba')
    with pytest.raises(tangent.errors.ArgumentError, match='Numba compiles this derivative'):
        tangent.grad(gelu, fuse=True, jit=True)


def test_with_the_real_cupy():
    """CuPy's own `fuse` takes the kernels, and runs them plainly where there is no array of its own."""
    cupy = pytest.importorskip('cupy', reason='CuPy is not installed')
    from tangent.cuda.cupy_kernels import with_cupy
    df = tangent.grad(gelu, fuse=True)
    kernel = next(c.cell_contents for c in df.__closure__ if hasattr(c.cell_contents, '__wrapped__'))
    real = cupy.fuse(with_cupy(kernel.__wrapped__))
    args = [X + k for k in range(4)] + [X][:kernel.__wrapped__.__code__.co_argcount - 4]
    np.testing.assert_allclose(real(*args), kernel(*args))
