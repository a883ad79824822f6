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
    t2 = p.a * x
    dt = dp.a * x + dx * p.a
    p.a *= x
    dp.a = overwrite(dp.a, dt)
    t, dt2 = pushforward(p.area, (x,), (dx,), df=dp)
    return dt2


# --- optimized
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    x = copy(x)
    dx = copy(dx)
    p, dp = pushforward(Point, (x, 2.0), (dx, None))
    dt = dp.a * x + dx * p.a
    p.a *= x
    dp.a = overwrite(dp.a, dt)
    t, dt2 = pushforward(p.area, (x,), (dx,), df=dp)
    return dt2
