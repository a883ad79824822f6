"""Rows chosen by an array, some of them twice."""
import numpy as np


def f(table, rows):
    return np.sum(table[rows] ** 2)


ARGS = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0, 1, 1])
WRT = 'table',


# --- normal
def f(table, rows):
    t = table[rows]
    t2 = t**2
    t3 = np.sum(t2)
    return t3


# --- reverse
def dfdtable(table, rows, bf=1.0):
    t = table[rows]
    t2 = t**2
    t3 = np.sum(t2)

    bf = check_scalar(bf)
    # Grad of: return np.sum(table[rows] ** 2)
    bt2 = unreduce_like(bf, t2)
    bt = 2 * bt2 * t
    btable = init_grad(table)
    btable = add_at(btable, rows, bt)
    return astype(btable, table)


# --- optimized
def dfdtable(table, rows, bf=1.0):
    bf = check_scalar(bf)
    # Grad of: return np.sum(table[rows] ** 2)
    btable = init_grad(table)
    btable = add_at(btable, rows, 2 * bf * table[rows])
    return astype(btable, table)
