"""The programs of the Zygote papers (Innes: Don't unroll adjoint, 2018; Innes and others: A differentiable programming
system, 2019).

    python examples/papers/zygote.py

Gradient hooks, nesting levels and checkpoints written by the user as rules; cons cells, boxes and closures as objects.
"""
import math

import tangent

# Rules that a user writes: what a library has to build in elsewhere

@tangent.custom_vjp
def hook(function, x):
    """The value of x, whose gradient goes through a function on its way back."""
    return x


hook.defvjp(lambda function, x: (x, function), lambda function, g: (None, function(g)))


def clipped(x):
    y = hook(lambda g: min(max(g, -1.0), 1.0), x * x)
    return y * 10.0 + x


def reversed_gradient(x):
    return hook(lambda g: -g, x) ** 2


def level(x):
    """How deep this call is differentiated, as a value beside the derivative."""
    return tangent.nest_level() * x


@tangent.custom_vjp
def checkpoint(function, x):
    """The value of function(x), computed once more in the backward pass, so that nothing of it is kept meanwhile."""
    return function(x)


checkpoint.defvjp(lambda function, x: (function(x), (function, x)),
                  lambda saved, g: (None, tangent.vjp(saved[0])(saved[1], g)))


def wave(x):
    for _ in range(50):
        x = math.sin(x) + 0.1 * x
    return x


def long_wave(x):
    for _ in range(4):
        x = checkpoint(wave, x)
    return x


# Control flow: the paper's `pow`

def power(x, n):
    r = 1.0
    while n > 0:
        n -= 1
        r *= x
    return r


# Data: cons cells, boxes, a closure as an object, a point

def cons(head, tail):
    return lambda pick: pick(head, tail)


def car(cell):
    return cell(lambda head, tail: head)


def cdr(cell):
    return cell(lambda head, tail: tail)


def product_of_list(x, y):
    cell = cons(x, cons(y, cons(x * y, None)))
    product = 1.0
    while cell is not None:
        product = product * car(cell)
        cell = cdr(cell)
    return product


class Box:
    """A mutable cell."""

    def __init__(self, content):
        self.content = content

    def set(self, content):
        self.content = content

    def get(self):
        return self.content


def power_by_box(x, n):
    box = Box(1.0)
    for _ in range(n):
        box.set(box.get() * x)
    return box.get()


def account(balance):
    """An object made of closures: what it can do, and state that only these reach."""
    def deposit(amount):
        nonlocal balance
        balance = balance + amount
        return balance

    def grow(rate):
        nonlocal balance
        balance = balance * (1 + rate)
        return balance
    return {'deposit': deposit, 'grow': grow}


def savings(start, rate):
    mine = account(start)
    for _ in range(3):
        mine['deposit'](10.0)
        mine['grow'](rate)
    return mine['grow'](0.0)


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    @property
    def width(self):
        return self.x

    def distance(self):
        return math.sqrt(self.x ** 2 + self.y ** 2)


def shifted_distance(point):
    return (point + Point(1.0, 2.0)).distance()


if __name__ == '__main__':
    print('clipped:', tangent.grad(clipped)(3.0), ' reversed:', tangent.grad(reversed_gradient)(3.0))
    print('level:', level(1.0), tangent.grad(level)(1.0), tangent.grad(lambda x: tangent.grad(level)(x) * x)(1.0))
    print('checkpointed:', tangent.grad(long_wave)(0.5), ' power:', tangent.grad(power)(2.0, 5))
    print('cons cells:', tangent.grad(product_of_list, wrt=(0, 1))(2.0, 3.0), ' box:', tangent.grad(power_by_box)(2.0, 5))
    print('savings:', tangent.grad(savings, wrt=(0, 1))(100.0, 0.02))
    gradient = tangent.grad(shifted_distance)(Point(2.0, 2.0))
    print('point:', gradient.x, gradient.y)
