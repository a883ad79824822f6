"""What a callee is that the source names: a class, something that is known only when running, a derivative."""
import functools
import types

import gast

from tangent.errors import ArgumentTypeError, SourceError
from tangent.frontend import tree
from tangent.frontend.dependencies import remembered
from tangent.frontend.resolve import pushes
from tangent.frontend.source import read
from tangent.runtime import facts
from tangent.runtime.fields import makes_own
from tangent.runtime.references.table import STAND_INS

LATER = (type, types.MethodType, functools.partial, type(functools.lru_cache(len)))


def is_known_later(function, custom):
    """Whether a callee that is known when the derivative is made is no function with source of its own.

    custom : whether its passes are the user's own
    """
    if pushes(function) or type(function) in STAND_INS:
        return True
    if isinstance(function, types.FunctionType) or custom:
        return False
    return isinstance(function, LATER) or isinstance(type(function).__call__, types.FunctionType) \
        and not hasattr(function, 'py_func')


def makes_object(function):
    """Whether a callee is a class whose instances Python code sets up, which writes into them, or works on objects."""
    if function in (next, iter, getattr, setattr, types.SimpleNamespace):
        return True
    made_here = isinstance(function, type) and not issubclass(function, (tuple, BaseException))
    if made_here and makes_own(function):
        return True
    generated = getattr(getattr(getattr(function, '__init__', None), '__code__', None), 'co_filename', '') == '<string>'
    return made_here and isinstance(function.__init__, types.FunctionType) and (
        not generated or hasattr(function, '__post_init__'))


@remembered
def kept_fields(kind):
    """Parameter -> attribute in the order of the arguments that a class is called with, if its `__init__` keeps these and does
    no more; else None."""
    if not isinstance(kind, type) or type(kind).__call__ is not type.__call__ \
            or issubclass(kind, (tuple, BaseException)) or kind.__new__ is not object.__new__ \
            or kind.__setattr__ is not object.__setattr__ or not isinstance(kind.__init__, types.FunctionType):
        return None
    try:
        function = read(kind.__init__).tree
    except (SourceError, ArgumentTypeError):
        return None
    args = function.args
    given = [a.id for a in args.posonlyargs + args.args]
    pairs = [pair for s in function.body for pair in kept(s, given[0])]
    names = dict(pairs)
    if args.vararg or args.kwarg or args.kwonlyargs or len(names) != len(pairs) or names.keys() != set(given[1:]) \
            or any(hasattr(getattr(kind, field, None), '__set__') and not isinstance(getattr(kind, field), HELD)
                   for field in names.values()):
        return None
    return {p: names[p] for p in given[1:]}


HELD = types.MemberDescriptorType


def kept(s, own):
    """(parameter, attribute) for a statement such as `self.x, self.y = x, y`; a pair that is no parameter's for others."""
    if tree.is_text(s):
        return []
    targets, value = (s.targets, s.value) if isinstance(s, gast.Assign) else ([], None)
    if len(targets) != 1:
        return [('', '')]
    both = isinstance(targets[0], gast.Tuple) and isinstance(value, gast.Tuple) and len(targets[0].elts) == len(value.elts)
    pairs = zip(targets[0].elts, value.elts) if both else [(targets[0], value)]
    return [(v.id, t.attr) if isinstance(v, gast.Name) and isinstance(t, gast.Attribute) and isinstance(t.value, gast.Name)
            and t.value.id == own else ('', '') for t, v in pairs]


def too_starred(call):
    """Whether it is not plain which arguments the starred ones become."""
    stars = [k for k, a in enumerate(call.args) if isinstance(a, gast.Starred)]
    return len(stars) > 1 or bool(stars) and stars[0] < len(call.args) - 1 or \
        sum(k.arg is None for k in call.keywords) > 1


def makes_partial(function, call):
    return function is functools.partial and not tree.is_starred(call)


DERIVATIVES = frozenset('grad value_and_grad grad_and_aux elementwise_grad vjp jvp autodiff'.split())


def derives(function):
    """Whether a function gives a derivative of its first argument, which has captured what that has."""
    return getattr(function, '__module__', None) == 'tangent.interfaces.grad' and function.__name__ in DERIVATIVES \
        or facts.is_helper(function, 'pullback', 'pushing')
