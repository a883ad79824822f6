import numpy as np

ARGS = ((0.3, 0.8), (1.4, (0.5, 0.6))),


def f(tree):
    if isinstance(tree, tuple):
        left, right = tree
        return np.tanh(f(left) + 2.0 * f(right))
    return tree


# --- normal
def f(tree):
    c = isinstance(tree, tuple)
    if c:
        left, right = tree
        t = f(left)
        t2 = f(right)
        t3 = 2.0 * t2
        t4 = t + t3
        result = np.tanh(t4)
        result3 = result
    else:
        result2 = tree
        result3 = result2
    return result3


# --- normal
def f(tree):
    c = isinstance(tree, tuple)
    if c:
        left, right = tree
        t = f(left)
        t2 = f(right)
        t3 = 2.0 * t2
        t4 = t + t3
        result = np.tanh(t4)
        result3 = result
    else:
        result2 = tree
        result3 = result2
    return result3


# --- reverse
def f_primal(tree, bf=1.0):
    c = isinstance(tree, tuple)
    if c:
        left, right = tree
        t, f_saved2 = f_primal(left)
        t2, f_saved = f_primal(right)
        t3 = 2.0 * t2
        t4 = t + t3
        result = np.tanh(t4)
        result3 = result
    else:
        result2 = tree
        result3 = result2

    split_here(result3)
    # Grad of: if isinstance(tree, tuple):
    if c:
        # Grad of: return np.tanh(f(left) + 2.0 * f(right))
        bt4 = bf * (1 - result * result)
        bt3 = unbroadcast(bt4, t3)
        bt2 = bt3 * 2.0
        bright = f_adjoint(bt2, f_saved)
        bt = unbroadcast(bt4, t)
        bleft = f_adjoint(bt, f_saved2)
        # Grad of: left, right = tree
        btree = init_grad(tree)
        btree = add_at(btree, 0, bleft)
        btree = add_at(btree, 1, bright)
    else:
        # Grad of: return tree
        btree = bf
    btree2 = btree
    return btree2


# --- reverse
def dfdtree(tree, bf=1.0):
    c = isinstance(tree, tuple)
    if c:
        left, right = tree
        t, f_saved2 = f_primal(left)
        t2, f_saved = f_primal(right)
        t3 = 2.0 * t2
        t4 = t + t3
        result = np.tanh(t4)
        result3 = result
    else:
        result2 = tree
        result3 = result2

    bf = check_number(result3, bf)
    # Grad of: if isinstance(tree, tuple):
    if c:
        # Grad of: return np.tanh(f(left) + 2.0 * f(right))
        bt4 = bf * (1 - result * result)
        bt2 = bt4 * 2.0
        bright = f_adjoint(bt2, f_saved)
        bleft = f_adjoint(bt4, f_saved2)
        # Grad of: left, right = tree
        btree = init_grad(tree)
        btree = add_at(btree, 0, bleft)
        btree = add_at(btree, 1, bright)
    else:
        # Grad of: return tree
        btree = bf
    btree2 = btree
    return astype(btree2, tree)


# --- optimized
def f_primal(tree):
    t = None
    f_saved = None
    f_saved2 = None
    t3 = None
    result = None
    c = isinstance(tree, tuple)
    if c:
        left, right = tree
        t, f_saved = f_primal(left)
        t2, f_saved2 = f_primal(right)
        t3 = 2.0 * t2
        result = np.tanh(t + t3)
        result2 = result
    else:
        result2 = tree
    return result2, (tree, c, t, f_saved, f_saved2, t3, result)


def f_adjoint(bf, saved):
    tree, c, t, f_saved, f_saved2, t3, result = saved
    # Grad of: if isinstance(tree, tuple):
    if c:
        # Grad of: return np.tanh(f(left) + 2.0 * f(right))
        bt = bf * (1 - result * result)
        bright = f_adjoint(2.0 * unbroadcast(bt, t3), f_saved2)
        bleft = f_adjoint(unbroadcast(bt, t), f_saved)
        # Grad of: left, right = tree
        btree = init_grad(tree)
        btree = add_at(btree, 0, bleft)
        btree = add_at(btree, 1, bright)
    else:
        # Grad of: return tree
        btree = bf
    return btree


def dfdtree(tree, bf=1.0):
    c = isinstance(tree, tuple)
    if c:
        left, right = tree
        t, f_saved = f_primal(left)
        t2, f_saved2 = f_primal(right)
        result = np.tanh(t + 2.0 * t2)
        result2 = result
    else:
        result2 = tree

    bf = check_number(result2, bf)
    # Grad of: if isinstance(tree, tuple):
    if c:
        # Grad of: return np.tanh(f(left) + 2.0 * f(right))
        bt = bf * (1 - result * result)
        bright = f_adjoint(2.0 * bt, f_saved2)
        bleft = f_adjoint(bt, f_saved)
        # Grad of: left, right = tree
        btree = init_grad(tree)
        btree = add_at(btree, 0, bleft)
        btree = add_at(btree, 1, bright)
    else:
        # Grad of: return tree
        btree = bf
    return astype(btree, tree)
