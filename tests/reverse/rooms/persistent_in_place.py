import numpy as np

from tangent import persistent

ARGS = (np.array([0.5, -1.0, 2.0]), 0.7)


def f(start, w):
    x = persistent.array(start)
    before = x.copy()
    for k in range(len(x) - 1):
        x[k + 1] = np.tanh(w * x[k] + x[k + 1])
    x[0] *= before[2]
    return x[0] * x[2]


# --- normal
def f(start, w):
    x = persistent.array(start)
    check_floats(x)
    before = x.copy()
    for k in range(len(x) - 1):
        t = x[k]
        t2 = w * t
        t3 = x[k + 1]
        t4 = t2 + t3
        t5 = np.tanh(t4)
        old = copy(x[k + 1])
        x[k + 1] = t5
    t6 = x[0]
    t7 = before[2]
    t8 = t6 * t7
    old2 = copy(x[0])
    x[0] = t8
    t9 = x[0]
    t10 = x[2]
    t11 = t9 * t10
    return t11


# --- reverse
def dfdstartdw(start, w, bf=1.0):
    _stack = Stack()
    x = persistent.array(start)
    check_floats(x)
    before = x.copy()
    for k in range(len(x) - 1):
        t = x[k]
        t2 = w * t
        t3 = x[k + 1]
        t4 = t2 + t3
        t5 = np.tanh(t4)
        old = copy(x[k + 1])
        x[k + 1] = t5
        push(_stack, t5, "_1")
        push(_stack, old, "_2")
    t6 = x[0]
    t7 = before[2]
    t8 = t6 * t7
    old2 = copy(x[0])
    x[0] = t8
    t9 = x[0]
    t10 = x[2]
    t11 = t9 * t10

    bf = check_dims(t11, bf, t10, t9)
    # Grad of: return x[0] * x[2]
    bt10 = bf * t9
    bt9 = bf * t10
    bx = init_grad(x)
    bx[2] += bt10
    bx[0] += bt9
    x[0] = old2
    # Grad of: x[0] *= before[2]
    bt8 = copy(bx[0])
    bx[0] = 0
    bt8_2 = unbroadcast(bt8, t8)
    bt7 = unbroadcast(bt8_2 * t6, t7)
    bt6 = unbroadcast(bt8_2 * t7, t6)
    bx[0] += bt6
    # Grad of: for k in range(len(x) - 1):
    bw = init_grad(w)
    for k in range(len(x) - 2, -1, -1):
        old = pop(_stack, "_2")
        t5 = pop(_stack, "_1")
        x[k + 1] = old
        # Grad of: x[k + 1] = np.tanh(w * x[k] + x[k + 1])
        bt5 = copy(bx[k + 1])
        bx[k + 1] = 0
        bt4 = bt5 * (1 - t5 * t5)
        t3 = x[k + 1]
        bt3 = unbroadcast(bt4, t3)
        t = x[k]
        bt = unbroadcast(bt4 * w, t)
        bx[k + 1] += bt3
        bx[k] += bt
        bw += unbroadcast(bt4 * t, w)
    # Grad of: x[0] *= before[2]
    bbefore = init_grad(before)
    bbefore[2] += bt7
    # Grad of: before = x.copy()
    bx += bbefore
    # Grad of: x = persistent.array(start)
    bstart = unarray(dense(bx), start)
    # Grad of: for k in range(len(x) - 1):
    bw2 = bw
    return astype(bstart, start), bw2


# --- optimized
def dfdstartdw(start, w, bf=1.0):
    x = persistent.array(start)
    check_floats(x)
    before = x.copy()
    # Initialize the tape
    _stack = []
    for k in range(len(x) - 1):
        t = np.tanh(w * x[k] + x[k + 1])
        old = copy(x[k + 1])
        _stack.append((t, old))
        x[k + 1] = t
    t2 = x[0]
    t3 = t2 * before[2]
    old2 = copy(x[0])
    x[0] = t3
    t4 = x[0]
    t5 = x[2]

    bf = check_dims(t4 * t5, bf, t5, t4)
    # Grad of: return x[0] * x[2]
    bx = init_grad(x)
    bx[2] += bf * t4
    bx[0] += bf * t5
    x[0] = old2
    # Grad of: x[0] *= before[2]
    bt3 = copy(bx[0])
    bx[0] = 0
    bt3_2 = unbroadcast(bt3, t3)
    bt = unbroadcast(bt3_2 * t2, before[2])
    bx[0] += unbroadcast(bt3_2 * before[2], t2)
    # Grad of: for k in range(len(x) - 1):
    bw = init_grad(w)
    for k in range(len(x) - 2, -1, -1):
        t, old = _stack.pop()
        x[k + 1] = old
        # Grad of: x[k + 1] = np.tanh(w * x[k] + x[k + 1])
        bt2 = copy(bx[k + 1])
        bx[k + 1] = 0
        bt4 = bt2 * (1 - t * t)
        t6 = x[k]
        bx[k + 1] += unbroadcast(bt4, x[k + 1])
        bx[k] += unbroadcast(bt4 * w, t6)
        bw += unbroadcast(bt4 * t6, w)
    # Grad of: x[0] *= before[2]
    bbefore = init_grad(before)
    bbefore[2] += bt
    # Grad of: before = x.copy()
    bx += bbefore
    # Grad of: x = persistent.array(start)
    return astype(unarray(dense(bx), start), start), bw
