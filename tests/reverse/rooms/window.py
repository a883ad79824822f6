import numpy as np

ARGS = np.array([0.3, 0.7, 1.1, 0.2]), 2


def window(x, width):
    """Means over a moving window, collected in a list."""
    means = []
    for i in range(len(x) - width + 1):
        means.append(np.mean(x[i:i + width]))
    return np.sum(np.array(means) ** 2)


# --- normal
def window(x, width):
    """Means over a moving window, collected in a list."""
    means = []
    for i in range(len(x) - width + 1):
        t = x[i : i + width]
        t2 = np.mean(t)
        means.append(t2)
    t3 = np.array(means)
    t4 = t3**2
    t5 = np.sum(t4)
    return t5


# --- reverse
def dwindowdx(x, width, bwindow=1.0):
    _stack = Stack()
    "Means over a moving window, collected in a list."
    means = []
    for i in range(len(x) - width + 1):
        t = x[i : i + width]
        t2 = np.mean(t)
        means.append(t2)
        push(_stack, t, "_1")
    t3 = np.array(means)
    t4 = t3**2
    t5 = np.sum(t4)

    bwindow = check_scalar(bwindow)
    # Grad of: return np.sum(np.array(means) ** 2)
    bt4 = unreduce_like(bwindow, t4)
    bt3 = 2 * bt4 * t3
    bmeans = unarray(bt3, means)
    # Grad of: for i in range(len(x) - width + 1):
    bx = init_grad(x)
    for i in range(len(x) - width, -1, -1):
        t = pop(_stack, "_1")
        # Grad of: means.append(np.mean(x[i:i + width]))
        bt2 = bmeans.pop()
        bt = unreduce_like(bt2 / array_size(t), t)
        bx = add_at(bx, slice(i, i + width), bt)
    bx2 = bx
    return astype(bx2, x)


# --- optimized
def dwindowdx(x, width, bwindow=1.0):
    means = []
    for i in range(len(x) - width + 1):
        means.append(np.mean(x[i : i + width]))

    bwindow = check_scalar(bwindow)
    # Grad of: return np.sum(np.array(means) ** 2)
    bmeans = unarray(2 * bwindow * np.array(means), means)
    # Grad of: for i in range(len(x) - width + 1):
    bx = init_grad(x)
    for i in range(len(x) - width, -1, -1):
        t = x[i : i + width]
        # Grad of: means.append(np.mean(x[i:i + width]))
        bt = unreduce_like(bmeans.pop() / array_size(t), t)
        bx = add_at(bx, slice(i, i + width), bt)
    return astype(bx, x)
