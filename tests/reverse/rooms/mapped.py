import numpy as np

ARGS = [0.3, 0.8, 1.4],


def f(xs):
    return sum(map(np.sin, xs))


# --- normal
def f(xs):
    t = map(np.sin, xs)
    t2 = sum(t)
    return t2


# --- normal
def map_(function, *iterables):
    c = len(iterables) == 1
    if c:
        out = []
        t = iterables[0]
        t2 = list(t)
        for i in range(len(t2)):
            x = t2[i]
            t3 = function(x)
            out.append(t3)
        out5 = out
    else:
        c2 = len(iterables) == 2
        if c2:
            out2 = []
            t4 = iterables[0]
            t5 = list(t4)
            t6 = iterables[1]
            t7 = list(t6)
            for i2 in range(min(len(t5), len(t7))):
                x2 = t5[i2]
                y = t7[i2]
                t8 = function(x2, y)
                out2.append(t8)
            out4 = out2
        else:
            out3 = []
            t9 = zip(*iterables)
            t10 = list(t9)
            for i3 in range(len(t10)):
                xs = t10[i3]
                t11 = function(*xs)
                out3.append(t11)
            out4 = out3
        out5 = out4
    return out5


# --- reverse
def map__primal(function, *iterables, bout=1.0):
    _stack = Stack()
    c = len(iterables) == 1
    if c:
        out = []
        t = iterables[0]
        t2 = list(t)
        for i in range(len(t2)):
            x = t2[i]
            t3, function_back = pullback(function, (0,))(x)
            out.append(t3)
            push(_stack, function_back, '_1')
        out5 = out
    else:
        c2 = len(iterables) == 2
        if c2:
            out2 = []
            t4 = iterables[0]
            t5 = list(t4)
            t6 = iterables[1]
            t7 = list(t6)
            for i2 in range(min(len(t5), len(t7))):
                x2 = t5[i2]
                y = t7[i2]
                t8, function_back2 = pullback(function, (0, 1))(x2, y)
                out2.append(t8)
                push(_stack, function_back2, '_2')
            out4 = out2
        else:
            out3 = []
            t9, zip_back = pullback(zip, ('0:',))(*iterables)
            t10 = list(t9)
            for i3 in range(len(t10)):
                xs = t10[i3]
                t11, function_back3 = pullback(function, ('0:',))(*xs)
                out3.append(t11)
                push(_stack, function_back3, '_3')
            out4 = out3
        out5 = out4

    split_here(out5)
    # Grad of: if len(iterables) == 1:
    if c:
        bout2 = own_parts(bout)
        # Grad of: for x in list(iterables[0]):
        bt2 = init_grad(t2)
        for i in range(len(t2) - 1, -1, -1):
            function_back = pop(_stack, '_1')
            # Grad of: out.append(function(x))
            bt3 = bout2.pop()
            bx = function_back(bt3)
            # Grad of: for x in list(iterables[0]):
            bt2 = add_at(bt2, i, bx)
        bt = unlist(bt2, t)
        biterables3 = init_grad(iterables)
        biterables3 = add_at(biterables3, 0, bt)
    else:
        # Grad of: elif len(iterables) == 2:
        if c2:
            bout3 = own_parts(bout)
            # Grad of: for x, y in zip(list(iterables[0]), list(iterables[1])):
            bt5 = init_grad(t5)
            bt7 = init_grad(t7)
            for i2 in range(min(len(t5), len(t7)) - 1, -1, -1):
                function_back2 = pop(_stack, '_2')
                # Grad of: out.append(function(x, y))
                bt8 = bout3.pop()
                bx2, by = function_back2(bt8)
                # Grad of: for x, y in zip(list(iterables[0]), list(iterables[1])):
                bt7 = add_at(bt7, i2, by)
                bt5 = add_at(bt5, i2, bx2)
            bt6 = unlist(bt7, t6)
            bt4 = unlist(bt5, t4)
            biterables2 = init_grad(iterables)
            biterables2 = add_at(biterables2, 1, bt6)
            biterables2 = add_at(biterables2, 0, bt4)
        else:
            bout4 = own_parts(bout)
            # Grad of: for xs in list(zip(*iterables)):
            bt10 = init_grad(t10)
            for i3 in range(len(t10) - 1, -1, -1):
                function_back3 = pop(_stack, '_3')
                # Grad of: out.append(function(*xs))
                bt11 = bout4.pop()
                bxs = function_back3(bt11)
                # Grad of: for xs in list(zip(*iterables)):
                bt10 = add_at(bt10, i3, bxs)
            bt9 = unlist(bt10, t9)
            biterables = zip_back(bt9)
            biterables2 = biterables
        biterables3 = biterables2
    biterables4 = biterables3
    return biterables4


# --- reverse
def dfdxs(xs, bf=1.0):
    t, map__saved = map__primal(np.sin, xs)
    t2 = sum(t)
    bf = check_dims(t2, bf)
    # Grad of: return sum(map(np.sin, xs))
    bt = unsum(bf, t)
    biterables = map__adjoint(bt, map__saved)
    bxs = biterables[0]
    return astype(bxs, xs)


# --- optimized
def map__primal(function, *iterables):
    t = None
    t2 = None
    c2 = None
    t4 = None
    t5 = None
    t6 = None
    t7 = None
    t9 = None
    zip_back = None
    t10 = None
    c = len(iterables) == 1
    # Initialize the tape
    _stack = []
    _stack2 = []
    _stack3 = []
    if c:
        out = []
        t = iterables[0]
        t2 = list(t)
        for i in range(len(t2)):
            x = t2[i]
            t3, function_back = pullback(function, (0,))(x)
            out.append(t3)
            _stack.append(function_back)
    else:
        c2 = len(iterables) == 2
        if c2:
            out = []
            t4 = iterables[0]
            t5 = list(t4)
            t6 = iterables[1]
            t7 = list(t6)
            for i2 in range(min(len(t5), len(t7))):
                x = t5[i2]
                y = t7[i2]
                t8, function_back2 = pullback(function, (0, 1))(x, y)
                out.append(t8)
                _stack2.append(function_back2)
        else:
            out = []
            t9, zip_back = pullback(zip, ('0:',))(*iterables)
            t10 = list(t9)
            for i3 in range(len(t10)):
                xs = t10[i3]
                t11, function_back3 = pullback(function, ('0:',))(*xs)
                out.append(t11)
                _stack3.append(function_back3)
    return (
        out,
        (
            iterables,
            c,
            _stack,
            _stack2,
            _stack3,
            t,
            t2,
            c2,
            t4,
            t5,
            t6,
            t7,
            t9,
            zip_back,
            t10,
        ),
    )


def map__adjoint(bout, saved):
    iterables, c, _stack, _stack2, _stack3, t, t2, c2, t4, t5, t6, t7, t9, zip_back, t10 = (
        saved
    )
    # Grad of: if len(iterables) == 1:
    if c:
        bout = own_parts(bout)
        # Grad of: for x in list(iterables[0]):
        bt2 = init_grad(t2)
        for i in range(len(t2) - 1, -1, -1):
            function_back = _stack.pop()
            # Grad of: out.append(function(x))
            bt3 = bout.pop()
            bx = function_back(bt3)
            # Grad of: for x in list(iterables[0]):
            bt2 = add_at(bt2, i, bx)
        biterables = init_grad(iterables)
        biterables = add_at(biterables, 0, unlist(bt2, t))
    elif c2:
        bout = own_parts(bout)
        # Grad of: for x, y in zip(list(iterables[0]), list(iterables[1])):
        bt5 = init_grad(t5)
        bt7 = init_grad(t7)
        for i2 in range(min(len(t5), len(t7)) - 1, -1, -1):
            function_back2 = _stack2.pop()
            # Grad of: out.append(function(x, y))
            bt8 = bout.pop()
            bx, by = function_back2(bt8)
            # Grad of: for x, y in zip(list(iterables[0]), list(iterables[1])):
            bt7 = add_at(bt7, i2, by)
            bt5 = add_at(bt5, i2, bx)
        bt4 = unlist(bt5, t4)
        biterables = init_grad(iterables)
        biterables = add_at(biterables, 1, unlist(bt7, t6))
        biterables = add_at(biterables, 0, bt4)
    else:
        bout = own_parts(bout)
        # Grad of: for xs in list(zip(*iterables)):
        bt10 = init_grad(t10)
        for i3 in range(len(t10) - 1, -1, -1):
            function_back3 = _stack3.pop()
            # Grad of: out.append(function(*xs))
            bt11 = bout.pop()
            bxs = function_back3(bt11)
            # Grad of: for xs in list(zip(*iterables)):
            bt10 = add_at(bt10, i3, bxs)
        biterables = zip_back(unlist(bt10, t9))
    return biterables


def dfdxs(xs, bf=1.0):
    t, map__saved = map__primal(np.sin, xs)
    bf = check_dims(sum(t), bf)
    # Grad of: return sum(map(np.sin, xs))
    return astype(map__adjoint(unsum(bf, t), map__saved)[0], xs)
