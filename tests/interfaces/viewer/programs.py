"""Functions to look at: each asks something of the viewer that the others do not."""
import math

import numpy as np


def half(v):
    # a half
    return 0.5 * v


def loop(x, w):
    """Steps </script> & <b>."""
    for _ in range(3):
        if np.sum(x) > 0:
            x = np.tanh(w * x)      # a layer
    return np.sum(half(x) ** 2)


def until(x):
    y = x
    while np.sum(y) < 10.0:
        y = y * y + 1.0
    return np.sum(y)


def nested(x, w):
    def inner(z):
        return z * w
    return np.sum(inner(x)) + math.sin(w)


def maker(k):
    def captured(x):
        return k * np.sum(x * x)
    return captured


def noted(x):
    ys = []
    try:
        for i in range(3):
            ys.append(x * i)
            if i > 5:
                raise ValueError
    except ValueError:
        return x
    return ys[1] * x


def recursive(x, n=3):
    if n == 0:
        return x
    return np.sin(recursive(x, n - 1)) * x


def given(x, act):
    y = act(x)
    return np.sum(y * act(y))


def pair(a, b, c=2.0):
    return np.sum(a @ b) * c


def texts(x):
    """Three
    lines '''of''' "text" \\d
    """
    s = '''two
    lines'''
    return x * len(s)


def starred(x, *args, k=2.0, **keywords):
    for a in args:
        x = x * a
    return x * k


def over_lines(x,
               w=2.0,
               ):
    if (np.sum(x) > 0 and
            w > 0):
        # squares
        return np.sum(x *
                      x
                      * w)
    return w


def folded(x, w=3.0):
    y = x * w
    return y ** 2


def cubed(x, w=2.0):
    y = np.sin(x) * w
    z = y ** 3
    return np.sum(z)


def elements(x):
    return np.sin(x) * x


def of_complex(z):
    return np.abs(z * (1 + 2j)) ** 2


class Model:
    def __init__(self):
        self.w = np.ones(3)

    def forward(self, x):
        return np.tanh(x * self.w)

    def loss(self, x):
        return np.sum(self.forward(x) ** 2)


def of_model(model, x):
    return np.mean(model.forward(x) ** 2)
