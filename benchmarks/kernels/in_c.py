"""Adjoints written by hand in C, compiled by gcc and called through ctypes: name -> function of the same arguments."""
import ctypes
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

SOURCE = pathlib.Path(__file__).with_name('in_c.c')


def library(*sources):
    """Files of C as a library, each compiled by itself, or None where there is no gcc."""
    if shutil.which('gcc') is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'adjoints.so'
        options = ['-O3', '-march=native', '-shared', '-fPIC', '-lm']
        subprocess.run(['gcc', *map(str, sources), *options, '-o', str(path)], check=True)
        return ctypes.CDLL(str(path))


def pointer(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def gradient_of_gmm(found):
    def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741
        out = [np.empty_like(v) for v in (alpha, mu, q, l)]
        sizes = map(ctypes.c_long, (m, len(x), len(alpha), x.shape[1]))
        found.gmm(*map(pointer, (alpha, mu, q, l, x)), ctypes.c_double(gamma), *sizes, *map(pointer, out))
        return tuple(out)
    return gmm


def functions():
    """Name -> the gradient by hand, for the kernels that have one; each takes what the kernel takes."""
    found = library(SOURCE)
    if found is None:
        return {}

    def of_number(name):
        call = getattr(found, name)
        call.argtypes, call.restype = [ctypes.c_double, ctypes.c_long], ctypes.c_double
        return call

    return {**{name: of_number(name) for name in ('cheap', 'sines', 'newton')}, 'gmm': gradient_of_gmm(found)}


def kernels():
    """Name -> the gradient by hand of a kernel of `polybench`: of the sum of squares of what that computes."""
    found = library(SOURCE.parent.parent / 'polybench' / 'adjoints.c')
    if found is None:
        return {}

    def call(name, *args):
        getattr(found, name)(*(ctypes.c_long(a) if isinstance(a, int) else pointer(a) for a in args))

    def square(name):
        def gradient(a):
            b = np.empty_like(a)
            call(name, a.copy(), b, len(a))
            return b,
        return gradient

    def trisolv(a, x, b):
        ba, bb = np.empty_like(a), np.empty_like(b)
        call('trisolv', a, x.copy(), b, ba, bb, len(b))
        return ba, np.zeros_like(x), bb

    def durbin(r):
        br = np.empty_like(r)
        call('durbin', r, br, len(r))
        return br,

    def gramschmidt(a):
        b = np.empty_like(a)
        call('gramschmidt', a.copy(), b, *a.shape)
        return b,

    def jacobi_2d(steps, a, b):
        ba, bb = np.empty_like(a), np.empty_like(b)
        call('jacobi_2d', a.copy(), b.copy(), ba, bb, *a.shape, steps)
        return ba, bb

    def seidel_2d(steps, n, a):
        b = np.empty_like(a)
        call('seidel_2d', a.copy(), b, n, steps)
        return b,

    def spmv(row, col, val, x):
        bval, bx = np.empty_like(val), np.empty_like(x)
        call('spmv', row, col, val, x, bval, bx, len(x))
        return bval, bx

    return {'cholesky': square('cholesky'), 'lu': square('lu'), 'trisolv': trisolv, 'durbin': durbin,
            'gramschmidt': gramschmidt, 'jacobi_2d': jacobi_2d, 'seidel_2d': seidel_2d, 'spmv': spmv}
