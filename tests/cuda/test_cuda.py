"""Adjoints of CUDA kernels: their text here, their numbers on the simulator, their machine code where the compiler is."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tangent
from tests import ROOT

cuda = pytest.importorskip('numba.cuda', reason='Numba for CUDA is not installed')
if os.environ.get('NUMBA_ENABLE_CUDASIM') == '1':
    pytest.skip('this runs beside the simulator, which it starts itself', allow_module_level=True)

from tests.corpora.kernels import cuda_cases  # noqa: E402
from tests.corpora.kernels import cuda_kernels as kernels  # noqa: E402


def wrt(name):
    return tuple(cuda_cases.CASES[name][0].split())


# On the simulator

@pytest.fixture(scope='module')
def simulated(request):
    """Case -> what the simulator said of it, of those that are to run."""
    names = [item.callspec.params['name'] for item in request.session.items if 'simulated' in getattr(item, 'fixturenames', ())]
    environment = {**os.environ, 'NUMBA_ENABLE_CUDASIM': '1', 'PYTHONPATH': str(ROOT)}
    done = subprocess.run([sys.executable, '-m', 'tests.corpora.kernels.cuda_cases', *names], cwd=ROOT, env=environment,
                          capture_output=True, text=True, timeout=280, check=False)
    found = dict(line.split(' ', 1) for line in done.stdout.splitlines() if ' ' in line)
    return found or {'': done.stderr}


@pytest.mark.share(2)
@pytest.mark.parametrize('name', cuda_cases.CASES)
def test_against_differences_on_the_simulator(simulated, name):
    assert simulated.get(name, simulated) == 'fine'


@pytest.mark.parametrize('name', cuda_cases.REFUSALS)
def test_what_is_refused_when_launched(simulated, name):
    assert simulated.get(name, simulated) == 'refused'


# On a device

@pytest.mark.gpu
@pytest.mark.parametrize('name', cuda_cases.CASES)
def test_against_differences_on_a_device(name):
    if not cuda.is_available():
        pytest.skip('there is no CUDA device')
    cuda_cases.check(name)


# Machine code without a device

@pytest.fixture
def capability(monkeypatch):
    """A compute capability for functions on a device, which Numba asks a device for."""
    if not hasattr(cuda, 'compile_ptx'):
        pytest.skip('this Numba cannot compile kernels')
    dispatcher = pytest.importorskip('numba.cuda.dispatcher')
    device = type('Device', (), {'compute_capability': (8, 0)})()
    if not cuda.is_available():
        monkeypatch.setattr(dispatcher, 'get_current_device', lambda: device, raising=False)
    return 8, 0


def kind(a, floating):
    if not isinstance(a, np.ndarray):
        return floating if isinstance(a, float) else kernels.int64
    return (kernels.int64 if a.dtype.kind == 'i' else floating)[(slice(None),) * a.ndim]


@pytest.mark.share(2)
@pytest.mark.parametrize('name', cuda_cases.CASES)
def test_compiles_to_machine_code(name, capability):
    asked, _, args, outputs, _ = cuda_cases.CASES[name]
    kernel = cuda_cases.find(name)
    adjoint = tangent.grad(kernel, wrt(name))
    names = kernel.py_func.__code__.co_varnames[:len(args)]
    for floating in (kernels.float64, kernels.float32)[:1 + hasattr(kernels, name)]:
        types = [kind(a, floating) for a in args]
        types += [kind(a, floating) if isinstance(a, np.ndarray) else floating[:] for k, (n, a) in enumerate(zip(names, args))
                  if n in asked.split() or k in outputs]
        types += [kernels.float64[:, :, :] for _ in adjoint.tapes.given]
        types += [kernels.int32[:]] if adjoint.tapes.full else []
        try:
            ptx, _ = cuda.compile_ptx(adjoint.py_func, tuple(types), cc=capability)
        except Exception as error:
            if any(word in f'{type(error).__name__} {error}' for word in ('CudaSupportError', 'NvvmSupportError', 'NVVM', 'libNVVM',
                                                                          'nvrtc', 'driver')):
                pytest.skip(f'the compiler for CUDA is missing: {type(error).__name__}')
            if 'Signature mismatch' in str(error) and importlib.util.find_spec('numba_cuda') is None:
                pytest.skip('the CUDA target that comes with Numba compiles no min and max of two numbers: install numba-cuda')
            raise
        assert '.entry' in ptx
        assert ('atom.' in ptx) == ('atomic.add' in adjoint.source)
        assert ('bar.sync' in ptx) == ('syncthreads' in adjoint.source)


# The text

def lines(name):
    return [line.strip() for line in tangent.source(tangent.grad(cuda_cases.find(name), wrt(name))).splitlines()]


def test_own_elements_need_no_atomic():
    text = lines('saxpy')
    assert text[0] == 'def dsaxpy(a, x, y, out, ba, bx, by, bout):'
    assert {'by[i] += 2 * bt * y[i]', 'bx[i] += bt * a', 'cuda.atomic.add(ba, 0, ba3)'} <= set(text)


def test_elements_of_others_are_added_to_by_atomics():
    text = lines('stencil')
    assert [line.split(', ')[1] for line in text if 'atomic' in line] == ['i + 1', 'i', 'i - 1']
    assert not any(line.startswith('bx[') for line in text)


@pytest.mark.parametrize('name', ['total', 'matmul', 'rounds', 'in_global', 'shared_sums'])
def test_each_barrier_has_an_adjoint(name):
    """As many behind the forward pass as in it, and one where tiles of gradients begin with zeros."""
    text = lines(name)
    zeros = any(line.startswith('b') and 'shared.array' in line for line in text)
    assert sum(line == 'cuda.syncthreads()' for line in text) - zeros == 2 * sum(
        isinstance(line, str) and line.strip() == 'cuda.syncthreads()'
        for line in pathlib.Path(kernels.__file__).read_text().split(f'def {name}(')[1].split('@cuda.jit')[0].splitlines())


def test_tapes():
    assert '_stack = cuda.local.array((5, 2), float64)' in lines('powers')
    assert lines('newton')[0] == 'def dnewton(x, r, bx, br, _stack, _full):'
    assert lines('heat') == lines('heat') and not any('_stack' in line for line in lines('heat'))


# What is refused

@cuda.jit
def largest(x, out):
    i = cuda.grid(1)
    cuda.atomic.max(out, 0, x[i])


@cuda.jit
def sliced(x, y):
    i = cuda.grid(1)
    y[i, :] = 2.0 * x[i, :]


@cuda.jit
def read_back(x, out, y):
    i = cuda.grid(1)
    cuda.atomic.add(out, 0, x[i])
    y[i] = out[0] * x[i]


@cuda.jit(device=True)
def element(x, i):
    if i < 3:
        return x[i]
    return x[i] * x[i]


@cuda.jit
def returns_early(x, y):
    i = cuda.grid(1)
    y[i] = element(x, i)


@cuda.jit(device=True)
def last(x):
    return x[x.shape[0] - 1]


@cuda.jit
def in_a_test(x, y):
    i = cuda.grid(1)
    if i < 3 and last(x) > 0.0:
        y[i] = x[i]


@cuda.jit
def shuffled(x, y):
    i = cuda.grid(1)
    y[i] = cuda.shfl_down_sync(0xffffffff, x[i], 1)


@cuda.jit
def in_warps(x, y):
    i = cuda.grid(1)
    y[i] = x[i] * x[i]
    cuda.syncwarp()


@cuda.jit
def exchanged(x, y):
    i = cuda.grid(1)
    y[i] = cuda.atomic.exch(x, i, 2.0)


@cuda.jit
def unknown_step(x, y, n, step):
    for i in range(cuda.grid(1), n, step):
        y[i] = x[i] * x[i]


@pytest.mark.parametrize(('kernel', 'words'), [
    (largest, 'cuda.atomic.max'), (sliced, 'slices in kernels'), (read_back, 'to which other threads add'),
    (returns_early, 'calls of the device function element at this place'), (in_a_test, 'the device function last at this place'),
    (shuffled, 'cuda.shfl_down_sync'), (in_warps, 'cuda.syncwarp'), (exchanged, 'cuda.atomic.exch'),
    (unknown_step, 'a step of unknown sign')])
def test_refused_with_the_line(kernel, words):
    with pytest.raises(tangent.TangentParseError, match=words) as error:
        tangent.grad(kernel)
    assert error.value.filename == __file__ and error.value.text.strip()


def test_other_derivatives_of_kernels():
    for make in (tangent.value_and_grad, tangent.jvp):
        with pytest.raises(ValueError, match='CUDA kernel'):
            make(kernels.saxpy)
    with pytest.raises(ValueError, match='device function'):
        tangent.grad(kernels.bump)
