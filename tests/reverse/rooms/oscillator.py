"""Euler's method for a damped oscillator."""


def f(x, v, k, dt, n):
    for i in range(n):
        a = -k * x - 0.1 * v
        x, v = x + dt * v, v + dt * a
    return x * x + v * v


ARGS = 1.0, 0.2, 1.7, 0.1, 5
WRT = 'x', 'v', 'k'


# --- normal
def f(x, v, k, dt, n):
    x2 = x
    v2 = v
    for i in range(n):
        t = -k
        t2 = t * x2
        t3 = 0.1 * v2
        a = t2 - t3
        t4 = dt * v2
        x3 = x2 + t4
        t5 = dt * a
        v3 = v2 + t5
        x2 = x3
        v2 = v3
    t6 = x2 * x2
    t7 = v2 * v2
    t8 = t6 + t7
    return t8


# --- reverse
def dfdxdvdk(x, v, k, dt, n, bf=1.0):
    _stack = Stack()
    x2 = x
    v2 = v
    for i in range(n):
        t = -k
        t2 = t * x2
        t3 = 0.1 * v2
        a = t2 - t3
        t4 = dt * v2
        x3 = x2 + t4
        t5 = dt * a
        v3 = v2 + t5
        push(_stack, t, "_1")
        push(_stack, x2, "_2")
        x2 = x3
        v2 = v3
    t6 = x2 * x2
    t7 = v2 * v2
    t8 = t6 + t7

    bf = check_dims(t8, bf, k, v, x)
    # Grad of: return x * x + v * v
    bv = 2 * bf * v2
    bx = 2 * bf * x2
    bx2 = bx
    bv2 = bv
    # Grad of: for i in range(n):
    bk = init_grad(k)
    for i in range(n - 1, -1, -1):
        x2 = pop(_stack, "_2")
        t = pop(_stack, "_1")
        # Grad of: x, v = x + dt * v, v + dt * a
        ba = bv2 * dt
        # Grad of: a = -k * x - 0.1 * v
        bt3 = -ba
        bt = ba * x2
        bk -= bt
        bx3 = bx2 + ba * t
        bv3 = bv2 + bx2 * dt + bt3 * 0.1
        bx2 = bx3
        bv2 = bv3
    bx4 = bx2
    bv4 = bv2
    # Grad of: for i in range(n):
    bk2 = bk
    return bx4, bv4, bk2


# --- optimized
def dfdxdvdk(x, v, k, dt, n, bf=1.0):
    x2 = x
    v2 = v
    # Initialize the tape
    _stack = []
    for i in range(n):
        _stack.append(x2)
        a = -k * x2 - 0.1 * v2
        x2 = x2 + dt * v2
        v2 = v2 + dt * a

    bf = check_dims(x2 * x2 + v2 * v2, bf, k, v, x)
    # Grad of: return x * x + v * v
    bx = 2 * bf * x2
    bv = 2 * bf * v2
    # Grad of: for i in range(n):
    bk = init_grad(k)
    for i in range(n - 1, -1, -1):
        x2 = _stack.pop()
        # Grad of: x, v = x + dt * v, v + dt * a
        ba = bv * dt
        # Grad of: a = -k * x - 0.1 * v
        bk -= ba * x2
        bv = bv + bx * dt - 0.1 * ba
        bx = bx - ba * k
    return bx, bv, bk
