"""Calls of functions that are known only when running: their twins are found, or made, where the call is.

    y, f_back = pullback(f, (0,))(x, n)        forward: the value, and what is needed to go back
    bx = f_back(by)                            backward

The twins are made once for each code object and set of wanted arguments. What a closure has captured they take as
arguments in front, so that all closures made of one `def` share them. The gradient of a function value is a dict of the
gradients of what it captured, by name; of a bound method it is that of its object.
"""
import builtins
import dataclasses
import functools
import inspect
import keyword
import operator
import types
import weakref
from collections.abc import Mapping

import gast
import numpy as np

from tangent.analysis.effects import Effects, by_parameter
from tangent.analysis.fences.overwritten import refuse_kept_by
from tangent.analysis.kinds.participants import RUNNING, of_call
from tangent.analysis.messages.communication import communicates
from tangent.driver.derivation import Derivation
from tangent.driver.dispatch import compiled
from tangent.driver.dispatch.callables import (
    Again,
    Call,
    Constructor,
    First,
    Late,
    OfKeys,
    Remake,
    Twins,
    Without,
    in_first,
    is_of_set,
    is_record_class,
    of_counts,
    of_keys,
    spread,
    with_back,
    with_nothing,
    without,
)
from tangent.driver.dispatch.operators import made_in_python, unlike
from tangent.driver.interpreter import deriving
from tangent.driver.options import Options
from tangent.emit.build import Part, build
from tangent.emit.signature import lifted
from tangent.errors import AliasError, ArgumentTypeError, ForwardNotImplementedError, ReverseNotImplementedError
from tangent.frontend import dependencies
from tangent.frontend.callees import derives
from tangent.frontend.source import assumed, read
from tangent.runtime import captures
from tangent.runtime.add import add_grad
from tangent.runtime.fields import is_made_in_python, updates_in_place
from tangent.templates.language import registry

NONE: Mapping = types.MappingProxyType({})
OURS = {'__name__': __name__, '__builtins__': builtins}        # functions written here; NumPy imports as it runs
NOT_YET = None, ()
NOWHERE = None, (), NONE, None
KINDS = {int, float, complex, np.ndarray, np.float64}        # kinds that tell all about what a variable holds
# In each the last of the key are the classes that take part in the call of a derivative that is running.
_plain: dict = {}              # (id of a code object, or what `_bound` says, wrt, captured) -> (Twins, what is called)
_closures: dict = {}           # (id of a closure, wrt, captured) -> _Instance
_known: dict = {}              # (id of a code object, places wanted, free variables) -> Twins, which keeps the code alive
HANDED_ON: list = []           # what is called in the place of functions that hand calls to others to run: `tasks.Pulled`
AGAIN: dict = {}               # function of ours -> (wrt, captured, args, keywords) -> what to call in its place


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
    kind = type(f)
    if kind is types.FunctionType:
        if f.__closure__ is None:
            found = _plain.get((id(f.__code__), wrt, captured, RUNNING.classes))
            if found is not None and found[0].fit(f):
                return found[1]
        else:
            if 'variants' in f.__dict__:
                return pullback(assumed(f, RUNNING.classes), wrt, captured)
            found = _closures.get((id(f), wrt, captured, RUNNING.classes))
            if found is not None and found.fit(f):
                return found.call
    elif kind is types.MethodType or kind is functools.partial:
        function, lead, keywords, key = _bound(f)
        found = _plain.get((key, wrt, captured, RUNNING.classes))
        if found is not None and found[0].fit(function):
            return Call(found[0].primal, found[1], lead, keywords, found[2], found[0].logged)
    elif not captured and (call := compiled.pulled(f, wrt)) is not None:
        return call
    return _find(f, wrt, captured)


compiled.ASK['pullback'] = pullback


def _bound(f):
    """(function, arguments in front, keywords, what tells apart the calls of such a callable) of a method or partial."""
    if type(f) is types.MethodType:
        function, lead, keywords, more = f.__func__, (f.__self__,), NONE, 0
    else:
        function, lead, keywords = f.func, f.args, f.keywords
        if type(function) is not types.FunctionType:
            return NOWHERE
        noted = function.__dict__.get('captures')
        more = len(noted) if noted is not None else (*map(type, lead), *map(type, keywords.values()))
    if type(function) is not types.FunctionType or function.__closure__ is not None and 'source' not in function.__dict__:
        return NOWHERE
    return function, lead, keywords, (id(function.__code__), len(lead), *keywords, more)


class _Instance:
    """The call of one closure, as long as what it captured is of the same kinds."""

    __slots__ = ('function', 'call', 'twins', 'cells', 'types', 'fixed')

    def __init__(self, function, call, made, names, forget):
        self.function, self.call, self.twins = weakref.ref(function, forget), call, made
        cells = dict(zip(function.__code__.co_freevars, function.__closure__))
        self.cells = [cells[name] for name in names]
        self.types = [type(value) for value in call.lead]
        library = getattr(getattr(function, 'source', None), 'library', ())
        self.fixed = [(cell, captures.content(cell)) for name, cell in cells.items()
                      if name not in names and name not in library]

    def fit(self, function):
        """Whether the call is that of this function still; it takes what the variables hold now."""
        if self.function() is not function or not self.twins.fit(function):
            return False
        lead = []
        for cell, kind in zip(self.cells, self.types):
            value = cell.cell_contents
            if type(value) is not kind:
                return False
            lead.append(value)
        for cell, value in self.fixed:
            if cell.cell_contents is not value:
                return False
        self.call.lead = tuple(lead)
        return True


def _find(f, wrt, captured):
    if registry.dispatched(f) is not None:
        return HANDED_ON[0](f, wrt, captured)
    if is_of_set(f):
        return Late(lambda args, _: (OfKeys if of_keys(f, args) else _found)(f, wrt, captured))
    if any(isinstance(w, str) and (w.endswith(':') or w == '**') for w in wrt):
        return Late(functools.partial(_starred, f, wrt, captured))
    return _found(f, wrt, captured)


def _found(f, wrt, captured):
    """What calls `f`; `wrt` may have lists and dicts of places, which stay together."""
    if registry.dispatched(f) is not None:
        return HANDED_ON[0](f, wrt, captured)
    if type(f) is types.FunctionType and f in AGAIN:
        return Late(functools.partial(AGAIN[f], wrt, captured))
    if hasattr(type(f), 'pulled_back'):
        return f.pulled_back(wrt, captured)
    if isinstance(f, compiled.Pulled):               # this is differentiated again
        f = _found(f.function.py_func, f.wrt, False)
    if isinstance(f, Late):
        return Late(lambda args, keywords: _found(f.resolve(args, keywords), wrt, captured))
    if isinstance(f, Again):
        return Again(_found(f.call, wrt, captured), functools.partial(in_first, f.remade))
    if isinstance(f, (Twins, Call)):
        return Again(resolved(spread(f), wrt, captured), functools.partial(with_back, f.adjoint))
    if isinstance(f, Without):
        return Again(_First(_found(f.function, wrt, captured)), with_nothing)
    parts = spread(f)
    call = resolved(parts, wrt, captured)
    _remember(f, wrt, captured, parts, call)
    return call


def _remember(f, wrt, captured, parts, call):
    """Keep a call for the next time that it is asked for."""
    made = getattr(call, 'twins', call)
    if not isinstance(made, Twins) or any(isinstance(w, (list, dict)) for w in wrt):
        return
    if type(f) is types.FunctionType and f.__closure__ is None:
        _plain[id(f.__code__), wrt, captured, RUNNING.classes] = made, call
    elif type(f) is types.FunctionType and isinstance(call, Call) and KINDS.issuperset(map(type, parts.lead)):
        key = id(f), wrt, captured, RUNNING.classes
        _closures[key] = _Instance(f, call, made, parts.names, lambda ref, drop=_closures.pop: drop(key, None))
    elif type(f) in (types.MethodType, functools.partial) and isinstance(call, Call) and not parts.names \
            and not parts.fixed:
        function, _, _, key = _bound(f)
        simple = function is parts.base and (not isinstance(key[-1], tuple) or KINDS.issuperset(key[-1]))
        if simple:
            _plain[key, wrt, captured, RUNNING.classes] = made, call.adjoint, call.remake


def resolved(parts, wrt, captured):
    """What calls a function with its first arguments."""
    if not parts.keywords.keys().isdisjoint(w for w in wrt if isinstance(w, str)):
        parts = without(parts, wrt)
    wanted = []
    forms = [_form(parts.own, wanted)] if captured else []
    count = len(wanted)
    forms += [_form(w, wanted) for w in wrt]
    if not wanted and not communicates(parts.base):        # of what sends messages the way back is gone all the same
        lead = parts.lead[len(parts.names):]               # what it has captured it has itself
        base = functools.partial(parts.base, *lead, **parts.keywords) if lead or parts.keywords else parts.base
        return Without(base, of_counts if captured and not wrt and parts.own is not None else None)
    at = len(parts.lead)
    wanted = (*wanted[:count], *(w if isinstance(w, str) else w + at for w in wanted[count:]))
    base = parts.base
    if is_record_class(base):
        return Constructor(base, wanted)
    if not goes_by_text(base):
        return Late(functools.partial(_unnamed, parts, wanted, forms))
    made = _twins(base, wanted, parts.names, parts.fixed)
    itself = next((name for name, value in zip(parts.names, parts.lead) if value is base), None) if captured else None
    adjoint = _packed(made, forms, itself)
    if not at and not parts.keywords and adjoint is made.adjoint:
        return made
    return Call(made.primal, adjoint, parts.lead, parts.keywords, Remake(parts, wrt, captured, resolved), made.logged, made)


def _form(places, leaves):
    """The form in which gradients are given, in numbers of the `leaves`, which are filled with places of arguments."""
    if isinstance(places, dict):
        return {key: _form(part, leaves) for key, part in places.items()}
    if isinstance(places, list):
        return [_form(part, leaves) for part in places]
    if places is None:
        return None
    leaves.append(places)
    return len(leaves) - 1


def _packed(made, forms, itself=None):
    """The adjoint of twins that gives its gradients in these forms: itself, or a function around it.

    itself : the name under which a recursive closure has captured itself
    """
    plain = made.picks is None and forms == list(range(made.count))
    if plain:
        return made.adjoint
    values = [f'g{k}' if key is None else f'g{k}[{key!r}]'
              for k, key in made.picks or [(k, None) for k in range(made.count)]]
    texts = [_text(form, values) for form in forms]
    if itself in (forms[0] if isinstance(forms[0], dict) else ()):
        others = {name: form for name, form in forms[0].items() if name != itself}
        texts[0] = f'add_grad({_text(others, values)}, {values[forms[0][itself]]})'
    text = ', '.join(texts)
    if text not in made.packed:
        names = ', '.join(f'g{k}' for k in range(made.count)) or '_'
        name = f'{made.adjoint.__name__}_packed'
        body = f'def {name}(gradient, saved):\n    {names} = adjoint(gradient, saved)\n    return {text}\n'
        made.packed[text] = build(body, [Part(name, OURS)], {'adjoint': made.adjoint, 'add_grad': add_grad},
                                  name)[name]
    return made.packed[text]


def _text(form, values):
    if isinstance(form, dict):
        return '{' + ', '.join(f'{key!r}: {_text(part, values)}' for key, part in form.items()) + '}'
    if isinstance(form, list):
        return '[' + ', '.join(_text(part, values) for part in form) + ']'       # owned by who gets it
    return 'None' if form is None else values[form]


class _First:
    """A call whose value is about to be paired with something that has no gradient."""

    def __init__(self, call):
        self.call = call

    def __call__(self, /, *args, **keywords):
        value, back = self.call(*args, **keywords)
        return value, First(back)


def _starred(f, wrt, captured, args, keywords):
    """What to call for these arguments, where `wrt` asks for those that a star brought."""
    named = {w for w in wrt if isinstance(w, str)}
    wanted = lambda place, value: place if may_be_wanted(value) else None  # noqa: E731
    items = []
    for w in wrt:
        if w == '**':
            items.append({k: wanted(k, v) for k, v in keywords.items() if k not in named})
        elif isinstance(w, str) and w.endswith(':'):
            items.append([wanted(k, args[k]) for k in range(int(w[:-1]), len(args))])
        else:
            items.append(w)
    return _found(f, items, captured)


def goes_by_text(base, mode='reverse'):
    """Whether a call of it is differentiated by its text; else it has a rule, or the compiler knows it: `tangent.grad`."""
    return isinstance(base, types.FunctionType) and registry.lookup(base, mode) is None and not derives(base)


def may_be_wanted(value):
    """Whether an argument may have a gradient: here integers are numbers, as they are among those of a plain call."""
    if isinstance(value, (list, tuple)):
        return any(map(may_be_wanted, value))
    dtype = getattr(value, 'dtype', None)
    return isinstance(value, int) and not isinstance(value, bool) or isinstance(dtype, np.dtype) and dtype.kind in 'iu' \
        or captures.differentiable(value)


def _unnamed(parts, wanted, forms, args, keywords):
    """What to call in place of a callable that is no Python function, with so many arguments."""
    keywords = {**parts.keywords, **keywords}
    refuse_another(parts.base, [*parts.lead, *args])
    made = _twins(around(parts.base, len(parts.lead) + len(args), tuple(keywords)), wanted, ())
    return Call(made.primal, _packed(made, forms), parts.lead, parts.keywords)


def _twins(base, wanted, names, fixed=()):
    """The twins of a function with respect to these places of its arguments, `names` of free variables in front of them."""
    key = id(base.__code__), wanted, names, *map(id, fixed), RUNNING.classes
    found, _ = _known.get(key, NOT_YET)
    if found is None or not found.fit(base):
        found = _made(base, wanted, names)
        _known[key] = found, fixed         # these stay alive, and so do their ids
    else:
        dependencies.note_all(found.notes)
    return found


def _made(function, wanted, names):
    source = read(function)
    rebound = next((n for node in source.nodes if isinstance(node, gast.Nonlocal) for n in node.names), None)
    if rebound is not None:
        raise AliasError(f'{function.__qualname__} ({source.filename}:{source.first}) rebinds {rebound}, a variable of the '
                         'function around it: let it return the value, and assign it there')
    if names:
        source = dataclasses.replace(source, tree=lifted(source.tree, names))
    parameters, picks = _parameters(source, wanted)
    refuse_kept_by(function, parameters, Effects(sight=of_call(function)))
    derivation = Derivation(Options(classes=of_call(function), later=True))
    with deriving(), dependencies.noting() as notes:
        primal, adjoint = derivation.pair_for(source, parameters)
    escaping = derivation.escaping.get(source.tree)
    if escaping is not None and escaping.written:
        raise writes_into(escaping.written, source)
    if escaping is not None and escaping.updated:
        primal = apart(primal, source, escaping.updated)
    logged = bool(derivation.logged)            # or a function that it calls does
    return Twins(function, primal, adjoint, notes.without(function), picks, len(parameters), logged)


def writes_into(name, source):
    return AliasError(f'{source.function.__qualname__} ({source.filename}:{source.first}) writes a value with a derivative '
                      f'into {name}, which its caller may read: let it return the value, and assign it in the caller')


def apart(primal, source, updated):
    """The primal of a function with `x += v` for some of its parameters: what would change by it is refused."""
    signature = inspect.signature(primal)

    @functools.wraps(primal)
    def checked(*args, **keywords):
        given = by_parameter(signature.bind(*args, **keywords))
        for name in updated:
            if any(updates_in_place(type(value)) for value in given.get(name, ())):
                raise writes_into(name, source)
        return primal(*args, **keywords)
    return checked


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


def around(thing, count, keywords, mode='reverse'):
    """A Python function of so many arguments that calls a function with a rule; the same one for the same question."""
    key = id(thing), count, keywords
    if isinstance(thing, GETTERS):
        return getter(thing)
    if isinstance(thing, type) and registry.lookup(thing, mode) is None:
        if is_made_in_python(thing):
            return made_in_python(thing, count, keywords)
        error = ReverseNotImplementedError if mode == 'reverse' else ForwardNotImplementedError
        raise error(f'{thing.__qualname__} has no rule for {mode} mode, and makes its objects by code that derivatives do not '
                    'follow: let `__init__` fill them, or make them in a function with a rule of yours (tangent.custom_vjp)')
    if key not in _around:
        name = getattr(thing, '__name__', 'f')
        name = name if name.isidentifier() and not keyword.iskeyword(name) else 'f'
        given = unlike(keywords, *(f'x{k}' for k in range(count)))
        parameters = given + ['*'] * bool(keywords) + list(keywords)
        of_array = count and getattr(thing, '__objclass__', None) is np.ndarray
        called = f'{given.pop(0)}.{name}' if of_array else f'{name}_'
        call = ', '.join(given + [f'{k}={k}' for k in keywords])
        text = f'def {name}({", ".join(parameters)}):\n    return {called}({call})\n'
        _around[key] = build(text, [Part(name, {**OURS, f'{name}_': thing})], {}, name)[name], thing
    return _around[key][0]


def refuse_another(method, args):
    """Refuse `np.ndarray.dot(x, y)` of an object whose class has another `dot`."""
    if getattr(method, '__objclass__', None) is not np.ndarray or not args:
        return
    kind, name = type(args[0]), method.__name__
    if getattr(kind, name, None) is not method:
        raise ReverseNotImplementedError(f'ndarray.{name} of a {kind.__qualname__}, whose class has a method of that name '
                                         'itself: pass np.asarray(...) of it')


GETTERS = operator.itemgetter, operator.attrgetter, operator.methodcaller
GETTERS_KEPT = 1024


def getter(thing):
    """A Python function that does what an object of `operator` does."""
    kind, given = thing.__reduce__()
    name = type(thing).__name__
    if isinstance(kind, functools.partial):            # a methodcaller with keywords
        given, keywords = (*kind.args, *given), kind.keywords
    else:
        keywords = {}
    values = *given, *keywords.values()
    key = (name, *keywords, *map(type, values), *values) if {*map(type, values)} <= {str, int} else None
    if key in _getters:
        return _getters[key]
    if name == 'itemgetter':
        values, parts = dict(zip(_numbered(given), given)), [f'x[{k}]' for k in _numbered(given)]
    elif name == 'attrgetter':
        values, parts = {}, [f'x.{path}' for path in given]
    else:
        values = {**dict(zip(_numbered(given[1:]), given[1:])), **keywords}
        call = [*_numbered(given[1:]), *(f'{k}={k}' for k in keywords)]
        parts = [f'x.{given[0]}({", ".join(call)})']
    text = f'def {name}(x):\n    return {", ".join(parts)}\n'
    made = build(text, [Part(name, {**OURS, **values})], {}, name)[name]
    if key is not None and len(_getters) < GETTERS_KEPT:
        _getters[key] = made
    return made


def _numbered(values):
    return [f'k{i}' for i in range(len(values))]


_getters: dict = {}            # what an object of `operator` is made of -> a function that does the same
_around: dict = {}             # (id of a callable, number of arguments, keywords) -> (the function around it, itself)
