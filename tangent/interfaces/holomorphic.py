"""Complex derivatives of holomorphic functions."""
import numpy as np

from tangent.interfaces import arguments, linear_maps
from tangent.interfaces.arguments import asks
from tangent.interfaces.jacobians import complex as complexes
from tangent.runtime.pytree import mapped
from tangent.runtime.seeds import check_pair
from tangent.runtime.zeros import init_grad

__all__ = ['holomorphic_grad']


@asks
def holomorphic_grad(func, wrt=(0,), *, argnums=None, argnum=None, has_aux=False):
    """The complex derivative `f'(z)` of a holomorphic function; for an array, that of the sum of the results.

    Real arguments asked for are taken as complex ones.

    Parameters
    ----------
    func, wrt, argnums, argnum, has_aux
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func`; gives a complex number, or a complex array of the shape of the argument.

    Raises
    ------
    ComplexNotImplementedError
        If the function is not holomorphic: one more pass compares the derivatives of its real and its imaginary part.

    Examples
    --------
    >>> tangent.holomorphic_grad(lambda z: z * z)(1 + 2j)
    (2+4j)
    """
    with_value = value_and_derivative(func, wrt, argnums, argnum, has_aux)

    def derivative(*args, **keywords):
        value, found = with_value(*args, **keywords)
        return (found, value[1]) if has_aux else found
    return arguments.titled(derivative, func, 'holomorphic_grad', lambda: arguments.refuse('holomorphic_grad'))


def value_and_derivative(func, wrt, argnums, argnum, has_aux=False):
    """The function of the arguments that gives the pair."""
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    pull_at = linear_maps.pulling(func, wrt)
    alone = bare and (not isinstance(wrt, (tuple, list)) or len(wrt) == 1)

    def both(*args, **keywords):
        args, keywords = linear_maps.made_complex(func, wrt, args, keywords)
        value, pull = pull_at(args, keywords)
        first = check_pair(value)[0] if has_aux else value
        complexes.refuse_real(first)
        ones = mapped(lambda y: np.ones(np.shape(y), complex)[()], first)
        seeds = [(seed, init_grad(value[1])) if has_aux else seed for seed in (ones, mapped(lambda s: 1j * s, ones))]
        real, imaginary = pull(seeds[0]), pull(seeds[1], last=True)
        found = tuple(mapped(complexes.row, *each)
                      for each in zip(linear_maps.selected(func, wrt, args, keywords), real, imaginary))
        return value, found[0] if alone else found
    return arguments.titled(both, func, 'value_and_grad', lambda: arguments.refuse('holomorphic_grad'))
