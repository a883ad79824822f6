"""Callables whose derivative is a rule (NumPy's functions, `custom_vjp` objects): a Python function around each.

    tangent.grad(numpy.tanh)      is the derivative of      def tanh(x): return numpy_tanh(x)
"""
import functools
import inspect
import keyword
import types
import weakref

from tangent import errors
from tangent.emit.build import Part, build
from tangent.frontend import tree
from tangent.templates.language import registry

CACHED = type(functools.lru_cache(len))
PASSED = {inspect.Parameter.POSITIONAL_ONLY: '{0}', inspect.Parameter.POSITIONAL_OR_KEYWORD: '{0}',
          inspect.Parameter.VAR_POSITIONAL: '*{0}', inspect.Parameter.KEYWORD_ONLY: '{0}={0}',
          inspect.Parameter.VAR_KEYWORD: '**{0}'}          # kind of a parameter -> how it is handed on
_partials: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
_made: dict = {}         # callable -> (what its rule was, the function around it)


def as_function(thing):
    """A Python function that calls `thing`, if that has a rule of its own or is a `functools.partial`; else `thing` itself."""
    if isinstance(thing, functools.partial):
        return around_partial(thing)
    try:
        rule = registry.lookup(thing) or registry.custom(thing)
    except AttributeError:                 # an object whose attributes cannot be asked for
        rule = None
    if rule is None or registry.is_random(thing):
        return inner_function(thing)
    known = _made.get(thing)
    if known is None or known[0] is not rule:
        known = _made[thing] = rule, around(thing, rule)
    return known[1]


def inner_function(thing):
    """The function that an `lru_cache` is around, the method `__call__` of an object; all else as it is."""
    if isinstance(thing, CACHED):
        return thing.__wrapped__
    call = type(thing).__call__
    written = isinstance(call, types.FunctionType) and not isinstance(thing, type) and not hasattr(thing, 'py_func')
    return types.MethodType(call, thing) if written else thing


def is_ruled(thing):
    return as_function(thing) is not thing and not isinstance(thing, functools.partial)


def fixed(thing, count, keywords):
    """A Python function of `count` positional arguments that calls `thing` with these keywords.

    >>> fixed(numpy.sum, 1, {'axis': 0})        # def sum(x): return numpy_sum(x, axis=0)
    """
    names = [f'x{k}' for k in range(count)] if count > 1 else ['x'][:count]
    name, inner = titles(thing, names)
    given = [*names, *(f'{key}={repr(value) if is_literal(value) else f"the_{key}"}' for key, value in keywords.items())]
    key = thing, count, tuple(given), tuple(None if is_literal(v) else id(v) for v in keywords.values())
    if key not in _fixed:
        text = f'def {name}({", ".join(names)}):\n    return {inner}({", ".join(given)})\n'
        namespace = {'__name__': 'functions_with_rules', inner: thing, **{f'the_{k}': v for k, v in keywords.items()}}
        _fixed[key] = build(text, [Part(name, namespace)], {}, name)[name]
    return _fixed[key]


_fixed: dict = {}        # (callable, number of arguments, text of the call, ids of keywords) -> the function around it


def is_literal(value):
    if isinstance(value, tuple):
        return all(map(is_literal, value))
    return isinstance(value, (bool, int, float, str, type(None))) and value == value


def titles(thing, parameters):
    """(the name of the function around, the name of the callable in it)."""
    name = getattr(thing, '__name__', 'f')
    name = name if name.isidentifier() and not keyword.iskeyword(name) else 'f'
    module = (getattr(thing, '__module__', None) or 'the').rpartition('.')[2]
    return name, tree.Names({name, *parameters}).fresh(f'{module}_{name}')


def around(thing, rule):
    parameters = required(thing, rule)
    name, inner = titles(thing, parameters)
    text = f'def {name}({", ".join(parameters)}):\n    return {inner}({", ".join(parameters)})\n'
    made = build(text, [Part(name, {'__name__': 'functions_with_rules', inner: thing})], {}, name)[name]
    made.__doc__ = getattr(thing, '__doc__', None)
    return made


def around_partial(thing):
    """A Python function that calls a `functools.partial`, with the parameters that are left.

    >>> around_partial(functools.partial(loss, data, scale=2.0))        # def loss(w, *, scale=2.0):
    ...                                                                 #     return models_loss(given0, w, scale=scale)
    """
    if thing in _partials:
        return _partials[thing]
    found = list(left(thing))
    names = [p.name for p in found]
    name, inner = titles(thing.func, names)
    fresh = tree.Names({name, inner, *names}).fresh
    given = {fresh(f'given{k}'): value for k, value in enumerate(thing.args)}
    passed = [*given, *(PASSED[p.kind].format(p.name) for p in found)]
    for key in thing.keywords.keys() - names:                       # those that go into `**keywords`
        given[fresh(key)] = thing.keywords[key]
        passed.insert(len(thing.args), f'{key}={list(given)[-1]}')
    bare = inspect.Signature([p.replace(default=p.empty, annotation=p.empty) for p in found])
    text = f'def {name}{bare}:\n    return {inner}({", ".join(passed)})\n'
    made = _partials[thing] = with_cells(built(text, name, inner, Same(thing.func), tuple(given)), given)
    defaults = [p for p in found if p.default is not p.empty]
    made.__defaults__ = tuple(p.default for p in defaults if p.kind is not p.KEYWORD_ONLY) or None
    made.__kwdefaults__ = {p.name: p.default for p in defaults if p.kind is p.KEYWORD_ONLY} or None
    return made


def with_cells(function, values):
    """The same function with other values for what it captured."""
    cells = zip(function.__code__.co_freevars, function.__closure__)
    made = types.FunctionType(function.__code__, function.__globals__, function.__name__, None,
                              tuple(types.CellType(values[n]) if n in values else cell for n, cell in cells))
    made.__dict__.update(function.__dict__)
    return made


def left(thing):
    """The parameters that a `functools.partial` leaves."""
    rule = registry.lookup(thing.func)
    if rule is None:
        try:
            return inspect.signature(thing).parameters.values()
        except ValueError:
            raise errors.ArgumentTypeError(f'{getattr(thing.func, "__name__", thing.func)} does not take the arguments that '
                                           f'this functools.partial gives it: {thing!r:.80}') from None
    names = [n for n in required(thing.func, rule)[len(thing.args):] if n not in thing.keywords]
    more = [inspect.Parameter(rule.vararg, inspect.Parameter.VAR_POSITIONAL)] if getattr(rule, 'vararg', None) else []
    return [*(inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names), *more,
            *(inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=v) for n, v in thing.keywords.items())]


class Same:
    """A thing that is equal to itself alone, whatever its class says."""

    def __init__(self, thing):
        self.thing = thing

    def __hash__(self):
        return id(self.thing)

    def __eq__(self, other):
        return self.thing is other.thing


@functools.lru_cache(256)
def built(text, name, inner, same, given):
    """The function of a text, whose code those have in common that differ in what was given."""
    cells = {n: types.CellType(None) for n in given}
    part = Part(name, {'__name__': 'functions_with_rules'}, {inner: types.CellType(same.thing), **cells})
    return build(text, [part], {}, name)[name]


def required(thing, rule):
    """Names of the parameters of the function around: those that have to be given."""
    if isinstance(rule, registry.Rule) and rule.parameters and rule.vararg is None:
        names = [p for p in rule.parameters if p not in rule.defaults]
    elif hasattr(thing, 'nin'):
        names = ['x', 'y', 'z', 'w'][:thing.nin]
    else:
        try:
            found = inspect.signature(thing).parameters.values()
        except (TypeError, ValueError):
            found = ()
        names = [p.name for p in found if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return names or ['x']
