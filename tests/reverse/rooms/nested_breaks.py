"""Breaks out of two loops."""


def f(x):
    s = x
    for i in range(4):
        for j in range(4):
            if j > i:
                break
            s = s * x + j
        if s > 40:
            break
    return s


ARGS = 1.05,


# --- normal
def f(x):
    s = x
    s2 = s
    for i in range(4):
        stop = False
        s3 = s2
        for j in range(4):
            stop2 = False
            c = j > i
            if c:
                stop2_2 = True
                stop2_3 = stop2_2
                s5 = s3
            else:
                t = s3 * x
                s4 = t + j
                stop2_3 = stop2
                s5 = s4
            s3 = s5
            if stop2_3:
                break
        if s3 > 40:
            stop3 = True
            stop4 = stop3
        else:
            stop4 = stop
        s2 = s3
        if stop4:
            break
    return s2


# --- reverse
def dfdx(x, bs=1.0):
    _stack = Stack()
    s = x
    s2 = s
    count2 = 0
    for i in range(4):
        stop = False
        s3 = s2
        count = 0
        for j in range(4):
            stop2 = False
            c = j > i
            if c:
                stop2_2 = True
                stop2_3 = stop2_2
                s5 = s3
            else:
                t = s3 * x
                s4 = t + j
                stop2_3 = stop2
                s5 = s4
            push(_stack, c, "_1")
            push(_stack, s3, "_2")
            s3 = s5
            count += 1
            if stop2_3:
                break
        if s3 > 40:
            stop3 = True
            stop4 = stop3
        else:
            stop4 = stop
        push(_stack, count, "_3")
        s2 = s3
        count2 += 1
        if stop4:
            break

    bs = check_dims(s2, bs)
    bs2 = bs
    # Grad of: for i in range(4):
    bx = init_grad(x)
    for i in range(count2 - 1, -1, -1):
        count = pop(_stack, "_3")
        bs3 = bs2
        # Grad of: for j in range(4):
        for j in range(count - 1, -1, -1):
            s3 = pop(_stack, "_2")
            c = pop(_stack, "_1")
            # Grad of: if j > i:
            if c:
                bs4 = bs3
            else:
                # Grad of: s = s * x + j
                bs4 = bs3 * x
                bx += bs3 * s3
            bs3 = bs4
        bs2 = bs3
    # Grad of: s = x
    bx2 = bx + bs2
    return bx2


# --- optimized
def dfdx(x, bs=1.0):
    s = x
    # Initialize the tape
    count = 0
    _stack = []
    _stack2 = []
    for i in range(4):
        count2 = 0
        for j in range(4):
            _stack.append(s)
            count2 += 1
            if j > i:
                break
            s = s * x + j
        _stack2.append(count2)
        count += 1
        if s > 40:
            break

    bs = check_dims(s, bs)
    # Grad of: for i in range(4):
    bx = init_grad(x)
    for i in range(count - 1, -1, -1):
        count2 = _stack2.pop()
        # Grad of: for j in range(4):
        for j in range(count2 - 1, -1, -1):
            s = _stack.pop()
            # Grad of: if j > i:
            if not j > i:
                # Grad of: s = s * x + j
                bx += bs * s
                bs = bs * x
    # Grad of: s = x
    return bx + bs
