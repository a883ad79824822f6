"""Numba may be imported before `tangent` or after it: either way it comes to know the run time once both are there.

Light, as `import tangent` imports it: what Numba has to be told is in `options.init`.
"""
import importlib
import importlib.util
import sys


class _AfterNumba:
    """A finder that waits for the import of Numba, finds it by the ordinary ways, and tells it afterwards."""

    def find_spec(self, name, path=None, target=None):
        if name != 'numba':
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec('numba')
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module
            spec.loader.exec_module = lambda module: (run(module), _tell())
        return spec


def watch():
    """Wait for the import of Numba, where it has not been imported by now."""
    if not sys.modules.get('numba') and not any(isinstance(finder, _AfterNumba) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterNumba())


def ready():
    """The run time has been asked for: Numba is told of it, now or when it comes."""
    _asked.add(True)
    if sys.modules.get('numba'):
        _tell()


_asked: set = set()


def _tell():
    if _asked:
        importlib.import_module('tangent.numba.options').init()
