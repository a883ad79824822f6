import functools

ARGS = [0.3, 0.8, 1.4],


def f(xs):
    return functools.reduce(lambda a, b: a * b + a, xs)


# --- normal
def f(xs):
    t = lambda a, b: a * b + a
    t2 = functools.reduce(t, xs)
    return t2


# --- normal
def reduce(function, iterable, initial=MISSING):
    values = list(iterable)
    c = initial is MISSING
    if c:
        if len(values) == 0:
            raise TypeError("reduce() of empty iterable with no initial value")
        total = values[0]
        first = 1
        total3 = total
        first3 = first
    else:
        total2 = initial
        first2 = 0
        total3 = total2
        first3 = first2
    total4 = total3
    for k in range(first3, len(values)):
        t = values[k]
        total5 = function(total4, t)
        total4 = total5
    return total4


# --- reverse
def reduce_primal(function, iterable, initial=MISSING, btotal=1.0):
    _stack = Stack()
    values = list(iterable)
    c = initial is MISSING
    if c:
        if len(values) == 0:
            raise TypeError("reduce() of empty iterable with no initial value")
        total = values[0]
        first = 1
        total3 = total
        first3 = first
    else:
        total2 = initial
        first2 = 0
        total3 = total2
        first3 = first2
    total4 = total3
    for k in range(first3, len(values)):
        t = values[k]
        total5, function_back = pullback(function, (0, 1))(total4, t)
        push(_stack, function_back, "_1")
        total4 = total5

    split_here(total4)
    btotal2 = btotal
    # Grad of: for k in range(first, len(values)):
    bvalues = init_grad(values)
    for k in range(len(values) - 1, first3 - 1, -1):
        function_back = pop(_stack, "_1")
        # Grad of: total = function(total, values[k])
        btotal3, bt = function_back(btotal2)
        bvalues = add_at(bvalues, k, bt)
        btotal2 = btotal3
    bvalues2 = bvalues
    # Grad of: if initial is MISSING:
    if c:
        # Grad of: total, first = values[0], 1
        bvalues2 = copy(bvalues2)
        bvalues2 = add_at(bvalues2, 0, btotal2)
    # Grad of: values = list(iterable)
    biterable = unlist(bvalues2, iterable)
    return biterable


# --- reverse
def dfdxs(xs, bf=1.0):
    t = lambda a, b: a * b + a
    t2, reduce_saved = reduce_primal(t, xs)
    bf = check_dims(t2, bf)
    # Grad of: return functools.reduce(lambda a, b: a * b + a, xs)
    bxs = reduce_adjoint(bf, reduce_saved)
    bxs2 = bxs
    return astype(bxs2, xs)


# --- optimized
def reduce_primal(function, iterable, initial=MISSING):
    values = list(iterable)
    c = initial is MISSING
    if c:
        if len(values) == 0:
            raise TypeError("reduce() of empty iterable with no initial value")
        total = values[0]
        first = 1
    else:
        total = initial
        first = 0
    # Initialize the tape
    _stack = []
    for k in range(first, len(values)):
        total, function_back = pullback(function, (0, 1))(total, values[k])
        _stack.append(function_back)
    return total, (iterable, values, c, first, _stack)


def reduce_adjoint(btotal, saved):
    iterable, values, c, first, _stack = saved
    # Grad of: for k in range(first, len(values)):
    bvalues = init_grad(values)
    for k in range(len(values) - 1, first - 1, -1):
        function_back = _stack.pop()
        # Grad of: total = function(total, values[k])
        btotal, bt = function_back(btotal)
        bvalues = add_at(bvalues, k, bt)
    # Grad of: if initial is MISSING:
    if c:
        # Grad of: total, first = values[0], 1
        bvalues = copy(bvalues)
        bvalues = add_at(bvalues, 0, btotal)
    # Grad of: values = list(iterable)
    return unlist(bvalues, iterable)


def dfdxs(xs, bf=1.0):
    t = lambda a, b: a * b + a
    t2, reduce_saved = reduce_primal(t, xs)
    bf = check_dims(t2, bf)
    # Grad of: return functools.reduce(lambda a, b: a * b + a, xs)
    return astype(reduce_adjoint(bf, reduce_saved), xs)
