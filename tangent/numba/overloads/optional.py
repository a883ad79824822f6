"""`overload`, as Numba's, for functions that choose by the types of their arguments.

Numba types a value that may be None (what a function of its own returns that ends without a `return` on some path, such as
`numpy.linalg.matrix_power`) as an optional one. What chooses by ranks and dtypes would take that for something without
any, so such an argument is made what it is when it is not None, or Numba's error is raised, before anything is chosen.
"""
import functools
import inspect

from numba.core import types
from numba.extending import overload as numba_overload
from numba.typed.typedobjectutils import _nonoptional

from tangent.numba.overloads.loop_nests import build


def overload(function, **options):
    """Register what is decorated as the choice of an implementation of `function`, by the types of its arguments."""
    def register(choose):
        @functools.wraps(choose)
        def chosen(*args, **keywords):
            optional = {n for n, t in inspect.signature(choose).bind(*args, **keywords).arguments.items()
                        if isinstance(t, types.Optional)}
            return not_none(function, choose, optional) if optional else choose(*args, **keywords)
        return numba_overload(function, **options)(chosen)
    return register


def not_none(function, choose, optional):
    """An implementation that calls `function` again, with the arguments named in `optional` taken for not None."""
    parameters = inspect.signature(choose).parameters.values()
    passed = ', '.join(f'*{p.name}' if p.kind is p.VAR_POSITIONAL else f'value({p.name})' if p.name in optional else p.name
                       for p in parameters)
    signature = inspect.Signature([p.replace(annotation=p.empty, default=p.empty) for p in parameters])
    made = build(f'def impl{signature}:\n    return function({passed})', function=function, value=_nonoptional)
    made.__defaults__ = inspect.unwrap(choose).__defaults__
    return made
