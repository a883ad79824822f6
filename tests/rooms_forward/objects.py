ARGS = 0.7,


class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def area(self, scale):
        return self.a * self.b * scale


def f(x):
    p = Point(x, 2.0)
    p.a *= x
    return p.area(x)


# --- split
def f(x):
    p = Point(x, 2.0)
    p.a *= x
    t = p.area(x)
    return t


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    x = copy(x)
    dx = copy(dx)
    p, dp = pushforward(Point, (x, 2.0), (dx, None))
    dp.a *= x
    dp.a += p.a * dx
    p.a *= x
    t, dt = pushforward(p.area, (x,), (dx,), df=dp)
    return dt


# --- optimized
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    x = copy(x)
    dx = copy(dx)
    p, dp = pushforward(Point, (x, 2.0), (dx, None))
    dp.a *= x
    dp.a += p.a * dx
    p.a *= x
    t, dt = pushforward(p.area, (x,), (dx,), df=dp)
    return dt
