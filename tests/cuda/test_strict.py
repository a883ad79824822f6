"""Derivatives on an array that forbids conversion (see `strict_array`): the same numbers as on NumPy's, none of them moved.

Every sample of NumPy's rules that CuPy can compute, in both modes, and the programs of the corpus. What is refused is
refused by an error of ours, or stands in a list here. `--all-samples` runs all samples, else one call in four is taken.
"""
import contextlib
import copy
import re
import warnings
import zlib

import numpy as np
import pytest

import tangent
from tangent.errors import TangentError
from tests.corpora.kernels import KERNELS
from tests.corpora.programs import (
    functions,
    functions_arrays,
    functions_buffers,
    functions_calls,
    functions_carried,
    functions_closures,
    functions_desugar,
    functions_later,
    functions_loops,
    functions_mutation,
    functions_numpy,
    functions_objects,
)
from tests.reverse import test_buffers
from tests.rules import test_samples
from tests.tools.checking import random_like, seed_name
from tests.tools.sampling import Counts, copied, define, flat, like, parts
from tests.tools.strict_array import Counter, Strict, on_device, to_device, to_host

MODULES = (functions, functions_loops, functions_carried, functions_calls, functions_numpy, functions_arrays, functions_desugar,
           functions_closures, functions_objects, functions_later)
CHUNKS = 16
SHARE = 4
PLAIN = {key: samples[0] for key, samples in test_samples.ALL.items() if not key[2]}

# A number of the host meets the gradient on the device in a function that takes arrays alone: CuPy's own error, no number
REFUSED = r'^numpy\.(multiply\.outer\(M, s\)|outer\(s, v\)|polyval\(c1, s\)|ix_)|^np\.ix_'
MOVES = r'tolist|math\.fsum|^list\(|^float\('                 # what the function itself does on the host


def same(a, b, limit=1e-11):
    a, b = flat(to_host(a)), flat(to_host(b))
    return a.shape == b.shape and np.allclose(a, b, limit, limit, equal_nan=True)


def holds_arrays(value):
    if isinstance(value, (list, tuple)):
        return any(map(holds_arrays, value))
    return any(map(holds_arrays, value.values())) if isinstance(value, dict) else isinstance(value, np.ndarray)


@contextlib.contextmanager
def quiet():
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        yield


def computed(function, args):
    """The value on the host and on the device, or None where one of them is not to be had."""
    try:
        value = function(*copied(args))
        there = function(*to_device(copied(args)))
    except Exception:  # noqa: BLE001 (CuPy does not have it, or the function needs the host)
        return None
    numbers = parts(value)
    return value if numbers and all(p.dtype.kind in 'biufc' for p in numbers) and np.all(np.isfinite(flat(value))) \
        and same(value, there) else None


# Every rule

@pytest.mark.parametrize('k', range(CHUNKS))
def test_samples(k, tmp_path, request, record_property):
    share = 1 if request.config.getoption('--all-samples') else SHARE
    keys = [key for key in PLAIN if zlib.crc32(key[0].encode()) % CHUNKS == k
            and zlib.crc32(key[0].encode()) // CHUNKS % share == 0]
    calls = define([(key[0], PLAIN[key].values) for key in keys], tmp_path / f'strict_{k}.py')
    counts, problems = Counts(), []
    with quiet():
        for key, call in zip(keys, calls, strict=True):
            check_sample(key[0], call, {n: PLAIN[key].values[n] for n in call.names}, counts, problems)
    record_property('samples', sum(counts.values()))
    record_property('calls', len(keys))
    assert not problems, '\n'.join(problems)
    assert counts['reverse'] > 10 and counts['forward'] > 10


def check_sample(text, call, values, counts, problems):
    args, wrt = list(values.values()), call.wrt(values)
    if not any(isinstance(args[k], np.ndarray) and args[k].dtype.kind in 'fc' for k in wrt):
        return
    value = computed(call.function, args)
    if value is None:
        return
    seed, directions = like(value, 1), [like(args[k], 2 + k) for k in wrt]
    for mode, ask in (('reverse', lambda move: call.pull(move(copied(args)), wrt, move(seed))),
                      ('forward', lambda move: call.push(move(copied(args)), wrt, move(directions)))):
        try:
            want = ask(lambda v: v)
        except TangentError:
            continue
        Counter.moves = 0
        try:
            found = ask(to_device)
        except TypeError as error:
            if not re.search(REFUSED, text):
                problems.append(f'{mode} | {text} | {error}')
            continue
        arrays = [g for g, k in zip(found, wrt) if isinstance(args[k], np.ndarray)] if mode == 'reverse' else []
        if not same(want, found) or not on_device(found) or not all(isinstance(g, Strict) for g in arrays):
            problems.append(f'{mode} | {text} | {found}, right is {want}')
        if Counter.moves and not re.search(MOVES, text):
            problems.append(f'{mode} | {text} | data was moved')
        counts.add(mode)


# What the second derivative of these asks CuPy for it does not have: a part of the sum (`where=`), a host array of a number
NOT_TWICE = r'nanstd|^numpy\.interp|^np\.interp|^numpy\.polyval\((v|c1), s\)|^numpy\.polyfit'


def test_twice(tmp_path, request):
    """The derivative of the gradient in forward mode."""
    share = 1 if request.config.getoption('--all-samples') else 24
    keys = [key for key in PLAIN if PLAIN[key].twice and zlib.crc32(key[0].encode()) % share == 0
            and not re.search(f'{NOT_TWICE}|{REFUSED}|{MOVES}', key[0])]
    calls = define([(key[0], PLAIN[key].values) for key in keys], tmp_path / 'twice.py')
    count = 0
    with quiet():
        for key, call in zip(keys, calls, strict=True):
            values = {n: PLAIN[key].values[n] for n in call.names}
            args, wrt = list(values.values()), call.wrt(values)
            value = computed(call.function, args) if any(isinstance(args[k], np.ndarray) for k in wrt) else None
            if value is None:
                continue
            given = [*args, like(value, 1), *(like(args[k], 2 + k) for k in wrt)]
            try:
                df = call.derivative('jvp vjp', wrt, wrt)
                want = df(*copied(given))
            except TangentError:
                continue
            assert same(want, df(*to_device(copied(given))), 1e-10), key[0]
            count += 1
    assert count > (120 if share == 1 else 50)


# Programs

def ours(df, args):
    """What a derivative gives on the device, None where an error of ours says that it cannot."""
    Counter.moves = 0
    try:
        found = df(*args)
    except TangentError:
        return None
    assert Counter.moves == 0
    return found


CASES = [c for m in MODULES for c in getattr(m, 'CASES', ()) if hasattr(c, 'function') and any(map(holds_arrays, c.args))]


@pytest.mark.parametrize('mode', ['reverse', 'forward'])
def test_corpus(mode):
    count = 0
    with quiet():
        for case in CASES:
            value = computed(case.function, list(case.args))
            if value is None:
                continue
            try:
                df = tangent.autodiff(case.function, wrt=case.wrt, mode=mode,
                                      input_derivative=tangent.INPUT_DERIVATIVE.Required)
            except TangentError:
                continue
            seed = random_like(value[0] if isinstance(value, tuple) else value)
            more = [random_like(case.args[k]) for k in case.wrt] if mode == 'forward' else []
            named = {seed_name(df): seed} if mode == 'reverse' else {}
            try:
                want = df(*copy.deepcopy(case.args), *more, **named)
            except TangentError:
                continue
            found = df(*to_device(copy.deepcopy(case.args)), *to_device(more), **to_device(named))
            assert same(want, found), case.label
            count += 1
    assert count > 140


def check_writes(programs, least):
    """Functions that write into arrays: the same numbers, or an error of ours; never others."""
    count, refused = 0, []
    with quiet():
        for name, function, args in programs:
            wrt = tuple(k for k, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind == 'f')
            if not wrt or computed(function, list(args)) is None:
                continue
            try:
                df = tangent.grad(function, wrt=wrt)
                want = df(*copy.deepcopy(args))
            except TangentError:
                continue
            found = ours(df, to_device(copy.deepcopy(args)))
            if found is None:
                refused.append(name)
                continue
            assert same(want, found), name
            count += 1
    assert count >= least, (count, refused)


def test_kernels():
    check_writes([(k.name, k.loss(), list(k.arguments().values())) for k in KERNELS], 20)


def test_buffers_and_mutation():
    check_writes([(n, getattr(functions_buffers, n), args) for n, args in test_buffers.ARGS.items()], 5)
    check_writes([(f.__name__, f, args) for f, args in functions_mutation.CASES], 0)            # nearly all in the log form


def writes_elements(x):
    y = np.copy(x)
    for i in range(1, len(x)):
        y[i] = y[i - 1] * x[i]
    return np.sum(y)


def writes_elements_of_two_axes(x):
    for i in range(1, len(x)):
        x[i, 0] = x[i - 1, 0] * x[i, 0]
    return np.sum(x)


def test_elements_are_views_on_a_device():
    """`by[i]` would be a view of what is overwritten next: copied, or refused where the text takes it for a number."""
    df, x = tangent.grad(writes_elements), np.array([2.0, 3.0, 4.0])
    np.testing.assert_allclose(df(x), [16, 10, 6])
    np.testing.assert_allclose(to_host(df(Strict(x))), [16, 10, 6])
    df, x = tangent.grad(writes_elements_of_two_axes), np.array([[2.0], [3.0], [4.0]])
    np.testing.assert_allclose(df(x), [[16], [10], [6]])
    with pytest.raises(tangent.errors.ArgumentTypeError, match='single elements of arrays.*views'):
        df(Strict(x))


def through_a_list(x):
    items = [x * 2.0]
    items[0] = items[0] * x
    held = items
    held[0] += x
    return np.sum(items[0])


def test_the_log_form_refuses_such_arrays_by_name():
    df, x = tangent.grad(through_a_list), np.array([2.0, 3.0])
    assert '_grads' in df.source
    np.testing.assert_allclose(df(x), [9, 13])
    with pytest.raises(tangent.errors.AliasError, match='log form, which takes no Strict'):
        df(Strict(x))


# The array itself refuses what CuPy refuses

@pytest.mark.parametrize('use', [
    np.asarray, lambda x: x * np.ones(2), lambda x: np.ones(2) + x, lambda x: np.where(x > 0, x, np.ones(2)), lambda x: x[np.array([0])],
    lambda x: x.__setitem__(0, np.ones(1)), lambda x: [1, 2][x[0]], lambda x: np.concatenate([x, np.ones(2)]), lambda x: 1.0 in x,
    lambda x: np.polyder(x), lambda x: np.sum(x, where=x > 0), lambda x: np.array([x[0], 1.0]), lambda x: range(2)[x[0]:],
    lambda x: np.add.at(x, 0, np.ones(1)), lambda x: x.dot(np.ones(2)), lambda x: np.add(x, 1.0, out=np.ones(2)),
])
def test_conversions_are_errors(use):
    with pytest.raises(TypeError):
        use(Strict(np.array([1.0, 2.0])))


def test_results_stay_there_and_waiting_is_counted():
    x = Strict(np.array([1.0, 2.0]))
    for found in (np.sum(x), x.sum(), x[0], x @ x, np.max(x) * 2.0, x.mean(axis=0)):
        assert isinstance(found, Strict) and found.shape == ()
    x[0] *= 3
    assert x._inner[0] == 3
    before = Counter.waits
    assert float(x[0]) == 3 and bool(x[1] > 1)
    assert Counter.waits == before + 2
