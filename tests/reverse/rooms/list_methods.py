ARGS = [0.3, 0.8, 1.4],


def f(xs):
    stack = []
    for x in xs:
        stack.insert(0, x * x)
    top = stack.pop()
    stack.extend([top, top])
    return stack[0] * stack[-1] + sum(stack)


# --- normal
def f(xs):
    stack = []
    for i in range(len(xs)):
        x = xs[i]
        t = x * x
        stack.insert(0, t)
    top = stack.pop()
    stack.append(top)
    stack.append(top)
    t2 = stack[0]
    t3 = stack[-1]
    t4 = t2 * t3
    t5 = sum(stack)
    t6 = t4 + t5
    return t6


# --- reverse
def dfdxs(xs, bf=1.0):
    _stack = Stack()
    stack = []
    for i in range(len(xs)):
        x = xs[i]
        t = x * x
        stack.insert(0, t)
        push(_stack, x, "_1")
    top = stack.pop()
    stack.append(top)
    stack.append(top)
    t2 = stack[0]
    t3 = stack[-1]
    t4 = t2 * t3
    t5 = sum(stack)
    t6 = t4 + t5

    bf = check_dims(t6, bf, t2, t3, t5)
    # Grad of: return stack[0] * stack[-1] + sum(stack)
    bt3 = bf * t2
    bt2 = bf * t3
    bstack = unsum(bf, stack)
    bstack[-1] += bt3
    bstack[0] += bt2
    # Grad of: stack.extend([top, top])
    btop = bstack.pop()
    btop2 = bstack.pop()
    btop3 = add_grad(btop, btop2)
    # Grad of: top = stack.pop()
    bstack.append(copy(btop3))
    # Grad of: for x in xs:
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        x = pop(_stack, "_1")
        # Grad of: stack.insert(0, x * x)
        bt = bstack.pop(0)
        bx = 2 * bt * x
        # Grad of: for x in xs:
        bxs[i] += bx
    bxs2 = bxs
    return astype(bxs2, xs)


# --- optimized
def dfdxs(xs, bf=1.0):
    stack = []
    for i in range(len(xs)):
        x = xs[i]
        stack.insert(0, x * x)
    top = stack.pop()
    stack.append(top)
    stack.append(top)
    t = stack[0]
    t2 = stack[-1]
    t3 = sum(stack)

    bf = check_dims(t * t2 + t3, bf, t, t2, t3)
    # Grad of: return stack[0] * stack[-1] + sum(stack)
    bt = bf * t2
    bstack = unsum(bf, stack)
    bstack[-1] += bf * t
    bstack[0] += bt
    # Grad of: stack.extend([top, top])
    btop = bstack.pop()
    btop2 = bstack.pop()
    btop2 = add_grad(btop, btop2)
    # Grad of: top = stack.pop()
    bstack.append(copy(btop2))
    # Grad of: for x in xs:
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        x = xs[i]
        # Grad of: stack.insert(0, x * x)
        bx = 2 * bstack.pop(0) * x
        # Grad of: for x in xs:
        bxs[i] += bx
    return astype(bxs, xs)
