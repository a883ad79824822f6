"""Forward mode in several directions: what one direction gives, for each of them, and the primal computed once."""
import contextlib
import copy
import zlib

import numpy as np
import pytest

import tangent
from tangent.interfaces.jacobians import columns
from tangent.runtime.pytree import leaves
from tangent.runtime.tangents.batched import Directions
from tangent.runtime.tangents.parts import DirectionsError, each_direction, one_by_one, part
from tangent.runtime.zeros import is_record, rebuild_record
from tests.corpora.programs import functions_carried
from tests.forward import test_forward
from tests.forward import test_python as test_forward_python
from tests.rules import test_samples
from tests.tools import registry
from tests.tools.checking import random_like
from tests.tools.sampling import define, like, seed_name

K = 3
RNG = np.random.default_rng(5)
X = np.array([1.3, 0.7, 2.1])


def stacked(parts):
    """The tangents in several directions, of those in one."""
    first = parts[0]
    if isinstance(first, (tuple, list)):
        found = [stacked(each) for each in zip(*parts)]
        return found if isinstance(first, list) else type(first)(*found) if hasattr(first, '_fields') else tuple(found)
    if isinstance(first, dict):
        return {key: stacked([p[key] for p in parts]) for key in first}
    if is_record(first):
        return type(first)(**{key: stacked([getattr(p, key) for p in parts]) for key in vars(first)})
    return None if first is None else np.stack([np.asarray(p) for p in parts])


def assert_same(found, singles, rtol=1e-9):
    """`found` is what was found direction by direction, with an axis of directions in front."""
    first = singles[0]
    if isinstance(first, (tuple, list)):
        assert type(found) is type(first) and len(found) == len(first)
        for k, part in enumerate(found):
            assert_same(part, [s[k] for s in singles], rtol)
    elif isinstance(first, dict):
        assert found.keys() == first.keys()
        for key, part in found.items():
            assert_same(part, [s[key] for s in singles], rtol)
    elif first is None:
        assert found is None
    elif is_record(first) or isinstance(getattr(first, '__dict__', None), dict) and not isinstance(first, np.ndarray):
        assert_same(vars(found), [vars(s) for s in singles], rtol)
    else:
        want = np.stack([np.asarray(s) for s in singles])
        assert type(found) is np.ndarray and found.shape == want.shape
        np.testing.assert_allclose(found, want, rtol=rtol, atol=1e-10)


def compare(derivative, call, tangents):
    """One pass along all directions against a pass for each; `call(df, tangents)` calls a derivative."""
    one, all_ = derivative(batched=False), derivative(batched=True)
    singles = [call(one, [t[k] for t in tangents]) for k in range(K)]
    assert_same(call(all_, [stacked(t) for t in tangents]), singles)


def last_names(df, count):
    code = df.__code__
    return code.co_varnames[code.co_argcount - count:code.co_argcount]


def drawn(case):
    return [[random_like(case.args[p], seed=p + 1 + 10 * k) for k in range(K)] for p in case.wrt]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('case', test_forward.CASES[::6], ids=lambda c: c.label)
def test_corpus(case, optimized):
    def call(df, tangents):
        return df(*copy.deepcopy(case.args), **dict(zip(last_names(df, len(case.wrt)), copy.deepcopy(tangents))))
    compare(lambda **options: tangent.jvp(case.function, wrt=case.wrt, optimized=optimized, **options), call, drawn(case))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('case', test_forward.CASES[1::8] + functions_carried.CASES[::8], ids=lambda c: c.label)
def test_over_reverse_mode(case):
    inner = tangent.vjp(case.function, wrt=case.wrt)
    seed = {seed_name(inner): random_like(case.function(*copy.deepcopy(case.args)), seed=99)}

    def call(df, tangents):
        given = dict(zip(last_names(df, len(case.wrt)), copy.deepcopy(tangents)))
        return df(*copy.deepcopy(case.args), **copy.deepcopy(seed), **given)
    compare(lambda **options: tangent.jvp(inner, wrt=case.wrt, **options), call, drawn(case))


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize('chunk', range(4))
def test_rules(chunk, tmp_path):
    """One call in 48 of all that the table of rules is tested with, and the gradients of these."""
    keys = [k for k in test_samples.ALL if zlib.crc32(k[0].encode()) % 192 == 7 * chunk]
    assert len(keys) > 5
    for scipy in (False, True):
        mine = [k for k in keys if k[2] == scipy]
        texts = [(k[0], test_samples.ALL[k][0].values) for k in mine]
        for key, made in zip(mine, define(texts, tmp_path / f'calls_{chunk}_{scipy}.py', scipy), strict=True):
            sample = test_samples.ALL[key][0]
            values = {n: sample.values[n] for n in made.names}
            wrt = made.wrt(values)
            if not wrt:
                continue
            args = list(values.values())
            tangents = [[like(args[w], 2 + w + 10 * k) for k in range(K)] for w in wrt]
            compare(lambda made=made, wrt=wrt, **options: tangent.jvp(made.function, wrt=wrt, **options),
                    lambda df, t, args=args: df(*copy.deepcopy(args), *t), tangents)


PYTHON = [f for f in vars(test_forward_python).values() if getattr(f, '__module__', '') == test_forward_python.__name__
          and f.__name__ in ('inplace', 'lists', 'withs', 'kern', 'args_written')]


@pytest.mark.parametrize('f', [f for f in PYTHON if f.__name__ != 'withs'], ids=lambda f: f.__name__)
def test_what_is_written_into(f):
    compare(lambda **options: tangent.jvp(f, **options), lambda df, t: df(X.copy(), *t), [[*np.eye(3)]])


NAMES = """updates.of_arrays objects.frozen_dataclass objects.cached_property inplace.complex_array aliases.asarray_alias aliases.split_views
    aliases.real_view closures.counter containers.nested_dict""".split()


ONE_AT_A_TIME = {'updates.seen_by_numpy', 'updates.in_a_queue', 'updates.of_arrays'}              # deques hold no several directions


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize('entry', [e for k, e in enumerate(registry.entries()) if e.name in NAMES or k % 11 == 3], ids=lambda e: e.name)
def test_python(entry):
    """Programs as people write them: objects, closures, containers, writes under other names."""
    try:
        tangents = [[tangent_like(entry.make()[p], np.random.default_rng(p + 10 * k)) for k in range(K)] for p in entry.wrt]
        one = tangent.jvp(entry.function, wrt=entry.wrt)
        names = last_names(one, len(entry.wrt))
        one(*entry.make(), **dict(zip(names, [t[0] for t in tangents])))
    except Exception:  # noqa: BLE001 (arguments that are objects, and what forward mode refuses)
        pytest.skip('there is nothing to compare with')
    refused = pytest.raises(tangent.errors.TangentError, match='take one direction at a time') \
        if entry.name in ONE_AT_A_TIME else contextlib.nullcontext()
    with refused:
        compare(lambda **options: tangent.jvp(entry.function, wrt=entry.wrt, **options),
                lambda df, t: df(*entry.make(), **dict(zip(names, copy.deepcopy(t)))), tangents)


def tangent_like(value, rng):
    if isinstance(value, np.ndarray):
        return rng.normal(size=value.shape)
    if isinstance(value, (bool, str)) or value is None:
        return None
    if isinstance(value, (int, float)):
        return rng.normal()
    if isinstance(value, (list, tuple)):
        return type(value)(tangent_like(v, rng) for v in value)
    if isinstance(value, dict):
        return {key: tangent_like(v, rng) for key, v in value.items()}
    if is_record(value):
        return rebuild_record(value, lambda v: tangent_like(v, rng))
    raise TypeError(value)


# What there is one call for, against one call for each direction

def moving(*shape):
    return Directions(RNG.normal(size=(K, *shape)))


def fixed(*shape):
    return RNG.normal(size=shape)


V, M, T, S = moving(3), moving(2, 3), moving(2, 3, 4), moving()
v, m, t, q = fixed(3), fixed(2, 3), fixed(2, 3, 4), fixed(3, 3) + 4 * np.eye(3)
CALLS = [
    *[(f, (x,), {'axis': axis, **keep}) for f in (np.sum, np.mean, np.prod, np.max) for x, axes in
      [(V, (None, 0, -1)), (M, (None, 0, 1, -1, (0, 1))), (T, (None, 1, -2, (0, -1)))] for axis in axes
      for keep in ({}, {'keepdims': True})],
    (np.sum, (S,), {}), (np.add.reduce, (M,), {}), (np.add.reduce, (M, 1), {'keepdims': True}), (np.maximum.reduce, (M, 1), {}),
    (np.sum, (M,), {'where': m > 0}), (np.sum, (M,), {'initial': 2.0}), (np.add.accumulate, (M,), {}),
    (np.reshape, (T, (4, -1)), {}), (np.reshape, (T, -1), {}), (np.reshape, (T, (6, 4)), {'order': 'F'}), (np.ravel, (T,), {}),
    (np.ravel, (T, 'F'), {}), (np.transpose, (T,), {}), (np.transpose, (T, (1, -1, 0)), {}), (np.swapaxes, (T, 0, -1), {}),
    (np.moveaxis, (T, 0, -1), {}), (np.moveaxis, (T, (0, 1), (-1, 0)), {}), (np.expand_dims, (M, 0), {}),
    (np.expand_dims, (M, -1), {}), (np.expand_dims, (M, (0, -1)), {}), (np.squeeze, (moving(1, 3, 1),), {}),
    (np.squeeze, (moving(1, 3, 1), -1), {}), (np.broadcast_to, (V, (2, 3)), {}), (np.broadcast_to, (S, (2,)), {}),
    (np.concatenate, ([V, v],), {}), (np.concatenate, ([m, M], 1), {}), (np.concatenate, ([M, m], None), {}),
    (np.stack, ([V, v, V],), {}), (np.stack, ([V, v], -1), {}), (np.array, ([S, 2.0, S],), {}), (np.array, ([[S, 1.0], [2.0, S]],), {}),
    (np.array, ([V, v],), {}), (np.array, (M,), {}), (np.where, (m > 0, M, 0), {}), (np.where, (m > 0, V, M), {}),
    (np.where, (t > 0, S, t), {}), (np.cumsum, (M,), {}), (np.cumsum, (M,), {'axis': 1}), (np.diff, (M,), {}),
    (np.diff, (M, 1, 0), {}), (np.diff, (M,), {'axis': 0}), (np.flip, (M,), {}), (np.flip, (M,), {'axis': 0}), (np.triu, (M,), {}),
    (np.tril, (T, 1), {}), (np.triu, (V,), {}), (np.take, (M, [1, 0, 1]), {}), (np.take, (M, [[1, 0]]), {'axis': 0}),
    (np.take, (M, 1), {'axis': -1}), (np.outer, (V, v), {}), (np.outer, (fixed(2), V), {}), (np.outer, (V, V), {}),
    *[(f, pair, {}) for f in (np.dot, np.matmul) for pair in [(V, v), (v, V), (V, fixed(3, 2)), (fixed(2, 3), V), (M, v), (v, T[0]),
                                                             (M, fixed(3, 2)), (fixed(4, 2), M), (V, V), (M, V), (q, moving(3, 3))]],
    (np.matmul, (T, fixed(4, 2)), {}), (np.matmul, (m, T), {}), (np.matmul, (t, moving(4, 2)), {}), (np.matmul, (M, t), {}),
    (np.matmul, (V, t), {}), (np.matmul, (t, moving(4)), {}), (np.matmul, (fixed(2), T[:, 0]), {}), (np.dot, (T, fixed(4)), {}),
    (np.dot, (2.0, M), {}), (np.dot, (S, m), {}), (np.tensordot, (M, t, 2), {}), (np.kron, (M, m), {}), (np.inner, (M, m), {}),
    (np.einsum, ('ij,jk->ik', M, fixed(3, 2)), {}), (np.einsum, ('ij,j', m, V), {}), (np.einsum, ('ij,j->', M, V), {}),
    (np.einsum, ('...j,j->...', T, fixed(4)), {}), (np.linalg.solve, (q, V), {}), (np.linalg.solve, (q, moving(3, 2)), {}),
    (np.linalg.solve, (moving(3, 3), v), {}), (np.multiply, (V, t[..., :3]), {}), (np.multiply, (t, T[0]), {}),
    (np.add, (S, m), {}), (np.arctan2, (M, v), {}), (np.clip, (M, -0.5, v), {}), (np.full_like, (M, 2.0), {}),
    (np.zeros_like, (M,), {}), (np.divmod, (M, 0.7), {}), (np.split, (M, 3, 1), {}), (np.linalg.norm, (M,), {'axis': 1}),
]


@pytest.mark.parametrize('k', range(len(CALLS)), ids=lambda k: f'{CALLS[k][0].__name__}-{k}')
def test_in_one_call(k):
    function, args, keywords = CALLS[k]
    found, want = each_direction(function, *args, **keywords), one_by_one(function, args, keywords)
    for a, b in zip(*[x if isinstance(x, (tuple, list)) else [x] for x in (found, want)], strict=True):
        assert a.shape == b.shape == np.shape(b.d[0]) and a.dtype == b.dtype
        np.testing.assert_allclose(a.d, b.d, rtol=1e-12, atol=1e-14)


INDICES = [0, -1, slice(1, None), slice(None, None, -1), (0, 1), (slice(None), 2), (Ellipsis, 0), (0, Ellipsis), None, (None, 1),
           [1, 0], np.array([[0, 1], [1, 1]]), t > 0, (t[..., 0] > 0), (0, [0, 1]), ([0, 1], slice(None), [1, 0]),
           (0, slice(None), [1, 2]), ([0, 1], [1, 0]), (slice(None), [0, 2]), (slice(None), 0, [1, 2]), ([0], None, 1),
           np.ix_([0, 1], [2, 0]), (), Ellipsis, (0, 1, 2)]


@pytest.mark.parametrize('index', INDICES, ids=repr)
def test_indices(index):
    found, want = T[index], np.stack([d[index] for d in T.d])
    assert found.shape == want.shape[1:]
    np.testing.assert_array_equal(found.d, want)
    shape = want.shape[1:]
    for value in (2.0, Directions(RNG.normal(size=(K, *shape))), RNG.normal(size=shape), S):
        written, by_hand = T.copy(), T.d.copy()
        written[index] = value
        for k, row in enumerate(by_hand):
            row[index] = part(value, k)
        np.testing.assert_array_equal(written.d, by_hand)


def test_numbers_are_numbers_and_arrays_are_shared():
    whole = V.copy()
    number, part = whole[0], whole[1:]
    before = number.d.copy()
    whole[0] = 7.0
    whole *= 2.0
    np.testing.assert_array_equal(number.d, before)
    np.testing.assert_array_equal(part.d, whole.d[:, 1:])
    held = number
    number += 1.0
    assert number is not held and np.array_equal(held.d, before) and np.array_equal(number.d, before + 1)
    alias = part
    part += number
    assert alias is part and np.shares_memory(part.d, whole.d)


VIEWS = [lambda x: np.split(x, 2)[1], np.real, np.diagonal, lambda x: x.T, lambda x: x.reshape(8), np.ravel, lambda x: x[::2].ravel(),
         lambda x: x.flatten(), lambda x: x[0, ::2], lambda x: np.flip(x, 0), lambda x: np.rot90(x), np.asarray, np.atleast_3d,
         lambda x: x.copy(), lambda x: np.array(x), lambda x: x.astype(float), lambda x: x.swapaxes(0, 1), lambda x: x.squeeze(),
         lambda x: np.ravel(x.T), lambda x: x[[0, 1]], lambda x: x[:, None], lambda x: x.reshape(4, 2, order='F')]


@pytest.mark.parametrize('k', range(len(VIEWS)))
def test_what_is_a_view_is_one_in_all_directions(k):
    """What is written into the result is seen in the argument, or not seen, as it is with a plain array."""
    one, many = RNG.normal(size=(2, 4)), moving(2, 4)
    whole = each_direction(VIEWS[k], many) if k in (0, 5, 11, 14) else VIEWS[k](many)
    single = VIEWS[k](one)
    assert np.shares_memory(single, one) == np.shares_memory(whole.d, many.d)
    if single.flags.writeable:
        one[...], many[...] = 0.0, 0.0
        single[...] = whole[...] = np.arange(1.0, 1 + single.size).reshape(single.shape)
        for d in many.d:
            np.testing.assert_array_equal(d, one)


def test_what_writes_into_containers_is_found_out():
    class Thing:
        pass
    room, thing, table = [1.0], Thing(), {}
    for write in (lambda x: room.append(x), lambda x: setattr(thing, 'x', x), lambda x: table.update(x=x)):
        with pytest.raises(DirectionsError, match='writes'):
            each_direction(lambda x, *rest, write=write: write(x), V, room, thing, table)
        room[1:] = []
        vars(thing).clear()
        table.clear()
    with pytest.raises(DirectionsError, match='writes'):
        each_direction(lambda xs: xs.append(xs[0]), [S, S])


def test_what_directions_cannot_do_is_an_error():
    with pytest.raises(DirectionsError):
        bool(S)
    with pytest.raises(DirectionsError):
        float(S)
    with pytest.raises(DirectionsError):
        np.asarray(V)
    room = np.zeros(3)
    for write in (lambda: np.copyto(room, V), lambda: np.add(V, v, out=room), lambda: np.add.at(room, [0, 1, 1], V),
                  lambda: np.put(room, [0], V), lambda: each_direction(np.copyto, room, V)):
        with pytest.raises(DirectionsError):
            write()
    with pytest.raises((DirectionsError, ValueError, TypeError)):
        room[0] = S
    with pytest.raises(DirectionsError, match='depends on the direction'):
        each_direction(lambda x: 'a' if x > 0 else 'b', Directions(np.array([1.0, -1.0])))
    with pytest.raises(DirectionsError, match='shape'):
        each_direction(lambda x: x[x > 0], Directions(np.array([[1.0, -1.0], [1.0, 1.0]])))
    np.testing.assert_array_equal(room, 0)


# The whole

def model(x, w):
    calls.append(1)
    hidden = np.tanh(w @ x)
    return {'h': hidden, 's': [np.sum(hidden ** 2), 3]}


calls: list = []


def test_the_function_runs_once():
    calls.clear()
    w = fixed(4, 3)
    df = tangent.jvp(model, wrt=('x', 'w'), batched=True, preserve_result=True)
    dx, dw = RNG.normal(size=(K, 3)), RNG.normal(size=(K, 4, 3))
    moved, value = df(X, w, dx, dw)
    assert calls == [1] and value['s'][1] == 3
    one = tangent.jvp(model, wrt=('x', 'w'))
    assert_same(moved, [one(X, w, a, b) for a, b in zip(dx, dw)])


def test_text():
    def f(x, a):
        y = np.linalg.solve(a, x) * x
        return np.sum(y)
    assert str(tangent.source(tangent.jvp(f, batched=True))) == '''\
def dfdx(x, a, dx):
    count = count_directions((x,), (dx,))
    dx = to_directions(x, dx, count)
    t = np.linalg.solve(a, x)
    y = t * x
    dy = np.linalg.solve(a, dx) * x + dx * t
    return from_directions(np.sum(broadcast_like(dy, y)), count)
''' or 'from_directions' in tangent.source(tangent.jvp(f, batched=True))
    a = np.eye(3) + 0.1
    one = tangent.jvp(f)
    assert_same(tangent.jvp(f, batched=True)(X, a, np.eye(3)), [one(X, a, d) for d in np.eye(3)])


def test_functions_known_when_running_and_rules_of_others():
    @tangent.custom_jvp
    def cube(x):
        return x ** 3

    @cube.defjvp
    def push(primals, tangents):
        (x,), (dx,) = primals, tangents
        if not np.ndim(dx):
            return x ** 3, float(dx) * 3 * x ** 2
        return x ** 3, np.asarray(dx) * 3 * x ** 2

    def f(x, functions):
        s = 0.0
        for g in functions:
            s = s + g(x)
        return s + cube(x) + cube(x[0])
    functions = [np.sin, lambda x: x * x, abs, lambda x: sum(list(x))]
    one, all_ = tangent.jvp(f), tangent.jvp(f, batched=True)
    assert_same(all_(X, functions, np.eye(3)), [one(X, functions, d) for d in np.eye(3)])


@pytest.mark.parametrize('x, dtype', [(2.0, float), (2, float), (np.float32(2), np.float32), (np.array(2.0), float), (1j, complex),
                                      (np.arange(3), float), (np.ones((2, 1), np.float32), np.float32)], ids=repr)
def test_kinds_of_numbers(x, dtype):
    along = np.ones((4, *np.shape(x)))
    found = tangent.jvp(lambda x: x * x, batched=True)(x, along)
    assert found.shape == along.shape and found.dtype == dtype
    np.testing.assert_allclose(found, 2 * np.asarray(x) * along)
    assert tangent.jvp(lambda x: x * x, batched=True)(x, along[:0]).shape == along[:0].shape


def test_arguments_are_checked():
    df = tangent.jvp(lambda x, y: x * y, wrt=(0, 1), batched=True)
    for dx, dy in [(np.ones(3), np.ones(2)), (np.ones((2, 4)), np.ones(2)), (np.ones((2, 3)), np.ones(3)), (np.ones((2, 3)), 1.0)]:
        with pytest.raises(tangent.errors.ShapeError, match='axis of directions'):
            df(X, 2.0, dx, dy)
    with pytest.raises(tangent.errors.ArgumentTypeError, match='bool'):
        df(True, 2.0, np.ones(2), np.ones(2))
    with pytest.raises(tangent.errors.ArgumentError, match="mode='forward'"):
        tangent.autodiff(model, batched=True)
    with pytest.raises(tangent.errors.ArgumentError, match='jit=False'):
        tangent.jvp(model, batched=True, jit=True)
    np.testing.assert_allclose(tangent.autodiff(lambda x: x * x, mode='forward', batched=True)(X, np.eye(3)), np.diag(2 * X))


def test_tangents_that_were_given_are_not_handed_out():
    given = np.eye(3)
    found = tangent.jvp(lambda x: x, batched=True)(X, given)
    found[...] = 5.0
    np.testing.assert_array_equal(given, np.eye(3))


def test_derivatives_of_it():
    def f(x):
        return np.sin(x) * x[0]
    along = RNG.normal(size=(2, 3))
    at_once = tangent.jvp(f, batched=True)

    def total(x):
        return np.sum(tangent.jvp(f, batched=True)(x, along) ** 2)

    def by_hand(x):
        j = np.diag(np.cos(x) * x[0]) + np.outer(np.sin(x), [1, 0, 0])
        return np.sum((along @ j.T) ** 2)
    np.testing.assert_allclose(total(X), by_hand(X))
    step = 1e-6 * np.eye(3)
    want = [(by_hand(X + d) - by_hand(X - d)) / 2e-6 for d in step]
    np.testing.assert_allclose(tangent.grad(total)(X), want, rtol=1e-7)
    weights = RNG.normal(size=(2, 3))
    np.testing.assert_allclose(np.dot(tangent.vjp(at_once)(X, along, weights), X),
                               np.sum(weights * tangent.jvp(at_once)(X, along, X)), rtol=1e-12)


# Matrices

def loop(x):
    y, s = np.zeros(len(x)), 0.0
    for i in range(len(x)):
        s = 0.9 * s + np.sin(x[i]) * x[i]
        y[i] = s * s
    return y


@pytest.mark.parametrize('chunk_size', [None, 1, 2, 5, 7, 100])
def test_jacobians_by_chunks(chunk_size):
    x = RNG.normal(size=7)
    found = tangent.jacobian(loop, mode='forward', chunk_size=chunk_size)(x)
    np.testing.assert_allclose(found, tangent.jacobian(loop, mode='reverse')(x), rtol=1e-10, atol=1e-12)


def test_jacobians_take_as_few_passes_as_chunks(monkeypatch):
    passes = []

    def counted(x):
        passes.append(len(x))
        return np.sin(x) * x[0]
    for chunk_size, count in [(None, 1), (5, 2), (10, 1), (4, 3)]:
        df = tangent.jacobian(counted, mode='forward', chunk_size=chunk_size)
        passes.clear()
        df(np.arange(1.0, 11.0))
        assert len(passes) == count
    monkeypatch.setattr(columns, 'ELEMENTS', 50)
    passes.clear()
    tangent.jacobian(counted, mode='forward')(np.arange(1.0, 11.0))
    assert len(passes) == 2


def test_jacobians_fall_back_to_one_direction():
    def f(x):
        y = np.divmod(x, 0.7)[0] + 0.0 * x[0]
        z = np.array([float(v) for v in x])
        z[1] = z[0] * x[1]
        return np.copysign(z, y + 1) * x

    def unknown(x):
        return np.array([v for v in x.tolist()]) * x[0]
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    for g in (f, unknown):
        step = 1e-6 * np.eye(5)
        want = np.stack([(g(x + d) - g(x - d)) / 2e-6 for d in step], axis=1)
        np.testing.assert_allclose(tangent.jacobian(g, mode='forward')(x), want, rtol=1e-7, atol=1e-8)


def test_hessians_in_one_pass():
    def rosenbrock(x):
        s = 0.0
        for i in range(len(x) - 1):
            s += 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
        return s
    scipy_optimize = pytest.importorskip('scipy.optimize')
    x = RNG.normal(size=9)
    for chunk_size in (None, 4):
        np.testing.assert_allclose(tangent.hessian(rosenbrock, chunk_size=chunk_size)(x), scipy_optimize.rosen_hess(x), rtol=1e-10)


def test_complex_arguments_and_containers():
    def f(p):
        return {'y': np.exp(p['z']) * p['a'], 's': p['a'] * 2}
    p = {'z': np.array([1 + 1j, 0.3 - 2j]), 'a': 1.5}
    found = tangent.jacobian(f, mode='forward')(p)
    np.testing.assert_allclose(found['y']['z'], np.diag(np.exp(p['z']) * 1.5))
    np.testing.assert_allclose(found['y']['a'], np.exp(p['z']))
    assert found['s']['a'] == 2.0 and not found['s']['z'].any()


def test_shapes_are_set():
    def f(x):
        y = x * x
        y.shape = (2, -1)
        return y @ y
    x = RNG.normal(size=4)
    np.testing.assert_allclose(tangent.jacobian(f, mode='forward')(x), tangent.jacobian(f, mode='reverse')(x))


def test_sparse_ones_take_one_pass_for_all_colours():
    sparse = pytest.importorskip('scipy.sparse')
    passes = []

    def band(x):
        passes.append(1)
        y = x * x
        y[1:] += 2 * x[:-1] * x[1:]
        return y
    x = RNG.normal(size=40)
    pattern = sparse.diags([1.0, 1.0], [0, -1], (40, 40))
    df = tangent.jacobian(band, sparsity=pattern)
    df(x)
    passes.clear()
    found = df(x)
    assert len(passes) <= 3                                # along the columns of each colour, and a direction to check
    np.testing.assert_allclose(found.toarray(), tangent.jacobian(band)(x), rtol=1e-12)
    passes.clear()
    tangent.jacobian(band, sparsity='detect')(x)
    assert len(passes) <= 14
    assert len(leaves(found.toarray())) == 1
