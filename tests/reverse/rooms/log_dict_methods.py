ARGS = {'a': 0.3, 'b': 0.8},


def f(d):
    e = dict(d)
    e.update(c=e['a'] * e['b'])
    b = e.pop('b')
    return e.setdefault('c', 1.0) * b + e.get('z', 2.0) * e['a']


# --- optimized
def f_primal(_stack, d):
    e = dict(d)
    t2 = e["a"]
    t3 = e["b"]
    t4 = t2 * t3
    record = recorded(("self", "c"), e.update, c=t4)[1]
    b, record2 = recorded(("self",), e.pop, "b")
    t5, record3 = recorded(("self",), e.setdefault, "c", 1.0)
    t6 = t5 * b
    c = "z" in e
    if c:
        t7 = e["z"]
        _stack.append(t7)
    else:
        t7 = 2.0
    t9 = e["a"]
    t10 = t7 * t9
    t11 = t6 + t10
    _stack.append(t7)
    _stack.append((d, e, t2, t3, t4, record, record2, record3, b, t5, t6, c, t10, t9))
    return t11


def f_adjoint(_grads, _stack, bf):
    be = bd = bt4 = bb2 = bt5_2 = bt6 = bt7 = None
    d, e, t2, t3, t4, record, record2, record3, b, t5, t6, c, t10, t9 = _stack.pop()
    # Grad of: return e.setdefault('c', 1.0) * b + e.get('z', 2.0) * e['a']
    t7 = _stack.pop()
    if bf is not None:
        bt6 = _grads.give(t6, unbroadcast(bf, t6), bt6)
        bt = unbroadcast(bf, t10)
        bt7 = _grads.give(t7, unbroadcast(bt * t9, t7), bt7)
        be = _grads.give_item(e, "a", t9, unbroadcast(bt * t7, t9), be)
    if c:
        t7 = _stack.pop()
        # Grad of: return e.setdefault('c', 1.0) * b + e.get('z', 2.0) * e['a']
        bt7_2 = _grads.take_from(t7, bt7, e)
        bt7 = None
        if bt7_2 is not None:
            be = _grads.give_item(e, "z", t7, bt7_2, be)
    else:
        # Grad of: return e.setdefault('c', 1.0) * b + e.get('z', 2.0) * e['a']
        bt7 = None
    bt6 = _grads.take(t6, bt6)
    if bt6 is not None:
        bt5_2 = _grads.give(t5, unbroadcast(bt6 * b, t5), bt5_2)
        bb2 = _grads.give(b, unbroadcast(bt6 * t5, b), bb2)
    bt5, bt5_2 = record3.take(_grads, bt5_2)
    (be4,) = record3.back(_grads, bt5)
    be = _grads.give(e, be4, be)
    # Grad of: b = e.pop('b')
    bb, bb2 = record2.take(_grads, bb2)
    (be3,) = record2.back(_grads, bb)
    be = _grads.give(e, be3, be)
    # Grad of: e.update(c=e['a'] * e['b'])
    be2, bt4_2 = record.back(_grads)
    be = _grads.give(e, be2, be)
    bt4 = _grads.give(t4, bt4_2, bt4)
    bt4 = _grads.take(t4, bt4)
    if bt4 is not None:
        be = _grads.give_item(e, "b", t3, unbroadcast(bt4 * t2, t3), be)
        be = _grads.give_item(e, "a", t2, unbroadcast(bt4 * t3, t2), be)
    # Grad of: e = dict(d)
    be = _grads.take_full(e, be)
    if be is not None:
        bd = _grads.give(d, undict(be, d), bd)
    return bd


def dfdd(d, bf=1.0):
    # Initialize the tape
    _stack = []
    f = f_primal(_stack, d)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bd = f_adjoint(_grads, _stack, first_seed(f, bf))
    return _grads.result(d, bd)
