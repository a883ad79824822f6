"""The corpus on a real GPU, through CuPy: `pytest -m gpu` where there is one; elsewhere each test says why it was skipped.

What a test does is a function of a *machine*, so that all of it runs without a GPU, too, on the array that forbids conversion
(the tests without the mark).
"""
import copy
import importlib
import re
import sys
from typing import NamedTuple

import numpy as np
import pytest

import tangent
from tangent.errors import TangentError
from tests.corpora.kernels import KERNELS
from tests.cuda import test_strict
from tests.optimize import test_fusion
from tests.tools import fake_cupy
from tests.tools.checking import random_like, seed_name
from tests.tools.sampling import define, flat, like

SHARE, PARTS = 12, 6
LIMIT = 1e-9              # relative: other algorithms, other orders of summation


class Machine(NamedTuple):
    """Where arrays live: how values get there and back, and what an array there is.

    name : 'gpu' or 'stub'
    """
    name: str
    there: object
    back: object
    kind: type


def mapped(function, kind):
    def walk(value):
        if isinstance(value, kind):
            return function(value)
        if isinstance(value, (list, tuple)):
            items = [walk(v) for v in value]
            return type(value)(*items) if hasattr(value, '_fields') else type(value)(items)
        return {k: walk(v) for k, v in value.items()} if isinstance(value, dict) else value
    return walk


@pytest.fixture
def gpu():
    cupy = pytest.importorskip('cupy', reason='CuPy is not installed')
    if not cupy.is_available():
        pytest.skip('CuPy finds no CUDA device here')
    return Machine('gpu', mapped(cupy.asarray, np.ndarray), mapped(cupy.asnumpy, cupy.ndarray), cupy.ndarray)


@pytest.fixture
def stub():
    with fake_cupy.installed() as cupy:
        yield Machine('stub', test_strict.to_device, test_strict.to_host, cupy.ndarray)


def close(machine, found, want, limit=LIMIT):
    a, b = flat(machine.back(found)), flat(want)
    return a.shape == b.shape and np.allclose(a, b, limit, limit * max(1.0, np.max(np.abs(b), initial=0)), equal_nan=True)


def known(machine, function, args):
    """The value on the host if the machine computes the same, else None."""
    try:
        value = function(*copy.deepcopy(args))
        there = function(*machine.there(copy.deepcopy(args)))
        return value if np.all(np.isfinite(flat(value))) and close(machine, there, value) else None
    except Exception:  # noqa: BLE001 (CuPy does not have it, or it needs the host)
        return None


def difference(machine, want, function, *args, **keywords):
    """What is wrong with a result there: an error, a text, or None."""
    try:
        found = function(*args, **keywords)
    except Exception as error:  # noqa: BLE001 (what CuPy raises is what is looked for)
        return error
    return None if close(machine, found, want) else f'{found}, right is {want}'


# What is checked, on any machine

def check_corpus(machine, cases):
    """Both modes of the programs of the corpus; (how many there were, what went wrong)."""
    count, problems = 0, []
    for case in cases:
        value = known(machine, case.function, list(case.args))
        if value is None:
            continue
        seed = random_like(value[0] if isinstance(value, tuple) else value)
        for mode in ('reverse', 'forward'):
            try:
                df = tangent.autodiff(case.function, wrt=case.wrt, mode=mode,
                                      input_derivative=tangent.INPUT_DERIVATIVE.Required)
                more = [random_like(case.args[k]) for k in case.wrt] if mode == 'forward' else []
                named = {seed_name(df): seed} if mode == 'reverse' else {}
                want = df(*copy.deepcopy(case.args), *more, **named)
            except TangentError:
                continue
            problem = difference(machine, want, df, *machine.there([*copy.deepcopy(case.args), *more]), **machine.there(named))
            problems += [f'{case.label}, {mode} | {problem}'] if problem else []
            count += 1
    return count, problems


def check_samples(machine, keys, path):
    """Both modes of samples of the rules; (how many were checked, what went wrong)."""
    calls = define([(key[0], test_strict.PLAIN[key].values) for key in keys], path)
    count, problems = 0, []
    for key, call in zip(keys, calls, strict=True):
        values = {n: test_strict.PLAIN[key].values[n] for n in call.names}
        args, wrt = list(values.values()), call.wrt(values)
        value = known(machine, call.function, args) if wrt and any(isinstance(args[k], np.ndarray) for k in wrt) else None
        if value is None:
            continue
        seed, directions = like(value, 1), [like(args[k], 2 + k) for k in wrt]
        for ask in (lambda move: call.pull(move(copy.deepcopy(args)), wrt, move(seed)),  # noqa: B023
                    lambda move: call.push(move(copy.deepcopy(args)), wrt, move(directions))):  # noqa: B023
            try:
                want = ask(lambda v: v)
            except TangentError:
                continue
            problem = difference(machine, want, ask, machine.there)
            if problem and not (isinstance(problem, TypeError) and re.search(test_strict.REFUSED, key[0])):
                problems.append(f'{key[0]} | {problem!r}')
            count += not isinstance(problem, Exception)
    return count, problems


def check_kernels(machine, kernels):
    """Programs that write into their arguments: the same gradients, or an error of ours; (how many were computed, what went
    wrong)."""
    count, problems = 0, []
    for kernel in kernels:
        args, loss = list(kernel.arguments().values()), kernel.loss()
        wrt = tuple(list(kernel.arguments()).index(n) for n in kernel.wrt)
        if known(machine, loss, args) is None:
            continue
        df = tangent.grad(loss, wrt=wrt)
        want = df(*copy.deepcopy(args))
        problem = difference(machine, want, df, *machine.there(copy.deepcopy(args)))
        problems += [f'{kernel.name} | {problem!r}'] if problem and not isinstance(problem, TangentError) else []
        count += not isinstance(problem, Exception)
    return count, problems


def check_functions(machine):
    """Programs that name CuPy, in both modes."""
    sys.modules.pop('tests.corpora.programs.functions_cupy', None)
    x = np.array([0.3, 0.9, 1.4])
    for f in importlib.import_module('tests.corpora.programs.functions_cupy').FUNCTIONS:
        host = type(f)(f.__code__, {**f.__globals__, 'cp': np, 'cupy': np}, f.__name__)
        right = np.array([(host(x + 1e-6 * v) - host(x - 1e-6 * v)) / 2e-6 for v in np.eye(3)])
        gradient = tangent.grad(f)(machine.there(x))
        assert isinstance(gradient, machine.kind)
        assert close(machine, gradient, right, 1e-6), f.__name__
        assert close(machine, tangent.jvp(f)(machine.there(x), machine.there(x)), right @ x, 1e-6), f.__name__
    sys.modules.pop('tests.corpora.programs.functions_cupy', None)


def check_fused(machine):
    """Kernels of an adjoint: the numbers of the plain derivative, in double and in single precision."""
    for f, args in test_fusion.PROGRAMS:
        for dtype, limit in ((float, LIMIT), (np.float32, 2e-4)):
            given = tuple(a.astype(dtype) if isinstance(a, np.ndarray) else a for a in args)
            want = tangent.grad(f)(*given)
            found = tangent.grad(f, fuse=True)(*machine.there(given))
            assert found.dtype == want.dtype == dtype and close(machine, found, want, limit), f.__name__


# On a GPU

@pytest.mark.gpu
@pytest.mark.parametrize('part', range(PARTS))
def test_corpus_on_a_gpu(gpu, part):
    with test_strict.quiet():
        count, problems = check_corpus(gpu, test_strict.CASES[part::PARTS])
    assert not problems, '\n'.join(problems)
    assert count > 250 // PARTS


@pytest.mark.gpu
@pytest.mark.share(SHARE)
@pytest.mark.parametrize('part', range(SHARE))
def test_samples_on_a_gpu(gpu, tmp_path, part):
    keys = list(test_strict.PLAIN)[part::SHARE]
    with test_strict.quiet():
        count, problems = check_samples(gpu, keys, tmp_path / 'gpu.py')
    assert not problems, '\n'.join(problems)
    assert count > len(keys)


@pytest.mark.gpu
def test_kernels_on_a_gpu(gpu):
    with test_strict.quiet():
        count, problems = check_kernels(gpu, KERNELS)
    assert not problems, '\n'.join(problems)
    assert count >= 20


@pytest.mark.gpu
def test_functions_that_name_cupy_on_a_gpu(gpu):
    check_functions(gpu)


@pytest.mark.gpu
def test_fused_on_a_gpu(gpu):
    check_fused(gpu)


@pytest.mark.gpu
def test_one_kernel_is_launched(gpu):
    """The whole adjoint of an elementwise chain is one launch where it is fused."""
    cupy = importlib.import_module('cupy')
    x = cupy.linspace(0.1, 1.0, 1000)
    df = tangent.grad(test_fusion.gelu, fuse=True)
    np.testing.assert_allclose(cupy.asnumpy(df(x)), tangent.grad(test_fusion.gelu)(cupy.asnumpy(x)), 1e-12)
    assert df.source.count('@fuse') == 1


@pytest.mark.gpu
def test_benchmark_on_a_gpu(gpu):
    from benchmarks import gpu as benchmark
    rows = list(benchmark.run({}, repeats=1, size=64))
    assert len(rows) >= 4 and all(row.value > 0 for row in rows)


# The same without one

def test_the_same_checks_on_the_stub(stub, tmp_path):
    with test_strict.quiet():
        few = [k for k in KERNELS if k.name in ('gemm', 'jacobi_2d', 'trmm', 'softmax')]
        for (count, problems), least in ((check_corpus(stub, test_strict.CASES[::6]), 21), (check_kernels(stub, few), 3),
                                         (check_samples(stub, list(test_strict.PLAIN)[::60], tmp_path / 'stub.py'), 21)):
            assert not problems and count >= least
    check_functions(stub)
    check_fused(stub)


def test_the_benchmark_on_the_stub(stub):
    from benchmarks import gpu as benchmark
    for name, program in benchmark.programs(sys.modules['cupy'], 8).items():
        want = benchmark.programs(np, 8)[name]
        for how, gradient in benchmark.ours(program.function).items():
            found = gradient(*program.args)
            assert close(stub, found, benchmark.ours(want.function)[how](*want.args)), (name, how)


def test_the_benchmark_without_a_device(capsys):
    from benchmarks import gpu as benchmark
    cupy = pytest.importorskip('cupy', reason='CuPy is not installed')
    if cupy.is_available():
        pytest.skip('there is one')
    assert list(benchmark.run({}, repeats=1)) == []
    assert 'no CUDA device' in capsys.readouterr().out
