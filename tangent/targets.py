"""The last room before the text: changes for the machine that is to run the derivative.

`Options.target` is None for CPython, or what `compiled.flags` made of the options of `numba.njit`. The compiler knows
nothing of it but its methods, so that Numba stays with the run time.

    _stack = []        ->        _stack = Tape()
"""
from __future__ import annotations

import dataclasses
import functools

import gast

from tangent import errors, tree

NO_LOG = ('Numba compiles no derivative of this function, because only the log form of a derivative follows this, which '
          'CPython alone runs: change that line, or take tangent.grad(f, jit=False)')


def lowered(made, shared, target):
    """What was made, as Numba takes it; `shared` gets the library's names that are new in the text."""
    taken = set(shared).union(*({n.id for n in tree.walk(m.tree) if isinstance(n, gast.Name)} for m in made))
    tape = tree.Names(taken).fresh('Tape')
    done = [dataclasses.replace(m, tree=tree.replace(m.tree, body=with_tapes(m.tree.body, tape))) for m in made]
    if any(isinstance(n, gast.Name) and n.id == tape for m in done for n in tree.walk(m.tree)):
        shared[tape] = target.tape
    return done


def with_tapes(stmts, tape):
    """The statements with tapes of the kind that is contiguous under Numba."""
    found = []
    for s in stmts:
        s = tree.replace(s, **{field: with_tapes(block, tape) for field, block in tree.blocks(s)})
        known = tree.origin(s)
        if known and known.role == 'tape' and tree.target(s) and isinstance(s.value, gast.List) and not s.value.elts:
            s = tree.replace(s, value=tree.call(tape))
        found.append(s)
    return found


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
