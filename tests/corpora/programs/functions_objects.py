"""Objects and containers to be differentiated, with the functions that read them."""
import collections
import colorsys
import copy
import dataclasses
import math
import statistics
import typing
from types import SimpleNamespace

import numpy as np

import tangent

A, B = np.array([1.0, 2.0, 3.0]), np.array([4.0, 0.5, -1.0])
Point = collections.namedtuple('Point', 'x y')


class Pair(typing.NamedTuple):
    a: float
    b: float = 2.0


@dataclasses.dataclass
class Record:
    x: float
    y: float = 3.0


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: float
    w: np.ndarray
    name: str = 'frozen'


@dataclasses.dataclass(kw_only=True)
class Named:
    x: float
    parts: list = dataclasses.field(default_factory=list)


class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b


class Model:
    rate = 0.5

    def __init__(self):
        rng = np.random.RandomState(1)
        self.layers = [Layer(rng.randn(3, 4), rng.randn(4)), Layer(rng.randn(4, 2), rng.randn(2))]
        self.scale, self.count, self.name, self.nothing, self.act = 2.0, 3, 'model', None, math.sin
        self.table = {'bias': 0.3, 'pair': (1.5, np.array([0.2, 0.4]))}

    def loss(self, x):
        for layer in self.layers:
            x = np.tanh(x @ layer.w + layer.b)
        return np.sum(x) * self.scale + self.table['bias'] * self.count


class Slots:
    __slots__ = ('a', 'b')

    def __init__(self):
        self.a, self.b = 2.0, A.copy()


class SubSlots(Slots):
    __slots__ = ('c',)

    def __init__(self):
        super().__init__()
        self.c = 4.0


class Gas:
    """Its attributes have names that arrays have, too."""

    def __init__(self):
        self.T, self.size, self.real, self.shape = 3.0, 2.0, 1.5, 0.5


CASES = []


def case(*args, wrt=None):
    def add(function):
        CASES.append((function, args, wrt or tuple(range(len(args)))))
        return function
    return add


# Objects

@case(Model(), A)
def layers_by_index(m, x):
    return np.sum(np.tanh(x @ m.layers[0].w + m.layers[0].b)) * m.scale


@case(Model(), A)
def layers_in_a_loop(m, x):
    for layer in m.layers:
        x = np.tanh(x @ layer.w + layer.b)
    return np.sum(x) * m.scale


@case(Model())
def dict_and_tuple_in_an_object(m):
    return m.table['bias'] * np.sum(m.table['pair'][1]) * m.table['pair'][0]


@case(Model())
def some_paths(m):
    s = m.scale
    if m.name == 'model':
        s = s * m.count
    for k in range(3):
        s = s + m.layers[0].b[k] * m.layers[1].b[0]
    return s * m.rate


@case(SimpleNamespace(a=2.0, b=[1.0, SimpleNamespace(c=A)], name='n', f=len, none=None, i=3))
def namespaces(o):
    return o.a * np.sum(o.b[1].c) * o.b[0] * o.i


@case(Slots())
def slots(s):
    return s.a * np.sum(s.b)


@case(SubSlots())
def inherited_slots(s):
    return s.a * s.c * s.b[1]


@case(Gas())
def temperature(gas):
    return gas.T ** 4


@case(Gas())
def size(gas):
    return gas.size ** 2


@case(Gas())
def names_of_arrays(gas):
    return gas.T * gas.size * gas.real * gas.shape


@case(SimpleNamespace(gas=Gas()))
def nested_names_of_arrays(m):
    return m.gas.T * m.gas.size


@case(Frozen(2.0, A))
def frozen(r):
    return r.x * np.sum(r.w * r.w)


@case([Frozen(2.0, A), {'r': Record(1.0)}, None, 'text'])
def records_in_containers(p):
    return p[0].x * p[1]['r'].x * p[1]['r'].y + p[0].w[1]


@case(SimpleNamespace(w=2.0), 3.0)
def getattr_by_name(o, x):
    return getattr(o, 'w') * x  # noqa: B009


def double(layer, x):
    return x * layer.b + np.sum(layer.w)


@case(Model(), 2.0)
def handed_to_functions(m, x):
    return np.sum(double(m.layers[1], x)) * m.scale + double(m.layers[0], x)[0]


def inner(m, x):
    return m.layer.w * x * m.layer.b[0]


def outer(m, x):
    return tangent.grad(inner)(m, x).layer.w * m.layer.w


def two_places(p):
    return np.sum(p[0] * 2.0) + np.sum(p[1] * 3.0)


def chain(node):
    s = 0.0
    while node is not None:
        s = s + node.w * node.w
        node = node.next
    return s


def tree(node):
    if node is None:
        return 0.0
    return node.w * node.w + 2 * tree(node.left) * tree(node.right)


# What makes namedtuples and dataclasses

@case((2.0, 3.0))
def make_namedtuple(p):
    q = Point(p[0], y=p[1] * p[0])
    return q.x * q[1]


@case(Point(2.0, 3.0))
def read_namedtuple(p):
    return p.x * p[1]


@case(2.0)
def defaults_of_a_namedtuple(a):
    q = Pair(a)._replace(b=a * a)
    return q.a * q.b


@case((2.0, 3.0))
def namedtuple_of_an_iterable(p):
    q = Point._make(p)
    return q.x * q.x * q.y


@case(2.0, 3.0)
def make_record(a, b):
    r = Record(a * b, y=b)
    return r.x * r.y


@case(2.0)
def default_of_a_record(a):
    return Record(a).x * Record(a).y


@case(2.0)
def make_frozen(a):
    r = Frozen(a, A * a)
    return r.x * np.sum(r.w)


@case(2.0)
def keywords_only(a):
    r = Named(x=a, parts=[a, a * a])
    return r.x * r.parts[1]


@case(Record(2.0, 4.0))
def replace(r):
    q = dataclasses.replace(r, x=r.x * r.y)
    return q.x * q.y


@case(Record(2.0, 4.0))
def as_dict(r):
    q = dataclasses.asdict(r)
    return q['x'] * q['y'] * q['y']


@case(Record(2.0, 4.0))
def as_tuple(r):
    a, b = dataclasses.astuple(r)
    return a * b * b


# Containers

@case({'a': 2.0, 'b': A})
def get(p):
    return p.get('a') * np.sum(p['b']) * p.get('none', 3.0)


@case({'a': 2.0, 'b': 3.0})
def items(p):
    s = 0.0
    for k, v in p.items():
        s += v * v * len(k)
    return s


@case({'a': 2.0, 'b': 3.0})
def keys(p):
    s = 0.0
    for k in p:
        s += p[k] * p[k]
    return s


@case({'a': 2.0, 'b': 3.0})
def values(p):
    v = list(p.values())
    return v[0] * v[1] * sum(p.values())


@case([2.0, 3.0, 4.0], -1)
def negative_index(p, i):
    return p[i] * p[-2]


CASES[-1] = (negative_index, ([2.0, 3.0, 4.0], -1), (0,))


@case((2.0, 3.0, 4.0))
def slice_of_a_tuple(p):
    q = p[1:]
    return q[0] * q[1]


@case([2.0, 3.0])
def twice_a_list(p):
    q = p * 2
    return q[0] * q[1] * q[2]


@case(2.0)
def three_times(x):
    q = 3 * [x, x * x]
    return q[0] * q[1] * q[4]


@case([2.0, 3.0], [4.0])
def join(p, q):
    r = p + q
    return r[0] * r[2]


@case([2.0], [4.0, 5.0, 6.0])
def join_one(p, q):
    r = p + q
    return r[0] * r[2] * r[3]


@case((2.0, 3.0), (4.0,))
def join_tuples(p, q):
    r = p + q + (5.0,)
    return r[0] * r[2] * r[3]


@case([2.0, 3.0])
def tuple_of_a_list(p):
    q = tuple(p)
    return q[0] * q[1]


@case(A)
def list_of_an_array(a):
    q = list(a)
    return q[0] * q[1] * q[1]


@case(2.0)
def dict_of_keywords(x):
    d = dict(a=x, b=x * x)
    return d['a'] * d['b']


@case(2.0)
def dict_of_pairs(x):
    d = dict([('a', x), ('b', x * x)])
    return d['a'] * d['b']


@case({'a': 2.0, 'b': [3.0]})
def deep_copy(p):
    q = copy.deepcopy(p)
    return q['a'] * q['b'][0]


@case([2.0, 3.0])
def copies(p):
    q, r = copy.copy(p), p.copy()
    return q[0] * q[1] * r[0]


@case([A, B])
def sum_of_arrays(p):
    return np.sum(sum(p) ** 2)


@case([A, B])
def stack(p):
    return np.sum(np.stack(p) ** 2) + np.sum(np.concatenate(p) ** 3)


@case([2.0, 3.0])
def array_of_a_list(p):
    return np.sum(np.array(p) ** 2)


@case([2.0, 3.0])
def dot_of_lists(p):
    return np.dot(p, p)


@case([2.0, 3.0], (1.0, 5.0))
def reductions_of_lists(p, q):
    return np.sum(p) * np.mean(q) + np.max(p) * np.prod(q)


@case([2.0, 3.0])
def sum_of_a_list(p):
    return np.sum(p)


@case([2.0, 3.0, 4.0], [5.0, 1.0, 2.0])
def mathematics(p, q):
    return math.fsum(p) ** 2 + math.prod(p) * math.dist(p, q) + math.hypot(p[0], q[1])


@case([2.0, 0.0, 4.0])
def product_with_a_zero(p):
    return math.prod(p) * 2


@case([3.0, 1.0, 2.0])
def order(p):
    q, r = sorted(p), list(reversed(p))
    return q[0] * 2 + q[2] * 3 + max(p) * min(p) * r[0]


@case([3.0, -1.0, 2.0])
def order_by_key(p):
    q = sorted(p, key=abs, reverse=True)
    return q[0] * 2 + q[2] * 3


@case([3.0, 1.0], [2.0, 5.0, 7.0])
def zipped(p, q):
    pairs = list(zip(p, q))
    return pairs[0][0] * pairs[1][1]


@case([3.0, 1.0])
def enumerated(p):
    pairs = list(enumerate(p, 1))
    return pairs[0][1] * pairs[1][1] * pairs[1][0]


@case({'a': [1.0, {'b': (2.0, A)}], 'text': 's', 'none': None})
def nested(p):
    return p['a'][0] * p['a'][1]['b'][0] * np.sum(p['a'][1]['b'][1])


# The standard library

@case(0.2, 0.4, 0.6)
def colors(r, g, b):
    h, l, s = colorsys.rgb_to_hls(r, g, b)
    x, y, z = colorsys.hsv_to_rgb(*colorsys.rgb_to_hsv(r, g, b))
    return h + 2 * l + 3 * s + x * y * z + sum(colorsys.rgb_to_yiq(r, g, b)) + colorsys.hls_to_rgb(h, l, s)[0]


@case([1.0, 2.0, 4.5], [3.0, 1.5, 7.0])
def averages(x, w):
    return (statistics.mean(x) + statistics.fmean(x, w) * statistics.fmean(x) + statistics.geometric_mean(x)
            + statistics.harmonic_mean(x) + statistics.harmonic_mean(x, w) + statistics.median(x))


@case([1.0, 2.0, 4.5])
def spreads(x):
    return (statistics.variance(x) + statistics.stdev(x) * statistics.pstdev(x) + statistics.pvariance(x)
            + statistics.variance(x, 1.0))


@case([1.0, 2.0, 4.5], [3.0, 1.5, 7.0])
def regression(x, y):
    slope, intercept = statistics.linear_regression(x, y)
    return slope + 2 * intercept + statistics.covariance(x, y) * statistics.correlation(x, y)


@case(0.3, 0.4, 1.2)
def normal_distribution(x, m, s):
    return statistics.NormalDist(m, s).pdf(x) + statistics.NormalDist(m, s).cdf(x)
