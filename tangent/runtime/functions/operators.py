"""What Python does by an operator, a test or an attribute, as a function: for classes whose methods behind it act.

    lt(a, b)          a < b                          truth(t)               bool(t)
    attribute(p, 'area')                             p.area
    for a in iterated(p)                             for a in p

Unlike the functions of `operator`, which have rules, these may write into all that they are given, and give any object.
"""
from __future__ import annotations

import collections
import operator

import numpy as np


def iterated(values):
    """What is gone through where `values` are: for an object, what its `__iter__` gives."""
    return values


def updating(function):
    """What to say of `operator.iadd` and its like, called as a value with something that it changes."""
    sign = SIGNS[function.__name__.rstrip('_')[1:]]
    return f'operator.{function.__name__} is called as a value, and changes a list or an array that has a derivative: write ' \
           f'x {sign}= v, or call operator.{function.__name__.rstrip("_")[1:]}'


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
UNSEEN = {'iterated': iterated}              # of what texts name otherwise, or not at all
OPERATIONS = {name: Acting(name if name not in ('and', 'or') else f'{name}_', f)
              for name, f in {**PLAIN, **BUILTIN, **UNSEEN}.items()}
