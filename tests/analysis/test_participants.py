"""Which classes take part: those that values hold or names denote, not those that are but asked for."""
import sys
import types

import numpy as np

import tangent
from tangent.analysis.kinds.participants import taking_part

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
