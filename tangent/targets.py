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
from tangent.targets_recursive import with_memory

NO_LOG = ('Numba compiles no derivative of this function, because only the log form of a derivative follows this, which '
          'CPython alone runs: change that line, or take tangent.grad(f, jit=False)')


class Names:
    """Names for what the target brings, in the text of all functions; `shared` gets those that are used."""

    def __init__(self, made, shared, target):
        taken = set(shared).union(*({n.id for n in tree.walk(m.tree) if isinstance(n, gast.Name)} for m in made))
        self.taken, self.shared, self.target, self.given = tree.Names(taken), shared, target, {}
        self.memory = self.taken.fresh('_kept')

    def __call__(self, name):
        if name not in self.given:
            self.given[name] = self.taken.fresh(name)
            self.shared[self.given[name]] = self.target.find(name)
        return self.given[name]


def lowered(derivation, main):
    """What was made, as Numba takes it."""
    names = Names(derivation.made, derivation.shared, derivation.options.target)
    twins = [t for t in derivation.twins.values() if hasattr(t, 'adjoint')]
    made = with_memory(derivation.made, twins, main, names)
    return [dataclasses.replace(m, tree=tree.replace(m.tree, body=simple(m.tree.body, names))) for m in made]


def simple(stmts, names):
    """The statements with tapes of the kind that is contiguous under Numba, and nothing that has a type of its own where
    a variable has no value."""
    found = []
    for s in stmts:
        s = tree.replace(s, **{field: simple(block, names) for field, block in tree.blocks(s)})
        known = tree.origin(s)
        if known and known.role == 'tape' and tree.target(s):
            if isinstance(s.value, gast.List) and not s.value.elts:
                s = tree.replace(s, value=tree.call(names('Tape')))
            elif isinstance(s.value, gast.Constant) and s.value.value is None:
                s = tree.replace(s, value=tree.load(names('unset')), origin=tree.Origin('primal', known.line))
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
