ARGS = [0.3, 0.8, 1.4],


def f(xs):
    stack = []
    for x in xs:
        stack.insert(0, x * x)
    top = stack.pop()
    stack.extend([top, top])
    return stack[0] * stack[-1] + sum(stack)


# --- optimized
def f_primal(_log, xs):
    stack = []
    for i, x in enumerate(xs):
        _log.append((1, (i, x, xs)))
        t = x * x
        _log.append((2, (t, x)))
        call(_log, (3, stack, t), ('self', 1), stack.insert, 0, t)
    top = call(_log, (4, stack), ('self',), stack.pop)
    call(_log, (5, stack, top), ('self', 0), stack.append, top)
    call(_log, (6, stack, top), ('self', 0), stack.append, top)
    t2 = stack[0]
    t3 = stack[-1]
    t4 = t2 * t3
    t5 = sum(stack)
    t6 = t4 + t5
    _log.append((7, (stack, t2, t3, t4, t5)))
    return t6


def f_adjoint(_grads, _log, bf):
    bx2 = bxs = bt = bstack2 = btop2 = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: for x in xs:
            i, x, xs = saved
            bx = _grads.take_from(x, bx2, xs)
            bx2 = None
            bxs = _grads.give_item(xs, i, x, bx, bxs)
        elif step == 2:
            # Grad of: stack.insert(0, x * x)
            t, x = saved
            bt2 = _grads.take(t, bt)
            bt = None
            if bt2 is not None:
                bx2 = _grads.give(x, unbroadcast(2 * bt2 * x, x), bx2)
        elif step == 3:
            # Grad of: stack.insert(0, x * x)
            record, stack, t = saved
            bstack, bt3 = record.back(_grads)
            bstack2 = _grads.give(stack, bstack, bstack2)
            bt = _grads.give(t, bt3, bt)
        elif step == 4:
            # Grad of: top = stack.pop()
            record2, stack = saved
            btop, btop2 = record2.take(_grads, btop2)
            (bstack3,) = record2.back(_grads, btop)
            bstack2 = _grads.give(stack, bstack3, bstack2)
        elif step == 5:
            # Grad of: stack.extend([top, top])
            record3, stack, top = saved
            bstack4, btop3 = record3.back(_grads)
            bstack2 = _grads.give(stack, bstack4, bstack2)
            btop2 = _grads.give(top, btop3, btop2)
        elif step == 6:
            # Grad of: stack.extend([top, top])
            record4, stack, top = saved
            bstack5, btop4 = record4.back(_grads)
            bstack2 = _grads.give(stack, bstack5, bstack2)
            btop2 = _grads.give(top, btop4, btop2)
        elif step == 7:
            # Grad of: return stack[0] * stack[-1] + sum(stack)
            stack, t2, t3, t4, t5 = saved
            if bf is not None:
                bt4 = unbroadcast(bf, t5)
                bstack2 = _grads.give(stack, unsum(bt4, stack), bstack2)
                bt5 = unbroadcast(bf, t4)
                bstack2 = _grads.give_item(
                    stack, -1, t3, unbroadcast(bt5 * t2, t3), bstack2
                )
                bstack2 = _grads.give_item(
                    stack, 0, t2, unbroadcast(bt5 * t3, t2), bstack2
                )
    return bxs


def dfdxs(xs, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, xs)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bxs = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(xs, bxs)
