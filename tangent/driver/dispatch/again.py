"""`pushforward` in code that is differentiated again: what it does for the arguments at hand, written out.

    y, dy = pushforward(f, (x, n), (dx, None))
 ->
    def f_pushed(w, function, args, tangents, keywords, dkeywords, df):
        x0, x1 = args
        dx0, _ = tangents
        return f_tangent(w, x0, x1, dx=dx0)
"""
import functools
import inspect
import types
from collections.abc import Mapping
from typing import NamedTuple

from tangent.emit.build import Part, build
from tangent.runtime.tangents.thrown import thrown
from tangent.runtime.tangents.yielded import drained
from tangent.runtime.tangents.zeros import zero_tangent
from tangent.runtime.zeros import init_grad

NAMESPACE = {'__name__': 'pushed'}       # not a module of ours, whose functions write into nothing
TAKEN = 'function, args, tangents, keywords=None, dkeywords=None, df=None'
NONE: Mapping = types.MappingProxyType({})
OBJECT = 'made = blank()', 'dmade = init_grad(made)'
ERROR = 'made, dmade = thrown(kind, args, tangents, keywords or {})',


class Shape(NamedTuple):
    """What the text of one such function depends on, beside the twin.

    lead : for each argument that the callable brings None, or the keyword for it
    owned : (which of these, where its tangent is found in `df`) for those that have one
    args, keywords : how many arguments the call brings, and the names of the others
    tangents, dkeywords : which of these have a tangent
    picks : as in `Pushed`
    makes : whether the twin is that of the `__init__` of a class
    """
    lead: tuple
    owned: tuple
    args: int
    keywords: tuple
    tangents: tuple
    dkeywords: tuple
    picks: tuple
    makes: bool = False


_written: dict = {}            # (id of a twin or callable, Shape) -> (the function, what keeps the id alive)


def written(name, shape, twin, base, kind=None):
    """The function for calls of this shape.

    twin : the tangent twin; None for a call without tangents, which is one of `base`
    kind : the class whose instances it makes
    """
    key = id(twin if twin is not None else base), shape, kind
    if key not in _written:
        library = {'zero_tangent': zero_tangent, 'init_grad': init_grad, 'twin': twin, 'called': base, 'drained': drained}
        if kind is not None:
            library.update(blank=functools.partial(object.__new__, kind), kind=kind, thrown=thrown)
        name = f'{name}_pushed' if name.isidentifier() else 'pushed'
        made_by = None if kind is None else ERROR if issubclass(kind, BaseException) else OBJECT
        written_out = text(name, shape, twin is not None, inspect.isgeneratorfunction(base), made_by)
        made = build(written_out, [Part(name, NAMESPACE, defaults=(None,) * 3)], library, name)[name]
        made.by_text = made.lent = True
        _written[key] = made, (twin, base)
    return _written[key][0]


def text(name, shape, has_twin, generates=False, made_by=()):
    lead = [f'w{k}' for k in range(len(shape.lead))]
    front = [w for w, keyword in zip(lead, shape.lead) if keyword is None]
    given = [f'x{k}' for k in range(shape.args)]
    lines = []
    if given:
        lines.append(f'{", ".join(given)}, = args')
    if any(shape.tangents):
        lines.append(', '.join(f'd{x}' if on else '_' for x, on in zip(given, shape.tangents)) + ', = tangents')
    lines += [f"k_{k} = keywords['{k}']" for k in shape.keywords]
    lines += [f"dk_{k} = dkeywords['{k}']" for k in shape.dkeywords]
    lines += [f'd{lead[k]} = df{path}' for k, path in shape.owned]
    values = [*front, *given]
    tangents = {k if shape.lead[k] is None else shape.lead[k]: f'd{lead[k]}' for k, _ in shape.owned}
    tangents.update((len(front) + k, f'dx{k}') for k, on in enumerate(shape.tangents) if on)
    tangents.update((k, f'dk_{k}') for k in shape.dkeywords)
    if shape.makes:
        values = ['made', *values]
        tangents = {0: 'dmade', **{k if isinstance(k, str) else k + 1: t for k, t in tangents.items()}}
        lines += made_by
    by_name = {**{k: w for k, w in zip(shape.lead, lead) if k is not None}, **{k: f'k_{k}' for k in shape.keywords}}
    named = [f'{k}={value}' for k, value in by_name.items()]
    if not has_twin:
        lines += [f'value = called({", ".join(values + named)})', 'return value, zero_tangent(value)']
    else:
        call = f'twin({", ".join(values + named + parts(shape.picks, values, by_name, tangents))})'
        call = f'drained({call})' if generates else call
        lines += [call, 'return made, dmade'] if shape.makes else [f'return {call}']
    head = ', '.join([*lead, TAKEN])
    return f'def {name}({head}):\n' + ''.join(f'    {line}\n' for line in lines)


def parts(picks, values, by_name, tangents):
    """The tangents as arguments of the twin: `dx=dx0`, those of `*args` as a tuple, those of `**kwargs` as a dict."""
    found, own = {}, {place for place, _, _ in picks}
    for place, parameter, start in picks:
        if start is None:
            found[parameter] = tangents[place]
        elif isinstance(place, int):
            found[parameter] = '(' + ''.join(f'{tangents.get(k, f"zero_tangent({values[k]})")}, '
                                             for k in range(start, len(values))) + ')'
        else:
            rest = [k for k in by_name if k not in own or (k, parameter, start) in picks]
            found[parameter] = '{' + ', '.join(f'{k!r}: {tangents.get(k, f"zero_tangent({by_name[k]})")}' for k in rest) + '}'
    return [f'{parameter}={value}' for parameter, value in found.items()]


def owned(form, df, path=''):
    """(place, where its tangent is found) for what the gradient of a callable is made of, where `df` has something."""
    if form is None or df is None:
        return ()
    if not isinstance(form, dict):
        return ((form, path),)
    return tuple(pair for key, part in form.items() if df.get(key) is not None
                 for pair in owned(part, df[key], f'{path}[{key!r}]'))


def in_front(parts):
    """(the callable with its keywords among the arguments in front, for each of these None or its keyword)."""
    at = {name: len(parts.lead) + k for k, name in enumerate(parts.keywords)}

    def moved(form):
        if isinstance(form, dict):
            return {key: moved(part) for key, part in form.items()}
        return at[form] if isinstance(form, str) else form
    moved_parts = parts._replace(lead=(*parts.lead, *parts.keywords.values()), keywords=NONE, own=moved(parts.own))
    return moved_parts, (None,) * len(parts.lead) + tuple(parts.keywords)
