ARGS = (0.7, [0.3, 0.1])
WRT = (0, 1)
ANALYTIC = True


def f(w, u):
    total = [1.5, w] + [1.0] + u
    return sum(total) * total[1] + total[4]
