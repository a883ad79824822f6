"""The example of the front page."""
import numpy


def f(x, w):
    return numpy.tanh(w * x) - x


ARGS = 0.7, 1.3
WRT = 'x',


# --- normal
def f(x, w):
    t = w * x
    t2 = numpy.tanh(t)
    t3 = t2 - x
    return t3


# --- reverse
def dfdx(x, w, bf=1.0):
    t = w * x
    t2 = numpy.tanh(t)
    t3 = t2 - x

    bf = check_dims(t3, bf, x)
    # Grad of: return numpy.tanh(w * x) - x
    bt = bf * (1 - t2 * t2)
    bx = -bf + bt * w
    return bx


# --- optimized
def dfdx(x, w, bf=1.0):
    t = numpy.tanh(w * x)
    bf = check_dims(t - x, bf, x)
    # Grad of: return numpy.tanh(w * x) - x
    return bf * (1 - t * t) * w - bf
