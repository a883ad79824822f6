"""What Numba's manual lists of NumPy, `math` and `cmath`: a line of each, whose compiled derivatives in both modes are compared
with differences along a direction and with what CPython makes of the same line.

One in a dozen or so runs always, all of them with `--all-samples`.
"""
import copy

import numpy as np
import pytest

import tangent
from tests.tools.checking import numbers, random_like, rebuild, slope

numba = pytest.importorskip('numba', reason='Numba is not installed')
pytestmark = pytest.mark.filterwarnings('ignore::numba.core.errors.NumbaWarning')
from tests.corpora.numba.numba_documented import LINES  # noqa: E402


def real_dot(a, b):
    return float(np.sum((np.conj(numbers(a)) * numbers(b)).real))


def moved(value, direction, h):
    found = rebuild(value, numbers(value) + h * numbers(direction))
    return found if np.iscomplexobj(found) or isinstance(found, tuple) else found * 1.0


def of_line(text, args, path):
    """The function of a line, in a file of its own."""
    names = 'abcdefg'[:len(args)]
    lines = text.splitlines() if '\n' in text else [f'return {text}']
    path.write_text('\n'.join(['import cmath', 'import math', 'import numpy as np', f'def f({", ".join(names)}):',
                               *('    ' + line for line in lines), '']))
    space = {'__name__': path.stem, '__file__': str(path)}
    exec(compile(path.read_text(), str(path), 'exec'), space)
    return space['f']


@pytest.mark.share(20)
@pytest.mark.parametrize('text, args', LINES, ids=[text for text, _ in LINES])
def test_line(text, args, tmp_path):
    f = of_line(text, args, tmp_path / 'line.py')
    compiled = numba.njit(f)
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int) and np.asarray(a).dtype.kind in 'fc')
    directions = [random_like(args[k], k) for k in wrt]
    value = compiled(*copy.deepcopy(args))
    seed = random_like(value, 7)

    def line(h):
        given = list(copy.deepcopy(args))
        for k, direction in zip(wrt, directions, strict=True):
            given[k] = moved(args[k], direction, h)
        return real_dot(seed, compiled(*given))
    right, doubt = slope(line, 1e-4)
    gradients = [tangent.vjp(g, wrt)(*copy.deepcopy(args), seed) for g in (compiled, f)]
    gradients = gradients if len(wrt) > 1 else [(g,) for g in gradients]
    np.testing.assert_allclose(sum(map(real_dot, gradients[0], directions)), right, 1e-6, 1e-7 + 3 * doubt)
    for found, plain in zip(*gradients, strict=True):
        np.testing.assert_allclose(numbers(found), numbers(plain), 1e-9, 1e-10)
    change = tangent.jvp(compiled, wrt)(*copy.deepcopy(args), *directions)
    np.testing.assert_allclose(real_dot(seed, change), right, 1e-6, 1e-7 + 3 * doubt)
