"""Who is running: the only place that looks at frames, but for `errors`, which says which line of the user's was at fault.

Texts of derivatives say `bf = check_number(y, bf)` and `dx = check_tangent(x, dx)`: what their arguments are called, and what
kinds the others have, is known by the derivative that calls, not by what it hands over. To hand it over the text would have to
say so. It goes when a derivative is made for the kinds of its arguments, which it then checks on entry.
"""
import sys


def caller(through=frozenset()):
    """The frame of what has called the function that asks, seen through the functions of the modules named."""
    frame = sys._getframe(2)
    while frame.f_globals.get('__name__') in through and frame.f_back is not None:
        frame = frame.f_back
    return frame
