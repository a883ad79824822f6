ARGS = {'a': 0.3, 'b': 0.8},


def f(d):
    squares = {k: v * v for k, v in d.items()}
    return squares['a'] + 2.0 * squares['b']


# --- normal
def f(d):
    squares = {}
    keys = list(d)
    for i in range(len(keys)):
        k = keys[i]
        v = d[keys[i]]
        t = v * v
        squares[k] = t
    t2 = squares["a"]
    t3 = squares["b"]
    t4 = 2.0 * t3
    t5 = t2 + t4
    return t5


# --- reverse
def dfdd(d, bf=1.0):
    _stack = Stack()
    squares = {}
    keys = list(d)
    for i in range(len(keys)):
        k = keys[i]
        v = d[keys[i]]
        t = v * v
        squares[k] = t
        push(_stack, k, "_1")
        push(_stack, v, "_2")
    t2 = squares["a"]
    t3 = squares["b"]
    t4 = 2.0 * t3
    t5 = t2 + t4

    bf = check_dims(t5, bf, t2, t3)
    # Grad of: return squares['a'] + 2.0 * squares['b']
    bt3 = bf * 2.0
    bsquares = init_grad(squares)
    bsquares["b"] += bt3
    bsquares["a"] += bf
    # Grad of: squares = {k: v * v for k, v in d.items()}
    bd = init_grad(d)
    for i in range(len(keys) - 1, -1, -1):
        v = pop(_stack, "_2")
        k = pop(_stack, "_1")
        bt = bsquares.pop(k)
        bv = 2 * bt * v
        bd = add_at(bd, keys[i], bv)
    bd2 = bd
    return astype(bd2, d)


# --- optimized
def dfdd(d, bf=1.0):
    squares = {}
    keys = list(d)
    # Initialize the tape
    _stack = []
    for i in range(len(keys)):
        k = keys[i]
        v = d[keys[i]]
        _stack.append((k, v))
        squares[k] = v * v
    t = squares["a"]
    t2 = squares["b"]

    bf = check_dims(t + 2.0 * t2, bf, t, t2)
    # Grad of: return squares['a'] + 2.0 * squares['b']
    bsquares = init_grad(squares)
    bsquares["b"] += 2.0 * bf
    bsquares["a"] += bf
    # Grad of: squares = {k: v * v for k, v in d.items()}
    bd = init_grad(d)
    for i in range(len(keys) - 1, -1, -1):
        k, v = _stack.pop()
        bv = 2 * bsquares.pop(k) * v
        bd = add_at(bd, keys[i], bv)
    return astype(bd, d)
