"""The text of derivatives beside adjoints written by hand: `python -m benchmarks.readability`.

Fifty programs, as scientists and statisticians write them, each with the adjoint that a careful person writes for it: it takes
what the function takes and `bf`, the gradient of its result, and returns the gradients by the parameters `wrt`.
"""
from collections.abc import Callable
from typing import NamedTuple


class Program(NamedTuple):
    """A function, its adjoint by hand, the positions of what the gradient is by, and what makes arguments of a generator.

    writes : whether it writes into its arguments, so that each call takes fresh ones
    """
    function: Callable
    adjoint: Callable
    wrt: tuple
    arguments: Callable
    writes: bool = False

    @property
    def name(self):
        return self.function.__name__
