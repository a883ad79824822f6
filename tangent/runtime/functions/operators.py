"""What Python does by an operator, a test or an attribute, as a function: for classes whose methods behind it act.

    lt(a, b)          a < b                          truth(t)               bool(t)
    attribute(p, 'area')                             p.area
    for a in iterated(p)                             for a in p

Unlike the functions of `operator`, which have rules, these may write into all that they are given, and give any object.
"""
import collections
import operator
import types

import numpy as np

from tangent.errors import FieldError
from tangent.runtime.objects import definition

METHODS = types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, classmethod, staticmethod


def iterated(values):
    """What is gone through where `values` are: for an object, what its `__iter__` gives."""
    return values


def outside(table, index):
    """`table[index]` of an object outside of all functions, in which nothing with a derivative is kept."""
    return table[index]


def above(kind, x, name):
    """`super(kind, x).name`, where that is not called."""
    return getattr(super(kind, x), name)


def held_above(kind, x, name):
    """What the class holds behind which `super(kind, x).name` finds that; None for what it finds for a class, and for nothing.

    Raises
    ------
    FieldError
        Another descriptor than a property computes it.
    """
    defined = None if isinstance(x, type) else definition(type(x), name, kind)
    held = None if defined is None else vars(defined)[name]
    if hasattr(type(held), '__get__') and not isinstance(held, (property, *METHODS)):
        raise FieldError(f'{defined.__name__}.{name}, which super() finds, is a {type(held).__name__}: call its function')
    return held


def updating(function):
    """What to say of `operator.iadd` and its like, called as a value with something that it changes."""
    sign = SIGNS[function.__name__.rstrip('_')[1:]]
    return f'operator.{function.__name__} is called as a value, and changes a list or an array that has a derivative: write ' \
           f'x {sign}= v, or call operator.{function.__name__.rstrip("_")[1:]}'


class Absent:
    """What an attribute is that an object does not have: `hasattr(x, 'f')` is `attribute(x, 'f', Absent) is not Absent`."""


class Acting:
    """One of them, by the name that it has in texts."""

    def __init__(self, name, function):
        self.__name__, self.function = name, function

    def __call__(self, /, *args):
        return self.function(*args)

    def __repr__(self):
        return self.__name__


SIGNS = {'add': '+', 'sub': '-', 'mul': '*', 'truediv': '/', 'floordiv': '//', 'mod': '%', 'pow': '**', 'matmul': '@',
         'lshift': '<<', 'rshift': '>>', 'and': '&', 'or': '|', 'xor': '^'}
BINARY = [*SIGNS]
CHANGEABLE = np.ndarray, list, dict, set, collections.deque                 # `x += v` changes them
COMPARED = {'lt': 'gt', 'le': 'ge', 'gt': 'lt', 'ge': 'le', 'eq': 'eq', 'ne': 'ne'}         # and what the other operand defines
PLAIN = {name: getattr(operator, name, None) or getattr(operator, f'{name}_') for name in [*BINARY, *COMPARED]}
PLAIN.update({f'i{name}': getattr(operator, f'i{name}') for name in BINARY})
PLAIN.update({name: getattr(operator, name) for name in ('neg', 'pos', 'invert', 'getitem', 'setitem', 'contains')})
SYMBOLS = {PLAIN[name]: sign for name, sign in [*SIGNS.items(), *zip(COMPARED, '< <= > >= == !='.split())]}
BUILTIN = {'truth': bool, 'length': len, 'rounded': round, 'divided': divmod, 'integer': int, 'attribute': getattr,
           'following': next}
UNSEEN = {'iterated': iterated, 'above': above, 'outside': outside}              # of what texts name otherwise, or not at all
OPERATIONS = {name: Acting(name if name not in ('and', 'or') else f'{name}_', f)
              for name, f in {**PLAIN, **BUILTIN, **UNSEEN}.items()}
