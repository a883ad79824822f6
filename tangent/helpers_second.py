"""Run-time functions of derivatives of derivatives: how the run time's own functions are differentiated."""
from __future__ import annotations

import numpy as np

from tangent.accumulate import _as_arrays, add_at
from tangent.broadcasting import unbroadcast
from tangent.zero import init_grad


def unadd_at(d, index, v):
    """The gradient of `v`, from that of `add_at(bx, index, v)`."""
    if not isinstance(d, np.ndarray):
        return d.get(index) if isinstance(d, dict) else d[index]
    return unbroadcast(d[_as_arrays(index)], v)


def unadd_at_from(g, d, index):
    """The gradient of `d`, from that of `unadd_at(d, index, v)`."""
    return add_at(init_grad(d), index, g)
