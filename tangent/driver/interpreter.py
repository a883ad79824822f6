"""What the interpreter is set to while a derivative is made; shared by all threads that make one."""
import contextlib
import gc
import sys
import threading

from tangent.errors import SourceError
from tangent.frontend.dependencies import begun

DEPTH = 10_000                  # room for trees as deep as the parser accepts them: a sum of 300 terms nests 300 deep


class _Settings:
    """The settings before the first of those that are at it by now, and how many these are."""

    def __init__(self):
        self.lock, self.inside = threading.Lock(), 0
        self.depth, self.collecting = 0, False

    def change(self):
        with self.lock:
            if not self.inside:
                self.depth, self.collecting = sys.getrecursionlimit(), gc.isenabled()
                sys.setrecursionlimit(max(self.depth, DEPTH))
                gc.disable()
            self.inside += 1

    def change_back(self):
        with self.lock:
            self.inside -= 1
            if not self.inside:
                sys.setrecursionlimit(self.depth)
                if self.collecting:
                    gc.enable()


_settings = _Settings()


@contextlib.contextmanager
def deriving():
    """Deep recursion, and no search for garbage: trees hold no cycles, and looking through them again and again takes long.

    Raises
    ------
    SourceError
        What is derived calls functions that call others, too many in a row for even that.
    """
    begun()
    _settings.change()
    try:
        yield
    except RecursionError:
        raise SourceError('the functions that are called here call others, and these others, too many in a row to be read: '
                          'give one of them a derivative of its own (tangent.custom_vjp)') from None
    finally:
        _settings.change_back()
