"""Rules as closures, as in `autograd.extend`: `defvjp`, `defjvp`, and their kin.

    @tangent.primitive
    def logsumexp(x): ...
    tangent.defvjp(logsumexp, lambda ans, x: lambda g: g * numpy.exp(x - ans))

In the derivative that reads `bx = logsumexp_vjp0(ans, x)(by)`.
"""
import inspect

from tangent import errors
from tangent.frontend import tree
from tangent.frontend.quote import REFUSE, Written
from tangent.interfaces.custom import Callable
from tangent.templates.language import registry, user_rules

__all__ = ['def_linear', 'defjvp', 'defjvp_argnum', 'defvjp', 'defvjp_argnum', 'defvjp_argnums', 'primitive']


class primitive(Callable):
    """A function that is not looked into: its derivative is what `defvjp` and `defjvp` say.

    Parameters
    ----------
    function : callable
        Its source is not read.

    Examples
    --------
    >>> @tangent.primitive
    ... def cube(x):
    ...     return x ** 3

    >>> tangent.defvjp(cube, lambda ans, x: lambda g: g * 3 * x ** 2)
    >>> tangent.grad(cube)(2.0)
    12.0
    """

    def __init__(self, function):
        super().__init__(function)
        parts = signature(self)
        registry.REVERSE[self] = registry.Rule(self.__name__, 'general', parts, dict.fromkeys(parts[1], REFUSE))


def signature(fun):
    """(result, parameters, defaults, vararg, form) of a function with a rule."""
    function = getattr(fun, 'function', fun)
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        names = ('x', 'y', 'z', 'w')[:getattr(function, 'nin', 1)]
        return 'ans_', names, {}, None, None
    names, defaults, vararg = [], {}, None
    for p in found:
        if p.kind is p.VAR_KEYWORD:
            continue
        if p.kind is p.VAR_POSITIONAL:
            vararg = p.name
        names.append(p.name)
        if p.default is not p.empty:
            simple = isinstance(p.default, (int, float, str, type(None)))
            defaults[p.name] = tree.constant(p.default) if simple else tree.load(f'{p.name}_default')
    return 'ans_', tuple(names), defaults, vararg, None


def given(names, defaults, vararg):
    """The arguments of a call as text, each as the caller gave it."""
    return ', '.join(f'*{n}' if n == vararg else f'{n}={n}' if n in defaults else n for n in names)


def defvjp(fun, *makers, argnums=None):
    """Set the gradients of calls to `fun`, one maker for each argument: `maker(ans, *args, **kwargs)(g)`.

    Parameters
    ----------
    fun : callable
        A `primitive`, or any function object.
    makers : callable or None
        None where the gradient is zero.
    argnums : sequence of int
        Positions of the arguments that the makers belong to; by default the first ones.

    Raises
    ------
    RegistrationError
        If there are more makers than arguments.

    Examples
    --------
    >>> @tangent.primitive
    ... def cube(x):
    ...     return x ** 3

    >>> tangent.defvjp(cube, lambda ans, x: lambda g: g * 3 * x ** 2)
    >>> tangent.grad(cube)(2.0)
    12.0
    """
    register(fun, makers, argnums, 'vjp', lambda name, args, k: f'{name}(ans_, {args})(d[ans_])')


def defvjp_argnum(fun, maker):
    """Set the gradients of calls to `fun` by one function: `maker(argnum, ans, args, kwargs)(g)`.

    Parameters
    ----------
    fun : callable
    maker : callable
        Called with the position of an argument; the `g` of what it returns has the shape of the result, and what that gives the
        shape of the argument.

    Examples
    --------
    >>> @tangent.primitive
    ... def cube(x):
    ...     return x ** 3

    >>> tangent.defvjp_argnum(cube, lambda k, ans, args, kwargs: lambda g: g * 3 * args[k] ** 2)
    >>> tangent.grad(cube)(2.0)
    12.0
    """
    every(fun, maker, 'vjp', lambda name, k, args, keywords: f'{name}({k}, ans_, {args}, {keywords})(d[ans_])')


def defvjp_argnums(fun, maker):
    """Set the gradients of calls to `fun` by one function: `maker(argnums, ans, args, kwargs)(g)` gives one for each.

    Parameters
    ----------
    fun : callable
    maker : callable
        Called with a tuple of positions; what it returns gives a tuple with a gradient for each, of the shape of the argument.

    Examples
    --------
    >>> @tangent.primitive
    ... def cube(x):
    ...     return x ** 3

    >>> tangent.defvjp_argnums(cube, lambda ks, ans, args, kwargs: lambda g: tuple(g * 3 * args[k] ** 2 for k in ks))
    >>> tangent.grad(cube)(2.0)
    12.0
    """
    every(fun, maker, 'vjp', lambda name, k, args, keywords: f'{name}(({k},), ans_, {args}, {keywords})(d[ans_])[0]')


def defjvp(fun, *makers, argnums=None):
    """Set the tangents of calls to `fun`, one function for each argument: `maker(g, ans, *args, **kwargs)`.

    'same' stands for a function that is linear in the argument: its tangent is `fun` of the tangent.

    Parameters
    ----------
    fun : callable
        A `primitive`, or any function object.
    *makers : callable, 'same' or None
        Each gives a tangent of the shape of the result, for a `g` of the shape of the argument.
    argnums : sequence of int
        Positions of the arguments that the makers belong to; by default the first ones.

    Raises
    ------
    RegistrationError
        If there are more makers than arguments.

    Examples
    --------
    >>> @tangent.primitive
    ... def cube(x):
    ...     return x ** 3

    >>> tangent.defjvp(cube, lambda g, ans, x: g * 3 * x ** 2)
    >>> tangent.jvp(cube)(2.0, 1.0)
    12.0
    """
    makers = [same(fun, k) if m == 'same' else m for k, m in zip(argnums or range(len(makers)), makers)]
    register(fun, makers, argnums, 'jvp', lambda name, args, k: f'{name}(d[ans_], ans_, {args})')


def defjvp_argnum(fun, maker):
    """Set the tangents of calls to `fun` by one function: `maker(argnum, g, ans, args, kwargs)`.

    Parameters
    ----------
    fun : callable
    maker : callable
        Gives the tangent of the result, for the position of an argument and its tangent `g`.

    Examples
    --------
    >>> @tangent.primitive
    ... def cube(x):
    ...     return x ** 3

    >>> tangent.defjvp_argnum(cube, lambda k, g, ans, args, kwargs: g * 3 * args[k] ** 2)
    >>> tangent.jvp(cube)(2.0, 1.0)
    12.0
    """
    every(fun, maker, 'jvp', lambda name, k, args, keywords: f'{name}({k}, d[ans_], ans_, {args}, {keywords})')


def def_linear(fun):
    """Say that `fun` is linear in each of its arguments: its tangent is `fun` of the tangents, one at a time.

    Parameters
    ----------
    fun : callable
        A `primitive`, or any function object.

    Examples
    --------
    >>> @tangent.primitive
    ... def scaled(x, w):
    ...     return 2 * x * w
    >>> tangent.def_linear(scaled)
    >>> tangent.jvp(scaled)(3.0, 5.0, 1.0)
    10.0
    """
    def maker(argnum, g, ans, args, kwargs):
        return fun(*args[:argnum], g, *args[argnum + 1:], **kwargs)
    defjvp_argnum(fun, maker)


def same(fun, k):
    def linear(g, ans, *args, **kwargs):
        return fun(*args[:k], g, *args[k + 1:], **kwargs)
    return linear


def register(fun, makers, argnums, kind, write):
    """File the rule whose terms are `write(name of the maker, arguments, position)`."""
    user_rules.refuse_others(fun, *(maker for maker in makers if maker is not None))
    parts = signature(fun)
    _, names, defaults, vararg, _ = parts
    base = user_rules.identifier(fun)
    partials, namespace = dict.fromkeys(names, REFUSE), {}
    of_vararg = {}
    for k, maker in zip(range(len(makers)) if argnums is None else argnums, makers):
        before = names.index(vararg) if vararg else len(names)
        if k >= len(names) and not vararg:
            raise errors.RegistrationError(f'{base} has {len(names)} arguments, and a rule is given for number {k}')
        text = write(f'{base}_{kind}{k}', given(names, defaults, vararg), k)
        if maker is not None:
            namespace[f'{base}_{kind}{k}'] = maker
        if k >= before:
            of_vararg[k - before] = text if maker is not None else None
        elif maker is None:
            del partials[names[k]]
        else:
            partials[names[k]] = tree.expression(f'fitting({text}, {names[k]}, {base!r}, {k})' if kind == 'vjp' else text)
    if of_vararg:
        partials[vararg] = Written(vararg_writer(base, of_vararg), ' '.join(namespace))
    file(fun, kind, parts, partials, namespace)


def vararg_writer(base, texts):
    def write(bound, i):
        if i not in texts:
            raise errors.ReverseNotImplementedError(f'{base}: no derivative rule for argument {i} of its *args')
        return texts[i] or 'None'
    return write


def every(fun, maker, kind, write):
    """File one maker for all arguments; `write(name, position, args as a tuple, keywords as a dict)` gives the terms."""
    user_rules.refuse_others(fun, maker)
    parts = signature(fun)
    _, names, defaults, vararg, _ = parts
    name = f'{user_rules.identifier(fun)}_{kind}'
    positional = [n for n in names if n not in defaults]
    args = f'({"".join(f"*{n}, " if n == vararg else f"{n}, " for n in positional)})'
    keywords = '{' + ', '.join(f'{n!r}: {n}' for n in defaults) + '}'
    partials = {n: tree.expression(write(name, k, args, keywords)) for k, n in enumerate(positional) if n != vararg}
    if vararg:
        before = positional.index(vararg)
        partials[vararg] = Written(lambda bound, i: write(name, before + i, args, keywords), name)
    file(fun, kind, parts, partials, {name: maker})


def file(fun, kind, parts, partials, namespace):
    table = registry.REVERSE if kind == 'vjp' else registry.FORWARD
    for p in inspect_defaults(fun):
        namespace.setdefault(f'{p.name}_default', p.default)
    table[fun] = registry.Rule(user_rules.identifier(fun), 'general' if kind == 'vjp' else 'elementwise', parts, partials,
                            namespace=namespace)


def inspect_defaults(fun):
    try:
        return [p for p in inspect.signature(getattr(fun, 'function', fun)).parameters.values() if p.default is not p.empty]
    except (TypeError, ValueError):
        return []
