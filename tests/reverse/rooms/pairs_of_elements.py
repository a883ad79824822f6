from itertools import combinations

ARGS = [0.3, 0.7, 1.1],


def pairs_of_elements(xs):
    """A sum over all pairs."""
    return sum((a - b) ** 2 for a, b in combinations(xs, 2))


# --- normal
def pairs_of_elements(xs):
    """A sum over all pairs."""
    total = 0
    total2 = total
    t = combinations(xs, 2)
    for i in range(len(t)):
        t2 = t[i]
        a, b = t2
        t3 = a - b
        t4 = t3**2
        total3 = total2 + t4
        total2 = total3
    return total2


# --- normal
def combinations(iterable, r):
    values = list(iterable)
    out = []
    for at in itertools.combinations(range(len(values)), r):
        items = []
        for k in at:
            t = values[k]
            items.append(t)
        t2 = tuple(items)
        out.append(t2)
    return out


# --- reverse
def combinations_primal(iterable, r, bout=1.0):
    _stack = Stack()
    values = list(iterable)
    out = []
    count2 = 0
    for at in itertools.combinations(range(len(values)), r):
        items = []
        count = 0
        for k in at:
            t = values[k]
            items.append(t)
            push(_stack, k, "_1")
            count += 1
        t2 = tuple(items)
        out.append(t2)
        push(_stack, items, "_2")
        push(_stack, count, "_3")
        count2 += 1

    split_here(out)
    bout2 = own_parts(bout)
    # Grad of: for at in itertools.combinations(range(len(values)), r):
    bvalues = init_grad(values)
    for _ in range(count2):
        count = pop(_stack, "_3")
        items = pop(_stack, "_2")
        # Grad of: out.append(tuple([values[k] for k in at]))
        bt2 = bout2.pop()
        bitems = own_parts(unlist(bt2, items))
        for _ in range(count):
            k = pop(_stack, "_1")
            bt = bitems.pop()
            bvalues = add_at(bvalues, k, bt)
    # Grad of: values = list(iterable)
    biterable = unlist(bvalues, iterable)
    return biterable


# --- reverse
def dpairs_of_elementsdxs(xs, bpairs_of_elements=1.0):
    _stack = Stack()
    "A sum over all pairs."
    total = 0
    total2 = total
    t, combinations_saved = combinations_primal(xs, 2)
    for i in range(len(t)):
        t2 = t[i]
        a, b = t2
        t3 = a - b
        t4 = t3**2
        total3 = total2 + t4
        push(_stack, t2, "_1")
        push(_stack, t3, "_2")
        total2 = total3

    bpairs_of_elements = check_number(total2, bpairs_of_elements)
    btotal = bpairs_of_elements
    # Grad of: return sum((a - b) ** 2 for a, b in combinations(xs, 2))
    bt = init_grad(t)
    for i in range(len(t) - 1, -1, -1):
        t3 = pop(_stack, "_2")
        t2 = pop(_stack, "_1")
        bt3 = 2 * btotal * t3
        bb = -bt3
        bt2 = init_grad(t2)
        bt2[0] += bt3
        bt2[1] += bb
        bt = add_at(bt, i, bt2)
    bxs = combinations_adjoint(bt, combinations_saved)
    bxs2 = bxs
    return astype(bxs2, xs)


# --- optimized
def combinations_primal(iterable, r):
    values = list(iterable)
    out = []
    # Initialize the tape
    _stack = []
    _stack2 = []
    for at in itertools.combinations(range(len(values)), r):
        items = []
        count = 0
        for k in at:
            _stack.append(k)
            items.append(values[k])
            count += 1
        out.append(tuple(items))
        _stack2.append((items, count))
    return out, (iterable, values, _stack, _stack2)


def combinations_adjoint(bout, saved):
    iterable, values, _stack, _stack2 = saved
    bout = own_parts(bout)
    # Grad of: for at in itertools.combinations(range(len(values)), r):
    bvalues = init_grad(values)
    while _stack2:
        items, count = _stack2.pop()
        # Grad of: out.append(tuple([values[k] for k in at]))
        bitems = own_parts(unlist(bout.pop(), items))
        for _ in range(count):
            k = _stack.pop()
            bt = bitems.pop()
            bvalues = add_at(bvalues, k, bt)
    # Grad of: values = list(iterable)
    return unlist(bvalues, iterable)


def dpairs_of_elementsdxs(xs, bpairs_of_elements=1.0):
    total = 0
    t, combinations_saved = combinations_primal(xs, 2)
    # Initialize the tape
    _stack = []
    for i in range(len(t)):
        t2 = t[i]
        a, b = t2
        t3 = a - b
        _stack.append((t2, t3))
        total = total + t3**2

    bpairs_of_elements = check_number(total, bpairs_of_elements)
    # Grad of: return sum((a - b) ** 2 for a, b in combinations(xs, 2))
    bt = init_grad(t)
    for i in range(len(t) - 1, -1, -1):
        t2, t3 = _stack.pop()
        bt3 = 2 * bpairs_of_elements * t3
        bb = -bt3
        bt2 = init_grad(t2)
        bt2[0] += bt3
        bt2[1] += bb
        bt = add_at(bt, i, bt2)
    return astype(combinations_adjoint(bt, combinations_saved), xs)
