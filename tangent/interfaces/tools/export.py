"""A derivative as a module of its own: the emitted text, with imports and definitions for all it uses.

What the text reads of the user's namespace is written out too: modules and importable functions as imports, numbers,
strings, small arrays and objects as values, functions and classes of a script as their source.
"""
import ast
import builtins
import dis
import functools
import importlib.util
import re
import sys
import types

from tangent.driver.variants import specialised
from tangent.emit.module_cache import global_names
from tangent.errors import ArgumentError
from tangent.interfaces.arguments import asks
from tangent.interfaces.texts import Readable, text_of
from tangent.interfaces.tools import standalone as plain
from tangent.interfaces.tools.exported import Exported, importable, read_names, renamed


@asks
def export_source(derivative, *args, standalone=False):
    """The text of a module that runs on its own and defines the derivative.

    Parameters
    ----------
    derivative : function
        What `tangent.grad` and its like, `tangent.jacobian`, `tangent.hessian` or `tangent.hvp` returned.
    *args
        Arguments: the text for the likes of these, which takes no others. Without, the text that takes any.
    standalone : bool
        Whether the module is to need nothing but NumPy, and SciPy where the function uses that: the functions of this library
        that the text calls are written into it, for numbers, arrays, lists, tuples and dicts of these.

    Returns
    -------
    str

    Raises
    ------
    ArgumentTypeError
        If it is no derivative of ours.
    ArgumentError
        If it reads an object of the user's that cannot be written as text; with `standalone` also if it calls what cannot do
        without this library.

    Examples
    --------
    >>> def f(x):
    ...     return numpy.tanh(x)
    >>> for line in tangent.export_source(tangent.grad(f)).splitlines()[1:3]:
    ...     print(line)
    import numpy
    from tangent.utils import check_dims
    """
    derivative, ending = (derivative.func if isinstance(derivative, functools.partial) else derivative), ''
    title = getattr(derivative, '__name__', '')
    if hasattr(derivative, 'as_text'):                    # a Jacobian and its like: a function around a derivative
        derivative, ending = derivative.as_text()
    derivative = getattr(derivative, 'py_func', derivative)
    text = text_of(derivative, args, alone=True)
    derivative = specialised(derivative, args, alone=True)
    derivative = getattr(derivative, '__func__', derivative)
    module = Exported(sys.modules.get(derivative.__module__), plain.FUNCTIONS if standalone else None)
    functions = {}
    emitted(derivative, functions)
    chunks = ast.parse(text).body
    starts = [node.lineno - 1 for node in chunks] + [len(text.splitlines())]
    lines = text.splitlines(True)
    for name, function in functions.items():
        module.names[name] = function
    names = {node.name: names_of(functions[node.name], node) for node in chunks if node.name in functions}
    mappings = all_resolved(module, names, functions)
    if ending:
        module.imports.add('import numpy')
    module.finish()
    written = [with_defaults(module, ''.join(lines[first:last]), functions.get(node.name), mappings.get(node.name))
               for node, first, last in zip(chunks, starts, starts[1:])]
    module.finish()
    lead = ''.join(lines[:starts[0]])
    return joined(title or derivative.__name__, module, lead + ''.join(written) + ending)


def joined(title, module, text):
    """The whole module."""
    head = f'"""The derivative {title}, written by tangent."""\n'
    parts = [head + '\n'.join(sorted(module.imports, key=lambda line: (line.startswith('from'), line)))]
    parts += module.parts
    return Readable('\n\n\n'.join([p.strip('\n') for p in [*lines_together(parts), text]]) + '\n')


def lines_together(parts):
    """The parts, with those of one line that follow each other as one."""
    found = [parts[0]]
    for before, part in zip(parts, parts[1:]):
        if len(found) > 1 and '\n' not in part.strip('\n') and '\n' not in before.strip('\n'):
            found[-1] = found[-1].rstrip('\n') + '\n' + part
        else:
            found.append(part)
    return found


def emitted(function, found):
    """Name -> function of those that stand in one text with a derivative."""
    found[function.__name__] = function
    for cell in function.__closure__ or ():
        value = getattr(cell.cell_contents, 'plain', cell.cell_contents)              # a twin that follows a rebound name
        if getattr(value, 'source', None) == function.source and value.__name__ not in found:
            emitted(value, found)


def names_of(function, node):
    """Name -> object for all that an emitted function reads of what stands outside."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    found = {}
    for name in sorted({*read_names(ast.unparse(node)), *bound_by(function.__code__)}):
        if name in cells:
            found[name] = getattr(cells[name].cell_contents, 'plain', cells[name].cell_contents)
        elif name in function.__globals__ and name not in function.__code__.co_varnames:
            found[name] = function.__globals__[name]
    return found


def resolved(module, found, functions):
    """Give names to these objects; the mapping of those that need another than they have."""
    mapping = {}
    for name, thing in found.items():
        if functions.get(getattr(thing, '__name__', None)) is thing:
            continue
        thing = module.replaced(thing)
        if getattr(builtins, name, None) is thing:
            continue
        if name not in module.names and id(thing) not in module.objects:
            module.reserve(name, thing)
            module.pending[name] = thing
        elif module.names.get(name) is not thing:
            mapping[name] = module.name(thing, name, later=True)
    return mapping


def all_resolved(module, names, functions):
    """Name of an emitted function -> the mapping of what it reads that needs another name."""
    theirs = shared(functions, names)
    module.imports.update('import ' + path.rpartition('.')[0] for found in theirs.values() for path in found.values())
    return {name: {**resolved(module, {n: v for n, v in found.items() if n not in theirs[name]}, functions), **theirs[name]}
            for name, found in names.items()}


def shared(functions, names):
    """Name of an emitted function -> {name: what to write for it}, for variables of the user's module that functions which are
    imported from there read or bind, too: they are the module's own, and no copies.

    names : name of an emitted function -> name -> object that it reads

    Raises
    ------
    ArgumentError
        If the text of the derivative binds one anew.
    """
    mappings: dict = {}
    for own, found in names.items():
        space, mappings[own] = functions[own].__globals__, {}
        home = space.get('__name__')
        if vars(sys.modules.get(home, types.ModuleType(''))) is not space or not importable(home, '__name__', home):
            continue
        callees = reached([f for each in names.values() for f in each.values()], space)
        read = {n for f in callees for n in global_names(f.__code__)}
        bound = {n for f in callees for n in bound_by(f.__code__)}
        written = {n for f in functions.values() for n in bound_by(f.__code__)}
        for name in read & found.keys() & space.keys():
            value = found[name]
            fixed = isinstance(value, (int, float, complex, str, bytes, tuple, type(None))) and name not in bound | written
            if value is not space[name] or fixed or isinstance(value, (types.FunctionType, types.ModuleType, type)):
                continue
            if name in written:
                raise ArgumentError(f'{name} cannot be written out: the function binds it anew in {home}, where others read '
                                    'it; pass it to the function as an argument')
            mappings[own][name] = f'{home}.{name}'
    return mappings


def reached(things, space):
    """The functions of a module among these, and those of the module that they call."""
    found = [f for f in things if isinstance(f, types.FunctionType) and f.__globals__ is space and not hasattr(f, 'source')]
    for f in found:
        found += [g for n in global_names(f.__code__) if isinstance(g := space.get(n), types.FunctionType)
                  and g.__globals__ is space and g not in found]
    return found


def bound_by(code):
    """Names of the module that a function binds anew, and those inside it."""
    own = {i.argval for i in dis.get_instructions(code) if i.opname in ('STORE_GLOBAL', 'DELETE_GLOBAL')}
    return own.union(*(bound_by(c) for c in code.co_consts if isinstance(c, types.CodeType)))


def with_defaults(module, text, function, mapping):
    """The text of one function, renamed, and with its defaults as values where they are more than a constant."""
    text = renamed(text, mapping or {})
    if function is not None and (package := function.__globals__.get('__package__')):       # `from .tools import f` inside it
        text = re.sub(r'^( +from )(\.+[\w.]*)( import )', lambda m: f'{m[1]}{importlib.util.resolve_name(m[2], package)}{m[3]}',
                      text, flags=re.MULTILINE)
    if function is None or not (function.__defaults__ or function.__kwdefaults__):
        return text
    args = ast.parse(text).body[0].args
    pairs = list(zip(args.defaults[::-1], (function.__defaults__ or ())[::-1]))
    pairs += [(node, function.__kwdefaults__[a.arg]) for a, node in zip(args.kwonlyargs, args.kw_defaults)
              if node is not None and a.arg in (function.__kwdefaults__ or {})]
    lines = text.splitlines(True)
    for node, value in sorted(pairs, key=lambda pair: pair[0].col_offset, reverse=True):
        if not isinstance(node, ast.Constant) and node.lineno == node.end_lineno:
            line = lines[node.lineno - 1].encode()
            new = module.expression(value, 'default').encode()
            lines[node.lineno - 1] = (line[:node.col_offset] + new + line[node.end_col_offset:]).decode()
    return ''.join(lines)
