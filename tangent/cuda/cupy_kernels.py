"""Functions of elementwise operations that are one kernel on arrays of CuPy's, and run as they are on all others."""
import functools
import importlib
import sys
import types

import numpy as np


def fuse(function):
    """The function as one kernel, by `cupy.fuse`, where one of its arguments is an array of CuPy's; else as it is.

    The kernel is made of the same text with CuPy's functions in the place of NumPy's, on the first call that needs it.
    """
    kernels: list = []

    @functools.wraps(function)
    def fused(*args):
        if not any(map(is_on_device, args)):
            return function(*args)
        if not kernels:
            kernels.append(importlib.import_module('cupy').fuse(with_cupy(function)))
        return kernels[0](*args)
    return fused


def is_on_device(x):
    """Whether `x` is an array of CuPy's."""
    cupy = sys.modules.get('cupy')
    return cupy is not None and isinstance(x, cupy.ndarray)


def with_cupy(function):
    """The function with `cupy` wherever it reads `numpy`."""
    cupy = importlib.import_module('cupy')

    def moved(value):
        return cupy if value is np else value
    namespace = {name: moved(function.__globals__[name]) for name in function.__code__.co_names if name in function.__globals__}
    cells = tuple(types.CellType(moved(cell.cell_contents)) for cell in function.__closure__ or ())
    return types.FunctionType(function.__code__, {'__builtins__': __builtins__, **namespace}, function.__name__,
                              function.__defaults__, cells)
