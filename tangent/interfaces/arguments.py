"""Which arguments a derivative is by: the three keywords that people know, each with the rules of where it comes from.

`wrt=` is that of google/tangent: positions and names, one asked for gives the bare gradient, `(0,)` too. `argnums=` is
that of JAX and `argnum=` that of autograd: a position gives the bare gradient, a tuple a tuple, of one element as well;
positions count from the end where they are negative.
"""
import difflib
import functools
import inspect
import types
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from tangent import errors
from tangent.driver.ruled_functions import as_function
from tangent.frontend.source import original, unwrap
from tangent.interfaces import pickled

FIRST = (0,)
WIDTH = 60                  # of values that a message quotes
FLAGS = ('optimized', 'preserve_result', 'check_dims', 'has_aux', 'holomorphic', 'allow_int', 'batched', 'nan_safe', 'fuse')
HOW = 'arguments go to what this returns, as in tangent.grad(f)(x)'
FUNCTIONS = ('f', 'func', 'fun', 'function', 'fn')           # parameters that take a function
F = TypeVar('F', bound=Callable)
OTHERS = {             # options of other libraries -> what to say of them
    'in_dims': 'it is called in_axes here, as in JAX',
    'out_dims': 'it is called out_axes here, as in JAX',
    'axis_name': 'there are no collective operations; sum or average over the axis of what vmap returns',
    'spmd_axis_name': 'there are no collective operations; sum or average over the axis of what vmap returns',
    'randomness': 'a loop draws anew for each sample; give each its own generator for other numbers than a loop would draw',
    'reduce_axes': 'there are no named axes; sum the gradient over them',
    'strict': 'an argument that the result does not depend on has a gradient of zeros',
    'create_graph': 'a derivative is a function that can be differentiated again: tangent.grad(tangent.grad(f))',
    'retain_graph': 'a pullback can be called as often as you like',
    'allow_unused': 'an argument that the result does not depend on has a gradient of zeros',
    'vectorize': 'forward mode takes many directions at a time as it is; see chunk_size',
    'strategy': "say mode='forward' or mode='reverse' to tangent.jacobian",
    'static_argnums': 'what is not asked for in wrt= is as it is, of any type',
    'static_argnames': 'what is not asked for in wrt= is as it is, of any type',
    'nondiff_argnums': 'that is an option of tangent.custom_vjp and tangent.custom_jvp; here name what is asked for in wrt=',
    'inputs': 'name the parameters in wrt=',
    'grad_outputs': 'give the seed to what tangent.vjp returns, behind the arguments',
}


def asks(function: F) -> F:
    """A function that users call: what it is called with is checked here, and its refusals show no frames of ours.

    The functions that it makes are pickled as what it was called with.

    It captures nothing, so that it can be an operator in what is differentiated as the function itself could.
    """
    signature = inspect.signature(function)
    space: dict = {'__name__': function.__module__, 'ask': functools.partial(ask, function, signature)}
    exec(compile('def asked(*args, **keywords): return ask(args, keywords)', '<tangent>', 'exec'), space)
    asked = functools.wraps(function)(space['asked'])
    vars(asked)['__signature__'] = signature                        # for those who do not look behind a wrapper
    return asked                                                    # type: ignore[return-value]


def ask(function, signature, args, keywords):
    """Call a function for a user."""
    try:
        if args and not callable(args[0]) and next(iter(signature.parameters)) in FUNCTIONS:
            refuse_result(args[0], function)
        flags = [(n, v) for n, v in (*zip(by_position(signature), args), *keywords.items()) if n in FLAGS]
        for name, value in flags:
            if not isinstance(value, (tuple, list)):      # which may be the arguments, in another form of the same operator
                refuse_flag(name, value)
        made = function(*args, **keywords)
        for name, value in flags:
            refuse_flag(name, value)
        if args:
            pickled.name_made(made, called(function), args, keywords)
        return made
    except errors.TangentError as error:
        raise errors.located(error)  # noqa: B904
    except TypeError as error:
        if error.__traceback__.tb_next is not None:
            raise
        raise errors.ArgumentTypeError(misfit(called(function), signature, args, keywords, str(error))) from None


def called(function):
    """What users call a function."""
    return ('tangent.func.' if function.__module__ == 'tangent.func' else 'tangent.') + function.__name__


def refuse_result(value, function):
    """Say that a function is wanted, where a value came that may be what a function gave."""
    if isinstance(value, (set, frozenset, list, tuple)) and any(map(callable, value)):
        raise errors.ArgumentTypeError(f'{called(function)}() takes one function at a time, not {article(value)} of them')
    text = repr(value)
    text = text if len(text) < WIDTH and '\n' not in text else 'what was given'
    if isinstance(value, types.ModuleType):
        raise errors.ArgumentTypeError(f'{value.__name__} is a module: pass a function of it')
    if isinstance(value, (property, classmethod)):
        raise errors.ArgumentTypeError(f'a {type(value).__name__} is no function: pass one that uses it, as lambda x: x.name')
    raise errors.ArgumentTypeError(f'{text} is of type {type(value).__name__}, not a function: pass the function itself, not '
                                   'its result')


def by_position(signature):
    """The names of the parameters that can be given by position, one each."""
    return [p.name for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def refuse_flag(name, value):
    """Refuse a value of an option that is either on or off, and is neither: 'no' would be on."""
    if not isinstance(value, (bool, np.bool_)) and not (value is None and name == 'allow_int') \
            and not (isinstance(value, int) and value in (0, 1)):
        many = getattr(value, 'ndim', 0) or callable(value)
        raise errors.ArgumentTypeError(f'{name} is {article(value) if many else repr(value)[:WIDTH]}: it is True or False'
                                       f'{f"; {HOW}" if many else ""}')


def misfit(name, signature, args, keywords, said):
    """What does not fit between a signature and the arguments of a call, and what would."""
    known = list(signature.parameters)
    for key in keywords:
        if key not in known:
            close = difflib.get_close_matches(key, known, 1, 0.5) or [n for n in known[:1] if {n, key} <= set(FUNCTIONS)]
            way = OTHERS.get(key) or (f'did you mean {close[0]}=?' if close else f'it takes {", ".join(known)}')
            return f'{name}() takes no {key}=: {way}'
    required = [p.name for p in signature.parameters.values()
                if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    missing = [n for n in required[len(args):] if n not in keywords]
    if missing:
        return f'{name}() misses its argument {missing[0]}: call {name}({", ".join(required)})'
    twice = [n for n in known[:len(args)] if n in keywords]
    if twice:
        return f'{name}() is given {twice[0]} twice, by position and as {twice[0]}=: give it once'
    most = by_position(signature)
    if len(args) > len(most):
        return f'{name}() takes {len(most)} arguments by position ({", ".join(most)}), not {len(args)}: name the others'
    return said


def asked(func, wrt=FIRST, argnums=None, argnum=None):
    """(positions or names, whether a single gradient comes bare) for the keywords that a caller gave."""
    given = {key: value for key, value in (('argnums', argnums), ('argnum', argnum)) if value is not None}
    for key, value in {'wrt': wrt, **given}.items():
        refuse_values(value, key)
    if not given:
        return tuple(wrt) if isinstance(wrt, list) else wrt, True
    if len(given) > 1 or wrt != FIRST:
        raise errors.ArgumentError('give one of wrt= (the rules of tangent), argnums= (those of JAX) and argnum= (those '
                                   'of autograd)')
    (key, value), = given.items()
    many = isinstance(value, (tuple, list))
    if many and not value:
        raise errors.ArgumentError(f'{key} is empty: name at least one argument')
    positions = tuple(position(func, v) for v in (value if many else (value,)))
    return positions, not many


def refuse_values(value, key='wrt'):
    """Refuse what says nothing about which argument is meant: a bool, although it equals a position, None, the arguments."""
    if isinstance(value, (set, frozenset)):
        raise errors.ArgumentTypeError(f'{key} is a set, in which nothing comes first: give a tuple, so that it is known which '
                                       'gradient is whose')
    if value is None:
        raise errors.ArgumentTypeError(f'{key} is None: leave it out for the first parameter, or give positions and names, as '
                                       f"in {key}=(0, 'w')")
    for v in value if isinstance(value, (tuple, list)) else (value,):
        if isinstance(v, bool):
            raise errors.ArgumentTypeError(f'{key} has {v!r}: it takes positions and names of parameters')
        if getattr(v, 'ndim', 0) or isinstance(v, (dict, tuple, list, float, complex)) or callable(v):
            what = repr(v) if isinstance(v, (float, complex)) else article(v)
            raise errors.ArgumentTypeError(f'{key} is {what}: it takes positions and names of parameters; {HOW}')


def is_index(value):
    """Whether it is a whole number, as positions and counts are."""
    return hasattr(value, '__index__') and not isinstance(value, bool)


def check_chunk(chunk_size):
    if chunk_size is not None and not (is_index(chunk_size) and chunk_size >= 1):
        raise errors.ArgumentError(f'chunk_size is {chunk_size!r}: it is how many to take at a time, or None for all')


def check_jit(jit):
    if not (jit is None or isinstance(jit, (bool, dict))):
        raise errors.ArgumentTypeError(f'jit is {jit!r}: it is True, False or a dict of options of numba.njit')


def article(value):
    name = type(value).__name__
    return ('an array' if name == 'ndarray' else f'an {name}' if name[0] in 'aeiou' else f'a {name}')


def position(func, value):
    """A position counted from the front."""
    if isinstance(value, str) or not hasattr(value, '__index__') or value.__index__() >= 0:
        return value
    function, instance = unwrap(original(as_function(func)))
    count = function.__code__.co_argcount - (instance is not None)
    if value.__index__() < -count:
        raise errors.ArgumentError(f'position {value} is before the first of the {count} positional parameters of '
                                   f'{function.__name__}')
    return value.__index__() + count


def refuse_primals(wrt, form, name):
    """Say where JAX's form of `vjp` and `jvp` is to be found, if arguments came where positions and names are expected."""
    each = wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    if any(isinstance(w, float) or hasattr(w, 'dtype') and getattr(w, 'shape', ()) != () for w in each):
        raise errors.ArgumentTypeError(f'tangent.{name}(f, wrt) takes positions and names of parameters and gives a function '
                                       f'of the arguments; the form {form} of JAX and PyTorch is tangent.func.{name}')


def titled(made, func, what, written_out=None, as_text=None):
    """The function that is handed to the user, with a name that says what it is of.

    written_out : makes of nothing the plain function that is differentiated in its place (see `operators`), or None
    as_text : takes a name and gives what `source` shows (see `shown`), or None
    """
    name = getattr(func, '__name__', 'f')
    if written_out is not None and isinstance(made, types.FunctionType):      # others are differentiated as they stand
        made = errors.telling(made)
    made.__name__ = made.__qualname__ = f'{what}_of_{name}' if name.isidentifier() else what
    made.__doc__ = f'The {what} of {name}.'
    if written_out is not None:
        made.written_out = written_out
    if as_text is not None:
        made.as_text = lambda: as_text(made.__name__)
    return made


def refuse(what):
    """Say of an operator that it has no derivative."""
    raise errors.ReverseNotImplementedError(f'{what} stands in differentiated code, and has no derivative itself: call it '
                                            'outside, or use tangent.grad, tangent.vjp, tangent.jvp or tangent.jacobian')
