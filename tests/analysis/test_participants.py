"""Which classes take part: those that values hold or names denote, not those that are but asked for."""
import sys
import threading
import types

import numpy as np
import pytest

import tangent
from tangent.analysis.kinds.classes import Far, own
from tangent.analysis.kinds.participants import MOST, Overridden, taking_part
from tangent.frontend.dependencies import noting

TEXT = '''
import collections.abc
import numpy as np


class Vec:
    def __mul__(self, other):
        return 3.0


def scaled(v):
    if isinstance(v, collections.abc.KeysView):
        return v
    return np.sin(v)
'''


def test_what_stands_in_the_place_of_a_module(monkeypatch, tmp_path):
    """Packages put an object there, to tell of names that they have given up: its attributes are those of the module."""
    (tmp_path / 'given_up.py').write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    import given_up as module

    class Stand:
        def __getattr__(self, name):
            return getattr(module, name)
    stand = Stand()
    monkeypatch.setitem(sys.modules, 'given_up', stand)

    def f(x):
        return np.sum(stand.scaled(x) * 2.0)
    x = np.array([0.3, 0.7])
    assert isinstance(module, types.ModuleType) and not taking_part([f])
    assert '_grads' not in tangent.source(tangent.grad(f))
    np.testing.assert_allclose(tangent.grad(f)(x), 2 * np.cos(x))


def test_attributes_that_are_keys():
    """A dict whose `__getattr__` is `__getitem__` raises KeyError for what it has not: nobody asks it here."""
    class Keys(dict):
        __getattr__ = dict.__getitem__
    p = Keys(a=2.0)

    def f(x):
        return p.a * np.sum(x * p['a'])
    np.testing.assert_allclose(tangent.grad(f)(np.ones(2)), [4.0, 4.0])


class Missing:
    """Stands for a module that could not be imported, as packages put it there."""

    def __getattribute__(self, name):
        if name == '__class__':
            return type(None)
        raise ModuleNotFoundError('No module named plotting')


missing = Missing()


def drawn_or(x, draw=False):
    return missing.plot(x) if draw else x * x


def test_modules_that_are_missing():
    np.testing.assert_allclose(tangent.grad(drawn_or)(0.3), 0.6)
    np.testing.assert_allclose(tangent.autodiff(drawn_or, mode='forward')(0.3, False, 1.0), 0.6)
    with pytest.raises(ModuleNotFoundError):
        tangent.grad(drawn_or)(0.3, True)


def test_classes_that_are_looked_at_have_not_changed():
    """Python puts `__annotations__` into a class when somebody asks for them."""
    class Counted:
        def __mul__(self, other):
            return other * other
    with noting() as notes:
        taking_part([Counted])
        own(Counted)
    assert not notes.moved(whole=True)


class Painter:
    """Means something else by `*`."""

    def __init__(self, v):
        self.v = v

    def __mul__(self, other):
        return self.v + other


class Pose:
    def __init__(self, x):
        self.x = x

    def length(self):
        return np.sqrt(self.x ** 2 + 1)

    def plot(self):
        return Painter(self.x) * 3.0


class Shown:
    def shown(self, pose):
        return pose.plot()


class Task(threading.Thread):
    def run(self):
        self.found = Painter(2.0) * 3.0


def test_methods_that_nobody_reads():
    """A class takes part with the methods whose names are read, from wherever they are: `plot` names a class that draws."""
    def f(x):
        return Pose(x).length()

    def drawn(x):
        return Pose(x).plot()

    def by_text(x):
        return getattr(Pose(x), 'pl' + 'ot')()

    def handed(x, by):
        return by.shown(Pose(x))
    assert taking_part([f]) == {Pose} and taking_part([drawn]) == {Pose, Painter} == taking_part([by_text])
    assert taking_part([handed]) == {Pose} and taking_part([handed], taking_part([Shown()])) == {Pose, Painter, Shown}
    assert taking_part([Task]) == {Task, Painter}                    # Python calls `run`
    for g, value in (f, 0.3 / np.sqrt(1.09)), (drawn, 1.0), (by_text, 1.0):
        np.testing.assert_allclose(tangent.grad(g)(0.3), value)
    np.testing.assert_allclose(tangent.grad(handed)(0.3, Shown()), 1.0)


def test_more_classes_than_anybody_reads(monkeypatch, tmp_path):
    """Those that are met far away are not read; what they mean by operators is asked while running."""
    one = 'class C{0}:\n    @staticmethod\n    def last():\n        return C{1}.last()\n\n\n'
    end = """class C{0}:
    def __init__(self, v):
        self.v = v

    @classmethod
    def last(cls):
        return cls

    def __mul__(self, other):
        return self.v + other * other
"""
    (tmp_path / 'chain.py').write_text(''.join(one.format(k, k + 1) for k in range(MOST + 30)) + end.format(MOST + 30))
    monkeypatch.syspath_prepend(tmp_path)
    import chain

    def f(x):
        return chain.C0.last()(x) * x
    found = taking_part([f])
    assert Far in found and Overridden in found and len(found) <= MOST + 3
    np.testing.assert_allclose(tangent.grad(f)(0.3), 1.6)
    np.testing.assert_allclose(tangent.autodiff(f, mode='forward')(0.3, 1.0), 1.6)


class Acting:
    """Whose operators write."""
    def __init__(self):
        self.log = [1.0]

    def __iadd__(self, v):
        self.log[-1] += v * v
        return self

    def __mul__(self, v):
        self.log[-1] += v ** 3
        return self


def acted(x):
    t = Acting()
    t += x[0]
    t * x[1]
    return t.log[0] * x[1]


class Layered:
    def __init__(self):
        self.step = tangent.checkpoint(acted)

    def loss(self, x):
        return self.step(x)


CHECKED, MAPPED, STEPS, PARTLY = tangent.checkpoint(acted), tangent.vmap(acted), [tangent.checkpoint(acted)], Layered()
PULLED, SLOPED = tangent.make_vjp(acted), tangent.grad(tangent.checkpoint(acted))
AROUND = {'checkpoint': lambda x: CHECKED(x), 'vmap': lambda x: np.sum(MAPPED(np.stack([x, 2 * x]))),
          'make_vjp': lambda x: np.sum(PULLED(x)[0](x[0])), 'found running': lambda x: STEPS[0](x),
          'of an object': lambda x: PARTLY.loss(x), 'gradient': lambda x: np.sum(SLOPED(x)),
          'made inside': lambda x: tangent.checkpoint(acted)(x)}


@pytest.mark.parametrize('name', AROUND)
def test_what_is_around_a_function_names_what_it_names(name):
    """`checkpoint(f)`, `vmap(f)` and their like: what takes part in `f` does, where nothing else names it."""
    assert Acting in taking_part([CHECKED]) & taking_part([MAPPED]) & taking_part([PULLED])
    f, x, d = AROUND[name], np.array([0.7, 1.3]), np.array([0.5, -2.0])
    slope = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(tangent.jvp(f)(x, d), slope @ d, rtol=1e-6)
    if name in ('found running', 'of an object'):           # whose operators may write into x, as far as is known then
        with pytest.raises(tangent.errors.AliasError):
            tangent.grad(f)(x)
    elif name != 'made inside':
        np.testing.assert_allclose(tangent.grad(f)(x), slope, rtol=1e-6)
