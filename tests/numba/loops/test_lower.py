"""Loops in place of arithmetic on slices: the same numbers as the slices give, whatever overlaps."""
import copy
import inspect
import linecache
import random

import numpy as np
import pytest

import tangent
from benchmarks.polybench import stencils
from tangent import errors

SIZE = 7


class Writer:
    """Random programs over arrays `x`, `y` of one axis, `a`, `b` of two, numbers `s`, `t` and integers `n`, `k`."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.temps = []

    def slice(self, length):
        """A slice of `length` out of SIZE elements, in one of the ways in which it can be written."""
        r = self.r
        if length * 2 - 1 <= SIZE and r.random() < 0.15:
            start = r.randint(0, SIZE - 2 * length + 1)
            stop = start + 2 * length - 1
            return f'{start}:{stop}:2' if r.random() < 0.5 else f'{start or ""}:{min(stop + 1, SIZE)}:2'
        if length == SIZE and r.random() < 0.3:
            return '::-1'
        start = r.randint(0, SIZE - length)
        left = SIZE - length - start
        low = [str(start), f'n - {SIZE - start}', f'{start - SIZE}'] + [''] * (not start) + [f'k + {start - 1}'] * (start > 0)
        high = [str(start + length), f'n - {left}' if left else 'n'] + ([f'-{left}'] if left else ['', '9'])
        return f'{r.choice(low)}:{r.choice(high)}'

    def place(self):
        return self.r.choice(['0', '2', '-1', 'k', 'n - 2', '3'])

    def array(self, lengths):
        """An expression of these lengths that is an array or a part of one."""
        r = self.r
        whole = [name for name, known in self.temps if known == lengths]
        if whole and r.random() < 0.4:
            return r.choice(whole)
        if len(lengths) == 1:
            inner = self.slice(lengths[0])
            return r.choice([f'{r.choice("xy")}[{inner}]', f'{r.choice("ab")}[{self.place()}, {inner}]',
                             f'{r.choice("ab")}[{inner}, {self.place()}]'])
        return f'{r.choice("ab")}[{self.slice(lengths[0])}, {self.slice(lengths[1])}]'

    def value(self, lengths, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.2:
            if r.random() < 0.2:
                return r.choice(['s', 't', '0.5', '2', 's * t', 'np.sin(s)', f'x[{self.place()}]', f'a[{self.place()}, 1]'])
            return self.array(lengths[1:] if len(lengths) == 2 and r.random() < 0.2 else lengths)
        one, other = self.value(lengths, depth - 1), self.value(lengths, depth - 1)
        return r.choice([f'({one} + {other})', f'({one} - {other})', f'{one} * {other}', f'np.cos({one})',
                         f'np.maximum({one}, {other})', f'-{one}', f'{one} / 3.0', f'np.where({one} > {other}, {one}, 0.25)'])

    def statement(self, indent):
        r = self.r
        lengths = r.choice([(SIZE - 2,), (SIZE - 1,), (SIZE,), (2,), (4,), (SIZE - 2, SIZE - 2), (SIZE, SIZE - 1), (3, 2)])
        kind = r.random()
        if kind < 0.15:
            name = r.choice(['p', 'q', 'v'])
            value = self.value(lengths) if kind < 0.1 else self.array(lengths)
            if not any(c in value for c in 'xyabpqv'):
                return []
            self.temps = [(n, known) for n, known in self.temps if n != name]
            text = f'{name} = {value} + 0.5 * {self.array(lengths)}' if kind < 0.1 else f'{name} = {value}'
            self.temps.append((name, lengths))
            return [indent + text]
        if kind < 0.22:
            return [f'{indent}{r.choice("st")} = np.sum({self.value(lengths, 1)}) * 0.01']
        op = r.choice(['', '', '+', '-', '*'])
        saved, self.temps = self.temps, [(n, known) for n, known in self.temps if n not in 'v']
        target = self.array(lengths) if r.random() < 0.9 else r.choice('xyab')
        if target in 'xyab':
            lengths = (SIZE,) * (1 if target in 'xy' else 2)
        self.temps = saved
        if target in ('p', 'q') and not op:
            target += '[:]' if len(lengths) == 1 else '[:, :]'
        scale = '0.3 * ' if op != '*' else ''
        if target in 'xyab' and not op:
            target += '[...]'
        return [f'{indent}{target} {op}= {scale}{self.value(lengths)}']

    def block(self, indent, depth):
        lines = []
        for _ in range(self.r.randint(2, 5)):
            if depth and self.r.random() < 0.3:
                before = list(self.temps)
                head = self.r.choice(['for k in range(1, n - 1):', 'for k in range(n - 2, 0, -1):', 'for _ in range(2):',
                                      'if s > 0.4:'])
                lines += [indent + head, *(self.block(indent + '    ', depth - 1) or [indent + '    pass'])]
                gone = {n for n, _ in self.temps} | {n for n, _ in before}
                self.temps = [] if gone else before
                if 'k in' in head:
                    lines.append(f'{indent}k = 1')
            else:
                lines += self.statement(indent)
        return lines

    def program(self):
        return '\n'.join(['def f(x, y, a, b, s, t, n, k):', *self.block('    ', 2), '    return s + t']) + '\n'


def function(text, name):
    namespace = {'np': np}
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, 'exec'), namespace)
    return namespace['f']


def arguments(kind):
    """Arguments; in some kinds arrays share memory."""
    r = np.random.RandomState(0)
    x, y, a, b = r.rand(SIZE), r.rand(SIZE), r.rand(SIZE, SIZE), r.rand(SIZE, SIZE)
    if kind == 'same':
        y, b = x, a
    elif kind == 'shifted':
        long, wide = r.rand(SIZE + 2), r.rand(SIZE + 1, SIZE + 1)
        x, y, a, b = long[:-2], long[2:], wide[1:, 1:], wide[:-1, :-1]
    elif kind == 'turned':
        b, y = a.T, a[1]
    elif kind == 'strided':
        x, a = r.rand(2 * SIZE)[::2], r.rand(SIZE, 2 * SIZE)[:, ::-2]
    elif kind == 'single':
        x, a = x.astype(np.float32), a.astype(np.float32)
    return x, y, a, b, 0.7, 0.2, SIZE, 1


def run(f, kind):
    args = arguments(kind)
    with np.errstate(all='ignore'):
        value = f(*args)
    return [value, *args[:4]]


SEEDS = range(80)


@pytest.mark.share(2)
@pytest.mark.parametrize('seed', SEEDS)
def test_random_programs(seed):
    text = Writer(seed).program()
    f = function(text, f'<lower {seed}>')
    lowered = {apart: tangent.lower(f, apart=apart) for apart in (True, False)}
    for kind in ('apart', 'same', 'shifted', 'turned', 'strided', 'single'):
        try:
            right = run(f, kind)
        except (ValueError, IndexError):
            continue
        tolerance = 1e-4 if kind == 'single' else 1e-11
        for apart, made in lowered.items():
            try:
                found = run(made, kind)
            except errors.AliasError:
                assert apart and kind in ('same', 'shifted', 'turned')
                continue
            for one, other in zip(found, right):
                np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance, err_msg=f'{kind}\n{text}\n{made.source}')


def test_random_programs_become_loops():
    made = [tangent.lower(function(Writer(seed).program(), f'<count {seed}>'), *arguments('apart')) for seed in range(20)]
    texts = [inspect.getsource(m) for m in made]
    assert sum('for i in range' in t for t in texts) >= 15


R = np.random.RandomState(0).rand
KERNELS = [(stencils.jacobi_1d, (3, R(9), R(9))), (stencils.jacobi_2d, (3, R(6, 7), R(6, 7))), (stencils.seidel_2d, (3, 7, R(7, 7))),
           (stencils.heat_3d, (3, R(6, 5, 7), R(6, 5, 7))), (stencils.fdtd_2d, (3, R(6, 7), R(6, 7), R(6, 7), R(3))),
           (stencils.deriche, (0.25, R(6, 7))), (stencils.adi, (3, 7, R(7, 7))),
           (stencils.hdiff, (R(9, 10, 4), R(5, 6, 4), R(5, 6, 4))),
           (stencils.vadv, (R(4, 5, 6), R(4, 5, 6), R(5, 5, 7), R(4, 5, 6), R(4, 5, 6), 0.15))]


@pytest.mark.parametrize(('f', 'args'), KERNELS, ids=lambda v: getattr(v, '__name__', ''))
def test_kernels(f, args):
    mine, others = copy.deepcopy(args), copy.deepcopy(args)
    right, found = f(*mine), tangent.lower(f)(*others)
    assert (right is None) == (found is None)
    for one, other in zip([*others, found], [*mine, right]):
        if one is not None:
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize('seed', range(8))
def test_sums_that_go_to_neighbours(seed):
    """They become sums that come from neighbours, within a row; in whatever order they stand, with whatever between them."""
    r = random.Random(seed)
    places = [(r.randint(0, 2), r.randint(0, 2)) for _ in range(7)]
    lines = [f'    b[{i}:{i - 2 or ""}, {j}:{j - 2 or ""}] += {r.choice(["t", "t", "t", "0.5 * t", "u"])}' for i, j in places]
    lines.insert(r.randint(0, 7), '    a[1:-1, 1:-1] = 0.0')
    text = '\n'.join(['def f(a, b):', '    t = 0.5 * a[1:-1, 1:-1]', '    u = t * t', *lines]) + '\n'
    f = function(text, f'<gather {seed}>')
    for shape in ((6, 7), (3, 3), (2, 5), (1, 1)):
        args, others = [R(*shape), R(*shape)], [np.zeros(shape), np.zeros(shape)]
        others[0][:], others[1][:] = args
        f(*args)
        made = tangent.lower(f)
        made(*others)
        np.testing.assert_allclose(others, args, rtol=1e-12, err_msg=made.source)


def spread(a, b):
    t = 0.5 * a[1:-1, 1:-1]
    b[1:-1, :-2] += t
    b[1:-1, 2:] += t
    b[1:-1, 1:-1] += t


def test_text_of_sums_that_go_to_neighbours():
    text = inspect.getsource(tangent.lower(spread, R(4, 5), R(4, 5)))
    assert 'for j in range(b.shape[1]):\n            b[i, j] += t[j + 2] + t[j + 1] + t[j]\n' in text
    assert 't = np.zeros(a.shape[1] + 2)' in text or 't = np.zeros(b.shape[1] + 2)' in text


def stencil(x, y):
    y[1:-1] = 0.5 * (x[:-2] + x[2:])


def test_text():
    assert inspect.getsource(tangent.lower(stencil, R(5), R(5))) == f'''\
def stencil(x, y):
    check_equal(x.shape[0], y.shape[0])
    check_disjoint(x, y)
    # Line {stencil.__code__.co_firstlineno + 1}: y[1:-1] = 0.5 * (x[:-2] + x[2:])
    for i in range(1, y.shape[0] - 1):
        y[i] = 0.5 * (x[i - 1] + x[i + 1])
'''


def test_what_is_not_so_is_an_error():
    with pytest.raises(errors.ShapeError):
        tangent.lower(stencil)(R(5), R(6))
    x = R(5)
    with pytest.raises(errors.AliasError):
        tangent.lower(stencil)(x, x)
    y = x.copy()
    stencil(y, y)
    tangent.lower(stencil, apart=False)(x, x)
    assert np.array_equal(x, y)





# Numba

def test_derivatives_are_compiled_as_loops():
    numba = pytest.importorskip('numba', reason='Numba is not installed')
    gradient = tangent.grad(numba.njit(smoothed), (0, 1))
    args = R(6, 7), R(6, 7)
    found, right = gradient(*args), tangent.grad(smoothed, (0, 1))(*args)
    plain = tangent.grad(numba.njit(smoothed), (0, 1), jit={'loops': False})(*args)
    for one, other, third in zip(found, right, plain):
        np.testing.assert_allclose(one, other, rtol=1e-12)
        np.testing.assert_allclose(one, third, rtol=1e-12)
    text = tangent.source(gradient, *args)
    assert 'for j in range' in text and '# Grad of: b[1:-1, 1:-1]' in text
    assert not any('[1:-1' in line for line in text.splitlines() if '#' not in line and 'old' not in line)


def smoothed(a, b):
    for _ in range(3):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.5 * a[1:-1, 1:-1] + b[1:-1, 1:-1] / a[1:-1, 2:]
    s = np.sum(a * a)
    return s


def test_functions_are_compiled_as_loops():
    numba = pytest.importorskip('numba', reason='Numba is not installed')
    lowered = tangent.lower(numba.njit(smoothed))
    args, others = (R(5, 6), R(5, 6)), (R(5, 6), R(5, 6))
    others[0][:], others[1][:] = args
    assert lowered(*args) == pytest.approx(smoothed(*others), rel=1e-12)
    np.testing.assert_allclose(args, others, rtol=1e-12)
    x = R(5, 6)
    with pytest.raises(errors.AliasError):
        lowered(x, x)
    assert numba.njit(tangent.lower(stencil, R(5), R(5)))(R(5), R(5)) is None


@pytest.mark.parametrize('end', ['np.cumsum(t * w)', 'np.sort(unbroadcast(s * w, t))'])
def test_arrays_that_are_read_again_where_nothing_becomes_loops(end):
    text = f"""def f(x, w):
    t = np.sin(x)
    u = unbroadcast(x * x, t)
    v = u * t
    s = np.cumsum(v)
    return s, {end}
"""
    f = function(text, f'<again {end}>')
    f.__globals__['unbroadcast'] = tangent.unbroadcast
    made, args = tangent.lower(f, R(4), R(4)), (R(4), R(4))
    assert 'for i in range' in tangent.source(made)
    for one, other in zip(made(*args), f(*args), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def reciprocals(x, y):
    y[1:] = 1.0 / x[:-1]


def test_division_by_zero_is_that_of_arrays():
    numba = pytest.importorskip('numba', reason='Numba is not installed')
    for f in (tangent.lower(numba.njit(reciprocals)), numba.njit(tangent.lower(reciprocals, R(3), R(3)))):
        y = np.zeros(3)
        f(np.array([2.0, 0.0, 1.0]), y)
        assert y.tolist() == [0.0, 0.5, np.inf]


@pytest.mark.parametrize('seed', range(300, 303))
def test_random_programs_compiled(seed):
    numba = pytest.importorskip('numba', reason='Numba is not installed')
    text = Writer(seed).program()
    f = function(text, f'<compiled {seed}>')
    try:
        right = run(f, 'apart')
    except (ValueError, IndexError):
        return
    for one, other in zip(run(tangent.lower(numba.njit(f)), 'apart'), right):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11, err_msg=text)


def folded(x, n):
    if n == 0:
        return np.sum(x[1:] * x[:-1])
    y = x.copy()
    y[1:-1] = 0.5 * (x[:-2] + x[2:]) * x[1:-1]
    return folded(y, n - 1) + y[0]


def test_recursive_functions_call_themselves():
    numba = pytest.importorskip('numba', reason='Numba is not installed')
    x, right = R(7), folded
    expected = right(x, 3)
    assert tangent.lower(folded)(x, 3) == pytest.approx(expected, rel=1e-12)
    globals()['folded'] = numba.njit(folded)
    try:
        assert tangent.lower(folded)(x, 3) == pytest.approx(expected, rel=1e-12)
    finally:
        globals()['folded'] = right


def test_source_of_what_is_lowered_when_called():
    lowered = tangent.lower(stencil)
    lowered(R(5), R(5))
    assert tangent.source(lowered) == tangent.lower(stencil, R(5), R(5)).source
