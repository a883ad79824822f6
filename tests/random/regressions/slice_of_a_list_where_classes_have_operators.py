"""A slice of a list is a list of its own, also where `operator.getitem` takes it."""
import numpy as np


class Box:
    def __init__(self, a):
        self.a = a

    def __add__(self, other):
        return Box(self.a + other.a)

    def __getitem__(self, k):
        return self.a[k]


ARGS = (0.465, np.array([-0.667, 0.679, -0.529]))
WRT = (0,)
ANALYTIC = False


def f(value, x):
    box = Box(value)
    both = box + box
    xs = [value, value * 2.0]
    s = xs[:3]
    s[0] = s[0] * s[1]
    return sum(s) + both.a * xs[0]
