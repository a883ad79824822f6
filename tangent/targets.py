"""The last room before the text: changes for the machine that is to run the derivative.

`Options.target` is None for CPython, or what `compiled.flags` made of the options of `numba.njit`. The compiler knows
nothing of it but its methods, so that Numba stays with the run time.
"""
from __future__ import annotations

import functools

from tangent import errors

NO_LOG = ('Numba compiles no derivative of this function, because only the log form of a derivative follows this, which '
          'CPython alone runs: change that line, or take tangent.grad(f, jit=False)')


def compiling(derivation):
    """Name -> what makes of an emitted function the one that the others see, for all that was made."""
    main = derivation.options.target
    own = {}
    for (callee, _, _), twin in derivation.twins.items():
        own.update(dict.fromkeys(twin[:2], main.of(callee)))
    return {m.part.name: functools.partial(keep, own.get(m.part.name, main)) for m in derivation.made}


def keep(flags, function):
    """The compiled function, which the plain one remembers."""
    function.compiled = flags.compile(function)
    return function.compiled


def refuse_log(target, why):
    """Refuse what needs the log form, for the reason `why`, if the target cannot run it."""
    if target is not None:
        place = why.filename, why.lineno, why.offset, why.text, why.end_lineno, why.end_offset
        raise errors.TangentParseError(f'{why.msg}\n{NO_LOG}', place) from None
