"""Mixed mode: a piece of a reverse pass that is differentiated by forward mode.

    y, f_back = pullback(f, (0,))(x, n)        forward: the value, and no tape
    bx = f_back(by)                            backward: one forward pass for each number in x

It pays for pieces with few inputs and long ways inside: a loop of many steps whose tape would be long (Griewank and Walther,
Evaluating Derivatives, 2nd ed., section 8.3; `Zygote.forwarddiff`).
"""
import numpy as np

from tangent import errors
from tangent.driver.dispatch.forward import pushforward
from tangent.driver.dispatch.reverse import _found
from tangent.interfaces.custom import Callable
from tangent.interfaces.grad import vjp
from tangent.interfaces.solvers.ode import flat, unflat, zeros
from tangent.runtime.pytree import leaves
from tangent.templates.language.declare import general

__all__ = ['forward_inside']


def forward_inside(f):
    """The function `f`, which derivatives in reverse mode differentiate by forward mode.

    Nothing is kept for the backward pass but the arguments. There `f` runs once for each number in the arguments that the
    derivative is by, and in what `f` has captured where that has a derivative.

    Parameters
    ----------
    f : function
        Of any arguments and any result; keep large arrays out of what it is differentiated by.

    Returns
    -------
    callable
        It can be called, and used as a decorator of a function.

    Examples
    --------
    >>> @tangent.forward_inside
    ... def settled(a):
    ...     x = 1.0
    ...     for i in range(100):
    ...         x = 0.5 * (x + a / x)
    ...     return x
    >>> round(float(tangent.grad(lambda a: settled(a) ** 2)(9.0)), 9)
    1.0
    """
    return Inside(f)


class Inside(Callable):
    """What `forward_inside` gives."""

    def pulled_back(self, wrt, captured):
        return ByForward(self.function, wrt, captured)


class ByForward:
    """What is called in place of a function for its value and a way back by forward mode; `wrt` as for `pullback`."""

    def __init__(self, function, wrt, captured):
        self.function, self.wrt, self.captured = function, wrt, captured

    def __call__(self, /, *args, **keywords):
        value = self.function(*args, **keywords)

        def back(g):
            parts = [column_products(g, value, self.function, args, keywords, w) for w in self.places]
            return parts[0] if len(parts) == 1 else tuple(parts)
        return value, back

    @property
    def places(self):
        return ([None] if self.captured else []) + list(self.wrt)

    def by_reverse(self):
        """The same by reverse mode, which is what further derivatives are made of."""
        return _found(self.function, self.wrt, self.captured)

    def pulled_back(self, wrt, captured):
        return _found(self.by_reverse(), wrt, captured)


def column_products(g, value, f, args, keywords, place):
    """The gradient of what is wanted (see `pullback`; None for what `f` has captured), in forward passes."""
    if isinstance(place, list):
        return tuple(None if p is None else column_products(g, value, f, args, keywords, p) for p in place)
    if isinstance(place, dict):
        return {key: None if p is None else column_products(g, value, f, args, keywords, p) for key, p in place.items()}
    like = f if place is None else keywords[place] if isinstance(place, str) else args[place]
    zero = zeros(like)
    if any(map(np.iscomplexobj, leaves((zero, value)))):
        raise errors.ComplexNotImplementedError('forward_inside: the piece has complex numbers; leave it to reverse mode')
    owed, row = flat(g, value), np.zeros(len(flat(zero, like)))
    for k in range(len(row)):
        row[k] = owed @ flat(pushed(f, args, keywords, place, unflat(np.eye(1, len(row), k)[0], like)), value)
    return unflat(row, like)


def pushed(f, args, keywords, place, tangent):
    """The tangent of the value, where one argument has a tangent."""
    if place is None:
        return pushforward(f, args, (None,) * len(args), keywords, {}, tangent)[1]
    if isinstance(place, str):
        return pushforward(f, args, (None,) * len(args), keywords, {place: tangent})[1]
    tangents = [None] * len(args)
    tangents[place] = tangent
    return pushforward(f, args, tuple(tangents), keywords)[1]


# The same in code that is differentiated, where `f` may have captured what has a derivative

def inside(f):
    def by_forward(*args, **keywords):
        return run_forward(f, args, keywords)
    return by_forward


forward_inside.tangent = inside                                                     # type: ignore[attr-defined]


def run_forward(f, args, keywords):
    """`f(*args, **keywords)`, differentiated by forward mode."""
    return f(*args, **keywords)


def unrun_forward(g, value, f, args, keywords):
    """The gradients of `f`, `args` and `keywords`, in forward passes."""
    places = [k for k in range(len(args))], {key: key for key in keywords}
    return tuple(column_products(g, value, f, args, keywords, place) for place in (None, *places))


def unrun_again(g, value, f, args, keywords):
    pull = vjp(run, (0, 1, 2))
    return pull(f, args, keywords, g)


def run(f, args, keywords):
    return f(*args, **keywords)


unrun_forward.tangent = unrun_again                                                 # type: ignore[attr-defined]
general('y = run_forward(f, args, keywords)', *(f'unrun_forward(d[y], y, f, args, keywords)[{k}]' for k in range(3)),
        forward='pushforward(f, args, d[args], keywords, d[keywords], d[f])[1]')
