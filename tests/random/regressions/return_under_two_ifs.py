# ruff: noqa: B007
ARGS = (1.503, 1.383)
WRT = (1,)
ANALYTIC = False


def f(x, u):
    if x > 0:
        if x > 9:
            return 1.5 * u
    return 2.5 * u
