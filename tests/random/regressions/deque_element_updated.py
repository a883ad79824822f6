import collections

ARGS = (1.549, 0.3)
WRT = (0, 1)
ANALYTIC = False


def f(x, y):
    recent = collections.deque([x, y])
    recent[0] += y * 0.5
    recent[1] *= x
    return recent[0] * recent[1]
