# ruff: noqa: B007
ARGS = (1.283, 0.4)
WRT = (1, 0)
ANALYTIC = False


def f(x, y):
    if x > 0:
        for j in range(1, 4):
            x = sum([1.168 * y, x, 1.351])
            break
    return x
