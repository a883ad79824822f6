# ruff: noqa: B007
ARGS = (-1.369,)
WRT = (0,)
ANALYTIC = True


def f(x):
    for i in range(1, 4):
        if i:
            j = 0
            while j < 1:
                j += 1
                x = x * 1.5
                continue
    return x
