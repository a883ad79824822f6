"""The adjoints of `kernels_adjoints.c`, compiled by gcc and called through ctypes: name -> function of the same arguments."""
import ctypes
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

SOURCE = pathlib.Path(__file__).with_name('kernels_adjoints.c')


def library(source=SOURCE):
    """A file of C as a library, or None where there is no gcc."""
    if shutil.which('gcc') is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'adjoints.so'
        subprocess.run(['gcc', '-O3', '-march=native', '-shared', '-fPIC', str(source), '-o', str(path), '-lm'], check=True)
        return ctypes.CDLL(str(path))


def pointer(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def functions():
    """Name -> the gradient by hand, for the kernels that have one; each takes what the kernel takes."""
    found = library()
    if found is None:
        return {}

    def of_number(name):
        call = getattr(found, name)
        call.argtypes, call.restype = [ctypes.c_double, ctypes.c_long], ctypes.c_double
        return call

    def gemm(a, b):
        ba, bb = np.empty_like(a), np.empty_like(b)
        found.gemm(*map(pointer, (a, b, ba, bb)), ctypes.c_long(len(a)))
        return ba, bb

    def seidel_2d(a, steps):
        gradient = np.ones_like(a)
        found.seidel_2d(pointer(gradient), ctypes.c_long(len(a)), ctypes.c_long(steps))
        return gradient

    def jacobi_2d_slices(a, b, steps):
        ba, bb = np.ones_like(a), np.zeros_like(b)
        found.jacobi_2d(pointer(ba), pointer(bb), *map(ctypes.c_long, (*a.shape, steps)))
        return ba, bb

    def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741
        out = [np.empty_like(v) for v in (alpha, mu, q, l)]
        sizes = map(ctypes.c_long, (m, len(x), len(alpha), x.shape[1]))
        found.gmm(*map(pointer, (alpha, mu, q, l, x)), ctypes.c_double(gamma), *sizes, *map(pointer, out))
        return tuple(out)

    return {'cheap': of_number('cheap'), 'sines': of_number('sines'), 'newton': of_number('newton'), 'gemm': gemm,
            'seidel_2d': seidel_2d, 'jacobi_2d_slices': jacobi_2d_slices, 'gmm': gmm}
