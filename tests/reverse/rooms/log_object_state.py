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
def f_primal(_log, xs):
    counter = Counter()
    for i, x in enumerate(xs):
        _log.append((1, (i, x, xs)))
        call(_log, (2, counter, x), ('self', 0), counter.add, x)
    t = counter.total
    _log.append((3, (counter, t)))
    return t


def f_adjoint(_grads, _log, bf):
    bx2 = bxs = bcounter2 = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: for x in xs:
            i, x, xs = saved
            bx = _grads.take_from(x, bx2, xs)
            bx2 = None
            bxs = _grads.give_item(xs, i, x, bx, bxs)
        elif step == 2:
            # Grad of: counter.add(x)
            record, counter, x = saved
            bcounter, bx3 = record.back(_grads)
            bcounter2 = _grads.give(counter, bcounter, bcounter2)
            bx2 = _grads.give(x, bx3, bx2)
        elif step == 3:
            # Grad of: return counter.total
            counter, t = saved
            if bf is not None:
                bcounter2 = _grads.give_attribute(counter, 'total', t, bf, bcounter2)
    return bxs


def dfdxs(xs, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, xs)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bxs = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(xs, bxs)
