# ruff: noqa: B007
ARGS = ([0.483, 0.408, 0.56], 1.2)
WRT = (1, 0)
ANALYTIC = False


def f(value, u):
    for e, i in zip([0.435, 1.392, 1.614], range(2)):
        return sum(value) * u
    return u
