# ruff: noqa: B007
ARGS = ([0.415, 1.675, -1.47], {'a': 0.5, 'b': 2.0})
WRT = (0, 1)
ANALYTIC = False


def f(w, d):
    for i in range(0, 5, 2):
        if d['a'] > 0:
            if i > 1:
                return sum(w) * d['a']
    return sum(w) * d['b']
