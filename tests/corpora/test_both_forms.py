"""Ordinary programs in both forms of reverse mode: a class with operators in the same module asks for the log form."""
import importlib.util
import inspect
import re

import numpy as np
import pytest

import tangent
from tests.corpora import both_forms
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])
NAMES = [name for name, f in vars(both_forms).items() if inspect.isfunction(f) and list(inspect.signature(f).parameters) == ['x']
         and f not in both_forms.REFUSED]
BYSTANDER = '\n\nclass Bystander:\n    def __add__(self, other):\n        return other\n\n    __mul__ = __getitem__ = __add__\n'


@pytest.fixture(scope='module')
def logged(tmp_path_factory):
    """The module with a class beside."""
    path = tmp_path_factory.mktemp('both') / 'beside_a_class.py'
    path.write_text(inspect.getsource(both_forms) + BYSTANDER)
    spec = importlib.util.spec_from_file_location('beside_a_class', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings('ignore:Arrays of 2-dimensional vectors')
@pytest.mark.parametrize('name', NAMES)
def test_right(name, logged):
    f = getattr(both_forms, name)
    right = differences(f, (X,), (0,))[0]
    for program in f, getattr(logged, name):
        np.testing.assert_allclose(tangent.grad(program)(X), right, atol=1e-6)
        if f not in both_forms.ONLY_REVERSE:
            np.testing.assert_allclose([tangent.jvp(program)(X, e) for e in np.eye(3)], right, atol=1e-6)


@pytest.mark.parametrize('f', both_forms.REFUSED)
def test_refused_with_the_line_or_right(f, logged):
    for program in f, getattr(logged, f.__name__):
        try:
            found = tangent.grad(program)(X)
        except tangent.TangentError as error:
            assert re.match(r'(both_forms|beside_a_class).py:\d+: ', str(error)) and both_forms.REFUSED[f] in str(error)
        else:
            np.testing.assert_allclose(found, differences(f, (X,), (0,))[0], atol=1e-6)


def test_functions_that_stand_for_others_are_meant_when_those_are_differentiated():
    """`numpy.kaiser` was differentiated through its own source, which divides 0 by 0 at both ends."""
    np.testing.assert_allclose(tangent.jvp(np.kaiser, wrt=(1,))(7, 2.0, 1.0),
                               (np.kaiser(7, 2 + 1e-6) - np.kaiser(7, 2 - 1e-6)) / 2e-6, atol=1e-6)
