"""Trips that are left out, and an end."""


def f(x):
    s = 0.0
    i = 0
    while True:
        i += 1
        if i == 2:
            continue
        s = s + x ** i
        if s > 20 or i > 8:
            break
        s = s * 1.1
    return s


ARGS = 1.2,


# --- normal
def f(x):
    s = 0.0
    i = 0
    i2 = i
    s2 = s
    while True:
        stop = False
        i3 = i2 + 1
        c = i3 == 2
        if c:
            pass
            s6 = s2
            stop4 = stop
        else:
            t = x**i3
            s3 = s2 + t
            c2 = s3 > 20 or i3 > 8
            if c2:
                stop2 = True
                stop3 = stop2
                s5 = s3
            else:
                s4 = s3 * 1.1
                stop3 = stop
                s5 = s4
            s6 = s5
            stop4 = stop3
        i2 = i3
        s2 = s6
        if stop4:
            break
    return s2


# --- reverse
def dfdx(x, bs=1.0):
    _stack = Stack()
    s = 0.0
    i = 0
    i2 = i
    s2 = s
    count = 0
    while True:
        stop = False
        i3 = i2 + 1
        c = i3 == 2
        if c:
            pass
            s6 = s2
            stop4 = stop
        else:
            t = x**i3
            s3 = s2 + t
            c2 = s3 > 20 or i3 > 8
            if c2:
                stop2 = True
                stop3 = stop2
                s5 = s3
            else:
                s4 = s3 * 1.1
                stop3 = stop
                s5 = s4
            s6 = s5
            stop4 = stop3
            push(_stack, c2, "_1")
        push(_stack, i3, "_2")
        push(_stack, c, "_3")
        i2 = i3
        s2 = s6
        count += 1
        if stop4:
            break

    bs = check_dims(s2, bs, x)
    bs2 = bs
    # Grad of: while True:
    bx = init_grad(x)
    for _ in range(count):
        c = pop(_stack, "_3")
        i3 = pop(_stack, "_2")
        # Grad of: if i == 2:
        if c:
            bs4 = bs2
        else:
            c2 = pop(_stack, "_1")
            # Grad of: if s > 20 or i > 8:
            if c2:
                bs3 = bs2
            else:
                # Grad of: s = s * 1.1
                bs3 = bs2 * 1.1
            # Grad of: s = s + x ** i
            bs4 = bs3
            bx += bs3 * dpower_dx(x, i3)
        bs2 = bs4
    bx2 = bx
    return bx2


# --- optimized
def dfdx(x, bs=1.0):
    i = 0
    s = 0.0
    # Initialize the tape
    _stack = []
    _stack2 = []
    while True:
        i = i + 1
        _stack2.append(i)
        if i != 2:
            s = s + x**i
            c = s > 20 or i > 8
            _stack.append(c)
            if c:
                break
            s = s * 1.1

    bs = check_dims(s, bs, x)
    # Grad of: while True:
    bx = init_grad(x)
    while _stack2:
        i = _stack2.pop()
        # Grad of: if i == 2:
        if i != 2:
            c = _stack.pop()
            # Grad of: if s > 20 or i > 8:
            if not c:
                # Grad of: s = s * 1.1
                bs = 1.1 * bs
            # Grad of: s = s + x ** i
            bx += bs * dpower_dx(x, i)
    return bx
