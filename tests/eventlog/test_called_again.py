"""Calls that are found at once the second time see what has changed since: methods, code, classes, rules, kinds of arguments."""
import itertools
import linecache
import types

import numpy as np
import pytest

import tangent

NUMBERS = itertools.count()


def module(text):
    made = types.ModuleType('made')
    name = f'<made {next(NUMBERS)}>'
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    exec(compile(text, name, 'exec'), made.__dict__)
    return made


PARTICLE = '''
import numpy as np
def force(x, k):
    return -k * x

class Particle:
    mass = 1.0
    def __init__(self, x, v):
        self.x, self.v = x, v
    def step(self, k):
        self.v = self.v + force(self.x, k) * 0.1 / self.mass
        self.x = self.x + self.v * 0.1
    def energy(self, k):
        return 0.5 * k * self.x * self.x + 0.5 * self.v * self.v

def handed_on(p):
    return max([p], key=id)                     # which may be anything

def loss(x, k):
    p = handed_on(Particle(x, 0.0))
    for i in range(4):
        p.step(k)
        p = Particle(p.x * p.x, p.v)
    return p.energy(k=k) * p.x

def other(self, k):
    self.v = self.v * k
    self.x = np.sin(self.x) * self.v

def start(self, x, v):
    self.x, self.v = x * x, v + x

def weaker(x, k):
    return -k * x * x
'''


def agrees(made, df, *args):
    h = 1e-6
    for i in range(len(args)):
        up, down = ([a + s * h * (j == i) for j, a in enumerate(args)] for s in (1, -1))
        want = (made.loss(*up) - made.loss(*down)) / (2 * h)
        np.testing.assert_allclose(df(*args)[i], want, rtol=1e-6, atol=1e-8)


CHANGES = {
    'nothing': lambda m: None,
    'method': lambda m: setattr(m.Particle, 'step', m.other),
    'code of a method': lambda m: setattr(m.Particle.step, '__code__', m.other.__code__),
    'init': lambda m: setattr(m.Particle, '__init__', m.start),
    'value of the class': lambda m: setattr(m.Particle, 'mass', 2.0),
    'name of a class': lambda m: setattr(m, 'Particle', type('Particle', (m.Particle,), {'step': m.other})),
    'name of a function': lambda m: setattr(m, 'force', m.weaker),
    'code of a function': lambda m: setattr(m.force, '__code__', m.weaker.__code__),
}


@pytest.mark.parametrize('name', CHANGES)
def test_changed(name):
    made = module(PARTICLE)
    df = tangent.grad(made.loss, wrt=(0, 1))
    agrees(made, df, 0.7, 1.3)
    CHANGES[name](made)
    agrees(made, df, 0.7, 1.3)
    agrees(made, df, 0.9, 1.1)


def test_rule_registered_later():
    made = module(PARTICLE)
    df = tangent.grad(made.loss)
    df(0.7, 1.3)

    @tangent.grads.adjoint(made.force)
    def adjoint(f, x, k):
        d[x] = 0.0 * d[f]                      # noqa: F821
    assert df(0.7, 1.3) != pytest.approx(tangent.grad(module(PARTICLE).loss)(0.7, 1.3))


def test_other_kinds():
    made = module(PARTICLE)
    df = tangent.grad(made.loss, wrt=(0, 1))
    for kind in (float, np.float64, np.float32):
        np.testing.assert_allclose(df(kind(0.7), kind(1.3)), df(0.7, 1.3), rtol=1e-5)
    x = np.array([0.7, 0.9])
    total = module(PARTICLE.replace('return p.energy(k=k) * p.x', 'return np.sum(p.energy(k=k) * p.x)'))
    found = tangent.grad(total.loss)(x, 1.3)
    np.testing.assert_allclose(found, [df(v, 1.3)[0] for v in x])


def test_on_the_tape_once():
    """What several lines read before it is bound anew is put on the tape once."""
    text = tangent.source(tangent.grad(module(PARTICLE).loss))
    assert text.count('_stack.append(p)') == 2 and text.count('p = _stack.pop()') == 2            # in the loop, and behind it


NUMBERS_ALONE = '''
def ratio(x, a):
    if x == 0:
        return 0.0
    return x / a

class Keep:
    def put(self, x, a):
        self.v = x * x * a

def helper(v, x, a):
    k = Keep()
    put = k.put
    put(v, x)
    return k.v * ratio(x, a)

def loss(v):
    return helper(v, x=0.1, a=9.0)
'''


def test_numbers_that_have_no_derivative():
    """A call whose arguments might be written into, and turn out to be numbers: nothing goes back through it."""
    made = module(NUMBERS_ALONE)
    df = tangent.grad(made.loss)
    for v in 0.7, 1.3:
        agrees(made, lambda v: [df(v)], v)
