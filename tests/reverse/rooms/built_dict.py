ARGS = 0.3, 0.8


def f(x, y):
    d = {}
    d['sum'] = x + y
    d['product'] = x * y
    return d['sum'] * d['product']


# --- normal
def f(x, y):
    d = {}
    t = x + y
    d["sum"] = t
    t2 = x * y
    d["product"] = t2
    t3 = d["sum"]
    t4 = d["product"]
    t5 = t3 * t4
    return t5


# --- reverse
def dfdxdy(x, y, bf=1.0):
    d = {}
    t = x + y
    d["sum"] = t
    t2 = x * y
    d["product"] = t2
    t3 = d["sum"]
    t4 = d["product"]
    t5 = t3 * t4

    bf = check_dims(t5, bf, t3, t4)
    # Grad of: return d['sum'] * d['product']
    bt4 = bf * t3
    bt3 = bf * t4
    bd = init_grad(d)
    bd["product"] += bt4
    bd["sum"] += bt3
    # Grad of: d['product'] = x * y
    bt2 = bd.pop("product")
    # Grad of: d['sum'] = x + y
    bt = bd.pop("sum")
    bx = unbroadcast(bt2 * y, x) + unbroadcast(bt, x)
    by = unbroadcast(bt2 * x, y) + unbroadcast(bt, y)
    return bx, by


# --- optimized
def dfdxdy(x, y, bf=1.0):
    d = {}
    d["sum"] = x + y
    d["product"] = x * y
    t = d["sum"]
    t2 = d["product"]

    bf = check_dims(t * t2, bf, t, t2)
    # Grad of: return d['sum'] * d['product']
    bd = init_grad(d)
    bd["product"] += bf * t
    bd["sum"] += bf * t2
    # Grad of: d['product'] = x * y
    bt = bd.pop("product")
    # Grad of: d['sum'] = x + y
    bt2 = bd.pop("sum")
    by = unbroadcast(bt * x, y) + unbroadcast(bt2, y)
    return unbroadcast(bt * y, x) + unbroadcast(bt2, x), by
