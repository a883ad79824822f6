"""The first value that is large enough."""


def f(x, n):
    for i in range(n):
        y = x ** i
        if y > 10:
            return y
    return x


ARGS = 1.7, 20
WRT = 'x',


# --- normal
def f(x, n):
    done = False
    done2 = done
    result = 0.0
    for i in range(n):
        stop = False
        y = x**i
        c = y > 10
        if c:
            result2 = y
            done3 = True
            stop2 = True
            result3 = result2
            done4 = done3
            stop3 = stop2
        else:
            result3 = result
            done4 = done2
            stop3 = stop
        result = result3
        done2 = done4
        if stop3:
            break
    c2 = not done2
    if c2:
        result4 = x
        done5 = True
        result5 = result4
    else:
        result5 = result
    return result5


# --- reverse
def dfdx(x, n, bf=1.0):
    _stack = Stack()
    done = False
    done2 = done
    result = 0.0
    count = 0
    for i in range(n):
        stop = False
        y = x**i
        c = y > 10
        if c:
            result2 = y
            done3 = True
            stop2 = True
            result3 = result2
            done4 = done3
            stop3 = stop2
        else:
            result3 = result
            done4 = done2
            stop3 = stop
        push(_stack, y, "_1")
        push(_stack, c, "_2")
        push(_stack, result, "_3")
        result = result3
        done2 = done4
        count += 1
        if stop3:
            break
    c2 = not done2
    if c2:
        result4 = x
        done5 = True
        result5 = result4
    else:
        result5 = result

    bf = check_dims(result5, bf, x)
    if c2:
        # Grad of: return x
        bx = bf
        bresult = init_grad(result)
    else:
        bx = init_grad(x)
        bresult = bf
    bresult2 = bresult
    bx2 = copy(bx)
    # Grad of: for i in range(n):
    for i in range(count - 1, -1, -1):
        result = pop(_stack, "_3")
        c = pop(_stack, "_2")
        y = pop(_stack, "_1")
        # Grad of: if y > 10:
        if c:
            # Grad of: return y
            by = bresult2
            bresult3 = init_grad(result)
        else:
            by = init_grad(y)
            bresult3 = bresult2
        # Grad of: y = x ** i
        bx2 += by * dpower_dx(x, i)
        # Grad of: if y > 10:
        bresult2 = bresult3
    bx3 = bx2
    return bx3


# --- optimized
def dfdx(x, n, bf=1.0):
    done = False
    result = 0.0
    # Initialize the tape
    count = 0
    _stack = []
    for i in range(n):
        y = x**i
        _stack.append((y, result))
        count += 1
        if y > 10:
            result = y
            done = True
            break
    if not done:
        result2 = x
    else:
        result2 = result

    bf = check_dims(result2, bf, x)
    if not done:
        # Grad of: return x
        bx = bf
        bresult = init_grad(result)
    else:
        bx = init_grad(x)
        bresult = bf
    bx = copy(bx)
    # Grad of: for i in range(n):
    for i in range(count - 1, -1, -1):
        y, result2 = _stack.pop()
        # Grad of: if y > 10:
        if y > 10:
            # Grad of: return y
            by = bresult
            bresult = init_grad(result2)
        else:
            by = init_grad(y)
        # Grad of: y = x ** i
        bx += by * dpower_dx(x, i)
    return bx
