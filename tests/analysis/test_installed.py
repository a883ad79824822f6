"""Classes of installed packages are like those of the user's, however a function names them."""
import importlib
import sys

import numpy as np
import pytest

import tangent
from tangent.analysis.kinds import forms
from tests.tools.texts import define

PACKAGE = """
class Filter:
    def __init__(self):
        self.x, self.known = 1.0, None

    def update(self, z):
        self.known = None
        self.x = self.x + z * z

    @property
    def energy(self):
        if self.known is None:
            self.known = self.x * self.x
        return self.known

    def __matmul__(self, z):
        self.x = self.x * z
        return self


class Plain:
    def __init__(self, x):
        self.x = x
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package with a module in it, as pip puts them down."""
    folder = tmp_path / 'site-packages' / 'some_package'
    folder.mkdir(parents=True)
    (folder / '__init__.py').write_text('')
    (folder / 'filters.py').write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path / 'site-packages')
    module = importlib.import_module('some_package.filters')
    yield sys.modules['some_package'], module
    del sys.modules['some_package'], sys.modules['some_package.filters']


@pytest.mark.parametrize('name', ['Filter', 'filters.Filter', 'some_package.filters.Filter'])
def test_methods_and_properties(installed, name):
    """`update` was taken for that of dicts, the property for an attribute: forward mode refused, reverse mode gave zero."""
    package, module = installed
    f = define(f'''
def f(x):
    o = {name}()
    o.update(x)
    o.update(2.0 * x)
    o @ x
    return o.energy
''', some_package=package, filters=module, Filter=module.Filter, np=np).f
    x = 0.7
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    assert tangent.grad(f)(x) == pytest.approx(slope) and tangent.jvp(f)(x, 1.0) == pytest.approx(slope)


def test_forms_that_contradict_themselves():
    """A function of two forms, one in the branch for numbers, kept the solver going for ever."""
    relations = forms.Relations()
    x = relations.form()
    several = relations.several(x)
    relations.one(several, x)
    with pytest.raises(forms.Contradiction):
        relations.solve([x])

