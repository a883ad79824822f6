"""What code of classes does where no call of it stands, and derivatives do not follow: refused, with the line, once wrong."""
import numpy as np
import pytest

import tangent

X = np.array([0.7, 1.3, 0.4])
REGISTRY = []


class Registered:
    MADE = []

    def __init__(self, v):
        self.v = v
        REGISTRY.append(self)
        Registered.MADE.append(self)

    def __lt__(self, other):
        return False


def one_by_one(x):
    Registered(x[0] * x[1])
    return REGISTRY[-1].v * x[2]


def in_a_comprehension(x):
    made = [Registered(v) for v in x]
    return Registered.MADE[-1].v * len(made)


def by_map(x):
    made = list(map(Registered, x))
    return REGISTRY[-1].v * len(made)


def by_key(x):
    sorted([x[0], x[1]], key=Registered)
    return REGISTRY[-1].v * REGISTRY[-2].v


@pytest.mark.parametrize('f', [one_by_one, in_a_comprehension, by_map, by_key])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_what_registers_itself(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match=r'test_refused_classes.py:\d+: .*(kept outside|write into)'):
        derivative(f)(X, *([np.ones(3)] if derivative is tangent.jvp else []))
