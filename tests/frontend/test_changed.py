"""Derivatives that people hold while the program changes under them, as in a notebook: they give the new numbers.

A Change says what the program is at first, and what happens to it: the code of a function is replaced under the same function
object, as `%autoreload 2` does, names are bound anew, methods patched. Derivatives are made before that, called or not, and
held against differences of the function as it is then.
"""
import functools
import importlib
import sys
import types

import numpy as np
import pytest

import tangent
from tests.tools.texts import define


def held_by(space, path):
    """(the namespace or class that a dotted name is held by, its last name, what it holds there itself)."""
    *front, last = path.split('.')
    owner = space[front[0]] if front else space
    held = vars(owner) if front else owner
    return owner, last, held[last]


def code(path, text):
    """As autoreload does: the new code under the same function object."""
    def change(space):
        old, new = held_by(space, path)[2], held_by(vars(define(text)), path)[2]
        for name in ('fget', '__func__'):
            old, new = getattr(old, name, old), getattr(new, name, new)
        old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
    return change


def bound(path, text):
    """The name, or the attribute of a class or module, is bound to what the text defines by the same name."""
    def change(space):
        owner, last, _ = held_by(space, path)
        new = held_by(vars(define(text)), path if isinstance(owner, type) else last)[2]
        if owner is space:
            space[last] = new
        else:
            setattr(owner, last, new)
    return change


def having(name, attribute, value):
    return lambda space: setattr(space[name], attribute, value(space) if callable(value) else value)


def named(**names):
    return lambda space: space.update({name: space[other] for name, other in names.items()})


def in_cell(value):
    def change(space):
        space['f'].__closure__[0].cell_contents = value(space)
    return change


def def_of(name, body, args='x'):
    return f'def {name}({args}):\n    return {body}\n'


G, H, K, F = def_of('g', 'x * x'), def_of('h', 'x * x'), def_of('k', 'x ** 3'), def_of('f', 'g(x) * x')
G3, H3, K4 = def_of('g', 'x ** 3'), def_of('h', 'x ** 3'), def_of('k', 'x ** 4')
MAKER = 'def make(g):\n    def f(x):\n        return g(x) * x\n    return f\n'
C = '''
class C:
    def __init__(self, a):
        self.a = a
    def area(self, k):
        return self.a * self.a * k
    @property
    def size(self):
        return self.a * 3.0
    @staticmethod
    def flat(a):
        return a * a
    @classmethod
    def made(cls, a):
        return cls(a * 2.0)
    def __mul__(self, k):
        return C(self.a * k)
    def __call__(self, k):
        return self.a * k * k

class D(C):
    pass
'''
AREA = 'class {}:\n    def area(self, k):\n        return self.a ** 3 * k\n'
INIT = 'class C:\n    def __init__(self, a):\n        self.a = a * a\n'
SIZE = 'class C:\n    @property\n    def size(self):\n        return self.a ** 3\n'
FLAT = 'class C:\n    @staticmethod\n    def flat(a):\n        return a ** 3\n'
MUL = 'class C:\n    def __mul__(self, k):\n        return type(self)(self.a * self.a * k)\n'
CALL = 'class C:\n    def __call__(self, k):\n        return self.a ** 3 * k\n'
C3 = C.replace('self.a * self.a * k', 'self.a ** 3 * k')
NOTE = 'import numpy as np\ndef note(y):\n    return None\ndef f(x):\n    y = np.array([x, 2 * x])\n    note(y)\n    return y[0] * y[1]\n'
WRITES = 'def note(y):\n    y[0] = y[1] * y[1]\n'
PARTIAL = 'import functools\n' + def_of('h', 'n * x * x', 'n, x') + 'g = functools.partial(h, 2.0)\n' + F
APPENDS = 'def g(xs):\n    xs.append(xs[-1] * 2.0)\ndef f(x):\n    xs = [x]\n    ys = xs\n    g(ys)\n    ys[0] *= xs[1]\n    return xs[0] * ys[1]\n'
CHANGES = {
    'code': (def_of('f', 'x * x'), code('f', def_of('f', 'x ** 3'))),
    'code with another parameter': (def_of('f', 'x * x'), code('f', def_of('f', 'x ** 3 * n', 'x, n=3.0'))),
    'code with another name': (def_of('f', 'x * x'), code('f', def_of('f', 'z ** 3', 'z'))),
    'code of a callee': (G + F, code('g', G3)),
    'code of a callee of arrays': ('import numpy as np\n' + def_of('g', 'np.sum(x * x)') + def_of('f', 'g(np.array([x, 2 * x]))'),
                                   code('g', 'import numpy as np\n' + def_of('g', 'np.sum(x ** 3)'))),
    'code of the callee of a callee': (H + def_of('g', 'h(x) + x') + F, code('h', H3)),
    'code four calls down': (K + def_of('h', 'k(x) + x') + def_of('e', 'h(x) * 2') + def_of('g', 'e(x) + x') + F, code('k', K4)),
    'code of a callee with another parameter': (G + F, code('g', def_of('g', 'x ** 3 * n', 'x, n=3.0'))),
    'code of a lambda': ('g = lambda x: x * x\n' + F, code('g', 'g = lambda x: x ** 3\n')),
    'code of a recursion': ('def g(x, n):\n    return x if n == 0 else x * g(x, n - 1)\n' + def_of('f', 'g(x, 3)'),
                            code('g', 'def g(x, n):\n    return x * x if n == 0 else x * g(x, n - 1)\n')),
    'code of a generator': ('def g(x):\n    yield x\n    yield x * x\ndef f(x):\n    t = 0.0\n    for y in g(x):\n'
                            '        t = t + y\n    return t\n', code('g', 'def g(x):\n    yield x\n    yield x * x * x\n')),
    'code of a function that appends': (APPENDS, code('g', 'def g(xs):\n    xs.append(xs[-1] * xs[-1])\n')),
    'code behind try': (G + 'def f(x):\n    try:\n        y = g(x)\n    except ValueError:\n        y = x\n    return y * x\n', code('g', G3)),
    'code of what is passive': (def_of('g', '2.0', '') + def_of('f', 'g() * x * x'), code('g', def_of('g', '3.0', ''))),
    'code of what was an integer': (def_of('g', 'int(x) + 1') + F, code('g', G3)),
    'code that writes by now': (NOTE, code('note', WRITES)),
    'name of what writes by now': (NOTE, bound('note', WRITES)),
    'name': (G + F, bound('g', G3)),
    'name used by a callee': (H + def_of('g', 'h(x) + x') + F, bound('h', H3)),
    'name of a library function': ('from math import sin, exp\n' + def_of('f', 'sin(x) * x'), named(sin='exp')),
    'name of one in a callee': ('from math import sin, exp\n' + def_of('g', 'sin(x) * x') + F, named(sin='exp')),
    'attribute of a module': ('import mod_a\n' + def_of('f', 'mod_a.g(x) * x'), bound('mod_a.g', G3)),
    'name of a module': ('import mod_a, mod_b\n' + def_of('f', 'mod_a.g(x) * x'), named(mod_a='mod_b')),
    'defaults': (def_of('f', 'x * x * n', 'x, n=2.0'), having('f', '__defaults__', (3.0,))),
    'defaults of a callee': (def_of('g', 'x * x * n', 'x, n=2.0') + F, having('g', '__defaults__', (3.0,))),
    'keyword defaults': (def_of('f', 'x * x * n', 'x, *, n=2.0'), having('f', '__kwdefaults__', {'n': 3.0})),
    'keyword defaults of a callee': (def_of('g', 'x * x * n', 'x, *, n=2.0') + F, having('g', '__kwdefaults__', {'n': 3.0})),
    'keyword defaults in place': (def_of('g', 'x * x * n', 'x, *, n=2.0') + F, lambda s: s['g'].__kwdefaults__.update(n=3.0)),
    'function as a default': (H + K + def_of('f', 'g(x) * x', 'x, g=h'), having('f', '__defaults__', lambda s: (s['k'],))),
    'code of a default': (H + def_of('f', 'g(x) * x', 'x, g=h'), code('h', H3)),
    'cell': (H + K + MAKER + 'f = make(h)\n', in_cell(lambda s: s['k'])),
    'cell with a library function': ('import math\n' + MAKER + 'f = make(math.sin)\n', in_cell(lambda s: s['math'].exp)),
    'cell with a number': ('def make(a):\n    def f(x):\n        return a * x * x\n    return f\nf = make(2.0)\n',
                           in_cell(lambda s: np.array(4.0))),
    'code of what a cell holds': (H + MAKER + 'f = make(h)\n', code('h', H3)),
    'code of a partial': (PARTIAL, code('h', def_of('h', 'n * x ** 3', 'n, x'))),
    'another partial': (PARTIAL, lambda s: s.update(g=s['functools'].partial(s['h'], 5.0))),
    'function in a dict': (H + K + 'T = {"g": h}\n' + def_of('f', 'T["g"](x) * x'), lambda s: s['T'].update(g=s['k'])),
    'code of one in a dict': (H + 'T = {"g": h}\n' + def_of('f', 'T["g"](x) * x'), code('h', H3)),
    'code below one in a dict': (K + def_of('h', 'k(x) * x') + 'T = {"g": h}\n' + def_of('f', 'T["g"](x) * x'), code('k', K4)),
    'name below one in a dict': (K + def_of('h', 'k(x) * x') + 'T = {"g": h}\n' + def_of('f', 'T["g"](x) * x'), bound('k', K4)),
    'code of an attribute': ('import types\n' + H + 'T = types.SimpleNamespace(g=h)\n' + def_of('f', 'T.g(x) * x'), code('h', H3)),
    'code of a method': (C + def_of('f', 'C(x).area(2.0) * x'), code('C.area', AREA.format('C'))),
    'method': (C + def_of('f', 'C(x).area(2.0) * x'), bound('C.area', AREA.format('C'))),
    'method that is inherited': (C + def_of('f', 'D(x).area(2.0) * x'), bound('C.area', AREA.format('C'))),
    'method in place of one inherited': (C + def_of('f', 'D(x).area(2.0) * x'),
                                         lambda s: setattr(s['D'], 'area', define(AREA.format('D')).D.area)),
    'method used by a callee': (C + def_of('g', 'C(x).area(2.0)') + F, bound('C.area', AREA.format('C'))),
    'method of a global object': (C + 'O = C(2.0)\n' + def_of('f', 'O.area(x) * x'),
                                  bound('C.area', 'class C:\n    def area(self, k):\n        return self.a * k * k\n')),
    'global object of another class': (C + 'O = C(2.0)\n' + def_of('f', 'O.area(x) * x'), lambda s: s.update(
        O=define('class E:\n    def area(self, k):\n        return k ** 3\n').E())),
    'code of __init__': (C + def_of('f', 'C(x).area(2.0) * x'), code('C.__init__', INIT)),
    '__init__': (C + def_of('f', 'C(x).area(2.0) * x'), bound('C.__init__', INIT)),
    'code of a property': (C + def_of('f', 'C(x).size * x'), code('C.size', SIZE)),
    'property': (C + def_of('f', 'C(x).size * x'), bound('C.size', SIZE)),
    'code of a static method': (C + def_of('f', 'C.flat(x) * x'), code('C.flat', FLAT)),
    'static method': (C + def_of('f', 'C.flat(x) * x'), bound('C.flat', FLAT)),
    'code of a class method': (C + def_of('f', 'C.made(x).area(2.0) * x'),
                               code('C.made', 'class C:\n    @classmethod\n    def made(cls, a):\n        return cls(a * a)\n')),
    'code of an operator': (C + def_of('f', '(C(x) * 3.0).a * x'), code('C.__mul__', MUL)),
    'operator': (C + def_of('f', '(C(x) * 3.0).a * x'), bound('C.__mul__', MUL)),
    'code of __call__': (C + def_of('f', 'C(x)(2.0) * x'), code('C.__call__', CALL)),
    '__call__': (C + def_of('f', 'C(x)(2.0) * x'), bound('C.__call__', CALL)),
    'class': (C + def_of('f', 'C(x).area(2.0) * x'), bound('C', C3)),
    'class used by a callee': (C + def_of('g', 'C(x).area(2.0)') + F, bound('C', C3)),
}
ORDERS = {        # (whether it is of second order, derivative of f -> function of x)
    'reverse': (False, tangent.grad),
    'forward': (False, lambda f: (lambda push: lambda x: push(x, dx=1.0))(tangent.jvp(f))),
    'second': (True, lambda f: tangent.grad(tangent.grad(f))),
}
MATRIX = 'code', 'code of a callee', 'code with another parameter', 'defaults', 'cell', 'method', 'class used by a callee'


@pytest.fixture(autouse=True)
def modules():
    for name, text in (('mod_a', G), ('mod_b', G3)):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(vars(define(text)))
    yield
    del sys.modules['mod_a'], sys.modules['mod_b']


def difference(f, x, second):
    h = 1e-3 if second else 1e-5
    return (f(x + h) - 2 * f(x) + f(x - h)) / h ** 2 if second else (f(x + h) - f(x - h)) / (2 * h)


@pytest.mark.parametrize('k', range(len(CHANGES)), ids=[*CHANGES])
def test_a_derivative_follows(k, in_turn):
    """In reverse mode, and in forward mode or twice in turn."""
    name = [*CHANGES][k]
    text, change = CHANGES[name]
    space = vars(define(text))
    f = space['f']
    held = {key: (ORDERS[key][0], ORDERS[key][1](f)) for key in ['reverse', *in_turn(['forward', 'second'], k)]}
    if name in MATRIX:
        held['hessian'] = True, tangent.hessian(f)
    fresh = tangent.grad(f)                                       # never called before
    for key, (second, df) in held.items():
        for _ in range(3 if key == 'reverse' else 1):             # the third call has a text for these kinds
            assert df(0.7) == pytest.approx(difference(f, 0.7, second), rel=1e-4)
    before = [difference(f, 0.7, second) for second in (False, True)]
    change(space)
    assert before != pytest.approx([difference(f, 0.7, second) for second in (False, True)], rel=1e-2)
    assert fresh(0.7) == pytest.approx(difference(f, 0.7, False), rel=1e-4)
    for key, (second, df) in held.items():
        if key == 'forward' and name == 'code with another name':
            continue                                              # its tangent has another name, too
        for _ in range(3 if key == 'reverse' else 1):
            assert df(0.7) == pytest.approx(difference(f, 0.7, second), rel=1e-4)


def test_a_module_reloaded(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)
    path = tmp_path / 'tangent_reloaded.py'
    path.write_text(H + G.replace('x * x', 'h(x)'))
    import tangent_reloaded as mod
    space = vars(define('import tangent_reloaded as mod\n' + def_of('f', 'mod.g(x) * x')))
    df, push, dg = tangent.grad(space['f']), tangent.jvp(space['f']), tangent.grad(mod.g)
    assert df(2.0) == 12.0 and push(2.0, 1.0) == 12.0 and dg(2.0) == 4.0
    path.write_text('# another first line\n' + H3 + G.replace('x * x', 'h(x)'))
    importlib.reload(mod)
    assert [df(2.0) for _ in range(3)] == [32.0] * 3 and push(2.0, 1.0) == 32.0
    assert dg(2.0) == 12.0                                       # the old `g` calls the new `h`: they share the module
    del sys.modules['tangent_reloaded']


def test_what_is_learnt_of_a_class_is_learnt_again():
    """A function that is differentiated for the first time after a class has changed."""
    space = vars(define(C))
    first, second = define(def_of('f', 'p.area(2.0)', 'p')).f, define(def_of('f', 'p.area(2.0) * 2.0', 'p')).f
    assert tangent.grad(first)(space['C'](3.0)).a == 12.0
    space['C'].area = define(AREA.format('C')).C.area
    assert tangent.grad(second)(space['C'](3.0)).a == 2 * 2.0 * 27.0
    space['C'].area = property(lambda self: lambda k: self.a * k)
    assert first(space['C'](3.0)) == 6.0


def test_methods_made_by_one_maker():
    space = define('import math\n' + 'def maker(g):\n    def call(self, x):\n        return g(x) * x\n    return call\n'
                   'class A:\n    area = maker(math.exp)\nclass B:\n    area = maker(math.sin)\n'
                   + def_of('f', 'o.area(x) * x', 'o, x'))
    df, push = tangent.grad(space.f, wrt='x'), tangent.jvp(space.f, wrt='x')
    for _ in range(3):
        for kind in (space.A, space.B):
            expected = difference(functools.partial(space.f, kind()), 0.7, False)
            assert df(kind(), 0.7) == pytest.approx(expected, rel=1e-6) == push(kind(), 0.7, 1.0)


def test_objects_made_anew_in_a_loop_need_no_other_text():
    space = define('class Net:\n    def __init__(self, w):\n        self.w = w\n    def __call__(self, x):\n        return self.w * x * x\n'
                   'NET = Net(1.0)\ndef f(x):\n    return NET(x)\n')
    df = tangent.grad(space.f)
    plain = set()
    for k in range(5):
        space.NET = space.Net(float(k))
        assert df(2.0) == 4.0 * k
        plain.add(df.plain)
    assert len(plain) == 1


def test_a_text_is_not_made_anew_without_need():
    space = define(C + G + def_of('f', 'C(g(x)).area(2.0)'))
    df = tangent.grad(space.f)
    plain = [df(0.7) and df.plain for _ in range(4)]
    assert all(made is plain[0] for made in plain)
