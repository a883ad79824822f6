ARGS = ([0.596, 0.356, -1.402], 0.915)
WRT = (0, 1)
ANALYTIC = False


def f(value, w):
    x = 1.5 * w
    if w > 0:
        pass
    elif w > -1:
        return value[0]
    return x
