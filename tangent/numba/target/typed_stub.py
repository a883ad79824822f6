"""Derivatives that are made when Numba compiles them, because the types of the variables decide how they can be made.

Whether `x[0]` is a number or a row of which `y = x[0]; y[1] = 2` changes elements, the text of a function does not say.
Numba knows: what the variables hold for the types of the arguments is asked of Numba's own inference, and the derivative is
derived with that. CPython runs the log form in its place, which needs no types.
"""
import inspect
import warnings

from tangent.emit.build import Part, build

NOT_CACHED = 'it is made for the types of its arguments, when Numba compiles it'


def is_stub(func):
    """Whether it is a dispatcher that `stub` made."""
    return hasattr(getattr(func, 'py_func', None), 'derived')


def maker(func, plain, options, derive):
    """(types of the arguments of the derivative) -> the derivative, an emitted function, for these types.

    plain : the function to be differentiated, for CPython
    derive : (function, what its variables hold) -> its derivative
    """
    made: dict = {}
    before = getattr(getattr(func, 'py_func', None), 'derived', None)
    count = plain.__code__.co_argcount

    def for_types(args):
        args = tuple(args)
        if args not in made:
            function = plain if before is None else before(args[:count])
            made[args] = derive(function, options.target.facts(func if before is None else function, args[:count]))
        return made[args]
    return for_types


def stub(written, flags, derived):
    """What stands for the derivative: a function whose compiled form has it made for each set of types.

    written : the derivative for CPython, whose text and signature it has
    """
    if flags.cache:
        warnings.warn(f'the machine code of {written.__name__} is not kept on disk: {NOT_CACHED}', RuntimeWarning, stacklevel=2)
    function = alike(written)
    function.source = written.source
    function.compiled = flags.compile_typed(function, derived)
    return function


def alike(plain):
    """A function that calls another one, with the same parameters, of which none is for keywords only."""
    params = list(inspect.signature(plain).parameters.values())
    first = next((k for k, p in enumerate(params) if p.default is not p.empty), len(params))
    defaults = tuple(None if p.default is p.empty else p.default for p in params[first:])
    names = [p.name for p in params]
    text = f'def {plain.__name__}({", ".join(names)}):\n    return plain({", ".join(map(handed, params))})\n'
    return build(text, [Part(plain.__name__, {}, defaults=defaults)], {'plain': plain}, plain.__name__)[plain.__name__]


def handed(param):
    return f'{param.name}={param.name}' if param.kind is param.KEYWORD_ONLY else param.name
