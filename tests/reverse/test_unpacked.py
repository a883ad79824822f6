"""What a function gives and its caller unpacks: an array or a tuple, which its text may not say."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close, differences

X = np.array([1.0, 2.0, 3.0])


def turned(a):
    return a.T


def turned_or_not(a):
    if a.ndim <= 2:
        return a.T
    return np.transpose(a, [1, 0, 2])


def copied(a):
    b = a.copy()
    b[0] = 1.0 * a[0]
    return b


def itself(a):
    return a


def one_by_one(a):
    return a[0], a[1], a[2]


def as_list(a):
    return [a[0], a[1], a[2]]


def by_another(a):
    return one_by_one(a)


class Maker:
    def turned(self, a):
        return a.T

    def apart(self, a):
        return a[0], a[1], a[2]


def known(v):
    x, y, z = turned(v)
    return x * y + z


def known_branches(v):
    x, y, z = turned_or_not(v)
    return x * y + z


def known_copy(v):
    x, y, z = copied(v)
    return x * y + z


def known_itself(v):
    x, y, z = itself(v)
    return x * y + z


def itself_and_whole(v):
    t = itself(v)
    x, y, z = t
    return x * y + z + 0.0 * np.sum(t * t)


def of_parts(v):
    x, y, z = itself((v[0], v[1], v[2]))
    return x * y + z


def of_nested_parts(v):
    (x, y), z = itself(((v[0], v[1]), v[2]))
    return x * y + z


def one_not_used(v):
    x, _, z = by_another(v)
    return x * v[1] + z


def given(v, f):
    x, y, z = f(v)
    return x * y + z


def with_rest(v, f):
    x, *rest = f(v)
    return x * rest[0] + rest[1]


def of_method(v, maker):
    x, y, z = maker.turned(v)
    return x * y + z


def of_method_of_parts(v, maker):
    x, y, z = maker.apart(v)
    return x * y + z


def three(a, b, c):
    return a * b + c


def by_star(v):
    return three(*turned(v))


def by_star_itself(v):
    return three(*itself(v))


def by_star_of_product(v):
    return three(v[0], *(v[1:] * 1.0))


def by_star_given(v, f):
    return three(*f(v))


def twice(a, b, c):
    return a * np.sum(b) + np.sum(c * c)


def rows_by_star(v):
    return twice(*turned(np.outer(v, v)))[0]


KNOWN = [by_star, by_star_itself, by_star_of_product, known, known_branches, known_copy, known_itself, itself_and_whole, of_parts, of_nested_parts, one_not_used]
CALLED = [turned, itself, one_by_one, as_list, by_another]
CASES = [*((f, ()) for f in KNOWN), *((f, (g,)) for f in (given, with_rest, by_star_given) for g in CALLED),
         (of_method, (Maker(),)), (of_method_of_parts, (Maker(),))]


@pytest.mark.parametrize('options', [{}, {'optimized': False}])
@pytest.mark.parametrize('f, more', CASES)
def test_arrays_and_tuples_are_unpacked(f, more, options):
    df = tangent.grad(f, **options)
    for _ in range(4):
        gradient = df(X.copy(), *more)
        assert type(gradient) is np.ndarray
        assert_close(gradient, np.array([2.0, 1.0, 1.0]))


@pytest.mark.parametrize('f, more', CASES)
def test_their_second_order(f, more):
    assert_close(tangent.hessian(f)(X.copy(), *more), np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]]))


def test_rows_by_a_star():
    for _ in range(4):
        assert_close(tangent.grad(rows_by_star)(X.copy()), differences(rows_by_star, (X,), (0,), 1.0)[0])
