"""Calls of functions that are known only when running: their twins are found, or made, where the call is.

    y, f_back = pullback(f, (0,))(x, n)        forward: the value, and what is needed to go back
    bx = f_back(by)                            backward

The twins are made once for each code object and set of wanted arguments. What a closure has captured they take as
arguments in front, so that all closures made of one `def` share them. The gradient of a function value is a dict of the
gradients of what it captured, by name; of a bound method it is that of its object.
"""
from __future__ import annotations

import dataclasses
import keyword
import types

from tangent import twins
from tangent.build import Part, build
from tangent.derive import Derivation, Options
from tangent.dispatch_kinds import (
    NOTHING,
    Back,
    Call,
    Constructor,
    Pack,
    Starred,
    Twins,
    Without,
    is_record_class,
    spread,
)
from tangent.errors import AliasError, ArgumentTypeError
from tangent.grad_util import deep_recursion, no_collection, report
from tangent.signature import lifted
from tangent.source import read

_known = {}              # (id of a code object, places wanted, free variables) -> Twins, which keeps the code alive


def pullback(f, wrt=(), captured=False):
    """What to call in place of `f` to get its value and the way back.

    Parameters
    ----------
    f : callable
    wrt : tuple
        What is wanted: positions and keywords of arguments, `'2:'` for all positional ones from the third on, `'**'` for
        the keywords that a dict brings.
    captured : bool
        Whether the gradient of `f` itself is wanted: that of what it captured.

    Returns
    -------
    callable
        Takes the arguments of `f`; gives its value and a function from the gradient of the value to the gradients of what
        is wanted, that of `f` first; one alone is given bare.

    Examples
    --------
    >>> y, back = pullback(lambda x, n: x * n, (0,))(3.0, 2)
    >>> y, back(1.0)
    (6.0, 2.0)
    """
    if type(f) is types.FunctionType and not captured and f.__closure__ is None:
        found = _known.get((id(f.__code__), wrt, ()))
        if found is not None and found.fit(f):
            return found
    return _find(f, wrt, captured)


def _find(f, wrt, captured):
    if any(isinstance(w, str) and (w.endswith(':') or w == '**') for w in wrt):
        return Starred(pullback, f, wrt, captured)
    parts = spread(f)
    leaves = []
    form = _form(parts.own, leaves) if captured else NOTHING
    at = len(parts.lead)
    wanted = (*leaves, *(w if isinstance(w, str) else w + at for w in wrt))
    if not wanted:
        return Without(f)
    if is_record_class(parts.base):
        return Constructor(parts.base, wanted)
    if not isinstance(parts.base, types.FunctionType):
        return _Unnamed(parts, wanted, form, len(leaves))
    made = _twins(parts.base, wanted, parts.names)
    pack = None
    if made.picks is not None or form is not NOTHING and form != 0:
        pack = Pack(form, len(leaves), made.count, made.picks)
    if not at and not parts.keywords and pack is None:
        return made
    return Call(made, parts.lead, parts.keywords, pack)


def _form(own, leaves):
    """The form of a gradient in numbers of the `leaves`, which are filled with places of arguments."""
    if isinstance(own, dict):
        return {key: _form(part, leaves) for key, part in own.items()}
    if own is None:
        return None
    leaves.append(own)
    return len(leaves) - 1


def _twins(base, wanted, names):
    """The twins of a function with respect to these places of its arguments, `names` of free variables in front of them."""
    key = id(base.__code__), wanted, names
    found = _known.get(key)
    if found is None or not found.fit(base):
        found = _known[key] = _made(base, wanted, names)
    return found


def _made(function, wanted, names):
    source = read(function)
    if names:
        source = dataclasses.replace(source, tree=lifted(source.tree, names))
    parameters, picks = _parameters(source, wanted)
    derivation = Derivation(Options(), report, twins.stand_ins)
    with deep_recursion(), no_collection():
        primal, adjoint = derivation.pair_for(source, parameters)
    escaping = derivation.escaping.get(source.tree)
    if escaping:
        raise AliasError(f'{function.__qualname__} ({source.filename}:{source.first}) writes a value with a derivative into '
                         f'{escaping}, which its caller may read: let it return the value, and assign it in the caller')
    callees = [(resolver.globals, path, thing) for resolver, path, thing in derivation.callees
               if path in resolver.globals]
    logged = primal.__name__ in derivation.logged
    return Twins(function, primal, adjoint, callees, picks, len(parameters), logged)


def _parameters(source, wanted):
    """(names of the parameters that these places belong to, which gradient and which part of it each place has)."""
    args = source.tree.args
    positional = [a.id for a in args.posonlyargs + args.args]
    names = positional + [a.id for a in args.kwonlyargs]
    found, picks = [], []
    for place in wanted:
        if isinstance(place, int) and place < len(positional):
            name, key = positional[place], None
        elif isinstance(place, int):
            name, key = args.vararg.id if args.vararg else None, place - len(positional)
        elif place in names:
            name, key = place, None
        else:
            name, key = args.kwarg.id if args.kwarg else None, place
        if name is None:
            raise ArgumentTypeError(f'{source.name}() ({source.filename}:{source.first}) has no argument {place!r}')
        if name not in found:
            found.append(name)
        picks.append((found.index(name), key))
    plain = all(key is None for _, key in picks)
    return tuple(found), None if plain else picks


class _Unnamed:
    """A callable that is no Python function: twins of a function that calls it, made for the arguments it is given."""

    def __init__(self, parts, wanted, form, count):
        self.parts, self.wanted, self.form, self.count = parts, wanted, form, count

    def __call__(self, *args, **keywords):
        args, keywords = (*self.parts.lead, *args), {**self.parts.keywords, **keywords}
        made = _twins(around(self.parts.base, len(args), tuple(keywords)), self.wanted, ())
        value, saved = made.primal(*args, **keywords)
        pack = None if self.form is NOTHING else Pack(self.form, self.count, made.count, None)
        return value, Back(made.adjoint, saved, pack)


def around(thing, count, keywords):
    """A Python function of so many arguments that calls a function with a rule; the same one for the same question."""
    key = id(thing), count, keywords
    if key not in _around:
        name = getattr(thing, '__name__', 'f')
        name = name if name.isidentifier() and not keyword.iskeyword(name) else 'f'
        given = [f'x{k}' for k in range(count)]
        parameters = given + ['*'] * bool(keywords) + list(keywords)
        call = ', '.join(given + [f'{k}={k}' for k in keywords])
        text = f'def {name}({", ".join(parameters)}):\n    return {name}_({call})\n'
        _around[key] = build(text, [Part(name, {'__name__': __name__, f'{name}_': thing})], {}, name)[name], thing
    return _around[key][0]


_around = {}             # (id of a callable, number of arguments, keywords) -> (the function around it, itself)
