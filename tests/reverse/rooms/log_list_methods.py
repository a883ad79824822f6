ARGS = [0.3, 0.8, 1.4],


def f(xs):
    stack = []
    for x in xs:
        stack.insert(0, x * x)
    top = stack.pop()
    stack.extend([top, top])
    return stack[0] * stack[-1] + sum(stack)


# --- optimized
def f_primal(_stack, xs):
    stack = []
    count = 0
    for i, x in enumerate(xs):
        count += 1
        t = x * x
        record = recorded(("self", 1), stack.insert, 0, t)[1]
        _stack.append((i, x, t, record))
    top, record2 = recorded(("self",), stack.pop)
    stack.append(top)
    stack.append(top)
    t2 = stack[0]
    t3 = stack[-1]
    t4 = t2 * t3
    t5 = sum(stack)
    t6 = t4 + t5
    _stack.append((count, xs, stack, record2, top, t2, t3, t4, t5))
    return t6


def f_adjoint(_grads, _stack, bf):
    bx2 = bxs = None
    count, xs, stack, record2, top, t2, t3, t4, t5 = _stack.pop()
    # Grad of: return stack[0] * stack[-1] + sum(stack)
    bt4 = unbroadcast(bf, t5)
    bstack2 = _grads.give(stack, unsum(bt4, stack))
    bt5 = unbroadcast(bf, t4)
    bstack2 = _grads.give_item(stack, -1, t3, unbroadcast(bt5 * t2, t3), bstack2)
    bstack2 = _grads.give_item(stack, 0, t2, unbroadcast(bt5 * t3, t2), bstack2)
    # Grad of: stack.extend([top, top])
    btop2 = _grads.give(top, _grads.undo_append(stack, top))
    btop2 = _grads.give(top, _grads.undo_append(stack, top), btop2)
    # Grad of: top = stack.pop()
    btop, btop2 = record2.take(_grads, btop2)
    (bstack3,) = record2.back(_grads, btop)
    bstack2 = _grads.give(stack, bstack3, bstack2)
    for _ in range(count):
        i, x, t, record = _stack.pop()
        # Grad of: stack.insert(0, x * x)
        bstack, bt3 = record.back(_grads)
        bstack2 = _grads.give(stack, bstack, bstack2)
        bt = _grads.give(t, bt3)
        bt2 = _grads.take(t, bt)
        if bt2 is not None:
            bx2 = _grads.give(x, unbroadcast(2 * bt2 * x, x))
        # Grad of: for x in xs:
        bx = _grads.take_from(x, bx2, xs)
        bx2 = None
        bxs = _grads.give_item(xs, i, x, bx, bxs)
    return bxs


def dfdxs(xs, bf=1.0):
    # Initialize the tape
    _stack = []
    f = f_primal(_stack, xs)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bxs = f_adjoint(_grads, _stack, first_seed(f, bf))
    return _grads.result(xs, bxs)
