"""A row and a column."""
import numpy as np


def f(row, column):
    return np.sum(np.exp(row * column) + row)


ARGS = np.array([[0.1, 0.2, 0.3]]), np.array([[1.0], [2.0]])


# --- normal
def f(row, column):
    t = row * column
    t2 = np.exp(t)
    t3 = t2 + row
    t4 = np.sum(t3)
    return t4


# --- reverse
def dfdrowdcolumn(row, column, bf=1.0):
    t = row * column
    t2 = np.exp(t)
    t3 = t2 + row
    t4 = np.sum(t3)

    bf = check_scalar(bf)
    # Grad of: return np.sum(np.exp(row * column) + row)
    bt3 = unreduce_like(bf, t3)
    bt = bt3 * t2
    brow = unbroadcast(bt3, row) + unbroadcast(bt * column, row)
    bcolumn = unbroadcast(bt * row, column)
    return brow, bcolumn


# --- optimized
def dfdrowdcolumn(row, column, bf=1.0):
    t = np.exp(row * column)
    bf = check_scalar(bf)
    # Grad of: return np.sum(np.exp(row * column) + row)
    bt = unreduce_like(bf, t + row)
    bt2 = bt * t
    brow = unbroadcast(bt, row) + unbroadcast(bt2 * column, row)
    return brow, unbroadcast(bt2 * row, column)
