"""A smoothness penalty on a grid."""
import numpy as np


def f(u, weight):
    right = u[:, 1:] - u[:, :-1]
    down = u[1:] - u[:-1]
    return weight * (np.sum(right * right) + np.sum(down * down))


ARGS = np.array([[1.0, 2.0, 4.0], [3.0, 4.5, 1.0]]), 0.3
WRT = 'u',


# --- normal
def f(u, weight):
    t = u[:, 1:]
    t2 = u[:, :-1]
    right = t - t2
    t3 = u[1:]
    t4 = u[:-1]
    down = t3 - t4
    t5 = right * right
    t6 = np.sum(t5)
    t7 = down * down
    t8 = np.sum(t7)
    t9 = t6 + t8
    t10 = weight * t9
    return t10


# --- reverse
def dfdu(u, weight, bf=1.0):
    t = u[:, 1:]
    t2 = u[:, :-1]
    right = t - t2
    t3 = u[1:]
    t4 = u[:-1]
    down = t3 - t4
    t5 = right * right
    t6 = np.sum(t5)
    t7 = down * down
    t8 = np.sum(t7)
    t9 = t6 + t8
    t10 = weight * t9

    bf = check_dims(t10, bf, t6, t8)
    # Grad of: return weight * (np.sum(right * right) + np.sum(down * down))
    bt9 = bf * weight
    bt7 = unreduce_like(bt9, t7)
    bt5 = unreduce_like(bt9, t5)
    bdown = 2 * bt7 * down
    # Grad of: down = u[1:] - u[:-1]
    bt4 = -bdown
    # Grad of: return weight * (np.sum(right * right) + np.sum(down * down))
    bright = 2 * bt5 * right
    # Grad of: right = u[:, 1:] - u[:, :-1]
    bt2 = -bright
    # Grad of: down = u[1:] - u[:-1]
    bu = init_grad(u)
    bu[:-1] += bt4
    bu[1:] += bdown
    # Grad of: right = u[:, 1:] - u[:, :-1]
    bu[:, :-1] += bt2
    bu[:, 1:] += bright
    return bu


# --- optimized
def dfdu(u, weight, bf=1.0):
    right = u[:, 1:] - u[:, :-1]
    down = u[1:] - u[:-1]
    t = np.sum(right * right)
    t2 = np.sum(down * down)

    bf = check_dims(weight * (t + t2), bf, t, t2)
    # Grad of: return weight * (np.sum(right * right) + np.sum(down * down))
    bt = bf * weight
    bdown = 2 * unreduce_like(bt, down) * down
    bright = 2 * unreduce_like(bt, right) * right
    # Grad of: down = u[1:] - u[:-1]
    bu = init_grad(u)
    bu[:-1] -= bdown
    bu[1:] += bdown
    # Grad of: right = u[:, 1:] - u[:, :-1]
    bu[:, :-1] -= bright
    bu[:, 1:] += bright
    return bu
