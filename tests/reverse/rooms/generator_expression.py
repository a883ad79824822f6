ARGS = [0.3, 0.8, 1.4], [1.0, 2.0, 3.0]


def f(xs, ws):
    return sum(w * x for w, x in zip(ws, xs))


# --- normal
def f(xs, ws):
    total = 0
    total2 = total
    for i in range(min(len(ws), len(xs))):
        w = ws[i]
        x = xs[i]
        t = w * x
        total3 = total2 + t
        total2 = total3
    return total2


# --- reverse
def dfdxsdws(xs, ws, bf=1.0):
    _stack = Stack()
    total = 0
    total2 = total
    for i in range(min(len(ws), len(xs))):
        w = ws[i]
        x = xs[i]
        t = w * x
        total3 = total2 + t
        push(_stack, w, "_1")
        push(_stack, x, "_2")
        total2 = total3

    bf = check_number(total2, bf)
    btotal = bf
    # Grad of: return sum(w * x for w, x in zip(ws, xs))
    bws = init_grad(ws)
    bxs = init_grad(xs)
    for i in range(min(len(ws), len(xs)) - 1, -1, -1):
        x = pop(_stack, "_2")
        w = pop(_stack, "_1")
        bx = btotal * w
        bw = btotal * x
        bxs[i] += bx
        bws[i] += bw
    bxs2 = bxs
    bws2 = bws
    return astype(bxs2, xs), astype(bws2, ws)


# --- optimized
def dfdxsdws(xs, ws, bf=1.0):
    total = 0
    for i in range(min(len(ws), len(xs))):
        w = ws[i]
        x = xs[i]
        total = total + w * x

    bf = check_number(total, bf)
    # Grad of: return sum(w * x for w, x in zip(ws, xs))
    bws = init_grad(ws)
    bxs = init_grad(xs)
    for i in range(min(len(ws), len(xs)) - 1, -1, -1):
        x = xs[i]
        w = ws[i]
        bx = bf * w
        bw = bf * x
        bxs[i] += bx
        bws[i] += bw
    return astype(bxs, xs), astype(bws, ws)
