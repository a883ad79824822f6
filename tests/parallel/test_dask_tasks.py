"""Tasks of Dask's inside differentiated functions: on a cluster of processes, and lazy ones."""
import os
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest

import tangent

dask = pytest.importorskip('dask', reason='dask is not installed')
distributed = pytest.importorskip('distributed', reason='distributed is not installed')
from tests import ROOT  # noqa: E402
from tests.parallel import cluster_programs as programs  # noqa: E402

RNG = np.random.default_rng(0)
W, XS = RNG.normal(size=3), [RNG.normal(size=(4, 3)) for _ in range(5)]
SECONDS = 240


@pytest.fixture(autouse=True)
def in_time():
    """No test hangs: a deadlock on the cluster is an error."""
    def late(*args):
        raise TimeoutError(f'{SECONDS} seconds are over')
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope='module')
def client():
    with dask.config.set({'distributed.worker.daemon': True, 'distributed.comm.timeouts.connect': '60s',
                          'distributed.scheduler.work-stealing': False}):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with distributed.Client(cluster) as client:
                yield client


def by_hand(f, *args):
    """The gradient of `f` by differences, of W."""
    found = np.zeros_like(W)
    for k in range(W.size):
        step = np.zeros_like(W)
        step[k] = 1e-6
        up, down = (value.compute(scheduler='sync') if hasattr(value, 'compute') else value
                    for value in (f(W + step, *args), f(W - step, *args)))
        found[k] = (up - down) / 2e-6
    return found


class Here:
    """A client whose cluster is this process: what programs compute, without tasks."""

    def submit(self, f, *args, **keywords):
        return f(*args, **keywords)

    def map(self, f, *rows, **keywords):
        return [f(*row, **keywords) for row in zip(*rows)]

    def gather(self, values):
        return values

    scatter = staticmethod(lambda value, broadcast: value)


@pytest.fixture
def plain(monkeypatch):
    """The programs without a cluster."""
    class Value(float):
        def result(self):
            return self

    class Local(Here):
        def submit(self, f, *args, **keywords):
            found = f(*args, **keywords)
            return Value(found) if np.ndim(found) == 0 else Array(found)

        def map(self, f, *rows, **keywords):
            return [self.submit(f, *row, **keywords) for row in zip(*rows)]

    class Array(np.ndarray):
        def __new__(cls, value):
            return np.asarray(value).view(cls)

        def result(self):
            return np.asarray(self)
    monkeypatch.setattr(programs, 'as_completed', lambda values, with_results=False: [(v, v) for v in values] if with_results
                        else values)
    return Local()


@pytest.mark.parametrize('f', programs.CLUSTER, ids=lambda f: f.__name__)
def test_on_a_cluster(f, client, plain, monkeypatch):
    right = by_hand(f, XS, plain)
    monkeypatch.undo()
    found = tangent.grad(f)(W, XS, client)
    assert type(found) is np.ndarray
    np.testing.assert_allclose(found, right, 1e-5)
    np.testing.assert_allclose(tangent.autodiff(f, mode='forward')(W, XS, client, W), right @ W, 1e-5)


@pytest.mark.parametrize('f', programs.CLUSTER_AND_DELAYED, ids=lambda f: f.__name__)
def test_on_a_cluster_beside_differences(f, client):
    right = by_hand(f, XS, client)
    np.testing.assert_allclose(np.asarray(tangent.grad(f)(W, XS, client)), right, 1e-5)
    np.testing.assert_allclose(np.asarray(tangent.jvp(f)(W, XS, client, W)), right @ W, 1e-5)


@pytest.mark.parametrize('f', programs.REFUSED, ids=lambda f: f.__name__)
def test_refused_at_the_line(f, client):
    for df in (lambda w, client: tangent.grad(f)(w, client), lambda w, client: tangent.jvp(f)(w, client, w)):
        with pytest.raises(tangent.TangentError, match=rf'cluster_programs\.py:\d+: [\s\S]*{programs.REFUSED[f]}'):
            df(W, client)


@pytest.mark.parametrize('f', programs.DELAYED, ids=lambda f: f.__name__)
def test_delayed(f):
    with dask.config.set(scheduler='sync'):
        right, found = by_hand(f, XS), tangent.grad(f)(W, XS)
        moved = tangent.autodiff(f, mode='forward')(W, XS, W)
    lazy = f is programs.kept_lazy
    assert isinstance(found, np.ndarray) != lazy
    np.testing.assert_allclose(found.compute(scheduler='sync') if lazy else found, right, 1e-5)
    np.testing.assert_allclose(moved.compute(scheduler='sync') if lazy else moved, right @ W, 1e-5)


def test_lazy_in_lazy_out_and_nothing_is_computed():
    def refuse(*args, **keywords):
        raise AssertionError('computed')
    with dask.config.set(scheduler=refuse):
        gradient = tangent.grad(programs.kept_lazy)(W, XS)
        of_delayed = tangent.grad(programs.kept_lazy)(dask.delayed(W), XS)
    for found in (gradient, of_delayed):
        np.testing.assert_allclose(found.compute(scheduler='sync'), by_hand(programs.summed, XS), 1e-5)


def depth(delayed):
    """How many sums stand one upon another in the graph of a value."""
    graph = delayed.__dask_graph__()
    found = {}

    def of(key):
        if key not in found:
            task = graph[key]
            below = [of(k) for k in getattr(task, 'dependencies', ()) if k in graph]
            found[key] = max(below, default=0) + str(key).startswith('sum_of')
        return found[key]
    return of(delayed.key)


def test_gradients_are_summed_by_a_tree():
    gradient = tangent.grad(programs.kept_lazy)(W, [XS[0]] * 64)
    assert depth(gradient) <= 7                          # log2 of 64 tasks and of what was there before


def test_a_worker_that_dies_in_the_backward_pass(client, tmp_path):
    """Three tasks compute; the fourth is the first of the adjoint's, and its process is killed: Dask makes it again."""
    path = tmp_path / 'calls'
    before = set(client.nthreads())
    found = tangent.grad(programs.with_a_death)(W, XS[:3], client, str(path))
    np.testing.assert_allclose(found, by_hand(lambda w: sum(programs.work(w, x) for x in XS[:3])), 1e-5)
    assert path.stat().st_size >= 7                      # 3 forward, 3 backward, and at least one of them twice
    client.wait_for_workers(2, timeout=60)
    assert set(client.nthreads()) != before


def test_the_only_worker_dies_in_the_backward_pass(tmp_path):
    """What is bound to it must not wait for it."""
    path = tmp_path / 'calls'
    with dask.config.set({'distributed.worker.daemon': True}):
        with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with distributed.Client(cluster) as client:
                found = tangent.grad(programs.with_a_death)(W, XS[:3], client, str(path))
    np.testing.assert_allclose(found, by_hand(lambda w: sum(programs.work(w, x) for x in XS[:3])), 1e-5)
    assert path.stat().st_size >= 7


SCRIPT = '''
import cloudpickle, numpy as np, tangent

class Layer:
    def __init__(self, w): self.w = w
    def apply(self, x): return np.sum(self.w ** 2) * x

cloudpickle.loads(cloudpickle.dumps(Layer(1.0)))          # as a scheduler does in this process: it fills the class anew
print(Layer.apply.__code__.co_filename, tangent.grad(lambda w: Layer(w).apply(2.0))(np.ones(2)).tolist())
'''


def test_classes_of_a_script_are_read_in_its_file_when_they_have_been_sent(tmp_path):
    path = tmp_path / 'script.py'
    path.write_text(SCRIPT)
    found = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=120, check=True,
                           env={**os.environ, 'PYTHONPATH': str(ROOT)}).stdout
    assert found.split(maxsplit=1)[1].strip() == '[4.0, 4.0]'


def received(dask_worker):
    return [(sum(entry['keys'].values()), entry['keys']) for entry in dask_worker.transfer_incoming_log]


def test_traffic_of_a_data_parallel_sum(client):
    """Each worker adds up what its partitions owe, and then one gradient goes from one worker to the other, whatever their number."""
    client.wait_for_workers(2, timeout=60)
    workers = sorted(client.nthreads())
    w = RNG.normal(size=20_000)
    parts = [client.scatter(RNG.normal(size=w.size), workers=[workers[k % 2]], hash=False) for k in range(8)]
    before = {address: len(log) for address, log in client.run(received).items()}
    found = tangent.grad(programs.of_partitions)(w, parts, client)
    after = client.run(received)
    np.testing.assert_allclose(found, sum(client.gather(parts)), 1e-10)
    moved = [(key, size) for address in after for _, keys in after[address][before[address]:] for key, size in keys.items()]
    gradients = [size for key, size in moved if not str(key).startswith('argument-') and size >= w.nbytes]
    assert len(gradients) <= 2 and sum(gradients) <= 2.2 * w.nbytes          # log2(2) = 1, and what comes to the client's worker


def test_refused_before_anything_is_sent(client):
    def unknown(w):
        return client.submit(programs.coded, w).result()
    with pytest.raises(NotImplementedError, match=r'cluster_programs\.py:\d+: _struct\.pack has no rule'):
        tangent.grad(unknown)(2.0)
    assert not client.run_on_scheduler(lambda dask_scheduler: [k for k in dask_scheduler.tasks if 'coded' in str(k)])


def test_errors_say_what_they_say_when_a_worker_sends_them():
    error = tangent.errors.TangentParseError('line 3: write it otherwise')
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
