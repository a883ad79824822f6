"""Dask's arrays: lazy in, lazy out, chunk by chunk, and the numbers of NumPy."""
import ast
import functools
import math

import numpy as np
import pytest

import tangent

dask = pytest.importorskip('dask', reason='dask is not installed')
da = pytest.importorskip('dask.array', reason='dask is not installed')
from dask.callbacks import Callback  # noqa: E402

RNG = np.random.default_rng(0)
X, Y, W, V = RNG.normal(size=(6, 4)), RNG.normal(size=(6, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=4)
Q = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, -0.4], [0.35, 0.15, 1.8]])
T = RNG.normal(size=(2, 3, 4))
PLACES = np.array([3, 0, 3, 1])


class Computed(Exception):
    pass


def refuse(*args, **keywords):
    raise Computed


def nothing_computed():
    return dask.config.set(scheduler=refuse)


def lazy(value, chunks=2):
    return da.from_array(value, chunks=chunks)


def largest(*values):
    """The most bytes that a task of these graphs gives."""
    found = []

    class Look(Callback):
        def _posttask(self, key, value, dsk, state, worker):
            found.extend(v.nbytes for v in (value if isinstance(value, list) else [value]) if isinstance(v, np.ndarray))
    with Look():
        for v in values:
            dask.get(dict(v.__dask_graph__()), list(dask.core.flatten(v.__dask_keys__())))
    return max(found)


# One program a line: functions of NumPy's, methods, and functions of Dask's, in x (6, 4), v (4,), q (3, 3), t (2, 3, 4)
PROGRAMS = '''
np.sum(np.tanh(x) * v, axis=1)
(x * x).sum(axis=1)[:, None] * x
x.mean(axis=0) - v
np.var(x, axis=1, ddof=1) + x.std()
np.exp(x - np.max(x, axis=1, keepdims=True)).min(axis=0)
np.prod(x, axis=1) + np.cumprod(x, axis=1).sum(axis=1)
np.cumsum(x, axis=0)
x @ v
v @ x.T
q @ q.T + np.dot(q, q)
np.dot(t, x.T)
np.tensordot(t, x, ([2], [1]))
np.einsum('ij,kj->ik', x, q[:, :1] * v)
np.einsum('ii->i', q)
np.einsum('iij->j', t[:, :2] * 2)
np.outer(v, v)
np.vdot(x, x)
x[1:] * x[:-1]
x[::-2, 1]
x[-1] * x[..., 1:2]
x[[3, 0, 3, 1]]
x[:, PLACES]
np.take(x, [0, 0, 2], axis=1)
v[np.argmax(v)] * v
x[:, None] * np.expand_dims(x, 1)
x.reshape(2, 3, 4).T
np.ravel(x)[3:9]
t.transpose(2, 0, 1)
np.swapaxes(t, 0, -1)
np.moveaxis(t, 0, 1)
np.squeeze(x[:, 1:2])
np.flip(x, 0) + np.roll(x, 1, axis=0)
np.rot90(x)
np.tril(q) - np.triu(q, 1)
np.diag(q) * np.diagonal(q, 0)
np.trace(q)
np.diag(v)
np.concatenate([x, x * v], axis=0)
np.stack([x, 2 * x], axis=1)
np.hstack([x, x[:, :1]])
np.vstack((v, x))
np.block([[q, q], [q[:1], q[:1] * 2]])
np.append(v, v[:2])
np.insert(x, 1, v, axis=0)
np.tile(v, (3, 2))
np.repeat(x, 2, axis=0)
np.broadcast_to(v, (3, 4)) * v
np.pad(x, ((1, 2), (0, 1)))
np.pad(x, 1, 'reflect')
np.pad(v, (2, 1), 'edge')
np.where(x > 0, x * x, v)
np.maximum(x, v) - np.minimum(x, 0.1)
np.clip(x, -0.5, 0.5)
np.select([x > 0, x < -1], [x * x, x ** 3])
np.diff(x, axis=0)
np.gradient(x, axis=0)
np.average(x, axis=0, weights=np.arange(6.0))
np.median(x, axis=1)
np.quantile(x, 0.3, axis=1)
np.nansum(np.where(x > 1, np.nan, x), axis=0)
np.linalg.norm(x, axis=1)
np.hypot(x, v) ** 1.5 / np.abs(x)
np.arctan2(x, v) + np.logaddexp(x, v)
np.meshgrid(v, v)[1]
np.abs(np.fft.fft(x.rechunk((2, 4)), axis=1))
da.tanh(x) @ v
da.sum(da.exp(x), axis=0, split_every=2)
da.take(x, [0, 0, 2])
da.concatenate([x, x])[2:7]
da.linalg.norm(x)
da.cumsum(x, axis=0, method='blelloch')
da.reshape(x, (24,), merge_chunks=False)
da.rechunk(x, {0: 1}) * v
da.where(x > 0, x, 2 * x).var(axis=0, keepdims=True, split_every=2)
da.topk(x, 2, axis=0)
x.topk(2, axis=1)
da.roll(da.flip(x, 1), 2, axis=0)
da.stack([da.log1p(x * x), x]).max(axis=0)
x[x[:, 1] > 0].sum(axis=0)
x.rechunk((3, 4)).mean(axis=1)
x[x[:, 1] > 0].mean() * x
x[x[:, 1] > 0].std(axis=0) + x[x[:, 1] > 0].mean(axis=1).sum()
v[(v > 0.1).rechunk(3)] ** 2
x[0, ::-1] * v
x[-1, ::-2]
da.tensordot(x, x.T, axes=1)
da.matmul(x, x.T)
da.ravel(x) ** 2
da.divmod(x, 1.7)[1]
da.ones(x.shape, chunks=x.chunks) * x
x * da.full(x.shape, 3.0, chunks=x.chunks)
x[:, :2] * x[:, 2:].rechunk(x[:, :2].chunks)
da.i0(v)
da.abs(da.fft.rfft(x.rechunk((2, 4)), axis=1)) ** 2
da.real(da.fft.irfft(da.fft.rfft(x.rechunk((2, 4)), axis=1) * 2.0, axis=1))
'''.strip().splitlines()
VALUES = {'x': X, 'v': V, 'q': Q, 't': T}
NAMESPACE = {'np': np, 'da': da, 'PLACES': PLACES, '__name__': 'programs'}


@pytest.fixture(scope='module')
def programs(tmp_path_factory):
    names = [sorted({n.id for n in ast.walk(ast.parse(line)) if isinstance(n, ast.Name)} & VALUES.keys()) for line in PROGRAMS]
    text = ''.join(f'def f{k}({", ".join(found)}):\n    return {line}\n\n\n' for k, (found, line) in enumerate(zip(names, PROGRAMS)))
    path = tmp_path_factory.mktemp('dask') / 'programs.py'
    path.write_text(text)
    namespace = dict(NAMESPACE)
    exec(compile(text, str(path), 'exec'), namespace)
    return [(namespace[f'f{k}'], found) for k, found in enumerate(names)]


def along(f, args, moves):
    """The derivative of the sum of `f` along `moves`, by differences."""
    def value(step):
        found = f(*(lazy(a + step * m) for a, m in zip(args, moves)))
        return float(np.sum(found.compute(scheduler='sync')))
    return (value(1e-6) - value(-1e-6)) / 2e-6


@pytest.mark.parametrize('k', range(len(PROGRAMS)), ids=PROGRAMS)
def test_programs(k, programs):
    f, names = programs[k]
    args = [VALUES[n] for n in names]
    given = [lazy(a) for a in args]
    moves = [RNG.normal(size=a.shape) for a in args]
    wrt = tuple(range(len(args)))
    with nothing_computed():
        gradients = tangent.elementwise_grad(f, wrt=wrt)(*given)
        moved = tangent.autodiff(f, wrt=wrt, mode='forward')(*given, *map(lazy, moves))
    gradients = gradients if len(wrt) > 1 else (gradients,)
    for g, x in zip(gradients, given, strict=True):
        assert isinstance(g, da.Array) and g.chunks == x.chunks and g.dtype == x.dtype
    right = along(f, args, moves)
    found = dask.compute(*gradients, moved.sum(), scheduler='sync')
    assert sum(np.sum(g * m) for g, m in zip(found, moves)) == pytest.approx(right, 2e-5, 1e-6)
    assert found[-1] == pytest.approx(right, 2e-5, 1e-6)


def loss(w, b, x, y):
    z = da.tanh(x @ w + b)
    z = z - da.max(z, axis=1, keepdims=True)
    p = da.exp(z) / da.exp(z).sum(axis=1, keepdims=True)
    return -(y * da.log(p)).mean()


def test_numbers_and_plain_arrays_beside_lazy_ones_have_lazy_gradients():
    with nothing_computed():
        found = tangent.grad(loss, wrt=('w', 'b', 'y'))(W, 0.5, lazy(X), Y)
    assert all(isinstance(g, da.Array) for g in found)
    assert [g.shape for g in found] == [W.shape, (), Y.shape]
    z = np.tanh(X @ W + 0.5)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    bz = (p * Y.sum(axis=1, keepdims=True) - Y) / Y.size * (1 - z * z)
    np.testing.assert_allclose(found[0].compute(), X.T @ bz, 1e-10)
    assert float(found[1].compute()) == pytest.approx(bz.sum(), 1e-10)


def regression(w, x):
    return ((x @ w[:-1] + w[-1]) ** 2).mean()


def named_parts(w, x):
    a, b = w[:4].reshape(1, 4), w[4]
    return ((x * a).sum(axis=1) * b).mean()


def in_a_loop(w, x):
    total = 0.0
    for k in range(len(w)):
        total = total + da.sin(x * w[k]).sum()
    return total + (x * w[None, 1:]).sum() + (x * w[[0, 0, 3, 1]]).sum()


def part_for_each_chunk(w, x):
    return da.map_blocks(lambda b, v: np.sin(b) * v[2], x, w[1:], dtype=float).sum()


@pytest.mark.parametrize('f', [regression, named_parts, in_a_loop, part_for_each_chunk])
def test_parts_of_plain_parameters_beside_lazy_data(f):
    w, move = RNG.normal(size=5), RNG.normal(size=5)
    with nothing_computed():
        found, of_x = tangent.grad(f, wrt=(0, 1))(w, lazy(X))
        moved = tangent.jvp(f)(w, lazy(X), move)
    right = (float(f(w + 1e-6 * move, lazy(X))) - float(f(w - 1e-6 * move, lazy(X)))) / 2e-6
    assert type(found) is da.Array and type(of_x) is da.Array and of_x.chunks == lazy(X).chunks
    assert found.compute() @ move == pytest.approx(right, 1e-6)
    assert float(moved) == pytest.approx(right, 1e-6)


def layers(p, x):
    for w, b in p['layers']:
        x = da.tanh(x @ w[:, :4] + b)
    return (x * p['scale']).sum()


def test_parts_of_structures_beside_lazy_data():
    p = {'layers': [(RNG.normal(size=(4, 5)), RNG.normal(size=4)) for _ in range(2)], 'scale': 0.5}
    with nothing_computed():
        found = tangent.grad(layers)(p, lazy(X))
    (w, b), _ = found['layers']
    assert w.shape == (4, 5) and b.shape == (4,)
    for k, (g, at) in enumerate([(w, (1, 2)), (b, (3,))]):
        step = np.zeros(g.shape)
        step[at] = 1e-6
        up, down = ({**p, 'layers': [tuple(v + s * step if j == k else v for j, v in enumerate(p['layers'][0])), p['layers'][1]]}
                    for s in (1, -1))
        assert float(g[at]) == pytest.approx((float(layers(up, lazy(X))) - float(layers(down, lazy(X)))) / 2e-6, 1e-5)
    assert float(found['scale']) == pytest.approx(float(layers({**p, 'scale': 1.0}, lazy(X))), 1e-10)


def distances(x, y):
    return np.sqrt(((x[:, None] - y) ** 2).sum(axis=-1) + 1.0).sum(axis=1).mean()


def spread(x):
    s = x - x.mean(axis=0)
    return (s.T @ s / len(x)).std() + (s[1:] * s[:-1]).sum() + np.median(s, axis=1).sum() + np.cumsum(s, axis=0).sum()


def picked(x):
    return (x[np.arange(0, 4000, 3) % 1000] ** 2).sum() + np.pad(x, ((1, 1), (0, 0)), 'reflect').std(axis=0).sum()


@pytest.mark.parametrize('f, args', [
    (lambda u: (da.repeat(u, 5) ** 2).sum() + (da.pad(u, 3, mode='wrap') ** 2).sum(), [(1200,)]),
    (lambda x: np.einsum('ii', x[:8]) ** 2, [(1200, 8)]), (spread, [(1200, 8)]), (picked, [(1200, 8)]), (lambda x, w: (np.tanh(x @ w) ** 2).sum(), [(1200, 8), (8, 8)]),
    (lambda x, b: np.exp(x * b).mean(axis=0).sum(), [(1200, 8), (8,)]), (lambda x: (x.reshape(12, 100, 8) ** 2).mean(axis=0).sum(),
                                                                           [(1200, 8)])])
def test_no_task_holds_more_than_twice_the_largest_chunk(f, args):
    given = [da.random.default_rng(0).normal(size=s, chunks=(100, 8) if len(s) == 2 else min(s[0], 100)) for s in args]
    gradients = tangent.grad(f, wrt=tuple(range(len(given))))(*given)
    bound = max(largest(f(*given)), *(math.prod(x.chunksize) * 8 for x in given))
    assert largest(*gradients if isinstance(gradients, tuple) else [gradients]) <= 2 * bound


def test_a_whole_that_no_worker_could_hold():
    """A gradient by an array of 80 TB is made, and one chunk of it computed."""
    x = da.ones((10 ** 7, 10 ** 6), chunks=(10 ** 6, 10 ** 5))
    with nothing_computed():
        g = tangent.grad(lambda x: (x * x).sum())(x)
    assert g[:2, :2].chunks == ((2,), (2,)) and g.chunks == x.chunks
    assert tangent.grad(lambda x: (x * x).sum())(da.ones((2, 2), chunks=1)).compute().tolist() == [[2.0, 2.0], [2.0, 2.0]]


def told_its_place(b, block_id=None):
    return b * (1.0 if block_id is None else block_id[0])


def test_a_gradient_has_the_chunks_of_its_argument():
    x, y = lazy(X), lazy(X, 3)
    for f in (lambda x, y: (x * y).sum(), lambda x, y: np.arctan2(x, y).sum()):
        for g, of in zip(tangent.grad(f, wrt=(0, 1))(x, y), (x, y)):
            assert type(g) is da.Array and g.chunks == of.chunks


def energy(z: complex):
    return (da.abs(z) ** 2).sum() + da.real(z * z).sum() + (z.imag ** 3).sum()


def test_complex_lazy_arrays():
    z = X[0] + 1j * X[1]
    with nothing_computed():
        found = tangent.grad(energy)(lazy(z))
    np.testing.assert_allclose(found.compute(), tangent.grad(energy_plain)(z), 1e-12)


def energy_plain(z: complex):
    return (np.abs(z) ** 2).sum() + np.real(z * z).sum() + (z.imag ** 3).sum()


class Scaled:
    def __init__(self, s):
        self.s = s

    def by_blocks(self, b, w):
        return np.tanh(b * self.s[1]) * w[0]

    __call__ = by_blocks


def with_methods(x, s):
    first = x.map_blocks(Scaled(s).by_blocks, s, dtype=float)
    second = da.map_blocks(Scaled(s * s), x, w=s, dtype=float)
    return (first * second).sum() + x.map_blocks(functools.partial(Scaled(s).by_blocks, w=s), dtype=float).sum()


def test_methods_and_callable_objects_for_each_chunk():
    s, move = np.array([0.3, 0.7]), np.array([1.0, -0.5])
    right = (float(with_methods(lazy(X), s + 1e-6 * move)) - float(with_methods(lazy(X), s - 1e-6 * move))) / 2e-6
    found = tangent.grad(with_methods, wrt=(0, 1))(lazy(X), s)
    assert float(sum(found[1][k] * move[k] for k in range(2))) == pytest.approx(right, 1e-6)
    moved = tangent.jvp(lambda s: lazy(X).map_blocks(Scaled(s).by_blocks, s, dtype=float).sum())(s, move)
    by_hand = [float(lazy(X).map_blocks(Scaled(s + k * move).by_blocks, s + k * move, dtype=float).sum()) for k in (1e-6, -1e-6)]
    assert float(moved) == pytest.approx((by_hand[0] - by_hand[1]) / 2e-6, 1e-6)


def written_before(w, x):
    """What is undone in the backward pass is what it was for the tasks."""
    a = np.zeros(4)
    a[:] = w
    x = da.map_blocks(lambda b, a, s: np.sin(b * a) * s, x.rechunk((2, 4)), a, w[1], dtype=float)
    return (x * x).sum().compute()


def test_blocks_are_given_what_was_there():
    found, move = tangent.grad(written_before)(V, lazy(X)), RNG.normal(size=4)
    right = (written_before(V + 1e-6 * move, lazy(X)) - written_before(V - 1e-6 * move, lazy(X))) / 2e-6
    assert np.asarray(found) @ move == pytest.approx(right, 1e-6)


def written_into(x):
    y = x * 2.0
    y[1] = 2.0
    return (y * y).sum()


def test_what_has_no_rule_is_refused_with_the_line():
    def coarse(x):
        return da.coarsen(np.sum, x, {0: 2}).sum()
    for df in (tangent.grad, lambda f: tangent.autodiff(f, mode='forward')):
        with pytest.raises(NotImplementedError, match=r'dask\.array\.coarsen has no derivative rule[\s\S]*da\.coarsen\(np\.sum'):
            df(coarse)(lazy(X), *[lazy(X)] * (df is not tangent.grad))
    for wrong, says in [(lambda x: x.vindex[[0, 1], [1, 0]].sum(), 'slices and indices'), (lambda x: x.blocks[0].sum(), 'blocks'),
                        (lambda x: da.delete(x, 1, axis=0).sum(), r'dask\.array\.delete has no'),
                        (written_into, r'dask\.array\.where'),
                        (lambda x: x.map_blocks(told_its_place, dtype=float).sum(), 'block_id')]:
        with pytest.raises(tangent.TangentError, match=rf'test_dask_arrays\.py:\d+:[\s\S]*{says}'):
            tangent.grad(wrong)(lazy(X))
    with pytest.raises(tangent.errors.ArgumentTypeError, match='wrt has'):
        tangent.explain(written_into, lazy(X))
    with pytest.raises(tangent.errors.ArgumentTypeError, match=r'numpy\.where\(mask, x, 0\)'):
        tangent.grad(lambda x: (x[x > 0] ** 2).sum())(lazy(X))


def test_gradients_of_gradients():
    def g(x):
        return (np.tanh(x) * x).sum()
    with nothing_computed():
        found = tangent.grad(lambda x: (tangent.grad(g)(x) ** 2).sum())(lazy(V))
        turned = tangent.jvp(tangent.grad(g))(lazy(V), 1.0, lazy(V))
    t = np.tanh(V)
    first, second = t + V * (1 - t * t), 2 * (1 - t * t) - 2 * V * t * (1 - t * t)
    np.testing.assert_allclose(found.compute(), 2 * first * second, 1e-10)
    np.testing.assert_allclose(turned.compute(), second * V, 1e-10)


# Functions that Dask calls for each chunk

def waved(b, w):
    return np.tanh(b * w[0]) + w[1] * b ** 2


def by_rows(b, s):
    return np.sum(b * b, axis=1) * s


def by_blocks(x, w, y):
    """All that `map_blocks` can have: plain arrays, keywords, chunks that are broadcast, axes dropped and new, captured values."""
    c = w[0] * 2.0
    first = x.map_blocks(waved, w, dtype=float)
    second = da.map_blocks(waved, first, w=w, dtype=float)
    third = da.map_blocks(lambda a, b: np.sin(a) * b * c, second, y, dtype=float)
    rows = da.map_blocks(by_rows, x.rechunk((2, 4)), 3.0, drop_axis=1, dtype=float)
    new = da.map_blocks(lambda b: np.stack([b, b * b]), x, new_axis=0, chunks=((2,), *x.chunks), dtype=float)
    return (third ** 2).sum() + (rows ** 2).mean() + (new[1] * x).sum()


def test_functions_that_are_called_for_each_chunk():
    args = RNG.normal(size=(6, 4)), np.array([0.3, -0.2]), RNG.normal(size=(6, 1))
    given = lazy(args[0]), args[1], da.from_array(args[2], chunks=(2, 1))
    moves = [RNG.normal(size=a.shape) for a in args]
    with nothing_computed():
        gradients = tangent.grad(by_blocks, wrt=(0, 1, 2))(*given)
        moved = tangent.autodiff(by_blocks, wrt=(0, 1, 2), mode='forward')(*given, lazy(moves[0]), moves[1], lazy(moves[2]))
    assert gradients[0].chunks == given[0].chunks and gradients[2].chunks == given[2].chunks

    def value(step):
        x, w, y = (a + step * m for a, m in zip(args, moves))
        return float(by_blocks(lazy(x), w, da.from_array(y, chunks=(2, 1))))
    right = (value(1e-6) - value(-1e-6)) / 2e-6
    found = dask.compute(*gradients, moved, scheduler='sync')
    assert sum(np.sum(g * m) for g, m in zip(found, moves)) == pytest.approx(right, 1e-5)
    assert float(found[-1]) == pytest.approx(right, 1e-5)


def weighed_blocks(x, w):
    return (x.map_blocks(waved, w, dtype=float) * x).sum()


def test_functions_for_each_chunk_beside_tangents_and_gradients_in_other_chunks():
    """Dask said that shapes do not align."""
    x, w, move = lazy(X), np.array([0.3, 1.2]), RNG.normal(size=X.shape)
    with nothing_computed():
        moved = tangent.autodiff(weighed_blocks, wrt=(0,), mode='forward')(x, w, lazy(move, 3))
    gradient = tangent.grad(weighed_blocks)(x, w)
    assert gradient.chunks == x.chunks
    assert np.sum(gradient.compute(scheduler='sync') * move) == pytest.approx(float(moved.compute(scheduler='sync')), 1e-10)
