"""Derivatives written by hand in C, compiled by gcc and called through ctypes: program -> function of the same arguments."""
import ctypes
import pathlib

import numpy as np

from benchmarks.kernels import in_c
from benchmarks.kernels.in_c import pointer


def whole(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_long))


def gradient_of_lstm(found):
    def lstm(main, extra, state, sequence):
        sizes = map(ctypes.c_long, (len(state) // 2, state.shape[1], len(sequence)))
        out = np.empty_like(main), np.empty_like(extra)
        found.lstm(*map(pointer, (main, extra, state, sequence)), *sizes, *map(pointer, out))
        return out
    return lstm


def push_pop():
    """Name -> the gradient as Tapenade writes it, with a stack of pushes and pops; empty where there is no gcc."""
    here = pathlib.Path(__file__)
    found = in_c.library(here.with_name('push_pop.c'), here.with_name('ad_stack.c'))
    return {} if found is None else {'lstm': gradient_of_lstm(found), 'gmm': in_c.gradient_of_gmm(found)}


def functions():
    """Name -> the derivative; empty where there is no gcc."""
    found = in_c.library(pathlib.Path(__file__).with_name('by_hand.c'))
    if found is None:
        return {}

    def ba(cameras, points, weights, features, of_camera, of_point):
        n, m, p = len(cameras), len(points), len(weights)
        rows, columns, values = np.empty(3 * p + 1, np.int64), np.empty(31 * p, np.int64), np.empty(31 * p)
        found.ba(*map(pointer, (cameras, points, weights, features)), whole(of_camera), whole(of_point),
                 *map(ctypes.c_long, (n, m, p)), whole(rows), whole(columns), pointer(values))
        return rows, columns, values

    def hand(theta, us, corners, points, parents, relatives, inverses, positions, weights, mirrored):
        rows = np.empty((points.size, 26 + (2 if corners.shape[1] == 3 else 0)))
        sizes = map(ctypes.c_long, (len(parents), len(positions), *corners.shape))
        found.hand(pointer(theta), pointer(us), whole(corners), pointer(points), whole(parents),
                   *map(pointer, (relatives, inverses, positions, weights)), ctypes.c_int(mirrored), *sizes, pointer(rows))
        return rows

    return {'lstm': gradient_of_lstm(found), 'ba': ba, 'hand': hand, 'gmm': in_c.functions()['gmm']}
