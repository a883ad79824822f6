"""Run autograd's tests over the shim: `python -m tests.tools.autograd_shim path/to/tests [options of pytest]`.

Of those of 1.9.1 all pass in binary_ops, builtins, dict, direct, jacobian, list, logic, performance, scalar_ops, tests, truediv, tuple;
elsewhere as many as said here. What fails, and why:

numpy (105 of 108), vspaces (none of 7), wrappers (24 of 33), misc (5 of 7)
    What belongs to autograd's tracer is not there: vspaces, `const_graph`, its replaced `numpy.where`, `defgrad`, `make_diagonal`,
    `x.shape` of a Python number.
core (6 of 12)
    Results that are flags (`x < y`) are refused; autograd gives 0.
fft (42 of 43), graphs (16 of 19)
    Assignments and odd Fourier transforms that autograd refuses are differentiated.
complex (4 of 6), graphs
    A function of a complex number that calls `grad` inside has to be annotated (`z: complex`).
linalg (50 of 63)
    `pinv` is tested with names of autograd's own, `numpy.linalg.T` and `_dot`; second derivatives of `eig`, `svd` and `eigvalh` of
    complex matrices are refused.
scipy (85 of 89)
    `axes=` of `signal.convolve` is autograd's; second derivatives of `sqrtm` through symmetrised arguments are refused.
systematic (131 of 139)
    Axes of `numpy.einsum` in lists that are variables are refused; at random places that lie close to a tie of `min` or `sort` the
    finite differences step over it.
"""
import os
import sys

import pytest

from tests.tools.autograd_shim import install

install()
path = os.path.abspath(sys.argv[1])
sys.path.insert(0, path if os.path.isdir(path) else os.path.dirname(path))
sys.exit(pytest.main([*sys.argv[1:], '--rootdir', path if os.path.isdir(path) else os.path.dirname(path), '-c', os.devnull, '-p', 'no:cacheprovider']))
