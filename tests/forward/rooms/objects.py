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
    t = area(p, x)
    return t


# --- split
def area(self, x0):
    check_called(self, "area", Point_area)
    t = Point_area(self, x0)
    return t


# --- split
def area(self, scale):
    t = self.a
    t2 = self.b
    t3 = t * t2
    t4 = t3 * scale
    return t4


# --- forward
def area_tangent2(self, scale, dself, dscale):
    t = self.a
    dt = dself.a
    t2 = self.b
    dt2 = dself.b
    t3 = t * t2
    dt3 = dt * t2 + dt2 * t
    t4 = t3 * scale
    dt4 = dt3 * scale + dscale * t3
    return t4, dt4


# --- forward
def area_tangent(self, x0, dself, dx0):
    check_called(self, "area", Point_area)
    t, dt = area_tangent2(self, x0, dself, dx0)
    return t, copy(dt)


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    dx = copy_along(dx, x)
    x = copy_alike(x)
    p, dp = pushforward(Point, (x, 2.0), (dx, None))
    dt = p.a * dx
    dp.a *= x
    dp.a += dt
    p.a *= x
    t, dt2 = area_tangent(p, x, dp, dx)
    return dt2


# --- optimized
def area_tangent2(self, scale, dself, dscale):
    t = self.a
    t2 = self.b
    t3 = t * t2
    dt = (dself.a * t2 + dself.b * t) * scale + dscale * t3
    return t3 * scale, dt


def area_tangent(self, x0, dself, dx0):
    check_called(self, "area", Point_area)
    t, dt = area_tangent2(self, x0, dself, dx0)
    return t, copy(dt)


def dfdx(x, dx):
    dx = check_tangent(x, dx)
    dx = copy_along(dx, x)
    x = copy_alike(x)
    p, dp = pushforward(Point, (x, 2.0), (dx, None))
    dt = p.a * dx
    dp.a *= x
    dp.a += dt
    p.a *= x
    t, dt2 = area_tangent(p, x, dp, dx)
    return dt2
