"""Is this text the source of that code object? The definition is compiled again and the two are compared.

Only a real difference may count: two compilations of the same text must never be told apart, whatever stands around
the definition, whatever the optimization level, and whoever traces, measures or rewrites asserts.
"""
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
    agree = _part_of if _rewritten(code) else _same
    return any(found is None or agree(found, code) for found in _compilations(node, path, code))


def same_place(node, path, code):
    """Whether the columns agree as well: what tells apart equal lambdas on one line."""
    if not hasattr(code, 'co_positions'):
        return True
    place = list(code.co_positions())
    return any(found is None or list(found.co_positions()) == place for found in _compilations(node, path, code))


def _compilations(node, path, code):
    """The code of the definition in each way it may have been compiled.

    The interpreter calls attributes of imported modules in a way of their own, where it sees the import: in a module it
    does, in a notebook, which compiles statement by statement, it does not.
    """
    imports = _imports(path[0]) if path else []
    context = _context(node, path, code)
    for optimize in (-1, 0, 1, 2):
        yield _compiled(imports + context, code, optimize)
        if imports:
            yield _compiled(context, code, optimize)


def _imports(module):
    """The imports at the top level of the module, as one statement."""
    names, todo = set(), list(module.body)
    while todo:
        stmt = todo.pop()
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name.partition('.')[0] for alias in stmt.names} - {'*'}
        elif not isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for field in ('body', 'orelse', 'finalbody', 'handlers', 'cases'):
                todo += getattr(stmt, field, ())
    return ast.parse('import ' + ', '.join(sorted(names))).body if names else []


def _context(node, path, code):
    """The definition where its private names and its free names are as they were: in its class, in a function."""
    node = copy.copy(node)
    node.args = copy.copy(node.args)
    node.args.defaults = []
    node.args.kw_defaults = [None] * len(node.args.kwonlyargs)
    if isinstance(node, ast.Lambda):
        inner = ast.copy_location(ast.Expr(node), node)
    else:
        node.decorator_list, node.returns, inner = [], None, node
    scope = next((n for n in reversed(path) if isinstance(n, ast.ClassDef)), None)
    if scope is not None:
        inner = _around(f'class {scope.name}: pass', inner)
    free = [name for name in code.co_freevars if name != '__class__' or scope is None]
    outer = _around(f'def _({", ".join(free)}): pass', inner)
    name = getattr(inner, 'name', None)
    if name is not None and name not in free:
        outer.body[:0] = ast.parse(f'global {name}').body    # a function or class of the top level that names itself
    return [outer]


def _around(text, inner):
    definition = ast.parse(text).body[0]
    definition.body = [inner]
    return definition


def _compiled(statements, code, optimize):
    """The code among these statements, or None where they do not compile: what cannot be judged is not refused."""
    try:
        whole = compile(ast.Module(body=statements, type_ignores=[]), code.co_filename, 'exec',
                        flags=code.co_flags & FUTURE, dont_inherit=True, optimize=optimize)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return _search(whole, code)


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
            and len(a.co_consts) == len(b.co_consts) and all(map(_same_const, _constants(a), _constants(b))))


def _constants(code):
    """The constants; Python 3.13.0 lists the attributes that a class assigns in no order."""
    if '__static_attributes__' not in code.co_names:
        return code.co_consts
    return tuple(frozenset(c) if isinstance(c, tuple) else c for c in code.co_consts)


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
