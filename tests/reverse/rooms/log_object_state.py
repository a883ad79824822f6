class Counter:
    def __init__(self):
        self.total = 0.0

    def add(self, v):
        self.total = self.total + v * v


ARGS = [0.3, 0.8],


def f(xs):
    counter = Counter()
    for x in xs:
        counter.add(x)
    return counter.total


# --- optimized
def f_primal(_stack, xs):
    counter = Counter()
    count = 0
    for i, x in enumerate(xs):
        count += 1
        record = recorded(('self', 0), counter.add, x)[1]
        _stack.append((i, x, record))
    t = counter.total
    _stack.append((count, xs, counter, t))
    return t


def f_adjoint(_grads, _stack, bf):
    bx2 = bxs = bcounter2 = None
    count, xs, counter, t = _stack.pop()
    # Grad of: return counter.total
    if bf is not None:
        bcounter2 = _grads.give_attribute(counter, 'total', t, bf, bcounter2)
    for _ in range(count):
        i, x, record = _stack.pop()
        # Grad of: counter.add(x)
        bcounter, bx3 = record.back(_grads)
        bcounter2 = _grads.give(counter, bcounter, bcounter2)
        bx2 = _grads.give(x, bx3, bx2)
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
