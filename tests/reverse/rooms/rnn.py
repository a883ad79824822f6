"""A recurrent network over a sequence."""
import numpy as np


def rnn(w, u, b, xs):
    h = np.zeros(len(b))
    for x in xs:
        h = np.tanh(w @ h + u @ x + b)
    return np.sum(h * h)


ARGS = (np.array([[0.1, 0.2], [0.3, -0.4]]), np.array([[1.0, 0.5, 0.2], [-0.3, 0.1, 0.7]]), np.array([0.1, -0.1]),
        np.sin(np.arange(12.0)).reshape(4, 3))
WRT = 'w', 'u', 'b'


# --- normal
def rnn(w, u, b, xs):
    h = np.zeros(len(b))
    h2 = h
    for x in xs:
        t = w @ h2
        t2 = u @ x
        t3 = t + t2
        t4 = t3 + b
        h3 = np.tanh(t4)
        h2 = h3
    t5 = h2 * h2
    t6 = np.sum(t5)
    return t6


# --- reverse
def drnndwdudb(w, u, b, xs, brnn=1.0):
    _stack = Stack()
    h = np.zeros(len(b))
    h2 = h
    count = 0
    for x in xs:
        t = w @ h2
        t2 = u @ x
        t3 = t + t2
        t4 = t3 + b
        h3 = np.tanh(t4)
        push(_stack, x, "_1")
        push(_stack, t, "_2")
        push(_stack, t2, "_3")
        push(_stack, t3, "_4")
        push(_stack, h3, "_5")
        push(_stack, h2, "_6")
        h2 = h3
        count += 1
    t5 = h2 * h2
    t6 = np.sum(t5)

    brnn = check_scalar(brnn)
    # Grad of: return np.sum(h * h)
    bt5 = unreduce_like(brnn, t5)
    bh = 2 * bt5 * h2
    bh2 = bh
    # Grad of: for x in xs:
    bw = init_grad(w)
    bu = init_grad(u)
    bb = init_grad(b)
    for _ in range(count):
        h2 = pop(_stack, "_6")
        h3 = pop(_stack, "_5")
        t3 = pop(_stack, "_4")
        t2 = pop(_stack, "_3")
        t = pop(_stack, "_2")
        x = pop(_stack, "_1")
        # Grad of: h = np.tanh(w @ h + u @ x + b)
        bt4 = bh2 * (1 - h3 * h3)
        bt3 = unbroadcast(bt4, t3)
        bt2 = unbroadcast(bt3, t2)
        bt = unbroadcast(bt3, t)
        bb += unbroadcast(bt4, b)
        bu += matmul_left(bt2, u, x)
        bw += matmul_left(bt, w, h2)
        bh2 = matmul_right(bt, w, h2)
    bw2 = bw
    bu2 = bu
    bb2 = bb
    return bw2, bu2, bb2


# --- optimized
def drnndwdudb(w, u, b, xs, brnn=1.0):
    h = np.zeros(len(b))
    # Initialize the tape
    _stack = []
    for x in xs:
        t = w @ h
        t2 = u @ x
        h2 = np.tanh(t + t2 + b)
        _stack.append((x, t, t2, h2, h))
        h = h2

    brnn = check_scalar(brnn)
    # Grad of: return np.sum(h * h)
    bh = 2 * brnn * h
    # Grad of: for x in xs:
    bw = init_grad(w)
    bu = init_grad(u)
    bb = init_grad(b)
    while _stack:
        x, t, t2, h, h2 = _stack.pop()
        # Grad of: h = np.tanh(w @ h + u @ x + b)
        bt = bh * (1 - h * h)
        bt2 = unbroadcast(bt, t + t2)
        bt3 = unbroadcast(bt2, t)
        bb += unbroadcast(bt, b)
        bu += matmul_left(unbroadcast(bt2, t2), u, x)
        bw += matmul_left(bt3, w, h2)
        bh = matmul_right(bt3, w, h2)
    return bw, bu, bb
