"""Programs in whose module a class has operators: in some its objects come where these stand, in others they do not."""

import collections
import contextlib
import copy
import functools
import operator
import sys

import numpy as np

REG = []
TABLE = {}


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vec(self.x * k * 3, self.y * k)

    __rmul__ = __mul__

    def __getitem__(self, i):
        return (self.x * 5, self.y)[i]

    def __iter__(self):
        return iter((self.x * 7, self.y))

    def __len__(self):
        return 5

    @property
    def norm(self):
        return self.x * self.x

    def scaled(self, k):
        return Vec(self.x * k, self.y)


class Reg(Vec):
    def __init__(self, x, y):
        super().__init__(x, y)
        REG.append(self)


class Rec:
    def __init__(self, v):
        self.v = v


class Carry(Exception):
    def __init__(self, v):
        self.v = v


Vec.unit = Vec(1.0, 2.0)
ONES = [Vec(1.0, 1.0)]
NAMED = {'a': Vec(2.0, 1.0)}


def make(x):
    return Vec(x, x)


def maker(x):
    return make(x)


def fill(xs):
    xs.append(Vec(1.0, 2.0))


def fill2(xs, x):
    xs.append(x)
    xs[0] = maker(x)


def ident(x):
    return x


def isv(x):
    return x.norm if isinstance(x, Vec) else x * 3


def dflt(x, v=Vec(1.5, 2.0)):  # noqa: B008
    return (v * x).x


def kwd(x, *, v=Vec(1.5, 2.0)):  # noqa: B008
    return (v * x).x


def apply(f, x):
    return f(x)


def gen(x):
    yield Vec(x, x)


@contextlib.contextmanager
def ctx(x):
    yield Vec(x, 1.0)


def sets(d, x):
    d['v'] = Vec(x, x)


def through(d):
    return d['v']


def stash(x):
    TABLE['v'] = Vec(x, 1.0)


def last():
    return REG[-1]


def registry(x):
    Reg(1.0, 2.0)
    w = last()
    w.x = x
    y = w * 2
    return y.x


def registry2(x):
    Reg(1.0, 2.0)
    w = REG[-1]
    y = w * x
    return y.x


def filled(x):
    xs = []
    fill(xs)
    v = xs[0]
    return (v * x).x


def filled2(x):
    xs = []
    ys = xs
    fill2(xs, x)
    return (ys[0] * x).x


def aliased(x):
    a = [0.0]
    b = a
    b[0] = Vec(1.0, 2.0)
    return (a[0] * x).x


def nested_alias(x):
    a = [0.0]
    c = [a]
    c[0][0] = Vec(1.0, 2.0)
    return (a[0] * x).x


def setdef(x):
    d = {}
    d.setdefault('v', Vec(x, 1.0))
    return (d['v'] * 2).x


def cell(x):
    v = Vec(x, 2.0)

    def inner(k):
        return (v * k).x

    return inner(3.0)


def cell2(x):
    v = 0.0

    def put():
        nonlocal v
        v = Vec(x, x)

    put()
    return (v * 2).x


def defaulted(x):
    return dflt(x) + kwd(x)


def record(x):
    r = Rec(make(x))
    return (r.v * 2).x


def record2(x):
    r = Rec(x)
    r.v = maker(r.v)
    return (r.v * 2).x


def passed(x):
    return (apply(make, x) * 2).x


def passed2(x):
    return (apply(maker, x) * 2)[0]


def yielded(x):
    return (next(gen(x)) * 2).x


def yielded2(x):
    t = 0.0
    for v in gen(x):
        t = t + (v * 2)[0]
    return t


def caught(x):
    try:
        raise Carry(make(x))
    except Carry as e:
        return (e.v * 2).x


def within(x):
    with ctx(x) as v:
        y = v * 2
    return y.x


def classed(x):
    return (Vec.unit * x).x


def mapped(x):
    return (list(map(make, [x]))[0] * 2).x


def reduced(x):
    return functools.reduce(lambda a, b: a + b, [make(x), make(x)]).x


def lambdas(x):
    mk = lambda t: Vec(t, t)
    return (mk(x) * 2).x


def typed(x):
    v = Vec(1.0, 1.0)
    w = type(v)(x, x)
    return (w * 2).x


def typed2(x):
    v = Vec(1.0, 1.0)
    w = v.__class__(x, x)
    return (w * 2).x


def copied(x):
    v = Vec(x, 1.0)
    w = copy.copy(v)
    return (w * 2).x


def walrus(x):
    return ((v := Vec(x, x)) * 2).x + (v * 3).x


def ops(x):
    return operator.mul(Vec(x, x), 2).x


def starred(x):
    a = [Vec(x, x), 2.0]
    return operator.mul(*a).x


def starred2(x):
    def mul(a, b):
        return a * b

    return mul(*[Vec(x, x), 2.0]).x


def glob(x):
    return (ONES[0] * x).x + (NAMED['a'] * x).x


def values(x):
    t = 0.0
    for v in NAMED.values():
        t = t + (v * x).x
    return t


def unpacked(x):
    a, b = Vec(x, 1.0)
    return a * b


def measured(x):
    return x * len(Vec(x, x))


def indexed(x):
    v = ident(Vec(x, 1.0))
    return v[0] * v[1]


def is_v(x):
    return isv(ident(Vec(x, 2.0))) * 2 + isv(x) * x


def setter(x):
    d = {}
    sets(d, x)
    return (through(d) * 2).x


def setter2(x):
    d = {}
    e = d
    sets(d, x)
    w = e['v']
    return (w * 2).x


def stashed(x):
    stash(x)
    return (TABLE['v'] * 2).x


def cond(x):
    v = x if x < -100 else Vec(x, x)
    return (v * 2).x


def looped(x):
    v = 0.0
    for k in range(3):
        if k == 0:
            v = Vec(x, x)
        else:
            v = v * 2
    return v.x


def attr_fn(x):
    return (attr_fn.v * x).x


attr_fn.v = Vec(2.0, 2.0)


def by_name(x):
    name = 'Vec'
    V = getattr(sys.modules[__name__], name)
    return (V(x, x) * 2).x


def matched(x):
    match [Vec(x, x)]:
        case [v]:
            return (v * 2).x


def deque(x):
    q = collections.deque()
    q.append(make(x))
    return (q.popleft() * 2).x


def tupled(x):
    p = (x, make(x))
    a, b = p
    return (b * a).x


def comp(x):
    return sum((v * 2).x for v in [make(x) for _ in range(3)])


def zipped(x):
    t = 0.0
    for a, v in zip([x, 2 * x], [make(x), make(x)]):
        t = t + (v * a)[0]
    return t


def iadd(x):
    v = make(x)
    v += make(2 * x)
    return v.x


def array_of(x):
    a = np.empty(2, dtype=object)
    a[0] = Vec(x, 1.0)
    return (a[0] * 2).x


def method(x):
    return make(x).scaled(x)[0]


def bound(x):
    m = make(x).scaled
    return (m(x) * 2).x


def swapped(x):
    a, b = 1.0, make(x)
    a, b = b, a
    return (a * 2).x * b


def slices(x):
    vs = [x, make(x), x]
    w = vs[1:]
    return (w[0] * w[1]).x


def starun(x):
    a, *b = [x, make(x)]
    return (b[0] * a).x


def partial(x):
    p = functools.partial(Vec, x)
    return (p(1.0) * 2).x


def sorted_(x):
    vs = sorted([make(x), make(2.0)], key=lambda v: v.x)
    return (vs[0] * 2).x


def whiled(x):
    vs = [make(x)]
    t = 0.0
    while vs:
        t = t + (vs.pop() * 2).x
    return t


def bystander(x):
    y = isv(x) * 2
    z = isv(y) + x * y
    return z * x


def bystander2(x):
    v = Vec(1.0, 2.0)
    k = v.norm
    return isv(x) * x * k


def bystander3(x):
    t = x
    for _ in range(3):
        t = isv(t) * x
    return t


def given_list(x, vs):
    return isv(vs[0]) * x


def isq(x):
    if isinstance(x, Vec):
        return (x * 2).x
    return np.sin(x)


def isqs(x):
    return isq(make(x)) + isq(x)


def isqd(x):
    return isq(make(x))


def merged(x):
    if x > 100:
        v = np.sin(x)
    else:
        v = Vec(x, x)
    return (v * 2).x


def given_object(x, v):
    return isq(v) * x


def with_namesakes(v, x):
    return of_methods(v) * x * (norm(3.0) + scaled(2.0, 3.0))


def of_methods(v):
    return v.norm + v.scaled(2.0).x


def norm(x):
    return abs(x) + 1


def scaled(x, k):
    return 10 * x * k


def afresh(function):
    REG.clear()
    TABLE.clear()
    return function


FREE = [bystander, bystander2, bystander3, given_list, given_object]
REACHED = [
    registry, registry2, filled, filled2, aliased, nested_alias, setdef, cell, cell2, defaulted, record, record2,
    passed, passed2, yielded, yielded2, caught, within, classed, mapped, reduced, lambdas, typed, typed2, copied,
    walrus, ops, starred, starred2, glob, values, unpacked, measured, indexed, is_v, setter, setter2, stashed, cond,
    looped, attr_fn, by_name, matched, deque, tupled, comp, zipped, iadd, array_of, method, bound, swapped, slices,
    starun, partial, sorted_, whiled, isqs, isqd, merged,
]
REFUSED = 'array_of ops starred starred2 unpacked stashed by_name partial isqs isqd'.split()
