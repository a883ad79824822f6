"""The door to Numba: makes the run time known to it, on first use.

The overloads themselves are in the modules `OVERLOADS`, which import Numba. `init` loads them: Numba calls it through
the package's `numba_extensions` entry point; `watch` sees to it where the package is not installed (run from a checkout).
"""
from __future__ import annotations

import importlib
import importlib.util
import sys
import weakref

OVERLOADS = ('compiled_overloads', 'compiled_rules', 'compiled_products')


def init():
    """Make the run time callable from Numba-compiled code. Calling it again does nothing."""
    for module in OVERLOADS:
        importlib.import_module(f'tangent.{module}')
    while _waiting:
        callable_from_numba(_waiting.pop())


def watch():
    """Call `init` once Numba is there: now if it has been imported, else right after somebody imports it."""
    if sys.modules.get('numba'):
        init()
    elif not any(isinstance(finder, _AfterNumba) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterNumba())


_waiting: weakref.WeakSet = weakref.WeakSet()       # emitted functions that others call, from before Numba was imported


def callable_from_numba(function):
    """Let Numba compile calls of an emitted function (or of a `twins.Twin`), now or once Numba is there."""
    if not sys.modules.get('numba'):
        _waiting.add(function)
        return
    extending = importlib.import_module('numba.extending')
    plain = getattr(function, 'plain', function)
    extending.register_jitable(plain)
    if plain is not function:
        extending.overload(function, strict=False)(lambda *args, **keywords: plain)


class _AfterNumba:
    """A finder that waits for the import of Numba, finds it by the ordinary ways, and has `init` called after it."""

    def find_spec(self, name, path=None, target=None):
        if name != 'numba':
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec('numba')
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module
            spec.loader.exec_module = lambda module: (run(module), init())
        return spec
