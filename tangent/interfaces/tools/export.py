"""A derivative as a module of its own: the emitted text, with imports for all it uses.

What the text reads of the user's namespace is written out too: modules and importable functions as imports, numbers,
strings and small arrays as assignments, functions of a script as their source.
"""
from __future__ import annotations

import ast
import builtins
import importlib.util
import inspect
import pprint
import sys
import textwrap
import types

import numpy

from tangent.driver.variants import specialised
from tangent.emit.public import name_of
from tangent.errors import ArgumentError
from tangent.interfaces.arguments import asks
from tangent.interfaces.texts import Readable, text_of

LIMIT = 10_000           # elements of an array that is written out


@asks
def export_source(derivative, *args):
    """The text of a module that runs on its own and defines the derivative.

    Parameters
    ----------
    derivative : function
        What `tangent.grad` and its like returned.
    *args
        Arguments: the text for the likes of these, which takes no others. Without, the text that takes any.

    Returns
    -------
    str

    Raises
    ------
    ArgumentTypeError
        If it is no derivative of ours.
    ArgumentError
        If it reads an object of the user's that cannot be written as text.

    Examples
    --------
    >>> def f(x):
    ...     return numpy.tanh(x)
    >>> for line in tangent.export_source(tangent.grad(f)).splitlines()[1:3]:
    ...     print(line)
    import numpy
    from tangent.utils import check_dims
    """
    text = text_of(derivative, args)
    derivative = specialised(derivative, args)
    derivative = getattr(derivative, 'py_func', derivative)
    namespace = _reachable(derivative)
    defined = {node.name for node in ast.parse(text).body}
    imports, assignments, functions, done = [], [], [], set(defined)
    pending = sorted(_free(text) - defined)
    while pending:
        name = pending.pop(0)
        if name in done or name not in namespace:
            continue
        done.add(name)
        kind, line = _written(name, namespace[name], sys.modules.get(derivative.__module__))
        {'import': imports, 'value': assignments, 'function': functions}[kind].append(line)
        if kind == 'function':
            needed = _free(line) - done
            namespace.update({n: namespace[name].__globals__[n] for n in needed if n in namespace[name].__globals__})
            pending += sorted(needed)
        if kind == 'value' and 'numpy.' in line and 'import numpy' not in imports:
            imports.append('import numpy')
    head = f'"""The derivative {derivative.__name__}, written by tangent."""\n'
    parts = [head + '\n'.join(sorted(set(imports), key=_order))]
    parts += ['\n'.join(assignments)] if assignments else []
    return Readable('\n\n\n'.join([p.strip('\n') for p in parts + functions[::-1] + [text]]) + '\n')


def _order(line):
    return line.startswith('from'), line


def _reachable(function, found=None, seen=None):
    """Name -> object for all that the function and the functions emitted with it can read."""
    found = {} if found is None else found
    seen = set() if seen is None else seen
    seen.add(function)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name, cell in cells.items():
        value = getattr(cell.cell_contents, 'plain', cell.cell_contents)              # a twin that follows a rebound name
        if getattr(value, 'source', None) == function.source and value not in seen:
            _reachable(value, found, seen)
        found.setdefault(name, value)
    for name in _names(function.__code__):
        if name in function.__globals__:
            found.setdefault(name, function.__globals__[name])
    return found


def _names(code):
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _names(constant)
    return found


def _free(text):
    """Names that the functions of a text read and do not bind."""
    read, bound = set(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return {n for n in read if not hasattr(builtins, n)} | (read - bound)


def _written(name, value, module):
    """(kind, text) that gives the name its value in another module."""
    if isinstance(value, types.ModuleType):
        return 'import', f'import {value.__name__}' + ('' if name == value.__name__ else f' as {name}')
    home = getattr(value, '__module__', None)
    own = getattr(value, '__name__', None) or getattr(value, '__qualname__', None)
    public = name_of(value)
    if public:
        return 'import', f'from tangent.utils import {public}' + ('' if name == public else f' as {name}')
    if home and own and _importable(home, own, value):
        return 'import', f'from {home} import {own}' + ('' if name == own else f' as {name}')
    if isinstance(value, types.FunctionType) and (path := _of_class(value)):
        return 'value', f'from {home} import {path.partition(".")[0]}\n{name} = {path}'
    if isinstance(value, types.FunctionType):
        return 'function', textwrap.dedent(inspect.getsource(value))
    if isinstance(value, numpy.ndarray) and value.size <= LIMIT and value.dtype != object:
        return 'value', f'{name} = numpy.array({value.tolist()!r}, dtype={str(value.dtype)!r})'
    if isinstance(value, numpy.generic):
        return 'value', f'{name} = numpy.{type(value).__name__}({value.item()!r})'
    text = pprint.pformat(value)
    try:
        if ast.literal_eval(text) == value:
            return 'value', f'{name} = {text}'
    except (ValueError, SyntaxError):
        pass
    raise ArgumentError(f'{name} cannot be written out (it is a {type(value).__name__}): pass it to the function as an '
                        'argument, or define it in a module that can be imported')


def _of_class(function):
    """The path to the function of a method or a property in its module; None where it is no such."""
    found = module = sys.modules.get(function.__module__)
    first, *rest = function.__qualname__.split('.')
    if module is None or not rest or not _importable(function.__module__, first, getattr(module, first, None)):
        return None
    for name in (first, *rest):
        found = getattr(found, name, None)
    inner = getattr(found, 'fget', None)
    return function.__qualname__ if found is function else f'{function.__qualname__}.fget' if inner is function else None


def _importable(module, name, value):
    if module in ('__main__', 'builtins') or module not in sys.modules:
        return module == 'builtins' and False
    if getattr(sys.modules[module], name, None) is not value:
        return False
    try:
        return importlib.util.find_spec(module) is not None
    except (ValueError, ImportError):
        return False
