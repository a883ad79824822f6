"""Ordinary programs in both forms of reverse mode: where a class with operators takes part the log form is made."""
import inspect
import re

import numpy as np
import pytest

import tangent
from tangent.analysis.kinds.participants import RUNNING
from tests.corpora import both_forms
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])
NAMES = [name for name, f in vars(both_forms).items() if inspect.isfunction(f) and list(inspect.signature(f).parameters) == ['x']
         and f not in both_forms.REFUSED]


class Bystander:
    def __add__(self, other):
        return other

    __mul__ = __getitem__ = __add__


def plain(derivative):
    return derivative


def beside_a_class(derivative):
    """The derivative as it is called for objects of a class."""
    classes = frozenset([Bystander])

    def call(*args):
        RUNNING.classes = classes
        try:
            return derivative.variants.of(classes)(*args)
        finally:
            RUNNING.classes = frozenset()
    return call


@pytest.mark.filterwarnings('ignore:Arrays of 2-dimensional vectors')
@pytest.mark.parametrize('name', NAMES)
def test_right(name):
    f = getattr(both_forms, name)
    right = differences(f, (X,), (0,))[0]
    for form in plain, beside_a_class:
        np.testing.assert_allclose(form(tangent.grad(f))(X), right, atol=1e-6)
        if f not in both_forms.ONLY_REVERSE:
            push = form(tangent.jvp(f))
            np.testing.assert_allclose([push(X, e) for e in np.eye(3)], right, atol=1e-6)


@pytest.mark.parametrize('f', both_forms.REFUSED)
def test_refused_with_the_line_or_right(f):
    for form in plain, beside_a_class:
        try:
            found = form(tangent.grad(f))(X)
        except tangent.TangentError as error:
            assert re.match(r'both_forms.py:\d+: ', str(error)) and both_forms.REFUSED[f] in str(error)
        else:
            np.testing.assert_allclose(found, differences(f, (X,), (0,))[0], atol=1e-6)


def test_functions_that_stand_for_others_are_meant_when_those_are_differentiated():
    """`numpy.kaiser` was differentiated through its own source, which divides 0 by 0 at both ends."""
    np.testing.assert_allclose(tangent.jvp(np.kaiser, wrt=(1,))(7, 2.0, 1.0),
                               (np.kaiser(7, 2 + 1e-6) - np.kaiser(7, 2 - 1e-6)) / 2e-6, atol=1e-6)
