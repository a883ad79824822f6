"""Lists of objects that change: one list for each of their fields, but for those marked, which look alike and are not."""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tests.tools.registry import other, program


class P:
    def __init__(self, x, v=0.0, m=1.0):
        self.x = x
        self.v = v
        self.m = m

    def kick(self, a, dt):
        self.v += a * dt

    def move(self, dt):
        self.x += self.v * dt

    def energy(self):
        return 0.5 * self.m * self.v**2

    @property
    def momentum(self):
        return self.m * self.v


@program('a list of objects that change', 0.7)
def built_and_gone_through(k):
    ps = []
    for i in range(3):
        p = P(1.0 + i)
        ps.append(p)
    for _ in range(3):
        for p in ps:
            p.kick(-k * p.x, 0.1)
        for p in ps:
            p.move(0.1)
    return sum(p.energy() for p in ps)


class System:
    def __init__(self, k):
        self.k = k
        self.parts = []
        self.t = 0.0

    def add(self, p):
        self.parts.append(p)

    def step(self, dt):
        for p in self.parts:
            p.kick(-self.k * p.x, dt)
        for p in self.parts:
            p.move(dt)
        self.t += dt

    def energy(self):
        return sum(p.energy() for p in self.parts) + sum(0.5 * self.k * p.x**2 for p in self.parts)


@program('a list of objects that change', 0.7)
def system(k):
    s = System(k)
    for i in range(3):
        s.add(P(1.0 + i * 0.5, 0.1, 1.0 + i))
    for _ in range(3):
        s.step(0.05)
    return s.energy() * s.t


def attract(a, b, k):
    d = b.x - a.x
    f = k * a.m * b.m / (d * d + 1.0)
    return f * d


@program('a list of objects that change', 0.7)
def pairwise(k):
    ps = [P(1.0 * i, 0.1 * i, 1.0 + i) for i in range(4)]
    for _ in range(3):
        for a, b in combinations(ps, 2):
            f = attract(a, b, k)
            a.v += f / a.m * 0.1
            b.v -= f / b.m * 0.1
        for p in ps:
            p.x += p.v * 0.1
    return sum(p.x * p.m for p in ps) + ps[0].momentum - ps[-1].momentum


@program('a list of objects that change', 0.7)
def upper(k):
    ps = [P(1.0 * i, 0.1 * i, 1.0 + i) for i in range(4)]
    for _ in range(3):
        for i, a in enumerate(ps):
            for b in ps[i + 1 :]:
                d = b.x - a.x
                a.v += k * d
                b.v -= k * d
            for j in range(i + 1, len(ps)):
                ps[j].v *= 0.9
        for p, w in zip(ps, [1.0, 2.0, 3.0, 4.0]):
            p.x = p.x + p.v * w * 0.01
    return ps[0].x * ps[3].v + sum(p.x for p in ps)


@dataclass
class Layer:
    w: float
    b: float
    out: float = 0.0

    def forward(self, x):
        self.out = math.tanh(self.w * x + self.b)
        return self.out


@program('a list of objects that change', 0.7)
def net(x):
    layers = [Layer(0.5, 0.1), Layer(-0.3, 0.2), Layer(0.7, -0.1)]
    h = x
    for l in layers:
        h = l.forward(h)
    return h + sum(l.out**2 for l in layers)


class Neuron:
    def __init__(self, w, b):
        self.w = w
        self.b = b
        self.grad_w = 0.0
        self.grad_b = 0.0

    def __call__(self, x):
        return math.tanh(self.w * x + self.b)


@program('a list of objects that change', 0.7)
def trains(lr):
    ns = [Neuron(0.5, 0.1), Neuron(-0.4, 0.3)]
    for _ in range(3):
        for q in ns:
            y = q(1.5)
            q.grad_w = 2 * (y - 0.5) * (1 - y * y) * 1.5
            q.grad_b = 2 * (y - 0.5) * (1 - y * y)
        for q in ns:
            q.w -= lr * q.grad_w
            q.b -= lr * q.grad_b
    return sum((q(1.5) - 0.5) ** 2 for q in ns)


class Agent:
    def __init__(self, wealth):
        self.wealth = wealth
        self.log = []

    def pay(self, other, x):
        self.wealth -= x
        other.wealth += x
        self.log.append(x)


@program('a list of objects that change', 0.7)
def market(r):
    agents = [Agent(10.0 + i) for i in range(4)]
    for t in range(3):
        for i in range(len(agents) - 1):
            a = agents[i]
            b = agents[i + 1]
            a.pay(b, r * a.wealth)
    return sum(a.wealth**2 for a in agents) + sum(agents[0].log)


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, s):
        return Vec(self.x * s, self.y * s)

    def dot(self, o):
        return self.x * o.x + self.y * o.y


class Planet:
    def __init__(self, pos, vel, m):
        self.pos = pos
        self.vel = vel
        self.m = m


@program('a list of objects that change', 0.7)
def planets(g):
    ps = [Planet(Vec(1.0 * i, 0.5 * i), Vec(0.0, 0.1 * i), 1.0 + i) for i in range(3)]
    for _ in range(3):
        for a in ps:
            acc = Vec(0.0, 0.0)
            for b in ps:
                if a is b:
                    continue
                d = b.pos - a.pos
                r2 = d.dot(d) + 0.1
                acc = acc + d * (g * b.m / r2**1.5)
            a.vel = a.vel + acc * 0.1
        for a in ps:
            a.pos = a.pos + a.vel * 0.1
    return sum(p.pos.dot(p.pos) for p in ps)


class Account:
    def __init__(self, bal):
        self.bal = bal

    def deposit(self, x):
        self.bal += x

    def withdraw(self, x):
        if x > self.bal:
            return False
        self.bal -= x
        return True


class Bank:
    def __init__(self):
        self.accounts = {}

    def open(self, name, x):
        self.accounts[name] = Account(x)

    def transfer(self, a, b, x):
        if self.accounts[a].withdraw(x):
            self.accounts[b].deposit(x)

    def total(self, r):
        return sum(acc.bal * r for acc in self.accounts.values())


@other
@program('a list of objects that change', 0.7)
def bank2(x):
    b = Bank()
    b.open('a', x)
    b.open('b', 2 * x)
    for i in range(3):
        b.transfer('b', 'a', x * 0.3)
    return (b.total(1.1) + b.accounts['a'].bal ** 2) ** 2


@program('a list of objects that change', 0.7)
def best_of(x):
    ps = [P(x * i, 1.0 + i) for i in range(3)]
    best = ps[0]
    for p in ps:
        if p.x * p.v > best.x * best.v:
            best = p
    best.x += 1.0
    return (best.x * best.v + sum(p.x for p in ps)) ** 2


@program('a list of objects that change', 0.7)
def by_index(x):
    ps = [P(x, 1.0), P(2 * x, 2.0), P(x * x, 3.0)]
    i = 0
    while i < len(ps):
        ps[i].x *= ps[i].v
        ps[(i + 1) % len(ps)].v += ps[i].x
        i += 1
    return sum([p.x + p.v for p in ps])


@program('a list of objects that change', 0.7)
def spawn(x):
    ps = [P(x)]
    for i in range(3):
        last = ps[-1]
        ps.append(P(last.x * 0.9 + 0.1, last.v + x))
        last.v += 1.0
    return sum(p.x * p.v for p in ps)


class Point:
    def __init__(self, x, v=1.0):
        self.x = x
        self.v = v

    def bump(self, d):
        self.x += d
        return self.x


class Heavy(Point):
    def bump(self, d):
        self.x += 2 * d
        return self.v


@other
@program('what looks like a list of objects', 0.7)
def two_names(x):
    a = Point(x)
    ps = [a, Point(2 * x)]
    a.x += 1.0
    return ps[0].x * ps[1].x


@other
@program('what looks like a list of objects', 0.7)
def same_twice(x):
    a = Point(x)
    ps = []
    for _ in range(2):
        ps.append(a)
    ps[0].x *= 3.0
    return (ps[1].x + ps[0].x) ** 2


@other
@program('what looks like a list of objects', 0.7)
def appended_then_changed(x):
    ps = []
    for i in range(3):
        p = Point(x * i)
        ps.append(p)
        p.x += 1.0
    return sum(p.x for p in ps)


@other
@program('what looks like a list of objects', 0.7)
def kept_from_before(x):
    ps = []
    p = Point(x)
    for i in range(3):
        if i > 0:
            p.v += x
        p = Point(x * i)
        ps.append(p)
    return sum(p.x * p.v for p in ps)


@other
@program('what looks like a list of objects', 0.7)
def copy_of_list(x):
    ps = [Point(x), Point(2 * x)]
    qs = list(ps)
    qs.append(Point(3 * x))
    qs[0].x += 1
    return (sum(p.x for p in ps) + len(ps) * x + sum(q.x for q in qs)) ** 2


@other
@program('what looks like a list of objects', 0.7)
def alias_of_list(x):
    ps = [Point(x), Point(2 * x)]
    qs = ps
    qs.append(Point(3 * x))
    qs[0].x += 1
    return (sum(p.x for p in ps) * len(ps)) ** 2


@other
@program('what looks like a list of objects', 0.7)
def rebound_list(x):
    ps = [Point(x), Point(2 * x)]
    b = ps[0]
    ps = [Point(5 * x)]
    b.x *= 2
    return (b.x + ps[0].x) ** 2


@other
@program('what looks like a list of objects', 0.7)
def rebound_in_loop(x):
    last = None
    t = 0.0
    for i in range(3):
        ps = [Point(x + i), Point(2 * x)]
        if i > 0:
            t += last.x
        last = ps[0]
        last.x *= 1.5
    return t


@program('what looks like a list of objects', 0.7)
def negative_then_append(x):
    ps = [Point(x)]
    b = ps[-1]
    ps.append(Point(3 * x))
    b.x += 1.0
    return (ps[0].x * 2 + ps[1].x) ** 2


@other
@program('what looks like a list of objects', 0.7)
def replaced(x):
    ps = [Point(x), Point(2 * x)]
    b = ps[0]
    ps[0] = Point(9 * x)
    b.x += 1
    return (b.x + ps[0].x) ** 2


@other
@program('what looks like a list of objects', 0.7)
def popped(x):
    ps = [Point(x), Point(2 * x), Point(3 * x)]
    b = ps.pop()
    b.x += 1
    return (b.x * len(ps) + ps[-1].x) ** 2


@program('what looks like a list of objects', 0.7)
def mixed_classes(x):
    ps = [Point(x), Heavy(2 * x)]
    return sum(p.bump(x) for p in ps)


@program('what looks like a list of objects', 0.7)
def subclass_list(x):
    ps = [Heavy(x), Heavy(2 * x)]
    t = 0.0
    for p in ps:
        t += p.bump(x * x)
    return t + ps[0].x


@other
@program('what looks like a list of objects', 0.7)
def append_while_looping(x):
    ps = [Point(x)]
    for p in ps:
        if len(ps) < 4:
            ps.append(Point(p.x * 2))
    return sum(p.x for p in ps) ** 2


@other
@program('what looks like a list of objects', 0.7)
def order_of_reading(x):
    ps = [Point(x), Point(2 * x)]

    def f():
        ps[0].x = 10.0 * x
        return 1.0

    return (ps[0].x + f() * ps[0].x) ** 2


def bump_it(ps, d):
    ps[0].x += d
    return ps[0].x


@program('what looks like a list of objects', 0.7)
def order_in_call(x):
    ps = [Point(x), Point(2 * x)]
    return ps[0].x * bump_it(ps, x) + ps[0].x


@other
@program('what looks like a list of objects', 0.7)
def order_in_augmented(x):
    ps = [Point(x), Point(2 * x)]
    ps[0].x += bump_it(ps, x)
    return ps[0].x ** 2


def pass_both(a, b, ps):
    a.x += 1.0
    b.x *= 2.0
    ps[0].x += b.x
    return a.x


@program('what looks like a list of objects', 0.7)
def aliasing_arguments(x):
    ps = [Point(x), Point(2 * x)]
    return (pass_both(ps[0], ps[0], ps) + ps[0].x) ** 2


@program('what looks like a list of objects', 0.7)
def swap_places(x):
    ps = [Point(x), Point(2 * x)]
    ps[0], ps[1] = (ps[1], ps[0])
    return (ps[0].x * 3 + ps[1].x) ** 2


@program('what looks like a list of objects', 0.7)
def swap_fields(x):
    ps = [Point(x), Point(2 * x)]
    ps[0].x, ps[1].x = (ps[1].x, ps[0].x * x)
    return ps[0].x * 3 + ps[1].x


@program('what looks like a list of objects', 0.7)
def closure_reads(x):
    ps = [Point(x), Point(2 * x)]
    f = lambda: ps[0].x + sum(p.x for p in ps)
    ps[0].x += 1.0
    return f() ** 2


@program('what looks like a list of objects', 0.7)
def slices_are_copies(x):
    ps = [Point(x * i) for i in range(5)]
    for p in ps[1:]:
        p.x += 1.0
    for p in ps[::2]:
        p.x *= 2.0
    for p in reversed(ps[-2:]):
        p.v += p.x
    return sum(p.x * p.v for p in ps)


@other
@program('what looks like a list of objects', 0.7)
def in_a_field_of_two(x):

    class S:
        def __init__(self, ps):
            self.ps = ps

    ps = [Point(x), Point(2 * x)]
    s, r = (S(ps), S(ps))
    s.ps[0].x += 1
    r.ps.append(Point(3 * x))
    return (sum(p.x for p in s.ps) + r.ps[0].x) ** 2


@other
@program('what looks like a list of objects', 0.7)
def rows_in_two_lists(x):
    ps = [Point(x), Point(2 * x), Point(3 * x)]
    big = [p for p in ps if p.x > 1]
    for p in big:
        p.x *= 2
    return sum(p.x for p in ps) ** 2


@other
@program('what looks like a list of objects', 0.7)
def maximum(x):
    ps = [Point(x), Point(2 * x), Point(3 * x)]
    b = max(ps, key=lambda p: p.x)
    b.x += 1
    return sum(p.x for p in ps) ** 2


@other
@program('what looks like a list of objects', 0.7)
def sorted_objects(x):
    ps = [Point(3 * x), Point(2 * x), Point(x)]
    ps.sort(key=lambda p: p.x)
    return (ps[0].x * 3 + ps[1].x) ** 2


@other
@program('what looks like a list of objects', 0.7)
def set_late(x):
    ps = [Point(x), Point(2 * x)]
    for p in ps:
        p.w = p.x * 2
    return sum(p.w for p in ps) ** 2


@program('what looks like a list of objects', 0.7)
def index_changes(x):
    ps = [Point(x), Point(2 * x)]
    i = 0
    b = ps[i]
    i = 1
    b.x += 1.0
    return ps[0].x * ps[i].x


@other
@program('what looks like a list of objects', 0.7)
def counter_changes(x):
    ps = [Point(x), Point(2 * x)]
    t = 0.0
    for i, p in enumerate(ps):
        i += 5
        p.x += i
        t += p.x
    for i, p in enumerate(ps):
        pass
    i = 0
    return t + p.x * x


@other
@program('what looks like a list of objects', 0.7)
def counter_after(x):
    ps = [Point(x), Point(2 * x)]
    for i, p in enumerate(ps):
        p.x += i
    i = 0
    return p.x


@program('what looks like a list of objects', 0.7)
def tuples_of(x):
    ps = (Point(x), Point(2 * x))
    ps[0].x += 1
    return ps[0].x * ps[1].x


@other
@program('what looks like a list of objects', 0.7)
def in_try(x):
    ps = [Point(x)]
    try:
        ps.append(Point(2 * x))
        ps[5].x = 3.0
    except IndexError:
        ps[0].x += 1
    return sum(p.x for p in ps)


@other
@program('what looks like a list of objects', 0.7)
def out_of_range(x):
    ps = [Point(x), Point(2 * x)]
    try:
        b = ps[7]
        b.x = 1.0
    except IndexError:
        return (ps[0].x * 5) ** 2
    return ps[1].x ** 2


@program('what looks like a list of objects', 0.7)
def list_field(x):

    class L:
        def __init__(self):
            self.vals = []

    ls = [L(), L()]
    for i in range(4):
        ls[i % 2].vals.append(x * i)
    a = ls[0].vals
    a.append(x)
    return sum(ls[0].vals) * sum(ls[1].vals)


@other
@program('what looks like a list of objects', 0.7)
def array_field(x):

    class L:
        def __init__(self, w):
            self.w = w

    ls = [L(np.ones(2) * x), L(np.ones(2))]
    w = ls[0].w
    w += 1.0
    ls[1].w[0] *= x
    return np.sum(ls[0].w * ls[1].w)


@other
@program('what looks like a list of objects', 0.7)
def shared_array(x):

    class L:
        def __init__(self, w):
            self.w = w

    w = np.ones(2) * x
    ls = [L(w), L(w)]
    ls[0].w[0] += 1.0
    return np.sum(ls[1].w ** 2)


def returned_row(ps):
    return ps[0]


@other
@program('what looks like a list of objects', 0.7)
def row_from_callee(x):
    ps = [Point(x), Point(2 * x)]
    b = returned_row(ps)
    b.x += 1
    return ps[0].x * 2


def make(x):
    return [Point(x * i) for i in range(3)]


@program('what looks like a list of objects', 0.7)
def list_from_callee(x):
    ps = make(x)
    qs = make(2 * x)
    ps[0].x += 1
    for p, q in zip(ps, qs):
        p.x += q.x
    return sum(p.x for p in ps) * qs[1].x


@program('what looks like a list of objects', 0.7)
def equal(x):
    ps = [Point(x), Point(x)]
    t = 0.0
    for a in ps:
        for b in ps:
            if a == b:
                t += a.x
            if a != b:
                t += 3 * a.x
    return t**2


@program('what looks like a list of objects', 0.7)
def contains(x):
    ps = [Point(x), Point(x)]
    t = 0.0
    if ps[0] in ps:
        t += x
    return t + ps.index(ps[1]) * x


@other
@program('what looks like a list of objects', 0.7)
def walrus(x):
    ps = [Point(x), Point(2 * x)]
    if (b := ps[0]).x < 100:
        b.x += 1
    return ps[0].x


@program('what looks like a list of objects', 0.7)
def deleted(x):
    ps = [Point(x), Point(2 * x)]
    del ps[0]
    return ps[0].x


@program('what looks like a list of objects', 0.7)
def passed_out(x):
    ps = [Point(x), Point(2 * x)]
    return (np.sum([p.x for p in ps]) + sum(map(lambda p: p.x, ps))) ** 2


class Descent:
    def __init__(self, params, lr):
        self.params = params
        self.lr = lr

    def step(self, grads):
        for i in range(len(self.params)):
            self.params[i] = self.params[i] - self.lr * grads[i]


class Momentum:
    def __init__(self, params, lr, mu=0.9):
        self.params, self.lr, self.mu = (params, lr, mu)
        self.vel = [0.0 for _ in params]

    def step(self, grads):
        for i in range(len(self.params)):
            self.vel[i] = self.mu * self.vel[i] - self.lr * grads[i]
            self.params[i] += self.vel[i]


class Rebinds:
    def __init__(self, params):
        self.params = params

    def drop(self):
        self.params = [p * 2 for p in self.params]


@program('a list that an object changes, too', 0.1)
def train(lr):
    params = [1.0, -2.0]
    opt = Descent(params, lr)
    for _ in range(3):
        opt.step([2 * params[0], 4 * params[1] + params[0]])
    return (params[0] ** 2 + params[1] ** 2) ** 2


@program('a list that an object changes, too', 0.1)
def momentum(lr):
    params = [1.0, -2.0]
    opt = Momentum(params, lr)
    for _ in range(3):
        grads = [2 * params[0], 4 * params[1] + params[0]]
        opt.step(grads)
    return (params[0] ** 2 + params[1] ** 2) ** 2


@other
@program('a list that an object changes, too', 0.1)
def rebinds(lr):
    params = [lr, -2.0 * lr]
    o = Rebinds(params)
    o.params[0] += 1.0
    o.drop()
    o.params[0] *= lr
    return (params[0] + o.params[0] * params[1]) ** 2


@program('a list that an object changes, too', 0.1)
def two_owners(lr):
    params = [lr, 2.0]
    a = Descent(params, lr)
    b = Descent(params, 2 * lr)
    a.step([1.0, lr])
    b.step([params[0], params[1]])
    return (a.params[0] * b.params[1]) ** 2


@other
@program('a list that an object changes, too', 0.1)
def rebound_name(lr):
    params = [lr, 2.0]
    a = Descent(params, lr)
    params = [5.0 * lr, 1.0]
    a.step(params)
    return (a.params[0] * params[0]) ** 2


@program('a list that an object changes, too', 0.1)
def in_loop(lr):
    t = 0.0
    for i in range(3):
        params = [lr * i, 2.0]
        a = Descent(params, lr)
        params.append(lr)
        a.step([lr, lr, 1.0])
        t += params[2] * a.params[0]
    return t**2


class Acc:
    def __init__(self, bal):
        self.bal = bal
        self.log = []

    def deposit(self, x):
        self.bal += x
        self.log.append(x)

    def withdraw(self, x):
        if x > self.bal:
            return False
        self.bal -= x
        return True


@program('a dict of objects that change', 0.7)
def by_keys(x):
    d = {}
    for k in ('u', 'v', 'w'):
        d[k] = Acc(x * (ord(k) - 116))
    for k, a in d.items():
        a.bal *= x
    for a in d.values():
        a.bal += 1.0
    for k in d:
        d[k].deposit(x)
    t = 0.0
    for k in sorted(d):
        t = t * 0.5 + d[k].bal
    if 'u' in d and 'z' not in d:
        t += len(d)
    return (t * sum((a.bal for a in d.values()))) ** 2


@program('a dict of objects that change', 0.7)
def a_display(x):
    d = {'a': Acc(x), 'b': Acc(x * x)}
    for name, acc in d.items():
        acc.deposit(x if name == 'a' else 2.0)
    return (d['a'].bal * d['b'].bal + sum(d['a'].log)) ** 2


@other
@program('a dict of objects that change', 0.7)
def overwritten(x):
    d = {'a': Acc(x)}
    a = d['a']
    d['a'] = Acc(5 * x)
    a.bal += 1
    return (a.bal * d['a'].bal) ** 2


def opens(d, k, v):
    d[k] = Acc(v)


@other
@program('a dict of objects that change', 0.7)
def overwritten_by_callee(x):
    d = {'a': Acc(x)}
    a = d['a']
    opens(d, 'a', 5 * x)
    a.bal += 1
    return (a.bal * d['a'].bal) ** 2


@other
@program('a dict of objects that change', 0.7)
def overwritten_in_loop(x):
    d = {'a': Acc(x), 'b': Acc(2 * x)}
    t = 0.0
    for k, a in d.items():
        d[k] = Acc(3 * x)
        a.bal += 1
        t += a.bal * d[k].bal
    return t**2


@program('a dict of objects that change', 0.7)
def overwritten_plain(x):
    d = {'a': Acc(x)}
    d['a'].bal += 1.0
    d['a'] = Acc(d['a'].bal * x)
    d['a'].deposit(x)
    return (d['a'].bal ** 2) ** 2


@other
@program('a dict of objects that change', 0.7)
def key_error(x):
    d = {'a': Acc(x)}
    try:
        a = d['q']
        a.bal = 1.0
    except KeyError:
        d['q'] = Acc(x * x)
    return (d['q'].bal * d['a'].bal) ** 2


@other
@program('a dict of objects that change', 0.7)
def gets(x):
    d = {'a': Acc(x)}
    a = d.get('a')
    b = d.get('z')
    if b is None:
        a.bal += x
    return (a.bal**2) ** 2


@other
@program('a dict of objects that change', 0.7)
def popped_by_key(x):
    d = {'a': Acc(x), 'b': Acc(2 * x)}
    a = d.pop('a')
    a.bal += 1
    return (a.bal * len(d) * d['b'].bal) ** 2


@other
@program('a dict of objects that change', 0.7)
def key_changes(x):
    d = {'a': Acc(x), 'b': Acc(2 * x)}
    t = 0.0
    for k, a in d.items():
        k = 'b'
        t += a.bal * d[k].bal
    return t**2


@other
@program('a dict of objects that change', 0.7)
def loop_variable_after(x):
    d = {'a': Acc(x), 'b': Acc(2 * x)}
    for k, a in d.items():
        a.bal += 1
    a.bal *= 2
    return sum((q.bal**2 for q in d.values())) ** 2


@other
@program('a dict of objects that change', 0.7)
def tuple_keys(x):
    d = {}
    for i in range(2):
        for j in range(2):
            d[i, j] = Acc(x * (i + j))
    d[0, 1].bal += 1
    return (d[0, 1].bal * d[1, 1].bal) ** 2


@program('a dict of objects that change', 0.7)
def names_and_lists(x):
    d = {'a': [x], 'b': [x, x]}
    d['a'].append(x * x)
    return (sum(d['a']) * sum(d['b'])) ** 2


@dataclass
class Param:
    value: float
    grad: float = 0.0


@program('a dict of objects that change', 0.7)
def params(lr):
    ps = {'w': Param(1.0), 'b': Param(0.5)}
    for _ in range(3):
        y = ps['w'].value * 1.5 + ps['b'].value
        e = y - 2.0
        ps['w'].grad = 2 * e * 1.5
        ps['b'].grad = 2 * e
        for p in ps.values():
            p.value -= lr * p.grad
    return ((ps['w'].value * 1.5 + ps['b'].value - 2.0) ** 2) ** 2


@other
@program('a dict of objects that change', 0.7)
def swapped_by_key(x):
    d = {'a': Acc(x), 'b': Acc(2 * x)}
    d['a'], d['b'] = (d['b'], d['a'])
    d['a'].bal += 1
    return (d['a'].bal * 3 + d['b'].bal ** 2) ** 2


@program('what looks like a list of objects', 0.7)
def last_of_them(x):
    ps = [Point(x), Point(2 * x), Point(3 * x)]
    last = ps[-1]
    for p in ps:
        if p is last:
            p.x += 10 * x
        else:
            p.x *= 2
    i, j = -1, 2
    return sum(p.x * p.x for p in ps) * (5 * x if ps[i] is ps[j] else 1.0)


@program('what looks like a list of objects', 0.7)
def counted_from_the_end(x):
    ps = [Point(x), Point(2 * x)]
    i = -1
    b = ps[i]
    ps.append(Point(5 * x))
    b.x += 1
    return ps[1].x * ps[2].x


@other
@program('what looks like a list of objects', 0.7)
def of_another_list_next_time(x):
    ps = [Point(x), Point(2 * x)]
    qs = [Point(x + 1), Point(2 * x + 1)]
    p = ps[0]
    for i in range(2):
        p.x += 1
        p = qs[i]
    return sum(p.x * p.v for p in ps) ** 2 * qs[0].x


@other
@program('what looks like a list of objects', 0.7)
def of_another_list_perhaps(x):
    ps = [Point(x), Point(2 * x)]
    qs = [Point(3 * x), Point(x * x)]
    p = ps[0]
    if x > 5:
        p = qs[1]
    p.x += x
    return ps[0].x * qs[1].x


@other
@program('what looks like a list of objects', 0.7)
def that_of_before(x):
    ps = [Point(x), Point(2 * x)]
    for i in range(2):
        if i > 0:
            p.x += 1
        p = ps[i]  # noqa: F841
    return ps[0].x * ps[1].x


@other
@program('a dict of objects that change', 0.7)
def its_key_is_another_one(x):
    d = {'a': Acc(x), 'b': Acc(3 * x)}
    t = 0.0
    for i, (k, a) in enumerate(d.items()):
        k = 'b'
        a.bal += x
        t += a.bal * (i + 1) * d[k].bal
    return t * t + d['a'].bal


@other
@program('a name of a loop and of an assignment', 0.7)
def read_when_the_loop_is_done(x):
    ps = [P(x), P(2 * x)]
    p = P(5 * x)
    t = p.x
    for i, p in enumerate(ps):
        p.v += i
    else:
        t += p.x * p.v
    p = P(x)
    return (t * p.x) ** 2


@other
@program('a name of a loop and of an assignment', 0.7)
def read_by_a_lambda_later(x):
    ps, fs = [P(x), P(2 * x)], []
    p = P(5 * x)
    t = p.x
    for p in ps:
        p.v += 1.0
        fs.append(lambda: p.x)
    p = P(7 * x)
    return (t * fs[0]() + p.x) ** 2
