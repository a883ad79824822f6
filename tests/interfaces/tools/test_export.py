"""Exported derivatives run alone: in a process that has neither the program they come from nor, where they are to stand alone,
this library."""
import ast
import json
import subprocess
import sys

import numpy as np
import pytest

import tangent
from tests.tools.texts import define

C = '''
class C:
    scale = 2.0
    def __init__(self, a):
        self.a = a
    def area(self, k):
        return self.a * self.a * k * self.scale
    @property
    def size(self):
        return self.a * 3.0
    @staticmethod
    def flat(a):
        return a * a
    @classmethod
    def made(cls, a):
        return cls(a * 2.0)
class D(C):
    def area(self, k=3.0):
        return super().area(k) + self.size
'''
ALONE = {        # what needs this library in no way: name -> (text, what is made of f)
    'a helper': ('def g(x):\n    return x * x\ndef f(x):\n    return g(x) * x\n', 'grad'),
    'a passive helper': ('def k(n):\n    return n + 1\ndef f(x):\n    return x ** k(2)\n', 'grad'),
    'helpers and constants': ('import math\nC = 2.0\ndef h(x):\n    return math.sin(x) * C\ndef g(x):\n    return h(x) * x\n'
                              'def f(x):\n    return g(x) * x\n', 'grad'),
    'arrays': ('import numpy as np\nA = np.arange(6.0).reshape(2, 3)\ndef f(x):\n    return np.linalg.norm(A * np.array([x, 2 * x, 1.0]))\n', 'grad'),
    'captured': ('import numpy as np\ndef make(a, n):\n    def f(x):\n        return np.sum(a * x ** n)\n    return f\nf = make(np.ones(3), 2)\n', 'grad'),
    'a captured function': ('def h(x):\n    return x * x\ndef make(g):\n    def f(x):\n        return g(x) * x\n    return f\nf = make(h)\n', 'grad'),
    'a dataclass': ('import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass P:\n    a: float\n    b: float = 2.0\ndef f(x):\n'
                    '    p = P(x, x * x)\n    return p.a * p.b\n', 'grad'),
    'a namedtuple': ('import collections\nP = collections.namedtuple("P", "a b")\ndef f(x):\n    p = P(x, x * x)\n    return p.a * p.b\n', 'grad'),
    'a global object': (C + 'O = D(2.0)\ndef f(x):\n    return O.area(x) * O.a\n', 'grad'),
    'a loop': ('def f(x):\n    y = 1.0\n    for i in range(4):\n        y = y * x + i\n    return y\n', 'grad'),
    'a list': ('def f(x):\n    xs = []\n    for i in range(3):\n        xs.append(x ** i)\n    return sum(xs)\n', 'grad'),
    'recursion': ('def g(x, n):\n    return x if n == 0 else x * g(x, n - 1)\ndef f(x):\n    return g(x, 3)\n', 'grad'),
    'a lambda': ('g = lambda x: x * x\nf = lambda x: g(x) * x\n', 'grad'),
    'nan and inf': ('B = float("nan")\nI = [1.0, float("inf")]\ndef f(x):\n    return x * (1.0 if B == B else I[0])\n', 'grad'),
    'a checkpoint': ('import tangent\n@tangent.checkpoint\ndef g(x):\n    return x * x\ndef f(x):\n    return g(x) * x\n', 'grad'),
    'forward': ('def g(x):\n    return x * x\ndef f(x):\n    return g(x) * x\n', 'jvp'),
    'the value': ('def f(x):\n    return x ** 3\n', 'value_and_grad'),
    'a hessian': ('def f(x, n=3):\n    return x ** n\n', 'hessian'),
    'a jacobian': ('import numpy as np\ndef g(x):\n    return np.sin(x)\ndef f(x):\n    return g(x) * x[0]\n', 'jacobian'),
    'a product': ('import numpy as np\ndef f(x):\n    return np.sum(x ** 3)\n', 'hvp'),
    'second order': ('def g(x):\n    return x * x\ndef f(x):\n    return g(x) * x\n', 'second'),
    'names that mean two things': (None, 'grad'),
}
WITH_US = {
    'a class': (C + 'def f(x):\n    return D(x).area() * C.made(x).size * C.flat(x)\n', 'grad'),
    'a class in forward mode': (C + 'def f(x):\n    return D(x).area()\n', 'jvp'),
    'functions in a dict': ('def h(x):\n    return x * x\nT = {"g": h}\ndef f(x):\n    return T["g"](x) * x\n', 'grad'),
    'a function as a default': ('def h(x):\n    return x * x\ndef f(x, g=h):\n    return g(x) * x\n', 'grad'),
    'a default that is computed': ('N = 2.0\ndef f(x, n=N * 2):\n    return x ** n\nN = 7.0\n', 'grad'),
    'a partial': ('import functools\ndef h(n, x):\n    return n * x * x\ng = functools.partial(h, 2.0)\ndef f(x):\n    return g(x)\n', 'grad'),
    'the log form': ('def g(xs):\n    xs.append(xs[-1] * 2.0)\ndef f(x):\n    xs = [x]\n    ys = xs\n    g(ys)\n    ys[0] *= xs[1]\n'
                     '    return xs[0] * ys[1]\n', 'grad'),
    'its second order': ('def f(x):\n    try:\n        y = x * x\n    except ValueError:\n        y = x\n    return y * x\n', 'second'),
    'scipy': ('from scipy import special\ndef f(x):\n    return special.gamma(x) * x\n', 'grad'),
}
MADE = {'second': lambda f: tangent.grad(tangent.grad(f))}
RUN = '''
import importlib.util, json, sys
import numpy as np
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('tangent', 'gast', 'astor', 'numba', 'scipy'):
            raise ImportError(name)
if sys.argv[2] == 'alone':
    sys.meta_path.insert(0, Hidden())
for case, path, name, args in json.load(open(sys.argv[1])):
    spec = importlib.util.spec_from_file_location('exported', path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        found = getattr(module, name)(*[np.array(a) if isinstance(a, list) else a for a in args])
        print(json.dumps([case, np.ravel(np.asarray(found, dtype=float)).tolist()]))
    except Exception as error:
        print(json.dumps([case, repr(error)]))
'''


def two_modules():
    """f and the helper it calls read two constants, and call two functions, of one name."""
    other = define('C = 5.0\ndef k(x):\n    return x * C\ndef g(x):\n    return k(x) * C\n')
    return define('C = 2.0\ndef k(x):\n    return x ** C\ndef f(x):\n    return g(x) * C + k(x)\n', g=other.g).f


def arguments(made, text):
    x = [0.7, 0.2] if made in ('jacobian', 'hvp') else 0.7
    return [x, [1.0, 2.0]] if made == 'hvp' else [x, 1.0] if made == 'jvp' else [x]


def results(cases, tmp_path, **options):
    """case -> (what the derivative gives, what the exported one gives in another process)."""
    todo, wanted = [], {}
    for k, (case, (text, made)) in enumerate(cases.items()):
        f = define(text).f if text else two_modules()
        df = MADE.get(made) or getattr(tangent, made)
        df, args = df(f), arguments(made, text)
        wanted[case] = np.ravel(np.asarray(df(*[np.array(a) if isinstance(a, list) else a for a in args]), dtype=float))
        path = tmp_path / f'exported_{k}.py'
        path.write_text(tangent.export_source(df, **options))
        todo.append((case, str(path), df.__name__, args))
    (tmp_path / 'todo.json').write_text(json.dumps(todo))
    mode = 'alone' if options else 'with us'
    done = subprocess.run([sys.executable, '-c', RUN, str(tmp_path / 'todo.json'), mode], capture_output=True, text=True, check=True)
    found = dict(map(json.loads, done.stdout.splitlines()))
    return {case: (wanted[case], found[case]) for case in cases}


@pytest.mark.parametrize('options', [{}, {'standalone': True}])
def test_exported_derivatives_run_elsewhere(options, tmp_path):
    found = results(ALONE if options else ALONE | WITH_US, tmp_path, **options)
    wrong = {case: pair for case, pair in found.items() if isinstance(pair[1], str) or not np.allclose(*pair)}
    assert not wrong


@pytest.mark.parametrize('case', ['functions in a dict', 'a partial', 'the log form'])
def test_what_cannot_stand_alone_says_so(case):
    text, made = WITH_US[case]
    with pytest.raises(tangent.errors.ArgumentError, match='cannot do without tangent.*standalone=True'):
        tangent.export_source(tangent.grad(define(text).f), standalone=True)


def test_a_module_that_stands_alone_imports_numpy_alone():
    text = tangent.export_source(tangent.grad(define(ALONE['arrays'][0]).f), standalone=True)
    imported = {a.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for a in node.names}
    assert imported - set(sys.stdlib_module_names) == {'numpy'} and not [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)]


def test_what_cannot_be_written_says_so():
    f = define('def f(x):\n    return x * O.read()\n', O=open).f
    assert 'open' in tangent.export_source(tangent.grad(f))
    f = define('def f(x):\n    return x * next(O)\n', O=(k for k in range(3))).f
    with pytest.raises(tangent.errors.ArgumentError, match='cannot be written out'):
        tangent.export_source(tangent.grad(f))


@pytest.mark.parametrize('made', ['jacobian', 'hessian', 'hvp'])
def test_the_source_of_operators(made):
    f = define('import numpy as np\ndef f(x):\n    return np.sum(x ** 3)\n').f
    text = tangent.source(getattr(tangent, made)(f))
    assert text.rstrip().splitlines()[-1].startswith('    return') and f'def {made}_of_f(x' in text
    several = define('def f(x, y):\n    return x * y\n').f
    with pytest.raises(tangent.errors.ArgumentError, match='by one argument'):
        tangent.source(getattr(tangent, made)(several, wrt=(0, 1)))


def test_a_compiled_derivative_is_exported(tmp_path):
    numba = pytest.importorskip('numba')
    f = numba.njit(define('import math\ndef f(x):\n    return math.sin(x) * x\n').f)
    space = {}
    exec(compile(tangent.export_source(tangent.grad(f)), 'exported', 'exec'), space)
    assert space['dfdx'](0.7) == pytest.approx(tangent.grad(f)(0.7))


def test_values_that_are_not_computed_yet_are_not_taken_along():
    """With Dask at hand the run time has a table of such values, which no module can have that runs alone."""
    dask = pytest.importorskip('dask.delayed')
    assert tangent.grad(lambda w: dask.delayed(np.sum)(w))(np.ones(2)).compute().tolist() == [1.0, 1.0]
    hessian = tangent.hessian(define('def f(x, n=3):\n    return x ** n\n').f)
    assert hessian(0.7) == pytest.approx(4.2)
    assert 'Owed' not in tangent.export_source(hessian, standalone=True)
