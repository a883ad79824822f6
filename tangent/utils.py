"""What emitted code calls, by public names: the run time, for scripts and for exported derivatives.

    from tangent.utils import add_grad, unbroadcast

Any function that emitted code may call can be imported from here, whichever room it lives in; the forms of their own that
derivatives by complex numbers, or with `nan_safe`, have of some end in `_in_complex` and `_nan_safe`.
"""
import importlib

from tangent.numba import entry
from tangent.runtime.api import *  # noqa: F403
from tangent.runtime.api import __all__  # noqa: F401

entry.ready()


def __getattr__(name):
    """A run-time function that is not in `__all__`: few scripts need one, and finding it loads the rule tables."""
    found = None if name.startswith('_') else importlib.import_module('tangent.emit.public').function_of(name)
    if found is None:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return found
