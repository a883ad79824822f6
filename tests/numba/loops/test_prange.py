"""Loops over prange: their adjoints are parallel, too, and give what the ones that run in order give."""
import math
import random
import runpy

import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close

numba = pytest.importorskip('numba', reason='Numba is not installed')
prange = numba.prange

X = np.random.RandomState(0).rand(37) + 0.5
W = np.random.RandomState(1).rand(5)
A = np.random.RandomState(2).rand(37, 5)
P = np.random.RandomState(3).rand(11, 2)
ORDER = np.random.RandomState(4).permutation(37)
BINS = np.random.RandomState(5).randint(0, 5, 37)


def parallel(f):
    return numba.njit(f, parallel=True)


def sines(x):
    s = 0.0
    for i in prange(x.shape[0]):
        s += np.sin(x[i]) * x[i]
    return s


def rows(a, w):
    y = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1]):
            t += a[i, j] * w[j]
        y[i] = np.tanh(t)
    return np.sum(y)


def stencil(x):
    y = np.zeros(x.shape[0])
    for i in prange(1, x.shape[0] - 1):
        y[i] = np.sin(x[i - 1]) + 2 * x[i] * x[i + 1]
    return np.sum(y * y)


def periodic(x):
    y = np.zeros(x.shape[0])
    for i in prange(x.shape[0]):
        y[i] = x[i] * x[i - 1] * x[i - 2]
    return np.sum(y)


def both_signs(x, n):
    s = 0.0
    for i in prange(-n, n):
        s += x[i] * x[i] * i
    return s


def in_place(x):
    y = x.copy()
    for i in prange(y.shape[0]):
        y[i] = y[i] * y[i] + np.exp(y[i])
    return np.sum(y * y)


def newton(x):
    s = 0.0
    for i in prange(x.shape[0]):
        r = x[i]
        while abs(r * r - x[i]) > 1e-10:
            r = 0.5 * (r + x[i] / r)
        s += r * x[i]
    return s


def nbody(p, m):
    e = 0.0
    n = p.shape[0]
    for i in prange(n):
        for j in range(n):
            if j != i:
                dx = p[i, 0] - p[j, 0]
                dy = p[i, 1] - p[j, 1]
                e += m[i] * m[j] / np.sqrt(dx * dx + dy * dy)
    return e


@numba.njit
def helper(u, v):
    return math.sin(u) * v


def calls(x, w):
    s = 0.0
    for i in prange(x.shape[0]):
        s += helper(x[i], w)
    return s


@numba.njit
def model(u, params):
    return math.sin(u * params[0]) * params[1]


def tuples(x, a, b):
    s = 0.0
    params = (a, b)
    for i in prange(x.shape[0]):
        s += model(x[i], params)
    return s


def vectors(x, k):
    h = np.zeros(4)
    for i in prange(x.shape[0]):
        h += x[i] * k
    return np.sum(h * h)


def vector_weights(a, w):
    s = 0.0
    for i in prange(a.shape[0]):
        s += np.sum(np.tanh(a[i] * w))
    return s


def steps(a, n):
    y = np.copy(a)
    z = np.zeros(a.shape[0])
    for _ in range(n):
        for i in prange(1, y.shape[0] - 1):
            z[i] = 0.3 * (y[i - 1] * y[i] + y[i + 1])
        for i in prange(1, y.shape[0] - 1):
            y[i] = z[i]
    return np.sum(y)


def scattered(x, order):
    y = np.zeros(x.shape[0])
    for i in prange(x.shape[0]):
        k = order[i]
        y[k] = x[i] * x[k] + math.cos(x[i])
    return np.sum(y * y)


def gathered(x, w, bins):
    s = 0.0
    for i in prange(x.shape[0]):
        s += x[i] * w[bins[i]] ** 2
    return s


def in_pairs(x, n):
    y = np.zeros(2 * n)
    for i in prange(n):
        y[2 * i] = x[2 * i] * x[2 * i + 1]
        y[2 * i + 1] = x[2 * i] + math.exp(x[2 * i + 1])
    return np.sum(y * y)


def from_both_ends(x, n):
    y = np.zeros(n)
    for i in prange(n):
        y[i] = x[i] * x[n - 1 - i]
    return np.sum(y * y)


def flat(a, n, m):
    y = np.zeros(n * m)
    for i in prange(n):
        for j in range(m):
            y[i * m + j] = a[i, j] * a[i, j]
    return np.sum(y * y)


def whole_rows(a, w):
    y = np.zeros(a.shape)
    for i in prange(a.shape[0]):
        y[i, :] = a[i, :] * w
    return np.sum(y * y)


def branching(x, c):
    s = 0.0
    for i in prange(x.shape[0]):
        if x[i] > 1.0:
            s += x[i] * c
        else:
            s += math.exp(x[i]) * c * c
    return s


def product(x):
    s = 1.0
    for i in prange(x.shape[0]):
        s *= x[i]
    return s


@parallel
def inner(x, y):
    for i in prange(x.shape[0]):
        y[i] = math.sin(x[i]) * x[i]


@parallel
def inner_sum(x):
    s = 0.0
    for i in prange(x.shape[0]):
        s += math.exp(x[i])
    return s


def outer(x):
    y = np.zeros(x.shape[0])
    inner(x, y)
    return inner_sum(y) * inner_sum(x)


def private(a):
    s = 0.0
    for i in prange(a.shape[0]):
        t = np.empty(a.shape[1])
        for j in range(a.shape[1]):
            t[j] = a[i, j] * a[i, j]
        for j in range(1, a.shape[1]):
            t[j] = t[j] * math.sin(t[j - 1])
        s += t[-1] + t[0]
    return s


def slices(a, w):
    y = np.zeros(a.shape)
    for i in prange(1, a.shape[0] - 1):
        y[i, 1:-1] = a[i - 1, 1:-1] * w[0] + a[i + 1, 1:-1] * w[1] * a[i, :-2]
    return np.sum(y * y)


def nearest(p, c):
    s = 0.0
    for i in prange(p.shape[0]):
        best = 1e30
        for k in range(c.shape[0]):
            d = 0.0
            for j in range(p.shape[1]):
                d += (p[i, j] - c[k, j]) ** 2
            if d < best:
                best = d
        s += best
    return s


def maximum(x):
    m = -1e9
    for i in prange(x.shape[0]):
        m = max(m, x[i] * math.sin(x[i]))
    return m


CASES = [(sines, 0, (X,)), (rows, (0, 1), (A, W)), (stencil, 0, (X,)), (periodic, 0, (X,)), (both_signs, 0, (X, 30)),
         (in_place, 0, (X,)), (newton, 0, (X,)), (nbody, (0, 1), (P, X[:11])), (calls, (0, 1), (X, 1.5)),
         (tuples, (0, 1, 2), (X, 1.5, 0.3)), (vectors, (0, 1), (X, 1.5)), (vector_weights, (0, 1), (A, W)),
         (steps, 0, (X, 4)), (scattered, 0, (X, ORDER)), (gathered, (0, 1), (X, W, BINS)), (in_pairs, 0, (X, 18)),
         (from_both_ends, 0, (X, 37)), (flat, 0, (A, 37, 5)), (whole_rows, (0, 1), (A, W)), (branching, (0, 1), (X, 1.5)),
         (product, 0, (X,)), (outer, 0, (X,)), (private, 0, (A,)), (slices, (0, 1), (A, W)),
         (nearest, (0, 1), (P, P[:3] + 0.1)), (maximum, 0, (X,))]
IN_ORDER = {product, maximum}


@pytest.fixture
def threads():
    before = numba.get_num_threads()
    yield numba.set_num_threads
    numba.set_num_threads(before)


@pytest.mark.share(4)
@pytest.mark.parametrize(('f', 'wrt', 'args'), CASES, ids=lambda c: getattr(c, '__name__', ''))
def test_parallel_adjoints_agree_with_those_in_order(f, wrt, args, threads):
    expected = tangent.grad(f, wrt, jit=False)(*args)
    df = tangent.grad(parallel(f), wrt)
    for count in sorted({1, min(2, numba.config.NUMBA_NUM_THREADS)}):
        threads(count)
        for _ in range(3):
            assert_close(df(*args), expected, 1e-11)


@pytest.mark.parametrize(('f', 'wrt'), [case[:2] for case in CASES], ids=lambda c: getattr(c, '__name__', ''))
def test_which_loops_are_parallel(f, wrt):
    text = tangent.source(tangent.grad(parallel(f), wrt))
    adjoint = text[text.rindex('# Grad of: for i in prange'):]
    assert ('In order: ' in text) == (f in IN_ORDER), text
    assert adjoint.count('prange(') > 1 or f in IN_ORDER


# Random loops

READS = ['x[i]', 'x[i - 1]', 'x[i + 1]', 'x[n - 1 - i]', 'w[0]', 'w[i % 5]', 'a[i, 2]', 'a[i - 1, 1]', 'a[order[i], 0]',
         'c', 't', 'u']
FORMULAS = ['{} * {}', 'math.sin({}) + {}', '{} / (2.0 + {} * {})', 'math.exp(-{}) * {}', '{} - 0.5 * {}', 'math.tanh({} * {})']
STATEMENTS = ['t = {e}', 'u += {e}', 's += {e}', 'y[i] = {e}', 'z[i] += {e}', 'z[i] = z[i] * {e}',
              'm[i, 1] = {e}', 'r[order[i]] = {e}']
INNER = ['t += w[j] * a[i, j] * u', 's += t * w[j]', 'm[i, j] = t * w[j]', 'u += x[j] * t']


def written(random):
    """The text of a function with loops whose trips do not depend on each other."""
    def formula():
        text = random.choice(FORMULAS)
        for _ in range(text.count('{}')):
            text = text.replace('{}', random.choice(READS), 1)
        return text

    def block(depth, indent):
        lines = []
        for _ in range(random.randint(1, 3)):
            kind = random.randint(0, 5 if depth else 2)
            if kind == 3:
                lines += [f'for j in range({random.choice(["5", "i % 3"])}):',
                          *('    ' + random.choice(INNER) for _ in range(2))]
            elif kind == 4:
                test = random.choice(['x[i] > 1.0', 'i % 2 == 0', 't < 0.5'])
                lines += [f'if {test}:', *block(0, ''), 'else:', *block(0, '')]
            elif kind == 5:
                lines += ['k = 0', 'while k < i % 4:', '    t = math.sin(t) + 0.1 * x[i]', '    k += 1']
            else:
                lines.append(random.choice(STATEMENTS).format(e=formula()))
        return [f'    {line}' for line in lines] if not indent else [indent + line for line in lines]

    loops = []
    for _ in range(random.randint(1, 2)):
        loops += ['for i in prange(1, n - 1):', '    t = 0.3 * c', '    u = x[i] * 1.5', *block(1, '    ')]
    repeated = random.random() < 0.4
    if repeated:
        loops = ['for _ in range(2):', *('    ' + line for line in loops)]
    head = ['def f(x, w, a, c, order):', '    n = x.shape[0]', '    s = 0.0', '    y = np.zeros(n)', '    z = np.ones(n)',
            '    m = np.zeros((n, 5))', '    r = np.zeros(n)']
    end = '    return s + np.sum(y * y) + np.sum(z * x) + np.sum(m) * c + np.sum(r * r)'
    return '\n'.join([*head, *('    ' + line for line in loops), end, ''])


def random_case(seed, tmp_path):
    text = written(random.Random(seed))
    path = tmp_path / f'loops_{seed}.py'
    path.write_text(f'import math\nimport numpy as np\nfrom numba import prange\n\n{text}')
    space = runpy.run_path(str(path))
    return text, space['f'], ((0, 1, 2, 3), (X, W, A, 0.7, ORDER))


@pytest.mark.share(3)
@pytest.mark.parametrize('seed', range(3))
def test_random_loops(seed, tmp_path, threads):
    text, f, (wrt, args) = random_case(seed, tmp_path)
    expected = tangent.grad(f, wrt, jit=False)(*args)
    df = tangent.grad(parallel(f), wrt)
    threads(min(2, numba.config.NUMBA_NUM_THREADS))
    for _ in range(3):
        for found, right in zip(df(*args), expected):
            np.testing.assert_allclose(found, right, rtol=1e-9, atol=1e-11, err_msg=text + tangent.source(df))
