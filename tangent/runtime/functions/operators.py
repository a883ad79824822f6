"""What Python does by an operator, a test or an attribute, as a function: for classes whose methods behind it act.

    lt(a, b)          a < b                          truth(t)               bool(t)
    attribute(p, 'area')                             p.area
    for a in iterated(p)                             for a in p

Unlike the functions of `operator`, which have rules, these may write into all that they are given, and give any object.
"""
from __future__ import annotations

import operator


def iterated(values):
    """What is gone through where `values` are: for an object, what its `__iter__` gives."""
    return values


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
