ARGS = 0.7, 1.3


def f(x, y):
    state = {'a': x, 'b': [y, x * y]}
    state['b'].append(state['a'] ** 2)
    total = sum(state['b'])
    for name, value in state.items():
        if name == 'a':
            total = total * value
    return total


# --- split
def f(x, y):
    t = x * y
    t2 = [y, t]
    state = {"a": x, "b": t2}
    t3 = state["a"]
    t4 = t3**2
    state["b"].append(t4)
    t5 = state["b"]
    total = sum(t5)
    for name, value in state.items():
        if name == "a":
            total = total * value
    return total


# --- forward
def dfdx(x, y, dx):
    dx = check_tangent(x, dx)
    check_apart("x and its parts, y and its parts", x, y)
    dx = copy_along(dx, x)
    x = copy_alike(x)
    y = copy_alike(y)
    dy = zero_tangent(y)
    t = x * y
    dt = dx * y + dy * x
    t2 = [y, t]
    dt2 = [dy, dt]
    state = {"a": x, "b": t2}
    dstate = {"a": dx, "b": dt2}
    t3 = state["a"]
    dt3 = dstate["a"]
    t4 = t3**2
    dt4 = 2 * dt3 * t3
    state["b"].append(t4)
    dstate["b"].append(dt4)
    t5 = state["b"]
    dt5 = dstate["b"]
    total = sum(t5)
    dtotal = sum(dt5)
    for (name, value), dvalue in zip(state.items(), dstate.values()):
        dname = zero_tangent(name)
        if name == "a":
            dtotal = dtotal * value + dvalue * total
            total = total * value
    return dtotal


# --- optimized
def dfdx(x, y, dx):
    dx = check_tangent(x, dx)
    check_apart("x and its parts, y and its parts", x, y)
    dx = copy_along(dx, x)
    x = copy_alike(x)
    y = copy_alike(y)
    dy = zero_tangent(y)
    state = {"a": x, "b": [y, x * y]}
    dstate = {"a": dx, "b": [dy, dx * y + dy * x]}
    t = state["a"]
    dt = 2 * dstate["a"] * t
    state["b"].append(t**2)
    dstate["b"].append(dt)
    total = sum(state["b"])
    dtotal = sum(dstate["b"])
    for (name, value), dvalue in zip(state.items(), dstate.values()):
        if name == "a":
            dtotal = dtotal * value + dvalue * total
            total = total * value
    return dtotal
