"""Elements that a function leaves out take no part in its tangent either, neither with a number there nor with nan."""
import importlib.util

import numpy as np
import pytest

import tangent

HEAD = '''import numpy as np
N = np.array([[2.0, np.nan, 3.0], [0.5, 1.5, -1.0]])
M = np.array([[True, False, True], [True, True, False]])
'''
REDUCED = '''nansum(a); nansum(a, axis=1); nansum(a, axis=0, keepdims=True); nansum(a, where=M); nansum(a, initial=x[0, 0]); nancumsum(a)
nancumsum(a, axis=1); nancumsum(a, axis=0); nancumprod(a); nanmean(a); nanmean(a, axis=1); nanmean(a, where=M); nanprod(a)
nanprod(a, axis=1); nanprod(a, where=M); nanprod(a, initial=x[0, 0]); nanmax(a); nanmax(a, axis=1); nanmin(a, axis=0, keepdims=True)
nanmax(a, where=M, initial=-9.0); nanmin(a, axis=1, where=M, initial=9.0); nanvar(a); nanvar(a, axis=1, ddof=1); nanvar(a, where=M)
nanstd(a); nanstd(a, axis=1, ddof=1); nanstd(a, axis=0, where=M); nanmedian(a); nanquantile(a, 0.3, axis=1); sum(a, where=M)
mean(a, axis=1, where=M); prod(a, where=M); prod(a, axis=1, where=M); var(a, where=M); std(a, axis=1, where=M)
max(a, where=M, initial=-9.0); min(a, axis=1, where=M, initial=9.0); amax(a, axis=1, where=M, initial=x[0, 0])
add.reduce(a, axis=1, where=M); fmax.reduce(a); fmin.reduce(a, axis=1); fmax.reduce(a, axis=None); fmin.accumulate(a, axis=1)
fmax.reduceat(a, [0], axis=1); fmax(a, x); fmin(x, a); fmax(a, 1.0); fmin.outer(a, x[0]); nan_to_num(a); nan_to_num(a, nan=2.0)
where(M, a, x); select([M, ~M], [a, x]); extract(M, a); linalg.norm(np.nan_to_num(a)); ptp(np.nan_to_num(a))'''
CALLS = [call.strip() for line in REDUCED.splitlines() for call in line.split(';')]
PROGRAMS = [(op, call) for op in ('+', '*') for call in CALLS]
X = np.array([[1.1, 0.7, 0.9], [1.7, 2.2, 0.4]])


@pytest.fixture(scope='module')
def programs(tmp_path_factory):
    path = tmp_path_factory.mktemp('masks') / 'masked_programs.py'
    path.write_text(HEAD + ''.join(f'''
def f{k}(x):
    a = x {op} N
    y = np.{call}
    return np.sum(y * y)
''' for k, (op, call) in enumerate(PROGRAMS)))
    spec = importlib.util.spec_from_file_location('masked_programs', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize('k', range(len(PROGRAMS)), ids=lambda k: ' '.join(PROGRAMS[k]))
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_forward_mode_leaves_out_what_is_left_out(k, programs):
    """Against differences; reverse mode has the same, but `0 * nan` for the element that nan was multiplied with."""
    f = getattr(programs, f'f{k}')
    df = tangent.jvp(f)
    back = tangent.grad(f)(X.copy())
    for place in np.ndindex(X.shape):
        e = np.zeros_like(X)
        e[place] = 1.0
        expected = (f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6
        assert df(X.copy(), e) == pytest.approx(expected, rel=1e-5, abs=1e-6)
        assert back[place] == pytest.approx(expected, rel=1e-5, abs=1e-6) or place == (0, 1) and PROGRAMS[k][0] == '*'
