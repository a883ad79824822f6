"""Run autograd's tests over the shim: `python -m tests.autograd_shim path/to/tests [options of pytest]`.

What fails of those of 1.9.1, and why that is so: what belongs to autograd's tracer (vspaces, `const_graph`, its replaced
`numpy.where`, `defgrad`, `make_diagonal`, `x.shape` of a Python number) is not there; assignments and odd Fourier transforms
that it refuses are differentiated; results that are flags are refused; a function of a complex number that calls `grad` inside
has to be annotated (`z: complex`); axes of `numpy.einsum` in lists that are variables; `axes=` of `signal.convolve` is autograd's.
"""
import os
import sys

import pytest

from tests.autograd_shim import install

install()
path = os.path.abspath(sys.argv[1])
sys.path.insert(0, path if os.path.isdir(path) else os.path.dirname(path))
sys.exit(pytest.main([*sys.argv[1:], '--rootdir', path if os.path.isdir(path) else os.path.dirname(path), '-c', os.devnull, '-p', 'no:cacheprovider']))
