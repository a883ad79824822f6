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
        t2 = stack[-1]
        t3 = t2 + i
        stack.append(t3)
        top = stack.pop()
        t = stack.pop()
        t4 = np.sin(top)
        t5 = t4 * t
        stack.append(t5)
        stack.append(x)
    t6 = sum(stack)
    return t6


# --- reverse
def dstack_of_valuesdx(x, n, bstack_of_values=1.0):
    _stack = Stack()
    'The last two values of a stack are replaced by their product, over and over.'
    stack = [x]
    for i in range(n):
        t2 = stack[-1]
        t3 = t2 + i
        stack.append(t3)
        top = stack.pop()
        t = stack.pop()
        t4 = np.sin(top)
        t5 = t4 * t
        stack.append(t5)
        stack.append(x)
        push(_stack, top, '_1')
        push(_stack, t, '_2')
        push(_stack, t4, '_3')
    t6 = sum(stack)

    bstack_of_values = check_dims(t6, bstack_of_values)
    # Grad of: return sum(stack)
    bstack = unsum(bstack_of_values, stack)
    # Grad of: for i in range(n):
    bx2 = init_grad(x)
    for i in range(n - 1, -1, -1):
        t4 = pop(_stack, '_3')
        t = pop(_stack, '_2')
        top = pop(_stack, '_1')
        # Grad of: stack.append(x)
        bx = bstack.pop()
        # Grad of: stack.append(np.sin(top) * stack.pop())
        bt5 = bstack.pop()
        bt4 = unbroadcast(bt5 * t, t4)
        bt = unbroadcast(bt5 * t4, t)
        bstack.append(copy(bt))
        btop = bt4 * np.cos(top)
        # Grad of: top = stack.pop()
        bstack.append(copy(btop))
        # Grad of: stack.append(stack[-1] + i)
        bt3 = bstack.pop()
        # Grad of: stack.append(x)
        bx2 = add_grad(bx2, bx)
        # Grad of: stack.append(stack[-1] + i)
        bstack[-1] += bt3
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
        t = stack.pop()
        t2 = np.sin(top)
        stack.append(t2 * t)
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
        bt2 = unbroadcast(bt * t, t2)
        bstack.append(copy(unbroadcast(bt * t2, t)))
        btop = bt2 * np.cos(top)
        # Grad of: top = stack.pop()
        bstack.append(copy(btop))
        # Grad of: stack.append(stack[-1] + i)
        bt3 = bstack.pop()
        # Grad of: stack.append(x)
        bx = add_grad(bx, bx2)
        # Grad of: stack.append(stack[-1] + i)
        bstack[-1] += bt3
    # Grad of: stack = [x]
    return astype(add_grad(bx, bstack[0]), x)
