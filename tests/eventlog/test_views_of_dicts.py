"""Read-only views of dicts, as fields of dataclasses have for their `metadata`: what they show has no derivative, or is refused."""
import dataclasses
import types

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


def checked(value, kinds):
    if not isinstance(value, kinds):
        raise TypeError
    return value * 2


@dataclasses.dataclass
class Inputs:
    first: float = dataclasses.field(default=None, metadata={'types': (float, int)})
    second: float = dataclasses.field(default=None, metadata={'allowed': (float,)})

    def __post_init__(self):
        for f in dataclasses.fields(self):
            shown = f.metadata
            if not shown:
                continue
            value = getattr(self, f.name)
            kinds = shown.get('types')
            if kinds:
                setattr(self, f.name, checked(value, kinds))
                continue
            allowed = shown.get('allowed')
            if allowed:
                setattr(self, f.name, checked(value, allowed) * value)


def checked_by_metadata(x):
    made = Inputs(x[0], x[1])
    return made.first * made.second


class Table:
    def __init__(self, x):
        self.x, self.names = x, types.MappingProxyType({1: 'low', 2: 'high'})

    def name(self):
        return dict(self.names)[2], self.names.get(3, self.x)


def shown_as_a_dict(x):
    name, value = Table(x[0] * x[1]).name()
    return value * len(name)


@pytest.mark.parametrize('f', [checked_by_metadata, shown_as_a_dict])
def test_right(f):
    wanted = differences(f, (X,), (0,))[0]
    np.testing.assert_allclose(tangent.grad(f)(X), wanted, atol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f)(X, X), wanted @ X, atol=1e-6)


class Shown:
    def __init__(self):
        self.held = {'a': 1.0}
        self.shown = types.MappingProxyType(self.held)


def by_get(x):
    s = Shown()
    s.held['a'] = x[0] * x[1]
    return s.shown.get('a') * x[0]


def by_index(x):
    s = Shown()
    s.held['a'] = x[0] * x[1]
    return s.shown['a'] * x[0]


def by_values(x):
    s = Shown()
    s.held['a'] = x[0] * x[1]
    return sum(s.shown.values()) * x[0]


@pytest.mark.parametrize('f', [by_get, by_index, by_values])
def test_refused(f):
    for df in tangent.grad(f), lambda x: tangent.jvp(f)(x, x):
        with pytest.raises(tangent.errors.TangentError, match='test_views_of_dicts'):
            df(X)
