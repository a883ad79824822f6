"""Persistent arrays: all versions stay alive, and to keep one costs nothing (section 5.4 of the Tangent paper).

    >>> a = array([1.0, 2.0, 3.0])
    >>> b = a.setitem(1, 20.0)
    >>> a[1], b[1]
    (2.0, 20.0)

Enters: an array's contents, and writes of single elements. The user calls `array` and `zeros`; emitted code calls `gradient`.
Leaves: versions that share one buffer; gradients that are persistent too, and know where they may differ from zero.
May import: `runtime` and `errors`. Nothing here knows a syntax tree.
Start with: `versions`, one buffer and the tree of what was written (Baker's rerooting); then `array`, then `gradient`.
"""
from typing import Any

import numpy as _np

from tangent.persistent import gradient  # noqa: F401 (it registers how gradients of these arrays are made)
from tangent.persistent.array import Array

__all__ = ['Array', 'array', 'zeros']


def array(data: Any, dtype: Any = None) -> Array:
    """A persistent array with these contents, which are copied.

    Parameters
    ----------
    data : array_like
        Numbers; another persistent array gives one of its own, that shares nothing with it.
    dtype : dtype, optional

    Returns
    -------
    Array

    Notes
    -----
    Version trees by rerooting: H. Baker, "Shallow binding in Lisp 1.5" (1978); S. Conchon and J.-C. Filliatre, "A persistent
    union-find data structure" (2007). In automatic differentiation: section 5.4 of the Tangent paper.

    Examples
    --------
    >>> a = tangent.persistent.array([1.0, 2.0])
    >>> b = a.setitem(0, 10.0)
    >>> a[0], b[0]
    (1.0, 10.0)
    """
    return Array(data, dtype)


def zeros(shape: Any, dtype: Any = float) -> Array:
    """A persistent array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional

    Returns
    -------
    Array

    Examples
    --------
    >>> tangent.persistent.zeros(2).setitem(0, 1.0)[0]
    1.0
    """
    return Array(_np.zeros(shape, dtype))
