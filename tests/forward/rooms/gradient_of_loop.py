import numpy as np

ARGS = 0.7, 1.0
ORDER = 'gradient'


def f(x):
    y = x
    for _ in range(3):
        y = np.sin(y * x)
    return y


# --- split
def dfdx(x, by=1.0):
    y = x
    # Initialize the tape
    _stack = []
    for _ in range(3):
        _stack.append(y)
        t = y * x
        y = np.sin(t)
    by = check_dims(y, by)
    # Grad of: for _ in range(3):
    bx = init_grad(x)
    for _ in range(2, -1, -1):
        y = _stack.pop()
        # Grad of: y = np.sin(y * x)
        t2 = y * x
        t3 = np.cos(t2)
        bt = by * t3
        t4 = bt * y
        bx += t4
        by = bt * x
    # Grad of: y = x
    t5 = bx + by
    return t5


# --- forward
def ddfdxdx(x, by=1.0, dx=None):
    dx = check_tangent(x, dx)
    dby = zero_tangent(by)
    y = x
    dy = dx
    # Initialize the tape
    _stack = []
    d_stack = []
    for _ in range(3):
        _stack.append(y)
        d_stack.append(dy)
        t = y * x
        dt = dy * x + dx * y
        y = np.sin(t)
        dy = dt * np.cos(t)
    by = check_dims(y, by)
    dby = check_dims(y, dby)
    # Grad of: for _ in range(3):
    bx = init_grad(x)
    dbx = init_grad(bx)
    for _ in range(2, -1, -1):
        y = _stack.pop()
        dy = d_stack.pop()
        # Grad of: y = np.sin(y * x)
        t2 = y * x
        dt2 = dy * x + dx * y
        t3 = np.cos(t2)
        dt3 = -dt2 * np.sin(t2)
        bt = by * t3
        dbt = dby * t3 + dt3 * by
        t4 = bt * y
        dt4 = dbt * y + dy * bt
        dbx += dt4
        bx += t4
        by = bt * x
        dby = dbt * x + dx * bt
    # Grad of: y = x
    t5 = bx + by
    dt5 = dbx + dby
    return dt5


# --- optimized
def ddfdxdx(x, by=1.0, dx=None):
    dx = check_tangent(x, dx)
    dby = zero_tangent(by)
    y = x
    dy = dx
    # Initialize the tape
    _stack = []
    d_stack = []
    for _ in range(3):
        _stack.append(y)
        d_stack.append(dy)
        t = y * x
        dt = dy * x + dx * y
        y = np.sin(t)
        dy = dt * np.cos(t)
    by = check_dims(y, by)
    dby = check_dims(y, dby)
    # Grad of: for _ in range(3):
    bx = init_grad(x)
    dbx = init_grad(bx)
    for _ in range(2, -1, -1):
        y = _stack.pop()
        dy = d_stack.pop()
        # Grad of: y = np.sin(y * x)
        t2 = y * x
        t3 = np.cos(t2)
        bt = by * t3
        dbt = dby * t3 + -(dy * x + dx * y) * np.sin(t2) * by
        dbx += dbt * y + dy * bt
        bx += bt * y
        by = bt * x
        dby = dbt * x + dx * bt
    return dbx + dby
