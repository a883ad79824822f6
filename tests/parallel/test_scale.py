"""The cost model against the simulator, and the examples, small."""
import importlib.util
import signal

import numpy as np
import pytest

from benchmarks import scale
from tests import ROOT


@pytest.mark.parametrize('machine', [scale.MEASURED, scale.MPI], ids=['dask', 'mpi'])
@pytest.mark.parametrize('kind', scale.KINDS)
def test_the_simulator_agrees_with_the_model(kind, machine):
    model, play = scale.KINDS[kind]
    for ranks in (1, 2, 4, 16, 128, 1000, 10_000):
        assert play(machine, scale.PROGRAMS[kind], ranks) == pytest.approx(model(machine, scale.PROGRAMS[kind], ranks)[0], 0.05)


def test_the_simulator_by_hand():
    """The simulator is no formula: a tree of four ranks, and two that follow each other, by hand."""
    m, p = scale.Machine(task=0.0, flop=1.0, latency=2.0, byte=0.5), scale.Program(flops=4.0, size=4.0)
    assert scale.play_data_parallel(m, p, 4) == 1 + 2 * (2 + 2)
    assert scale.play_pipelined(m, scale.Program(flops=4.0, size=0.0, steps=2), 2) == 3 * (1 + 2)


def example(name):
    spec = importlib.util.spec_from_file_location(f'example_{name}', ROOT / 'examples' / 'scale' / f'{name}.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def in_time():
    signal.alarm(240)
    yield
    signal.alarm(0)


def test_per_sample_gradients_find_wrong_labels(tmp_path, in_time):
    pytest.importorskip('dask.array')
    pytest.importorskip('matplotlib')
    found, all_of_them = example('per_sample').main(['--rows', '20000', '--picture', str(tmp_path / 'picture.png')])
    assert found > 0.5 and all_of_them < 0.02 and (tmp_path / 'picture.png').exists()


def test_the_gradient_of_the_validation_error_is_right():
    """The same as on the cluster, here: the tasks are those of tests/parallel/test_dask_tasks.py."""
    pytest.importorskip('distributed')
    ridge = example('hyper_parameters')
    data = [ridge.fold(k, 3) for k in range(3)]

    def error(penalties):
        total = 0.0
        for each in data:
            total = total + ridge.error(penalties, each)
        return total / len(data)
    at, along = np.linspace(-1, 1, ridge.FEATURES), np.cos(np.arange(ridge.FEATURES))
    found = ridge.tangent.grad(error)(at) @ along
    assert found == pytest.approx((error(at + 1e-6 * along) - error(at - 1e-6 * along)) / 2e-6, 1e-5)
