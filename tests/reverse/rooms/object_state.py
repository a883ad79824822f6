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


# --- normal
def f(xs):
    counter_total = 0.0
    counter_total2 = counter_total
    for i in range(len(xs)):
        x = xs[i]
        counter_total3 = add(counter_total2, x)
        counter_total2 = counter_total3
    return counter_total2


# --- normal
def add(total, v):
    t = v * v
    total2 = total + t
    return total2


# --- reverse
def add_primal(total, v, btotal=1.0):
    t = v * v
    total2 = total + t
    split_here(total2)
    # Grad of: self.total = self.total + v * v
    bt = unbroadcast(btotal, t)
    btotal2 = unbroadcast(btotal, total)
    bv = 2 * bt * v
    return btotal2, bv


# --- reverse
def dfdxs(xs, bf=1.0):
    _stack = Stack()
    counter_total = 0.0
    counter_total2 = counter_total
    for i in range(len(xs)):
        x = xs[i]
        counter_total3, add_saved = add_primal(counter_total2, x)
        push(_stack, add_saved, "_1")
        counter_total2 = counter_total3

    bf = check_dims(counter_total2, bf)
    bcounter_total = bf
    # Grad of: for x in xs:
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        add_saved = pop(_stack, "_1")
        # Grad of: counter.add(x)
        bcounter_total2, bx = add_adjoint(bcounter_total, add_saved)
        # Grad of: for x in xs:
        bxs = add_at(bxs, i, bx)
        # Grad of: counter.add(x)
        bcounter_total = bcounter_total2
    bxs2 = bxs
    return astype(bxs2, xs)


# --- optimized
def add_primal(total, v):
    t = v * v
    total2 = total + t
    return total2, (total, v, t)


def add_adjoint(btotal, saved):
    total, v, t = saved
    # Grad of: self.total = self.total + v * v
    bv = 2 * unbroadcast(btotal, t) * v
    return unbroadcast(btotal, total), bv


def dfdxs(xs, bf=1.0):
    counter_total = 0.0
    # Initialize the tape
    _stack = []
    for i in range(len(xs)):
        x = xs[i]
        counter_total, add_saved = add_primal(counter_total, x)
        _stack.append(add_saved)

    bf = check_dims(counter_total, bf)
    bcounter_total = bf
    # Grad of: for x in xs:
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        add_saved = _stack.pop()
        # Grad of: counter.add(x)
        bcounter_total, bx = add_adjoint(bcounter_total, add_saved)
        # Grad of: for x in xs:
        bxs = add_at(bxs, i, bx)
    return astype(bxs, xs)
