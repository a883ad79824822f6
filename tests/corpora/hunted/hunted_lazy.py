"""Functions for `tests/corpora/test_hunted.py` with calls that Python makes only where it comes to them: comparisons in a row,
messages of assertions."""
import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4])


class Box:
    pass


def boxed(p):
    box = Box()
    box.p = p
    return box


def doubled(box):
    box.p = box.p * 2
    return box.p


def taken(box, test):
    return box.p * (2 if test else 3)


@found(V, mixes=('f',))
def last_of_comparisons_that_is_not_reached(v):
    n = [0]

    def note():
        n[0] = v[0] * v[1]
        return 9.0
    if 5 < v[0] < note():
        pass
    return n[0] + v[2] * v[0]


@found(V, mixes=('f',))
def comparisons_in_tests_of_loops(v):
    box = boxed(v[0])
    while 5 < v[1] < doubled(box):
        pass
    while 0.1 < box.p < doubled(box) < 4:
        box.p = box.p * v[1]
    return box.p * v[2]


@found(V, mixes=('f',))
def comparisons_in_arguments_and_operands(v):
    box = boxed(v[0])
    y = taken(box, 5 < v[0] < doubled(box)) * v[1] + (5 < v[0] < doubled(box)) * 2
    return y + [box.p, 0.1 < box.p < doubled(box), box.p][2] + box.p * (0.1 < v[0] < 0.2 < doubled(box))


@found(V, mixes=('f',))
def comparisons_where_a_value_is_read_before(v):
    box = boxed(v[0])
    a = [doubled(box), box.p, 5 < box.p < doubled(box), box.p]
    b = [doubled(box), box.p, box.p > 9 and doubled(box) > 0, doubled(box) if box.p > 9 else 3, box.p]
    return a[0] * a[1] * a[3] * v[1] + b[0] * b[1] * b[4]


@found(V, mixes=('f',))
def comparisons_in_comprehensions_and_choices(v):
    box = boxed(v[0])
    a = [e * box.p for e in v if 0.5 < e < doubled(box)]
    b = [e for e in v if 5 < e < doubled(box)]
    c = 2.0 if 0 < v[1] < doubled(box) < doubled(box) else 3.0
    return sum(a) * c * box.p + len(b) + any(5 < e < doubled(box) for e in v) * box.p


@found(V, mixes=('f',))
def comparisons_whose_links_are_all_calls(v):
    seen = []

    def shown(e):
        seen.append(e)
        return e
    test = shown(v[0]) < shown(v[1]) > shown(v[2]) > shown(v[0]) > shown(v[1])
    y = 1 + test
    for e in seen:
        y = y * e
    return y * seen[-1]


@found(V, mixes=('f',))
def pops_and_walruses_that_are_not_reached(v):
    xs, y = [v[0], v[1], v[2]], 0.0
    if v[0] > 5 > xs.pop():
        y = 1.0
    if 5 < v[0] < (y := v[1] * v[1]):
        pass
    if 0 < v[0] < (y := v[1] * v[2]) < (z := xs.pop()):
        y = y + z
    return y * xs[-1] + len(xs)


@found(V, mixes=('f',))
def keys_and_values_of_a_display_in_turns(v):
    box = boxed(v[0])
    box.n = 0

    def counted():
        box.n += 1
        box.p = box.p * v[box.n]
        return box.p
    table = {box.n: counted(), box.n + 10: counted()}
    return table[0] * table[11] * box.p


@found(V, mixes=('f',))
def messages_of_assertions_that_hold(v):
    box = boxed(v[0])
    xs = [v[0], v[1]]
    assert v[0] > 0, doubled(box)
    assert len(xs) == 2, xs.pop()
    assert v[0] > 5 or doubled(box), f'{doubled(box)}'
    assert box.p < 5, [doubled(box) for _ in range(3)]
    return box.p * xs[-1]


@found(V, mixes=('f',))
def message_of_an_assertion_that_fails(v):
    box = boxed(v[0])
    try:
        assert box.p > 5, str(doubled(box))
    except AssertionError:
        return box.p * v[1]
    return box.p
