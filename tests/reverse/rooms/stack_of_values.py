import numpy as np

ARGS = 0.7, 3


def stack_of_values(x, n):
    """The last two values of a stack are replaced by their product, over and over."""
    stack = [x]
    for i in range(n):
        stack.append(stack[-1] + i)
        top = stack.pop()
        stack.append(np.sin(top) * stack.pop())
        stack.append(x)
    return sum(stack)


# --- normal
def stack_of_values(x, n):
    """The last two values of a stack are replaced by their product, over and over."""
    stack = [x]
    for i in range(n):
        t3 = stack[-1]
        t4 = t3 + i
        stack.append(t4)
        top = stack.pop()
        t2 = np.sin(top)
        t = stack.pop()
        t5 = t2 * t
        stack.append(t5)
        stack.append(x)
    t6 = sum(stack)
    return t6


# --- reverse
def dstack_of_valuesdx(x, n, bstack_of_values=1.0):
    _stack = Stack()
    "The last two values of a stack are replaced by their product, over and over."
    stack = [x]
    for i in range(n):
        t3 = stack[-1]
        t4 = t3 + i
        stack.append(t4)
        top = stack.pop()
        t2 = np.sin(top)
        t = stack.pop()
        t5 = t2 * t
        stack.append(t5)
        stack.append(x)
        push(_stack, top, "_1")
        push(_stack, t2, "_2")
        push(_stack, t, "_3")
    t6 = sum(stack)

    bstack_of_values = check_dims(t6, bstack_of_values)
    # Grad of: return sum(stack)
    bstack = unsum(bstack_of_values, stack)
    # Grad of: for i in range(n):
    bx2 = init_grad(x)
    for i in range(n - 1, -1, -1):
        t = pop(_stack, "_3")
        t2 = pop(_stack, "_2")
        top = pop(_stack, "_1")
        # Grad of: stack.append(x)
        bx = bstack.pop()
        # Grad of: stack.append(np.sin(top) * stack.pop())
        bt5 = bstack.pop()
        bt = unbroadcast(bt5 * t2, t)
        bstack.append(copy(bt))
        bt2 = unbroadcast(bt5 * t, t2)
        btop = bt2 * np.cos(top)
        # Grad of: top = stack.pop()
        bstack.append(copy(btop))
        # Grad of: stack.append(stack[-1] + i)
        bt4 = bstack.pop()
        # Grad of: stack.append(x)
        bx2 = add_grad(bx2, bx)
        # Grad of: stack.append(stack[-1] + i)
        bstack[-1] += bt4
    # Grad of: stack = [x]
    bx3 = add_grad(bx2, bstack[0])
    return astype(bx3, x)


# --- optimized
def dstack_of_valuesdx(x, n, bstack_of_values=1.0):
    stack = [x]
    # Initialize the tape
    _stack = []
    for i in range(n):
        stack.append(stack[-1] + i)
        top = stack.pop()
        t = np.sin(top)
        t2 = stack.pop()
        stack.append(t * t2)
        stack.append(x)
        _stack.append((top, t, t2))

    bstack_of_values = check_dims(sum(stack), bstack_of_values)
    # Grad of: return sum(stack)
    bstack = unsum(bstack_of_values, stack)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        top, t, t2 = _stack.pop()
        # Grad of: stack.append(x)
        bx2 = bstack.pop()
        # Grad of: stack.append(np.sin(top) * stack.pop())
        bt = bstack.pop()
        bstack.append(copy(unbroadcast(bt * t, t2)))
        btop = unbroadcast(bt * t2, t) * np.cos(top)
        # Grad of: top = stack.pop()
        bstack.append(copy(btop))
        # Grad of: stack.append(stack[-1] + i)
        bt2 = bstack.pop()
        # Grad of: stack.append(x)
        bx = add_grad(bx, bx2)
        # Grad of: stack.append(stack[-1] + i)
        bstack[-1] += bt2
    # Grad of: stack = [x]
    return astype(add_grad(bx, bstack[0]), x)
