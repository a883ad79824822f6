"""Dask's bags and data frames inside differentiated functions: a function of each partition, and a sum of what it gives."""
import numpy as np
import pytest

import tangent
from tangent.errors import ArgumentTypeError
from tests.tools.checking import differences

dask = pytest.importorskip('dask', reason='dask is not installed')
distributed = pytest.importorskip('distributed', reason='distributed is not installed')
from dask import bag as bags  # noqa: E402

ROWS = [(1.0, 2.0), (2.0, 1.0), (3.0, 0.5), (0.3, 1.2), (0.7, 0.1)]
BAG = bags.from_sequence(ROWS, npartitions=3)
X = 0.7


@pytest.fixture(autouse=True)
def here():
    with dask.config.set(scheduler='sync'):
        yield


def error(row, w):
    return (w * row[0] - row[1]) ** 2


def errors_of(rows, w):
    return [error(row, w) for row in rows]


def added(a, b):
    return a + b


def mapped(w):
    return BAG.map(error, w).sum().compute() * w


def by_partition(w):
    return BAG.map_partitions(errors_of, w).reduction(sum, sum).compute()


def captured(w):
    k = w * w
    return BAG.map(lambda row: (k * row[0] - row[1]) ** 2).sum().compute()


def with_a_keyword(w):
    return BAG.map(error, w=w).mean().compute()


def folded(w):
    return BAG.map(error, w).fold(added).compute() + BAG.map(error, w).fold(added, initial=0.0).compute()


def listed(w):
    return sum([v * k for k, v in enumerate(BAG.map(error, w).compute())])


def filtered(w):
    moved = BAG.map(error, w)
    return moved.filter(lambda v: v > 0.1).sum().compute() + moved.remove(lambda v: v > 0.1).sum().compute() * w


def spread(w):
    moved = BAG.map(error, w)
    return moved.std(ddof=1).compute() * moved.var().compute() + moved.max().compute() - moved.min().compute()


def starred(w):
    return BAG.starmap(lambda a, b: a * w - b * w * w).max().compute()


def two_bags(w):
    return BAG.map(lambda row, v, s: row[0] * v * s, BAG.map(error, w), w).sum().compute()


def plucked(w):
    return BAG.map(lambda row: {'a': row[0] * w, 'b': 2.0}).pluck('a').sum().compute()


def flattened(w):
    return BAG.map_partitions(lambda rows: [[r[0] * w, r[1] * w * w] for r in rows]).flatten().reduction(sum, max).compute()


def kept(w):
    moved = BAG.map(error, w).persist()
    return moved.sum().compute() * moved.count().compute()


def data_alone(w):
    return w * BAG.pluck(0).sum().compute() * BAG.count().compute() + BAG.map(sum).topk(2).compute()[0] * w


@pytest.mark.parametrize('f', [mapped, by_partition, captured, with_a_keyword, folded, listed, filtered, spread, starred, two_bags,
                               plucked, flattened, kept, data_alone], ids=lambda f: f.__name__)
def test_bags(f):
    np.testing.assert_allclose(tangent.grad(f)(X), differences(f, (X,), (0,))[0], 1e-6)
    assert tangent.value_and_grad(f)(X)[0] == f(X)


def linear(row, w):
    return np.dot(w, np.array(row)) ** 2


def test_arrays():
    def loss(w):
        return BAG.map(linear, w).sum().compute()
    w = np.array([0.3, -0.2])
    np.testing.assert_allclose(tangent.grad(loss)(w), differences(loss, (w,), (0,))[0], 1e-6)


def test_an_item_stays_lazy():
    def loss(w):
        return BAG.map(error, w).sum()
    assert tangent.grad(loss)(X).compute() == pytest.approx(differences(lambda w: loss(w).compute(), (X,), (0,))[0])


def distinct(w):
    return sum(BAG.map(error, w).distinct().compute())


def made_of_values(w):
    return bags.from_sequence([w, w * w]).sum().compute()


def reduced_by_what_has_captured(w):
    return BAG.map(error, w).reduction(lambda part: sum(part) * w, sum).compute()


@pytest.mark.parametrize('f', [distinct, made_of_values, reduced_by_what_has_captured], ids=lambda f: f.__name__)
def test_refused_with_the_line(f):
    with pytest.raises(ArgumentTypeError, match=r'test_dask_bags\.py:\d+: '):
        tangent.grad(f)(X)


def test_forward_mode_is_refused():
    with pytest.raises(NotImplementedError, match='Bag.map has no rule for forward mode'):
        tangent.jvp(mapped)(X, 1.0)


def received(dask_worker):
    return [entry['keys'] for entry in dask_worker.transfer_incoming_log]


def weighted(rows, w):
    return [np.dot(rows[0], w)]


def test_traffic_of_partitions_on_a_cluster():
    """Eight partitions, four on each of two workers: log2(2) gradients go from one worker to the other, but for those of tasks
    that the scheduler moves from a busy worker to an idle one."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=20_000)
    rows = [[rng.normal(size=w.size)] for _ in range(8)]
    with dask.config.set({'distributed.worker.daemon': True, 'distributed.scheduler.work-stealing': False, 'scheduler': None}), \
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        workers = sorted(client.nthreads())
        parts = [client.scatter([part], workers=[workers[k // 4]], hash=False)[0] for k, part in enumerate(rows)]
        bag = bags.from_delayed(parts)
        before = {address: len(log) for address, log in client.run(received).items()}
        found = tangent.grad(lambda w: bag.map_partitions(weighted, w).sum().compute())(w)
        after = client.run(received)
    np.testing.assert_allclose(found, sum(part[0] for part in rows), 1e-10)
    moved = [(key, size) for address in after for keys in after[address][before[address]:] for key, size in keys.items()]
    gradients = [size for key, size in moved if size >= w.nbytes and any(n in str(key) for n in ('sum_of', 'part_of', 'adjoint'))]
    assert 1 <= len(gradients) <= 4, moved                # of eight


# Data frames

def parts_of(part, w):
    return ((w * part['x'].to_numpy() - part['y'].to_numpy()) ** 2).sum()


def by_series(part, w):
    return (w * part['x'] - part['y']) ** 2


def scaled_parts(part, w):
    return np.sum((w[0] * part['x'].to_numpy() - part['y'].to_numpy()) ** 2) * w[1]


@pytest.fixture(scope='module')
def frame():
    pandas = pytest.importorskip('pandas', reason='pandas is not installed')
    pytest.importorskip('pyarrow', reason='pyarrow is not installed, which dask.dataframe needs')
    import dask.dataframe as dd
    return dd.from_pandas(pandas.DataFrame(ROWS, columns=['x', 'y']), npartitions=2)


FRAMES = {
    'sum': lambda w, frame: frame.map_partitions(parts_of, w, meta=(None, float)).sum().compute(),
    'mean': lambda w, frame: frame.map_partitions(parts_of, w=w, meta=(None, float)).mean().compute() * len(frame),
    'without meta': lambda w, frame: frame.map_partitions(parts_of, w * w).sum().compute(),
    'series': lambda w, frame: frame.map_partitions(by_series, w, meta=(None, float)).sum().compute(),
    'columns': lambda w, frame: frame[['x', 'y']].map_partitions(parts_of, w, meta=(None, float)).sum().compute(),
    'delayed': lambda w, frame: dask.delayed(sum)([dask.delayed(parts_of)(part, w) for part in frame.to_delayed()]).compute(),
    'several elements': lambda w, frame: frame.map_partitions(scaled_parts, np.array([w, w * w]), meta=(None, float)).sum().compute(),
    'lazy number': lambda w, frame: (frame['x'].mean() * w * w).compute(),
    'data alone': lambda w, frame: w * frame['x'].sum().compute() * frame['y'].max().compute(),
}


@pytest.mark.parametrize('f', FRAMES.values(), ids=FRAMES)
def test_frames(f, frame):
    gradient = tangent.grad(f)(X, frame)
    np.testing.assert_allclose(gradient, differences(lambda w: f(w, frame), (X,), (0,))[0], 1e-6)


@pytest.mark.parametrize('f', [lambda w, frame: (frame['x'] * w).sum().compute(),
                               lambda w, frame: ((frame['x'] * w - frame['y']) ** 2).sum().compute()])
def test_arithmetic_of_frames_is_refused(f, frame):
    with pytest.raises(ArgumentTypeError, match=r'test_dask_bags\.py:\d+: a Series that has met .*map_partitions'):
        tangent.grad(f)(X, frame)


def test_a_frame_is_added_up_before_it_is_computed(frame):
    def computed(w):
        return frame.map_partitions(by_series, w, meta=(None, float)).compute().sum()
    with pytest.raises(ArgumentTypeError, match=r'test_dask_bags\.py:\d+: .*add it up before, \.sum\(\)\.compute\(\)'):
        tangent.grad(computed)(X)
