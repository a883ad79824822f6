"""Functions of a number that make objects, for `test_objects`: fields that are bound anew, operators, properties, aliases."""

# ruff: noqa: B007
import math
from dataclasses import dataclass, field, replace

import numpy as np


class P:
    count = 0
    scale = 2.0

    def __init__(self, a, b=1.0):
        self.a = a
        self.b = b

    def mul(self, k):
        self.a = self.a * k
        self.count += 1
        return self.a

    def early(self, k):
        if k > 1:
            self.a = self.a * k
            return 2.0
        self.b = self.b + self.a

    def swap(self):
        self.a, self.b = self.b, self.a

    def both(self):
        return self.mul(2.0) + self.mul(3.0) * self.a

    def rec(self, n):
        if n == 0:
            return self.a
        self.a = self.a * 1.1 + self.b
        return self.rec(n - 1) * self.a

    @staticmethod
    def sq(v):
        return v * v

    @property
    def prod(self):
        return self.a * self.b

    @property
    def bumped(self):
        self.a = self.a + 1
        return self.a

    def lam(self):
        g = lambda v: v * self.a
        self.a = self.a * 3
        return g(2.0)

    def comp(self):
        return sum([self.a * v + self.prod for v in (1.0, 2.0)])

    def wr(self, v):
        self.b = v
        return v


def with_both(x):
    p = P(x)
    return p.both() * p.a


def with_early(x):
    p = P(x)
    q = p.early(2.0)
    p.early(0.5)
    return p.a * p.b * q


def with_swap(x):
    p = P(x, x * x)
    p.swap()
    p.mul(2.0)
    p.swap()
    return p.a + 3 * p.b


def with_rec(x):
    p = P(x)
    return p.rec(4) + p.a


def with_prop(x):
    p = P(x, x * 1)
    p.mul(3.0)
    return p.prod + P.sq(p.a) + p.sq(p.b) * p.scale


def with_bumped(x):
    p = P(x)
    return p.a * p.bumped * p.bumped + p.bumped


def with_lam(x):
    p = P(x)
    return p.lam()


def with_comp(x):
    p = P(x)
    p.mul(2.0)
    return p.comp() * p.a


def with_count(x):
    p = P(x)
    for i in range(4):
        p.mul(x)
    return p.a * p.count


def with_order(x):
    p = P(x)
    return p.a * p.mul(2.0) - p.mul(p.mul(1.5)) / p.a + [p.a, p.mul(3.0)][0]


def with_while(x):
    p = P(x)
    n = 0
    while p.mul(1.5) < 10:
        n += 1
        if n > 3:
            continue
        p.b = p.b + p.a
    return p.a * p.b


def with_elif(x):
    p = P(x)
    if p.a > 5:
        y = 1.0
    elif p.mul(2.0) > 1:
        y = p.a * p.a
    else:
        y = p.b
    return y * p.a


def with_loopnew(x):
    t = 0.0
    for i in range(3):
        p = P(x * i)
        p.mul(x)
        t = t + p.a * p.count
    return t


def with_try(x):
    p = P(x)
    try:
        p.mul(2.0)
        p.a = p.a * 1.5
        y = math.sqrt(-p.a)
    except ValueError:
        y = p.a
    return y * p.a


def with_try2(x):
    p = P(x)
    try:
        p.a = p.a * 1.5
        y = math.sqrt(-p.a)
    except ValueError:
        y = p.a
    return y * p.mul(3.0)


def with_short(x):
    p = P(x)
    ok = p.a > 0 and p.mul(3.0) > 0
    z = p.mul(2.0) if ok else 1.0
    return z * p.a


def with_aug(x):
    p = P(x)
    t = x
    t += p.mul(2.0)
    t *= p.mul(x)
    p.a += p.wr(3.0)
    p.a *= p.b
    return t * p.a * p.b


def with_augsame(x):
    p = P(x)
    p.a += p.mul(3.0)
    return p.a


def with_kw(x):
    p = P(b=x, a=2.0)
    p.mul(k=x)
    return p.a * p.b


def use(p, k, q=None):
    p.mul(k)
    if q is not None:
        q.mul(p.a)
    return p.a


def with_pass(x):
    (p,) = [1.0]
    p = P(x)
    q = P(2 * x)
    r = use(p, 2.0, q)
    s = use(q=q, p=p, k=3.0)
    return r + s * q.a


def with_ret(x):
    p = P(x)
    p.mul(2.0)
    return [p][0].mul(3.0) * p.a


class Arr:
    def __init__(self, v):
        self.v = v
        self.w = np.zeros(3)
        self.n = 0

    def push(self, s):
        self.w[self.n % 3] = s * self.v[0]
        self.n += 1

    def scale(self, k):
        self.v *= k

    def alias(self):
        self.w = self.v

    def addto(self):
        self.w += self.v


def with_arr(x):
    a = Arr(np.array([x, x * x, 1.0]))
    a.push(x)
    a.push(2.0)
    a.scale(x)
    a.push(1.0)
    return np.sum(a.w * a.v)


def with_arralias(x):
    a = Arr(np.array([x, x * x, 1.0]))
    a.alias()
    a.scale(3.0)
    a.push(x)
    return np.sum(a.w * a.v)


def with_arrown(x):
    v = np.array([x, x * x, 1.0])
    a = Arr(v)
    a.scale(2.0)
    a.addto()
    a.scale(x)
    return np.sum(a.w * v)


def with_arrown2(x):
    v = np.array([x, x * x, 1.0])
    a = Arr(v)
    b = Arr(v)
    a.scale(2.0)
    b.addto()
    return np.sum(b.w * b.v) + np.sum(a.v)


class Lst:
    def __init__(self):
        self.xs = []
        self.d = {}
        self.tot = 0.0

    def add(self, v):
        self.xs.append(v)
        self.d[f'k{len(self.xs)}'] = v * v
        self.tot = self.tot + v
        return self

    def last(self):
        return self.xs[-1] * self.d['k1']


def with_lst(x):
    l = Lst()
    for i in range(3):
        l.add(x * i + 1)
    return l.last() * l.tot + sum(l.xs)


def with_chain(x):
    l = Lst()
    l.add(x).add(2 * x)
    return l.tot * l.last()


@dataclass
class D:
    a: float
    b: float = 2.0
    xs: list = field(default_factory=list)

    def go(self, k):
        self.a = self.a * k + self.b
        self.xs.append(self.a)
        return self

    def __post_init__(self):
        self.c = self.a * self.b


def with_dc(x):
    d = D(x, b=x)
    d.go(2.0)
    d.go(3.0)
    d.c = d.c * d.a
    return d.c + d.xs[0] * d.xs[1]


def with_dc2(x):
    d = D(x)
    d.a = d.a * 3
    return d.a * d.c


@dataclass(frozen=True)
class Path:
    a: float
    past: tuple = ()

    def then(self, v):
        return replace(self, a=self.a * v, past=(*self.past, self.a))


def with_a_tuple_by_default(x):
    p = Path(x)
    for k in range(3):
        p = p.then(k + x)
    return p.a * sum(p.past)


class Cond:
    def __init__(self, a):
        if a > 0:
            self.p = a
        else:
            self.q = a

    def go(self):
        self.p = self.p * 2
        return self.p


def with_cond(x):
    c = Cond(x)
    c.go()
    return c.p * c.go()


class Late:
    def __init__(self, a):
        self.a = a

    def fwd(self, x):
        self.h = self.a * x
        self.a = self.a + 1
        return self.h

    def use(self):
        return self.h * self.a


def with_late(x):
    l = Late(x)
    l.fwd(x)
    l.fwd(2.0)
    return l.use()


class Setter:
    def __init__(self, a):
        self._a = a

    @property
    def a(self):
        return self._a

    @a.setter
    def a(self, v):
        self._a = v * 2


def with_setter(x):
    s = Setter(x)
    s.a = x * x
    s.a = s.a + 1
    return s.a


class Op:
    def __init__(self, a):
        self.a = a

    def __iadd__(self, o):
        self.a = self.a + o
        return self

    def __getitem__(self, i):
        return self.a * i

    def __len__(self):
        return 3

    def inc(self):
        self.a = self.a * 2


def with_op(x):
    o = Op(x)
    o += x
    o.inc()
    return o.a * o[2] * len(o)


class Ctx:
    def __init__(self, a):
        self.a = a

    def __enter__(self):
        self.a = self.a * 2
        return self

    def __exit__(self, *e):
        self.a = self.a + 1


def with_ctx(x):
    c = Ctx(x)
    with c:
        y = c.a * x
    return y * c.a


class Outer:
    def __init__(self, x):
        self.inner = P(x)
        self.y = x
        self.arr = [P(x), P(2 * x)]

    def go(self):
        self.inner.mul(self.y)
        self.y = self.y + self.inner.a
        for q in self.arr:
            q.mul(self.y)
        return self.inner.prod


def with_outer(x):
    o = Outer(x)
    o.go()
    o.inner.b = x * 3
    return o.go() * o.arr[1].a * o.inner.count


class Outer2:
    def __init__(self, x):
        self.inner = P(x)
        self.y = x

    def go(self):
        self.inner.mul(self.y)
        self.y = self.y + self.inner.a
        use(self.inner, 2.0)
        return self.inner.prod

    def reset(self, v):
        self.y = v
        self.inner.a = v


def with_outer2(x):
    o = Outer2(x)
    o.go()
    o.inner.b = x * 3
    o.reset(x + 1)
    use(o.inner, x)
    return o.go() * o.inner.count + o.inner.rec(2)


def with_gen(x):
    p = P(x)

    def g():
        for i in range(3):
            p.mul(1.5)
            yield p.a

    return sum(g()) * p.a


def with_closure(x):
    p = P(x)

    def inc(k):
        p.a = p.a * k

    inc(2.0)
    inc(x)
    return p.a


def with_closure2(x):
    p = P(x)

    def read(k):
        return p.a * k + p.prod

    y = read(1.0)
    p.mul(3.0)
    return y * read(2.0)


def with_walrus(x):
    p = P(x)
    return (t := p.mul(2.0)) * t + p.mul(t) * (t := 3.0) * t


def with_glob(x):
    p = P(x)
    P.scale = 2.0
    p.mul(3.0)
    return p.a * p.scale


def setit():
    P.scale = 5.0


def with_glob2(x):
    P.scale = 2.0
    p = P(x)
    P.scale = 3.0
    setit()
    p.mul(3.0)
    y = p.a * p.scale
    P.scale = 2.0
    return y


def with_glob3(x):
    P.scale = 2.0
    p = P(x)
    P.scale = 7.0
    p.mul(3.0)
    y = p.a * p.scale
    P.scale = 2.0
    return y


def with_rebuild(x):
    p = P(x, 2.0)
    for i in range(3):
        p = P(p.b * x, p.a)
        p.mul(1.5)
    p = P(p.b, p.a)
    return p.a * 2 + p.b


class Multi:
    def __init__(self, a, b, c=3.0):
        self.x = b
        self.y = a
        self.z = c * a + b
        self.k = [a, b]

    def up(self):
        self.x = self.x * self.z
        self.k[0] = self.x


def with_multi(x):
    m = Multi(np.sin(x), b=x * x)
    m.up()
    return m.x + m.y * m.k[0] * m.k[1]


def with_multi2(x):
    m = Multi(x, x, x)
    m.up()
    return m.x + m.y * m.k[0] * m.z


def isn(p=None):
    if p is None:
        return 1.0
    p.mul(2.0)
    return p.a


def with_isnone(x):
    p = P(x)
    y = isn(p) * isn()
    return y * p.a


class Cell:
    def __init__(self, w):
        self.w = w
        self.h = None

    def forward(self, x):
        if self.h is None:
            self.h = 0.0
        self.x = x
        self.h = math.tanh(self.w * x + self.h)
        return self.h

    def loss(self):
        return (self.h - self.x) ** 2


def with_cell(x):
    c = Cell(x)
    t = 0.0
    for v in (0.1, 0.2, 0.3):
        t += c.forward(v) + c.loss()
    return t


def with_latehas(x):
    l = Late(x)
    try:
        y = l.h
    except AttributeError:
        y = 2.0
    l.fwd(x)
    return y * l.use()


def with_lateloop(x):
    l = Late(x)
    for i in range(2):
        l.fwd(x)
    return l.use()


def with_is(x):
    p = P(x)
    q = p
    q.mul(2.0)
    return p.a * (p is q)


def with_inst(x):
    p = P(x)
    p.scale = x
    p.mul(2.0)
    return p.a * p.scale


def with_bound(x):
    p = P(x)
    m = p.mul
    m(2.0)
    return m(3.0) + p.a


def with_map(x):
    p = P(x)
    return sum(map(p.mul, [1.0, 2.0])) * p.a


def with_unb(x):
    p = P(x)
    P.mul(p, 2.0)
    return P.mul(self=p, k=x) if False else P.mul(p, x) * p.a


def with_star(x):
    p = P(*[x, 2.0])
    p.mul(*[x])
    return p.a * p.b


def with_cond2(x):
    if x > 0:
        p = P(x)
    else:
        p = P(-x, 3.0)
    p.mul(2.0)
    return p.a * p.b


def with_param(x):
    def h(p, k):
        p.mul(k)
        return p.a

    p = P(x)
    return h(p, 2.0) * h(p, x)


def with_unused(x):
    p = P(x)
    p.a = 3.0
    p.mul(2.0)
    return p.a * x


def with_assert(x):
    p = P(x)
    assert p.mul(2.0) > 0
    return p.a


def with_nested_call(x):
    p = P(x)
    return max(p.mul(2.0), p.mul(3.0)) * abs(p.mul(-1.0)) + np.sum([p.mul(1.5), p.a])


def with_fstr(x):
    p = P(x)
    s = f'{p.mul(2.0)} {p.a}'
    return p.a * len(s) ** 0


def with_forit(x):
    p = P(x)
    t = 0.0
    for v in [p.mul(2.0), p.a]:
        t = t + v * p.mul(1.1)
    return t


class In:
    def __init__(self, k):
        self.k = k

    def __call__(self, v):
        return v * self.k

    def up(self, v):
        self.k = self.k + v
        return self.k


class Lay:
    def __init__(self, k):
        self.inner = In(k)
        self.f = math.sin
        self.g = 1.0

    def step(self, v):
        self.inner = In(v)
        self.f = math.cos
        return v

    def bump(self, v):
        self.inner.up(v)
        return v

    def setg(self, v):
        self.g = v
        return v

    def run(self, v):
        return self.inner(self.step(v)) + self.f(self.step(v * v)) + self.inner.k

    def both(self, v):
        return self.inner(self.bump(v)) + self.g * self.setg(v) * self.g


def receivers(x):
    l = Lay(x)
    return l.both(x) + l.both(2 * x)


def replaced_under_another_name(x):
    l = Lay(x)
    i = l.inner
    l.step(3 * x)
    return i.k * l.inner.k + i(x)


def changed_under_another_name(x):
    l = Lay(x)
    i = l.inner
    l.bump(3 * x)
    return i.k * l.inner.k + i(x)


def added_to_what_is_replaced(x):
    l = Lay(x)
    l.inner.k += l.step(x * x)
    return l.inner.k


def added_to_what_changes(x):
    l = Lay(x)
    l.inner.k += l.bump(x * x)
    return l.inner.k


def shared_parts(x):
    l = Lay(x)
    m = Lay(2 * x)
    l.inner = m.inner
    return l.inner.k * m.bump(x) * l.inner.k


def swapped_objects(x):
    l = Lay(x)
    m = Lay(2 * x)
    l, m = m, l
    l.bump(x)
    return l.inner.k + 3 * m.inner.k


def mk(x):
    return In(x * x)


def pair(x):
    return In(x), In(x + 1)


def made_by_functions(x):
    i = mk(x)
    i.up(2.0)
    j = mk(i.k)
    return i.k * j.k


def pairs_of_objects(x):
    i, j = pair(x)
    i.up(x)
    return i.k * j.k


def operators(x):
    acc = Vec(0.0, 0.0)
    v = Vec(x, 1.0)
    for k in range(3):
        acc = acc + v * x
        acc += v
    return abs(acc) * acc.x + (-acc).y + (2.0 * v).x * (v * v) + float(acc == v) + bool(acc)


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        if isinstance(o, Vec):
            return Vec(self.x + o.x, self.y + o.y)
        return Vec(self.x + o, self.y + o)

    __radd__ = __add__

    def __mul__(self, o):
        if isinstance(o, Vec):
            return self.x * o.x + self.y * o.y
        return Vec(self.x * o, self.y * o)

    def __rmul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return math.sqrt(self.x * self.x + self.y * self.y)

    def __eq__(self, o):
        return self.x == o.x

    def norm(self):
        return self * (1.0 / abs(self))

    @classmethod
    def unit(cls, t):
        return cls(math.cos(t), math.sin(t))

    @property
    def perp(self):
        return Vec(-self.y, self.x)


def properties_that_make_objects(x):
    v = Vec(x, 2.0)
    return (v + 1.0).norm().x + (1.0 + v).perp.y * (v.perp * v)


def made_by_a_classmethod(x):
    v = Vec.unit(x)
    return v.x * 2 + v.y


def in_a_list(x):
    vs = [Vec(x, 1.0), Vec(2.0, x)]
    return sum(v.x * v.y for v in vs)


def another_name_bound_anew(x):
    v = Vec(x, 1.0)
    w = v
    w = w + v
    v.x = v.x * 3
    return v.x * w.x


def another_name_changed(x):
    v = Vec(x, 1.0)
    w = v
    v.x = v.x * 3
    return v.x * w.x


def in_two_branches(x):
    v = Vec(x, 1.0)
    if x > 0:
        w = v
    else:
        w = Vec(1.0, x)
    return w.x * v.y


def fields_that_are_arrays(x):
    v = Vec(np.array([x, 2.0]), 1.0)
    w = np.array([1.0, x]) * 2.0
    return np.sum((v * 2.0).x * w)


class Dual:
    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.a + o.a, self.b + o.b)

    __radd__ = __add__

    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.a * o.a, self.a * o.b + self.b * o.a)

    __rmul__ = __mul__

    def __pow__(self, n):
        return Dual(self.a**n, n * self.a ** (n - 1) * self.b)


def poly(d):
    return 3.0 * d**3 + d * 2.0 + 1.0


def duals(x):
    d = Dual(x, 1.0)
    r = d * d * 3.0 + 2.0 * d + 1
    return r.b + r.a


def duals_in_functions(x):
    return poly(Dual(x, 1.0)).b


def gone_through(x):
    v = Vec(x, 1.0)
    for w in (Vec(1.0, x), v):
        v = v + w
    return v.x * v.y


def in_a_dict(x):
    d = {'p': Vec(x, 1.0)}
    d['p'].x = d['p'].x * 3
    return d['p'].x


def conditional_names(x):
    v = Vec(x, 1.0)
    u = v if x > 0 else Vec(2.0, 2.0)
    u.x = 5.0 * x
    return v.x


def given_to_inner(x):
    def inner(v):
        return v.x * 2

    v = Vec(x, 1.0)
    return inner(v + v)


def given_to_a_lambda(x):
    return (lambda v: v.x * v.y)(Vec(x, x))


def in_a_tuple(x):
    v = Vec(x, 1.0)
    t = (v, 2.0)
    return t[0].x * t[1]


def swapped_fields(x):
    v = Vec(x, x)
    a, b = v.x, v.y
    v.x, v.y = b * 2, a
    return v.x - v.y


class PID:
    def __init__(self, kp, ki, kd=0.1):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.integral = 0.0
        self.last = None

    def __call__(self, e, dt):
        self.integral += e * dt
        d = 0.0 if self.last is None else (e - self.last) / dt
        self.last = e
        return self.kp * e + self.ki * self.integral + self.kd * d


class Plant:
    gain = 2.0

    def __init__(self, x0):
        self.x = x0
        self.pid = PID(1.5, 0.2)

    @property
    def output(self):
        return self.gain * self.x

    def step(self, ref, dt):
        u = self.pid(ref - self.output, dt)
        self.x = self.x + dt * (u - self.x)
        return self.x**2


def plant(x):
    p = Plant(x)
    cost = 0.0
    for k in range(20):
        cost += p.step(1.0, 0.1)
    return cost + p.pid.integral


class Kalman:
    def __init__(self, F, H, Q, R):
        self.F, self.H, self.Q, self.R = F, H, Q, R
        self.x = np.zeros(F.shape[0])
        self.P = np.eye(F.shape[0])

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ y
        self.P = (np.eye(self.P.shape[0]) - K @ self.H) @ self.P
        return 0.5 * (y @ np.linalg.solve(S, y) + np.log(np.linalg.det(S)))


zs = np.sin(np.arange(10.0))[:, None]


def kalman(q):
    F = np.array([[1.0, 0.1], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    kf = Kalman(F, H, q * np.eye(2), np.array([[0.5]]))
    nll = 0.0
    for z in zs:
        kf.predict()
        nll = nll + kf.update(z)
    return nll


@dataclass
class State:
    pos: float
    vel: float = 1.0
    t: float = 0.0

    def advance(self, dt):
        self.vel -= self.pos * dt
        self.pos += self.vel * dt
        self.t += dt


def simulate(s, n, dt=0.05):
    e = 0.0
    while s.t < n:
        s.advance(dt)
        e = e + s.pos * s.vel
    return e


def state(x):
    s = State(x)
    return simulate(s, 2.0) + s.pos


class Adam:
    def __init__(self, lr):
        self.lr, self.m, self.v, self.t = lr, 0.0, 0.0, 0

    def step(self, w, g):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.99 * self.v + 0.01 * g**2
        return w - self.lr * (self.m / (1 - 0.9**self.t)) / (np.sqrt(self.v / (1 - 0.99**self.t)) + 1e-8)


def adam(x):
    opt = Adam(0.1)
    w = x
    for i in range(10):
        w = opt.step(w, 2 * (w - 3) + np.sin(w))
    return w


class Body:
    def __init__(self, m, x, v):
        self.m, self.x, self.v = m, x, v

    def kick(self, a, dt):
        self.v = self.v + a * dt

    def drift(self, dt):
        self.x = self.x + self.v * dt


def nbody(x):
    bodies = [Body(1.0, x, 0.0), Body(2.0, 1.0 + x * x, 0.1), Body(0.5, -1.0, 0.3)]
    for k in range(10):
        for b in bodies:
            a = 0.0
            for o in bodies:
                if o is not b:
                    d = o.x - b.x
                    a = a + o.m * d / (d * d + 0.1) ** 1.5
            b.kick(a, 0.01)
        for b in bodies:
            b.drift(0.01)
    return sum(b.x * b.v for b in bodies)


class Osc:
    def __init__(self, k, x):
        self.k, self.x, self.v = k, x, 0.0

    def step(self, dt):
        self.v = self.v - self.k * self.x * dt
        self.x = self.x + self.v * dt


def run(o, n):
    for i in range(n):
        o.step(0.05)
    return o.x


def osc(x):
    o = Osc(x, 1.0)
    return run(o, 20) + o.v


class Dense:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        self.out = np.tanh(self.w @ x + self.b)
        return self.out


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for l in self.layers:
            x = l(x)
        return x


def net(s):
    W = np.array([[0.1, 0.2], [0.3, -0.4]])
    n = Net([Dense(s * W, np.ones(2)), Dense(W, s * np.ones(2))])
    return np.sum(n(np.array([1.0, 2.0])) ** 2) + np.sum(n.layers[0].out)


class Stats:
    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def push(self, v):
        self.n += 1
        d = v - self.mean
        self.mean += d / self.n
        self.m2 += d * (v - self.mean)

    @property
    def var(self):
        return self.m2 / (self.n - 1)


def stats(x):
    s = Stats()
    for k in range(20):
        s.push(np.sin(k * x))
    return s.var + s.mean


class Heat:
    def __init__(self, u, alpha):
        self.u = u
        self.alpha = alpha
        self.t = 0.0

    def step(self, dt):
        lap = np.zeros_like(self.u)
        lap[1:-1] = self.u[2:] - 2 * self.u[1:-1] + self.u[:-2]
        self.u = self.u + dt * self.alpha * lap
        self.t += dt

    def energy(self):
        return 0.5 * np.sum(self.u**2)


def heat(a):
    h = Heat(np.sin(np.linspace(0, 3, 20)), a)
    while h.t < 1.0:
        h.step(0.1)
    return h.energy()


class Heat2(Heat):
    def step(self, dt):
        self.u[1:-1] += dt * self.alpha * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2])
        self.t += dt


def heat2(a):
    h = Heat2(np.sin(np.linspace(0, 3, 20)), a)
    for i in range(10):
        h.step(0.1)
    return h.energy()


class RNN:
    def __init__(self, w, u):
        self.w, self.u, self.h = w, u, np.zeros(2)

    def step(self, x):
        self.h = np.tanh(self.w @ self.h + self.u * x)
        return self.h[0]


def rnn(s):
    r = RNN(s * np.array([[0.1, 0.2], [0.3, -0.4]]), np.ones(2))
    t = 0.0
    for x in (0.1, -0.2, 0.5):
        t += r.step(x) ** 2
    return t


class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right

    def total(self):
        return self.v + (self.left.total() if self.left else 0.0) + (self.right.total() if self.right else 0.0)

    def scale(self, k):
        self.v = self.v * k
        for c in (self.left, self.right):
            if c is not None:
                c.scale(k)


def treef(x):
    t = Node(x, Node(x * x), Node(2.0, Node(x)))
    t.scale(x)
    return t.total()


class Rec:
    def __init__(self, x):
        self.x = x
        self.hist = []

    def step(self):
        self.x = self.x * 0.9 + 0.1
        self.hist.append(self.x)


def rec(x):
    r = Rec(x)
    for i in range(10):
        r.step()
    return sum(r.hist) + r.hist[-1] * r.x


class Account:
    def __init__(self, b):
        self.b = b

    def withdraw(self, a):
        if a > self.b:
            raise ValueError('no')
        self.b -= a


class Integrator:
    def __init__(self, f, y):
        self.f, self.y, self.t = f, y, 0.0

    def rk4(self, h):
        k1 = self.f(self.t, self.y)
        k2 = self.f(self.t + h / 2, self.y + h / 2 * k1)
        k3 = self.f(self.t + h / 2, self.y + h / 2 * k2)
        k4 = self.f(self.t + h, self.y + h * k3)
        self.y = self.y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        self.t = self.t + h


def rk(x):
    I = Integrator(lambda t, y: -x * y + t, 1.0)
    for i in range(10):
        I.rk4(0.1)
    return I.y


class Arrow:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return Arrow(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Arrow(self.x * k, self.y * k)

    def prod(self, o):
        return self.x * o.x + self.y * o.y


class Particle:
    def __init__(self, p, v):
        self.p, self.v = p, v

    def step(self, dt):
        self.p = self.p + self.v * dt
        self.v = self.v + self.p * (-dt)


def vec(x):
    p = Particle(Arrow(x, 1.0), Arrow(0.0, x))
    for i in range(10):
        p.step(0.1)
    return p.p.prod(p.v)


class Maybe:
    def __init__(self, a):
        self.a = a

    def get(self, k):
        if k > 1:
            return self

    def new(self, k):
        if k > 1:
            return Maybe(self.a * k)
        return None

    def fall(self, k):
        if k > 1:
            return Maybe(self.a * k)

    def reset(self, a):
        self.__init__(a * 2)
        return self

    def many(self, *vs, scale=1.0, **kw):
        for v in vs:
            self.a = self.a + v * scale
        return self.a * kw.get('z', 1.0)


def itself_or_none(x):
    m = Maybe(x)
    r = m.get(2.0)
    return r.a * 2 if r is not None else x


def new_or_none(x):
    m = Maybe(x)
    r = m.new(0.5)
    return m.a * 3 if r is None else r.a


def new_or_nothing(x):
    m = Maybe(x)
    r = m.fall(0.5)
    return m.a * 3 if r is None else r.a


def made_once_more(x):
    m = Maybe(x)
    w = m
    m.__init__(3 * x)
    return w.a * m.a


def made_once_more_by_a_method(x):
    m = Maybe(x)
    m.reset(x * x).reset(m.a)
    return m.a


def many_arguments(x):
    m = Maybe(x)
    return m.many(x, 2.0, scale=x) * m.many(1.0, z=x) + m.a


class Left:
    def __init__(self, k):
        self.k = k

    def __mul__(self, o):
        return self.k * o.a


class Right:
    def __init__(self, a):
        self.a = a

    def __rmul__(self, o):
        return self.a * 100.0


GL = Left(2.0)


def left_of_it_is_another(x):
    r = Right(x)
    return GL * r + r.a


def left_of_it_is_another_here(x):
    r = Right(x)
    l = Left(x)
    return l * r


def numbers_left_of_it(x):
    r = Right(x)
    return x * r + np.float64(2.0) * r


class Up(Vec):
    def __radd__(self, o):
        return Vec(100.0 * self.x, 1.0)


def a_subclass_is_asked_first(x):
    a = Vec(x, 1.0)
    b = Up(x, 2.0)
    return (a + b).x


class Cache:
    def __init__(self):
        self.memo = {}

    def get(self, k, x):
        if k not in self.memo:
            self.memo[k] = x * k
        return self.memo[k]


def memo(x):
    c = Cache()
    return c.get(1, x) + c.get(2, x) * c.get(1, x)


class Poly:
    def __init__(self, *cs):
        self.cs = list(cs)

    def __call__(self, x):
        r = 0.0
        for c in reversed(self.cs):
            r = r * x + c
        return r

    def deriv(self):
        return Poly(*[k * c for k, c in enumerate(self.cs)][1:])


def polynomial(x):
    p = Poly(1.0, x, 2.0)
    return p(x) + p.deriv()(x)


class Stack:
    def __init__(self):
        self.s = []

    def push(self, v):
        self.s.append(v)

    def pop(self):
        return self.s.pop()

    @property
    def top(self):
        return self.s[-1]

    def __len__(self):
        return len(self.s)


def stack(x):
    s = Stack()
    s.push(x)
    s.push(2 * x)
    a = s.pop() * s.top
    s.push(a)
    while len(s) > 1:
        s.push(s.pop() + s.pop())
    return s.pop()


class Base2:
    def __init__(self, a):
        self.a = a
        self.setup()

    def setup(self):
        self.b = 1.0

    def run(self):
        self.a = self.a * self.b
        return self.hook(self.a)

    def hook(self, v):
        return v


class Derived2(Base2):
    def setup(self):
        super().setup()
        self.b = self.b + self.a

    def hook(self, v):
        return super().hook(v) * 2 + self.b


def hooks(x):
    d = Derived2(x)
    return d.run() + d.run()


def given_to_a_function_inside_and_back(x):
    def step(s, k):
        s.a = s.a * k
        return s

    m = Maybe(x)
    return step(step(m, 2.0), x).a


def in_a_context(x):
    m = Maybe(x)
    with np.errstate(all='ignore'):
        m.many(x)
    return m.a


def jumps(x):
    m = Maybe(x)
    for k in range(3):
        if k == 1:
            continue
        if m.a > 10:
            break
        m.many(x * k, scale=2.0)
    else:
        m.a = m.a * 3
    return m.a


def two_at_once(x):
    m = Maybe(x)
    n = Maybe(m.many(1.0))
    m, k = n, m.a
    return m.a * k


def two_names_at_once(x):
    a = b = Maybe(x)
    a.many(1.0)
    return b.a


class Kept:
    def __init__(self, a):
        self.a = a
        self.seen = []
        self.seen.append(a)


def made_once_more_where_it_is_written(x):
    k = Kept(x)
    w = k
    k.__init__(3 * x)
    return w.a * k.seen[0]


class Weights:
    def __init__(self, v, k):
        self.k = k
        self.set_all(v)

    def set_all(self, v):
        self.low = v * self.k
        self.high = self.low + v * v


class Weighted:
    def __init__(self, weights):
        self.weights, self.total = weights, 0.0

    def add(self, v):
        self.total = self.total + self.weights.low * v

    def change(self, v):
        self.weights.set_all(v)


def filled_by_a_method(x):
    weights = Weights(x, 2.0)
    w = Weighted(weights)
    for k in range(3):
        w.add(x + k)
    return w.total * weights.high


def filled_again(x):
    weights = Weights(x, 2.0)
    w = Weighted(weights)
    weights.set_all(x * x)
    w.add(x)
    return w.total * weights.high


def filled_again_by_the_holder(x):
    weights = Weights(x, 2.0)
    w = Weighted(weights)
    w.change(x * x)
    w.add(x)
    return w.total * weights.high


# Classes whose `__init__` takes anything, and who make others of their own class


class Turn:
    def __init__(self, *args, **kwargs):
        count = len(args)
        if count == 0:
            if kwargs:
                if 'polar' in kwargs:
                    r, t = kwargs['polar']
                    self.q = np.array([r * np.cos(t), r * np.sin(t)])
                elif ('re' in kwargs) or ('im' in kwargs):
                    self.q = np.array([kwargs.get('re', 0.0), kwargs.get('im') or 1.0])
                else:
                    raise ValueError('keywords: ' + ', '.join(sorted(kwargs)))
            else:
                self.q = np.array([1.0, 0.0])
        elif count == 1:
            if isinstance(args[0], Turn):
                self.q = args[0].q
                return
            try:
                self.q = np.array([float(args[0]), 0.0])
                return
            except TypeError:
                pass
            self.q = np.asarray(args[0])
        else:
            self.q = np.array(args)

    def __mul__(self, other):
        if isinstance(other, Turn):
            a, b = self.q, other.q
            return self.__class__(a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])
        return self * self.__class__(re=other, im=1e-30)

    def __add__(self, other):
        return type(self)(self.q + other.q)

    def __neg__(self):
        return self.__class__(-self.q)

    @property
    def norm(self):
        return np.sqrt(np.dot(self.q, self.q))

    def normalise(self):
        n = self.norm
        if n > 0:
            self.q = self.q / n
        return self

    @classmethod
    def middle(cls, a, b, w=0.5):
        return cls(a.q * w + (1 - w) * b.q)

    @classmethod
    def polar(cls, r, t):
        return cls(polar=(r, t))

    def turned(self, t):
        return self * self.polar(1.0, t)


    @classmethod
    def doubled(cls, a):
        return cls(a.q * 2.0)


class Turned(Turn):
    @classmethod
    def doubled(cls, a):
        return super().doubled(a) + a

    def __mul__(self, other):
        return super().__mul__(other) + self

    @classmethod
    def polar(cls, r, t):
        return cls(r, t)


def of_its_own_class(x):
    a = Turn(x, 1.3)
    b = Turn(0.4, x * x)
    c = a * b
    return np.sum(c.q * c.q) + c.q[0]


def made_in_several_ways(x):
    a = Turn(np.array([x, 2.0 * x]))
    b = Turn(re=x * x, im=0.4)
    c = Turn(polar=(1.3, x))
    d = Turn()
    e = Turn(x)
    return (a * b + -c).norm * (d * e * Turn(c)).q[1] + e.q[0]


def by_class_methods(x):
    a = Turn(x, 0.3)
    m = Turn.middle(a, Turn.polar(x, 1.1))
    return m.norm * np.sum(Turn.middle(m, a, 0.3).q) + np.sum(a.turned(x).q ** 2 * np.array([1.0, 2.0]))


def the_same_array_in_another(x):
    a = Turn(x, 1.3)
    b = Turn(a)
    b.normalise()
    return a.norm * b.q[0] + np.sum(b.q)


def turned_in_a_loop(x):
    a = Turn(x, 1.3)
    for _ in range(3):
        a = a * Turn(0.4, x)
        a.normalise()
    return a.q[0] * 2 + a.q[1] + (a * x).norm * (a * 2.0).q[1]


def by_a_subclass(x):
    a = Turned(x, 1.3)
    b = Turned(0.4, x)
    c = Turned.polar(x, 1.3)
    d = Turn.polar(x, 0.2)
    return np.sum((a * b).q * (a * b * a).q) + c.norm * d.norm + np.sum(c.turned(x).q)


def by_the_class_above(x):
    a = Turned(x, 1.3)
    b = Turned.doubled(a)
    return np.sum(b.q * a.q)


def of_two_classes(x):
    a = Turn(x, 1.3)
    b = Turned(0.4, x)
    return np.sum((a + b).q * (b + a).q) + (a * b).norm


def made_of_a_class(kind, x):
    return kind(x, 1.3)


def classes_that_are_given(x):
    a = made_of_a_class(Turn, x)
    b = made_of_a_class(Turned, x)
    return (a * a).norm + (b * b).norm


class Optional:
    def __init__(self, *args, scale=2.0, **kw):
        self.v = args[0] * scale
        self.rest = args[1:]
        self.n = kw.pop('n', 1)


def taken_out_of_the_keywords(x):
    o = Optional(x, x * x, 2.0, scale=3.0, n=3)
    return o.v * sum(o.rest) * o.n


class Broad:
    def __init__(self, a, b=2.0, *more, c=1.0, **kw):
        self.a, self.b, self.more, self.c, self.d = a, b, len(more), c, kw.get('d', 0.5)


class Narrow(Broad):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.e = self.a * self.c


def handed_up(x):
    o = Narrow(x)
    r = Narrow(x * x, 0.4, 5.0, 6.0, c=x, d=3.0 * x)
    return o.e * o.b + r.e * r.b * r.more + r.d * o.d + r.c


class Optioned:
    def __init__(self, **kw):
        options = kw
        options['n'] = 2.0
        self.a = kw['n'] * kw['a']


def under_another_name(x):
    return Optioned(a=x).a * x


class Disguised:
    def __init__(self, x):
        self.x = x

    @property
    def __class__(self):
        return Turn

    def other(self):
        return self.__class__(self.x, 2.0)


def disguised(x):
    return Disguised(x).other().norm


class Counted:
    def __init__(self, *args):
        n = len(args)
        if n > 1:
            n = 1
        self.x = args[0] * n


def counted(x):
    return Counted(x, 2.0).x * Counted(x * x).x


class Numbered:
    def __init__(self, n, *args):
        if args:
            n = 3
        self.x = args[0] * n if args else n


def bound_to_a_number(x):
    return Numbered(2.0 * x).x * Numbered(1, x).x


def several_in_a_line(x):
    a, b = Turn(x, 1.3), Turn(0.4, x * x)
    c, d, e = a * b, Turn(x), x * 2.0
    return c.norm * d.q[0] * e


def swapped_in_a_line(x):
    a, b = Turn(x, 1.3), Turn(0.4, x * x)
    a, b = Turn(b), Turn(a.q * 2.0)
    return a.q[0] * b.q[1]


def read_by_a_function_in_a_line(x):
    a = Turn(x, 1.3)
    late = lambda: a.q[1]
    a, b = Turn(x * x, x), Turn(late(), 2.0)
    return a.norm * b.norm
