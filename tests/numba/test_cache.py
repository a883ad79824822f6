"""Machine code of derivatives on disk: what a second process finds there, and what it must not find."""
import importlib
import linecache
import os
import pathlib
import subprocess
import sys
import warnings

import pytest

import tangent
from tangent.emit import module_cache
from tests import ROOT

numba = pytest.importorskip('numba', reason='Numba is not installed')

USER = '''
import math, numba
import numpy as np
import settings
from deep import inner

@numba.njit(cache=True)
def f(x, n):
    s = x
    for i in range(n):
        s = math.sin(s) + inner(s) * settings.K
    return s

@numba.njit(cache=True)
def each(x):
    y = np.empty_like(x)
    for i in range(x.shape[0]):
        y[i] = inner(x[i]) * x[i]
    return y

@numba.njit(cache=True)
def square(x):
    return inner(x) * x

@numba.njit(cache=True, parallel=True)
def total(x):
    s = 0.0
    for i in numba.prange(x.shape[0]):
        s += x[i] * inner(x[i])
    return s

@numba.njit(cache=True)
def smooth(x):
    x[1:-1] = 0.5 * x[:-2] * x[2:]
    return np.sum(x)

@numba.njit(cache=True)
def weighted(x):
    return x * math.floor(passive(3.7)) * x

@numba.njit
def passive(n):
    return inner(n) * settings.K
'''
FORMS = '''
import sys, time, warnings
import numpy as np
import tangent
sys.path.insert(0, sys.argv[1])
import user
warnings.simplefilter('error')
X = np.linspace(0.5, 1.5, 7)
FORMS = {
    'primal': (lambda: user.smooth, (X.copy(),)),               # the machine code of the function itself is another one
    'lower': (lambda: tangent.lower(user.smooth), (X.copy(),)),
    'grad': (lambda: tangent.grad(user.f), (0.5, 10)),
    'jacobian': (lambda: tangent.jacobian(user.each), (X,)),
    'second': (lambda: tangent.grad(tangent.grad(user.square)), (0.7,)),
    'hvp': (lambda: tangent.hvp(user.square), (0.7, 1.0)),
    'parallel': (lambda: tangent.grad(user.total), (X,)),
    'slices': (lambda: tangent.value_and_grad(user.smooth), (X.copy(),)),
    'passive': (lambda: tangent.grad(user.weighted), (0.7,)),
}
for form in sys.argv[2:] or FORMS:
    make, args = FORMS[form]
    found = make()
    start = time.perf_counter()
    value = found(*args)
    took = time.perf_counter() - start
    value = np.sum(value[1] if isinstance(value, tuple) else value)
    print(form, repr(float(value)), sum(found.stats.cache_hits.values()), took, found.py_func.__code__.co_filename, sep='|')
'''


def start(folder, *forms):
    """A process that takes derivatives of the functions in `folder`."""
    environment = {**os.environ, 'PYTHONPATH': str(ROOT), 'TANGENT_CACHE_DIR': str(folder / 'cache')}
    return subprocess.Popen([sys.executable, '-c', FORMS, str(folder), *forms], stdout=subprocess.PIPE, text=True, cwd=ROOT,
                            env=environment)


def result(process):
    """form -> (value, whether its machine code was found, seconds of the call, file)."""
    text, _ = process.communicate(timeout=200)
    assert process.returncode == 0
    rows = [line.split('|') for line in text.splitlines()]
    return {form: (float(value), hits == '1', float(took), path) for form, value, hits, took, path in rows}


def write(folder, k=3.0, inner='math.sin(u) * u'):
    (folder / 'user.py').write_text(USER)
    (folder / 'settings.py').write_text(f'K = {k}\n')
    (folder / 'deep.py').write_text(f'import math, numba\n@numba.njit(cache=True)\ndef inner(u):\n    return {inner}\n')


@pytest.fixture(scope='module')
def processes(tmp_path_factory):
    """What three processes found: two at once, the second of which takes one derivative alone, and one after them."""
    folder = tmp_path_factory.mktemp('user')
    write(folder)
    both = [start(folder), start(folder, 'grad', 'hvp')]
    return folder, [result(p) for p in both], result(start(folder))


def test_a_second_process_compiles_nothing(processes):
    _, (cold, other), warm = processes
    for form in warm:
        assert warm[form][1] and (form in other or not cold[form][1]), form
        assert cold[form][0] == warm[form][0] and cold[form][3] == warm[form][3]
    slow, fast = (sum(found[form][2] for form in list(warm)[2:]) for found in (cold, warm))
    assert fast < 0.2 * slow


def test_two_processes_at_once(processes):
    _, (one, other), _ = processes
    assert all(one[form][0] == other[form][0] and one[form][3] == other[form][3] for form in other)


def test_the_function_itself_and_its_loops_are_kept_apart(processes):
    _, (cold, _), warm = processes
    assert warm['primal'][3].endswith('user.py') and not warm['lower'][3].endswith('user.py')


def test_changes_in_other_files_are_seen(processes):
    folder, _, warm = processes
    write(folder, k=4.0)                                         # a constant that the text does not show
    after = result(start(folder, 'grad', 'passive'))
    assert not any(after[form][1] for form in after) and all(after[form][0] != warm[form][0] for form in after)
    write(folder, k=4.0, inner='math.cos(u) * u + 1.0')
    again = result(start(folder, 'passive'))['passive']
    assert not again[1] and again[0] != after['passive'][0] and again[3] != after['passive'][3]


# Which file the machine code goes to

@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv('TANGENT_CACHE_DIR', str(tmp_path / 'cache'))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)

    def named(text, **jit):
        """The file of the gradient of the function `f` of a module."""
        (tmp_path / 'kept_there.py').write_text(text)
        sys.modules.pop('kept_there', None)
        linecache.checkcache(str(tmp_path / 'kept_there.py'))
        importlib.invalidate_caches()
        module = importlib.import_module('kept_there')
        derivative = tangent.grad(module.f, jit={'cache': True, **jit})
        return pathlib.Path(getattr(derivative, 'py_func', derivative).__code__.co_filename)
    return named


PLAIN = 'def f(x):\n    return x * x\n'


def test_the_options_decide(place):
    kinds = [{}, {'fastmath': True}, {'error_model': 'numpy'}, {'boundscheck': True}, {'fastmath': {'nsz', 'contract', 'reassoc'}}]
    files = [place(PLAIN, **options) for options in kinds]
    assert len({*files}) == len(kinds) and files == [place(PLAIN, **options) for options in kinds]


@pytest.mark.parametrize('read', ['3', '(1, 2.5)', 'np.float32', 'np.arange(3.0)', 'numba.float32', "np.dtype('f4')", 'math.pi', 'float'])
def test_what_is_read_decides(place, read):
    text = 'import math, numba\nimport numpy as np\nK = {}\ndef g(x):\n    K\n    return 1.0\ndef f(x):\n    return x * g(2)\n'
    assert place(text.format(read)) == place(text.format(read)) != place(text.format('7.25'))


@pytest.mark.parametrize('text', [
    'def f(x):\n    return f(x - 1) * x if x > 0 else x\n',
    'def g(n):\n    return 1 if n < 1 else g(n - 1)\ndef f(x):\n    return x * x * g(3)\n',
    'K = object()\ndef g(n):\n    K\n    return n\ndef f(x):\n    return x * x * g(3)\n',
])
def test_what_cannot_be_kept_is_not(place, text):
    with pytest.warns(RuntimeWarning, match='not kept on disk: it '):
        assert not place(text).exists()


def test_loops_of_what_calls_itself_are_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv('TANGENT_CACHE_DIR', str(tmp_path))

    @numba.njit(cache=True)
    def halves(x):
        x[1:] = 0.5 * x[:-1]
        return x.sum() if x.shape[0] < 3 else halves(x[1:])

    with pytest.warns(RuntimeWarning, match='recursive'):
        tangent.lower(halves)
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written(tmp_path, monkeypatch):
    (tmp_path / 'file').write_text('')
    monkeypatch.setenv('TANGENT_CACHE_DIR', str(tmp_path / 'file' / 'cache'))

    def f(x):
        return x * x
    with pytest.warns(RuntimeWarning, match='cannot be written'):
        assert tangent.grad(f, jit={'cache': True})(3.0) == 6.0


def test_where_numba_finds_no_place(tmp_path, monkeypatch):
    """A folder of which the modules can be read, and to which nothing can be added, and no place for the user either."""
    monkeypatch.setenv('TANGENT_CACHE_DIR', str(tmp_path))
    from numba.core import caching
    monkeypatch.setattr(caching.CompileResultCacheImpl, '_locator_classes', [])

    def f(x):
        return x * x * x
    with pytest.warns(RuntimeWarning, match='no locator'):
        assert tangent.grad(f, jit={'cache': True})(2.0) == 12.0


def test_a_module_is_written_once(tmp_path, monkeypatch):
    monkeypatch.setenv('TANGENT_CACHE_DIR', str(tmp_path))
    path = module_cache.written('x = 1\n', 'name')
    before = path.stat().st_mtime_ns
    assert module_cache.written('x = 2\n', 'name') == path and path.read_text() == 'x = 1\n'
    assert path.stat().st_mtime_ns == before and [p.name for p in tmp_path.iterdir()] == ['name.py']


def test_nothing_is_said_where_all_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv('TANGENT_CACHE_DIR', str(tmp_path))

    def f(x):
        return x * x * 2.0
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        tangent.grad(f, jit={'cache': True})
