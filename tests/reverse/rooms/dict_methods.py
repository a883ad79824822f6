ARGS = {'a': 0.3, 'b': 0.8},


def f(d):
    e = dict(d)
    e.update(c=e['a'] * e['b'])
    b = e.pop('b')
    return e.setdefault('c', 1.0) * b + e.get('z', 2.0) * e['a']


# --- normal
def f(d):
    e = dict(d)
    t2 = e["a"]
    t3 = e["b"]
    value = t2 * t3
    old = e.get("c", 0.0)
    e["c"] = value
    b = e.pop("b")
    c = "c" not in e
    if c:
        old2 = e.get("c", 0.0)
        e["c"] = 1.0
    t = e["c"]
    t4 = t * b
    c2 = "z" in e
    if c2:
        t5 = e["z"]
    else:
        t5 = 2.0
    t6 = e["a"]
    t7 = t5 * t6
    t8 = t4 + t7
    return t8


# --- reverse
def dfdd(d, bf=1.0):
    e = dict(d)
    t2 = e["a"]
    t3 = e["b"]
    value = t2 * t3
    old = e.get("c", 0.0)
    e["c"] = value
    b = e.pop("b")
    c = "c" not in e
    if c:
        old2 = e.get("c", 0.0)
        e["c"] = 1.0
    t = e["c"]
    t4 = t * b
    c2 = "z" in e
    if c2:
        t5 = e["z"]
    else:
        t5 = 2.0
    t6 = e["a"]
    t7 = t5 * t6
    t8 = t4 + t7

    bf = check_number(t8, bf)
    # Grad of: return e.setdefault('c', 1.0) * b + e.get('z', 2.0) * e['a']
    bt6 = bf * t5
    bt5 = bf * t6
    be = init_grad(e)
    be["a"] += bt6
    if c2:
        be["z"] += bt5
    bt = bf * b
    be2 = be
    be2["c"] += bt
    if c:
        be2["c"] = init_grad(old2)
    bb = bf * t
    # Grad of: b = e.pop('b')
    be2["b"] = copy(bb)
    # Grad of: e.update(c=e['a'] * e['b'])
    bvalue = be2["c"]
    be2["c"] = init_grad(old)
    bt3 = unbroadcast(bvalue * t2, t3)
    bt2 = unbroadcast(bvalue * t3, t2)
    be2["b"] += bt3
    be2["a"] += bt2
    # Grad of: e = dict(d)
    bd = undict(be2, d)
    return astype(bd, d)


# --- optimized
def dfdd(d, bf=1.0):
    e = dict(d)
    t = e["a"]
    t2 = e["b"]
    value = t * t2
    old = e.get("c", 0.0)
    e["c"] = value
    b = e.pop("b")
    c = "c" not in e
    if c:
        old2 = e.get("c", 0.0)
        e["c"] = 1.0
    t3 = e["c"]
    c2 = "z" in e
    if c2:
        t4 = e["z"]
    else:
        t4 = 2.0
    t5 = e["a"]

    bf = check_number(t3 * b + t4 * t5, bf)
    # Grad of: return e.setdefault('c', 1.0) * b + e.get('z', 2.0) * e['a']
    be = init_grad(e)
    be["a"] += bf * t4
    if c2:
        be["z"] += bf * t5
    be["c"] += bf * b
    if c:
        be["c"] = init_grad(old2)
    bb = bf * t3
    # Grad of: b = e.pop('b')
    be["b"] = copy(bb)
    # Grad of: e.update(c=e['a'] * e['b'])
    bvalue = be["c"]
    be["c"] = init_grad(old)
    bt = unbroadcast(bvalue * t2, t)
    be["b"] += unbroadcast(bvalue * t, t2)
    be["a"] += bt
    # Grad of: e = dict(d)
    return astype(undict(be, d), d)
