"""Is this text the source of that code object? The definition is compiled again and the two are compared.

Only a real difference may count: two compilations of the same text must never be told apart, whatever stands around
the definition, whatever the optimization level, and whoever traces, measures or rewrites asserts.
"""
from __future__ import annotations

import __future__

import ast
import copy
import types

FUTURE = 0
for _feature in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _feature).compiler_flag

REWRITERS = ('@py', '@pytest', '__beartype', 'typeguard')
"""Beginnings of names that import hooks put into the functions they rewrite."""


def matches(node, path, code):
    """Whether compiling the definition in its context gives the loaded code."""
    if _rewritten(code):
        return all(found is None or _part_of(found, code) for found in [_compiled(node, path, code, -1)])
    return any(found is None or _same(found, code) for found in _levels(node, path, code))


def same_place(node, path, code):
    """Whether the columns agree as well: what tells apart equal lambdas on one line."""
    found = _compiled(node, path, code, -1)
    if found is None or not hasattr(code, 'co_positions'):
        return True
    return list(found.co_positions()) == list(code.co_positions())


def _levels(node, path, code):
    for optimize in (-1, 0, 1, 2):
        yield _compiled(node, path, code, optimize)


def _compiled(node, path, code, optimize):
    """The code of the definition, compiled where its private names, free names and future imports are as they were.

    None where that cannot be done: what cannot be judged is not refused.
    """
    node = copy.copy(node)
    node.args = copy.copy(node.args)
    node.args.defaults = []
    node.args.kw_defaults = [None] * len(node.args.kwonlyargs)
    if not isinstance(node, ast.Lambda):
        node.decorator_list = []
        node.returns = None
        inner = node
    else:
        inner = ast.copy_location(ast.Expr(node), node)
    scope = next((n for n in reversed(path) if isinstance(n, ast.ClassDef)), None)
    if scope is not None:
        inner = _copy_def(ast.parse('class _: pass').body[0], name=scope.name, body=[inner])
    free = [name for name in code.co_freevars if name != '__class__']
    outer = ast.parse(f'def _({", ".join(free)}): pass')
    outer.body[0].body = [inner]
    try:
        whole = compile(outer, code.co_filename, 'exec', flags=code.co_flags & FUTURE, dont_inherit=True,
                        optimize=optimize)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return _search(whole, code)


def _copy_def(node, **fields):
    for key, value in fields.items():
        setattr(node, key, value)
    return node


def _search(whole, code):
    for const in whole.co_consts:
        if isinstance(const, types.CodeType):
            if const.co_name == code.co_name and const.co_firstlineno == code.co_firstlineno:
                return const
            found = _search(const, code)
            if found is not None:
                return found
    return None


def _same(a, b):
    return (a.co_code == b.co_code and a.co_names == b.co_names and a.co_varnames == b.co_varnames
            and a.co_freevars == b.co_freevars and a.co_cellvars == b.co_cellvars
            and a.co_argcount == b.co_argcount and a.co_kwonlyargcount == b.co_kwonlyargcount
            and len(a.co_consts) == len(b.co_consts) and all(map(_same_const, a.co_consts, b.co_consts)))


def _same_const(a, b):
    if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
        return _same(a, b)
    return _plain(a) == _plain(b)


def _plain(const):
    """A constant in a form that compares by type and by sign of zero, and forgets where a definition is nested."""
    if isinstance(const, frozenset):
        return 'frozenset', sorted(map(repr, map(_plain, const)))
    if isinstance(const, tuple):
        return 'tuple', [_plain(item) for item in const]
    if isinstance(const, str):
        return 'str', const.rpartition('<locals>.')[2]
    return type(const).__name__, repr(const)


def _names(code):
    yield from code.co_names
    yield from code.co_varnames


def _rewritten(code):
    return any(name.startswith(REWRITERS) for name in _names(code))


def _part_of(found, code):
    """Whether a rewritten function still has the parameters, names and numbers of the text."""
    count = code.co_argcount + code.co_kwonlyargcount
    numbers = [c for c in found.co_consts if isinstance(c, (int, float, complex))]
    kept = {_plain(c) for c in code.co_consts if isinstance(c, (int, float, complex))}
    return (found.co_varnames[:count] == code.co_varnames[:count]
            and set(_names(found)) - {'AssertionError'} <= set(_names(code)) and {_plain(n) for n in numbers} <= kept)
