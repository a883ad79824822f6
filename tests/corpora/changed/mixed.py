"""Lists of objects of several classes: written one by one where the text shows all that is done with them."""
import numpy as np

from tests.tools.registry import other, program


class Shape:
    def __init__(self, a):
        self.a = a

    def area(self):
        return self.a


class Square(Shape):
    def area(self):
        return self.a ** 2


class Disc(Shape):
    def __init__(self, a, k):
        super().__init__(a)
        self.k = k

    def area(self):
        return 3.0 * self.a ** 2 * self.k


class Dense:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def forward(self, x):
        self.x = x
        return self.w * x + self.b


class Tanh:
    def forward(self, x):
        return np.tanh(x)


class Account:
    def __init__(self, b):
        self.b = b

    def step(self, r):
        self.b *= 1 + r


class Savings(Account):
    def step(self, r):
        self.b *= 1 + 2 * r


class Loan(Account):
    def step(self, r):
        self.b = self.b * (1 + r) - 0.1


@program('objects of several classes', 0.7)
def in_a_sum(x):
    return sum(s.area() for s in [Square(x), Disc(x, 2.0)])


@program('objects of several classes', 0.7)
def in_a_loop(x):
    shapes = [Square(x), Disc(x, 2.0), Shape(x * x)]
    t = 0.0
    for s in shapes:
        t += s.area() * x
    return t


@program('objects of several classes', 0.7)
def layers(x):
    h = 0.5
    for layer in [Dense(x, 1.0), Tanh(), Dense(2.0, x)]:
        h = layer.forward(h)
    return h


@program('objects of several classes that change', 0.7)
def accounts(x):
    held = [Account(x), Savings(2 * x), Loan(x * x)]
    for t in range(3):
        for a in held:
            a.step(0.1 * x)
    return sum(a.b for a in held)


@program('objects of several classes that have names', 0.7)
def with_names(x):
    sq = Square(x)
    shapes = [sq, Disc(x, 2.0)]
    sq.a = sq.a * 2
    areas = [s.area() for s in shapes]
    for i, s in enumerate(shapes):
        s.a += i * x
    return max(areas) * len(shapes) + shapes[0].area() + shapes[-1].area()


@program('one object in two places', 0.7)
def twice(x):
    a = Square(x)
    both = (a, Disc(x, 2.0), a)
    for s in reversed(both):
        s.a = s.a * x
    return sum(s.area() for s in both)


@program('a loop in a loop', 0.7)
def nested(x):
    for s in [Square(x), Disc(x, 2.0)]:
        for t in [Shape(x), Disc(x, s.area())]:
            x = x + 0.1 * s.area() * t.area()
    return x


@program('branches and loops for each', 0.7)
def with_branches(x):
    t = 0.0
    for i, s in enumerate([Square(x), Disc(x, 2.0)]):
        for j in range(i + 2):
            if s.a > 0.5:
                t += s.area() * j
            else:
                t -= s.a
    return t


@other
@program('what raises for one of them', 0.7)
def raising(x):
    for s in [Square(x), Disc(x, 2.0)]:
        try:
            x = x + s.area() / s.k
        except AttributeError:
            x = x * 2
    return x


@other
@program('the variable is read after the loop', 0.7)
def read_later(x):
    for s in [Square(x), Disc(x, 2.0)]:
        x = x + s.area() * x
    return x + s.a


@other
@program('the variable is read in the next iteration of a loop around', 0.7)
def read_in_the_next(x):
    p = 0.0
    for k in range(2):
        if k > 0:
            p += s.area()
        for s in [Square(x), Disc(x, p)]:
            p += s.area() * x
    return p


@other
@program('a list that grows', 0.7)
def appended(x):
    held = [Account(x), Savings(2 * x)]
    held.append(Loan(x * x))
    for a in held:
        a.step(0.1)
    return sum([a.b for a in held])


@other
@program('a list with two names', 0.7)
def two_names(x):
    shapes = [Square(x), Disc(x, 2.0)]
    others = shapes
    for s in others:
        s.a *= 2
    return sum(s.area() for s in shapes)


@program('a name that is bound anew', 0.7)
def bound_anew(x):
    a, b = Square(x), Disc(x, 2.0)
    both = [a, b]
    for s in both:
        s.a = s.a + x
    a = Square(3.0)
    return a.area() + sum(s.area() for s in both)


@other
@program('functions that are made for each', 0.7)
def captured(x):
    fs = []
    for s in [Square(x), Disc(x, 2.0)]:
        fs.append(lambda: s.area())
    return sum(f() for f in fs)


@other
@program('a loop that is left', 0.7)
def left(x):
    for s in (Square(x), Disc(x, 2.0)):
        if s.a > 10:
            break
        x = x + s.area()
    return x


@other
@program('a display in the test of a loop', 0.7)
def in_a_test(x):
    t = 0.0
    while sum(s.area() for s in [Square(t + x), Disc(x, 2.0)]) < 20:
        t += 1.0
    return t * x + sum(s.area() for s in [Square(t + x), Disc(x, 2.0)])


@other
@program('a display that is perhaps not evaluated', 0.7)
def in_a_branch(x):
    return x * 2 if x > 5 else sum(s.area() for s in [Square(x), Disc(x, 2.0)])


@other
@program('a name that a function inside binds anew', 0.7)
def bound_anew_inside(x):
    sq = Square(x)

    def change():
        nonlocal sq
        sq = Square(3 * x)
    shapes = [sq, Disc(x, 2.0)]
    change()
    return sum(s.area() for s in shapes) + sq.area()
