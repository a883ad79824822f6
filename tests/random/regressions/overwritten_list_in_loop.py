# ruff: noqa: B007
ARGS = ([-0.481, 0.31, 0.591],)
WRT = (0,)
ANALYTIC = False


def f(y):
    for i, e in enumerate([0.438, 1.279, 1.152]):
        y = [e, 1] + [e]
    return sum(y)
