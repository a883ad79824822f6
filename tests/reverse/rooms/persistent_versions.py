import numpy as np

from tangent import persistent

ARGS = (np.array([0.5, -1.0, 2.0]), 0.7)


def f(start, w):
    x = persistent.array(start)
    for k in range(len(x) - 1):
        x = x.setitem(k + 1, np.tanh(w * x[k] + x[k + 1]))
    y = x.appended(w).setitem(slice(0, 2), x[1:] * w)
    return x[0] * y[-1] * y[0]


# --- normal
def f(start, w):
    x = persistent.array(start)
    x2 = x
    for k in range(len(x) - 1):
        t = x2[k]
        t2 = w * t
        t3 = x2[k + 1]
        t4 = t2 + t3
        t5 = np.tanh(t4)
        x3 = x2.setitem(k + 1, t5)
        x2 = x3
    t6 = x2.appended(w)
    t7 = slice(0, 2)
    t8 = x2[1:]
    t9 = t8 * w
    y = t6.setitem(t7, t9)
    t10 = x2[0]
    t11 = y[-1]
    t12 = t10 * t11
    t13 = y[0]
    t14 = t12 * t13
    return t14


# --- reverse
def dfdstartdw(start, w, bf=1.0):
    _stack = Stack()
    x = persistent.array(start)
    x2 = x
    for k in range(len(x) - 1):
        t = x2[k]
        t2 = w * t
        t3 = x2[k + 1]
        t4 = t2 + t3
        t5 = np.tanh(t4)
        x3 = x2.setitem(k + 1, t5)
        push(_stack, t, "_1")
        push(_stack, t2, "_2")
        push(_stack, t3, "_3")
        push(_stack, t5, "_4")
        x2 = x3
    t6 = x2.appended(w)
    t7 = slice(0, 2)
    t8 = x2[1:]
    t9 = t8 * w
    y = t6.setitem(t7, t9)
    t10 = x2[0]
    t11 = y[-1]
    t12 = t10 * t11
    t13 = y[0]
    t14 = t12 * t13

    bf = check_dims(t14, bf, t10, t11, t13)
    # Grad of: return x[0] * y[-1] * y[0]
    bt13 = bf * t12
    bt12 = bf * t13
    bt11 = bt12 * t10
    bt10 = bt12 * t11
    by = init_grad(y)
    by[0] += bt13
    by[-1] += bt11
    # Grad of: y = x.appended(w).setitem(slice(0, 2), x[1:] * w)
    bt9 = written_item(by, t7, t9)
    bt8 = unbroadcast(bt9 * w, t8)
    bt6 = unset_item(by, t7)
    bx = head_rows(bt6, x2)
    # Grad of: return x[0] * y[-1] * y[0]
    bx[0] += bt10
    # Grad of: y = x.appended(w).setitem(slice(0, 2), x[1:] * w)
    bx[1:] += bt8
    bw = unbroadcast(bt9 * t8, w) + row_at(bt6, x2, w)
    bx2 = bx
    bw2 = copy(bw)
    # Grad of: for k in range(len(x) - 1):
    for k in range(len(x) - 2, -1, -1):
        t5 = pop(_stack, "_4")
        t3 = pop(_stack, "_3")
        t2 = pop(_stack, "_2")
        t = pop(_stack, "_1")
        # Grad of: x = x.setitem(k + 1, np.tanh(w * x[k] + x[k + 1]))
        bt5 = written_item(bx2, k + 1, t5)
        bt4 = bt5 * (1 - t5 * t5)
        bt3 = unbroadcast(bt4, t3)
        bt2 = unbroadcast(bt4, t2)
        bt = unbroadcast(bt2 * w, t)
        bw2 += unbroadcast(bt2 * t, w)
        bx3 = unset_item(bx2, k + 1)
        bx3[k + 1] += bt3
        bx3[k] += bt
        bx2 = bx3
    # Grad of: x = persistent.array(start)
    bstart = unarray(dense(bx2), start)
    # Grad of: for k in range(len(x) - 1):
    bw3 = bw2
    return astype(bstart, start), astype(bw3, w)


# --- optimized
def dfdstartdw(start, w, bf=1.0):
    x = persistent.array(start)
    x2 = x
    # Initialize the tape
    _stack = []
    for k in range(len(x) - 1):
        t = x2[k]
        t2 = w * t
        t3 = x2[k + 1]
        t4 = np.tanh(t2 + t3)
        x2 = x2.setitem(k + 1, t4)
        _stack.append((t, t2, t3, t4))
    t5 = x2.appended(w)
    t6 = slice(0, 2)
    t7 = x2[1:]
    t8 = t7 * w
    y = t5.setitem(t6, t8)
    t9 = x2[0]
    t10 = y[-1]
    t11 = t9 * t10
    t12 = y[0]

    bf = check_dims(t11 * t12, bf, t9, t10, t12)
    # Grad of: return x[0] * y[-1] * y[0]
    bt11 = bf * t12
    bt10 = bt11 * t9
    bt9 = bt11 * t10
    by = init_grad(y)
    by[0] += bf * t11
    by[-1] += bt10
    # Grad of: y = x.appended(w).setitem(slice(0, 2), x[1:] * w)
    bt8 = written_item(by, t6, t8)
    bt7 = unbroadcast(bt8 * w, t7)
    bt5 = unset_item(by, t6)
    bx = head_rows(bt5, x2)
    # Grad of: return x[0] * y[-1] * y[0]
    bx[0] += bt9
    # Grad of: y = x.appended(w).setitem(slice(0, 2), x[1:] * w)
    bx[1:] += bt7
    bw = unbroadcast(bt8 * t7, w) + row_at(bt5, x2, w)
    # Grad of: for k in range(len(x) - 1):
    for k in range(len(x) - 2, -1, -1):
        t, t2, t3, t4 = _stack.pop()
        # Grad of: x = x.setitem(k + 1, np.tanh(w * x[k] + x[k + 1]))
        bt = written_item(bx, k + 1, t4) * (1 - t4 * t4)
        bt2 = unbroadcast(bt, t2)
        bt3 = unbroadcast(bt2 * w, t)
        bw += unbroadcast(bt2 * t, w)
        bx = unset_item(bx, k + 1)
        bx[k + 1] += unbroadcast(bt, t3)
        bx[k] += bt3
    # Grad of: x = persistent.array(start)
    return astype(unarray(dense(bx), start), start), astype(bw, w)
