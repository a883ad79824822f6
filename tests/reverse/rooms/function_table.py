import numpy as np

ARGS = 0.7,
TABLE = {'sin': np.sin, 'exp': np.exp}


def f(x):
    y = x
    for name in ('sin', 'exp'):
        y = TABLE[name](y)
    return y


# --- normal
def f(x):
    y = x
    y2 = y
    for name in "sin", "exp":
        y3 = TABLE[name](y2)
        y2 = y3
    return y2


# --- reverse
def dfdx(x, by=1.0):
    _stack = Stack()
    y = x
    y2 = y
    count = 0
    for name in "sin", "exp":
        y3, f_back = pullback(TABLE[name], (0,))(y2)
        push(_stack, f_back, "_1")
        y2 = y3
        count += 1

    by = check_dims(y2, by)
    by2 = by
    # Grad of: for name in ('sin', 'exp'):
    for _ in range(count):
        f_back = pop(_stack, "_1")
        # Grad of: y = TABLE[name](y)
        by3 = f_back(by2)
        by2 = by3
    # Grad of: y = x
    bx = by2
    return astype(bx, x)


# --- optimized
def dfdx(x, by=1.0):
    y = x
    # Initialize the tape
    _stack = []
    for name in "sin", "exp":
        y, f_back = pullback(TABLE[name], (0,))(y)
        _stack.append(f_back)

    by = check_dims(y, by)
    # Grad of: for name in ('sin', 'exp'):
    while _stack:
        f_back = _stack.pop()
        # Grad of: y = TABLE[name](y)
        by = f_back(by)
    return astype(by, x)
