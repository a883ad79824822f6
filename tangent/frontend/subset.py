"""What Python is accepted: a table of what is not, one row for each construct, and the error that shows the line.

Some constructs no room can handle wherever they stand; :func:`check` looks for them in the whole function. Others are
refused only in a statement that has to be differentiated (:func:`refuse_active`): everything else passes through
untouched, whatever Python it uses.
"""
import builtins
import importlib
import linecache
import sys
import types
import warnings
from collections.abc import Callable
from typing import NamedTuple

import gast
import numpy as np

from tangent.errors import LIBRARIES, PLACES, ReverseNotImplementedError, TangentParseError, file_name
from tangent.frontend.tree import TRIES, arguments, children, dotted, is_starred, walk

MISSING = object()
WRITING = 'update', 'setdefault', 'pop', '__setitem__'


class Row(NamedTuple):
    """One refused construct.

    kinds : node classes
    what : its name in the plural, as people call it
    instead : what to write in its place
    when : (node, source) -> whether this node is meant, for classes that are accepted otherwise
    """
    kinds: tuple
    what: str
    instead: str
    when: Callable = lambda node, source: True


def value_of(node, source):
    """What a name, or a dotted name of a module's, denotes in the function's namespace now, or MISSING."""
    name = dotted(node)
    if name is None:
        return MISSING
    first, *rest = name.split('.')
    code = source.function.__code__
    if first in code.co_varnames or first in code.co_cellvars:
        return MISSING
    if first in code.co_freevars:
        value = _content(source.closure[first])
    else:
        value = source.globals.get(first, getattr(builtins, first, MISSING))
    for attribute in rest:
        value = getattr(value, attribute, MISSING) if isinstance(value, types.ModuleType) else MISSING
    return value


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:    # not assigned yet
        return MISSING


def is_insertion(node, source):
    """Whether a `with` statement is `with insert_grad_of(name) as name:`."""
    if len(node.items) != 1 or not _is_insert_call(node.items[0].context_expr, source):
        return False
    call, target = node.items[0].context_expr, node.items[0].optional_vars
    return (len(call.args) == 1 and not call.keywords and isinstance(call.args[0], gast.Name)
            and isinstance(target, gast.Name))


def inserts(node):
    """Whether a statement, of those that are accepted, is `with insert_grad_of(x) as dx:`; other contexts have no name."""
    return isinstance(node, gast.With) and node.items[0].optional_vars is not None


def is_quiet(node, source):
    """Whether a `with` statement says how NumPy and Python report what they meet in it, or where CuPy computes, by literals and
    by what is outside: its adjoint says so, too."""
    return all(i.optional_vars is None and (
        isinstance(i.context_expr, gast.Call) and all(isinstance(a, gast.Constant) for a in arguments(i.context_expr))
        and (value_of(i.context_expr.func, source) in QUIET or is_place(value_of(i.context_expr.func, source)))
        or is_place(type(value_of(i.context_expr, source)))) for i in node.items)


class Region(str):
    """What stands in the header of a `with` statement of ours, see `normal.regions.marks`; both parts have one `number`."""
    number: int

    @classmethod
    def of(cls, text, number):
        new = cls(text)
        new.number = number
        return new


def region(node):
    """The Region that a statement is, or None."""
    if not isinstance(node, gast.With) or not isinstance(node.items[0].context_expr, gast.Constant):
        return None
    mark = node.items[0].context_expr.value
    return mark if isinstance(mark, Region) else None


def is_place(kind):
    """Whether a class is of devices or streams of CuPy's."""
    return isinstance(kind, type) and kind.__name__ in ('Device', *STREAMS) and kind.__module__.startswith('cupy')


QUIET = np.errstate, np.printoptions, warnings.catch_warnings
STREAMS = 'Stream', 'ExternalStream'


def _is_insert_call(expr, source):
    if not isinstance(expr, gast.Call):
        return False
    name = (dotted(expr.func) or '').rpartition('.')[2]
    return 'insert_grad_of' in (name, getattr(value_of(expr.func, source), '__name__', ''))


def _malformed_insertion(node, source):
    return not is_insertion(node, source) and any(_is_insert_call(i.context_expr, source) for i in node.items)


def _inserted_elsewhere(node, source):
    if not is_insertion(node, source):
        return False
    name = node.items[0].context_expr.args[0].id
    return name not in _bound(source, (gast.Store, gast.Param))


def _calls(*names, bare=()):
    """Calls of builtins by name; those in `bare` only when called without arguments."""
    wanted = [getattr(builtins, name) for name in names + tuple(bare)]

    def when(node, source):
        value = value_of(node.func, source)
        if not any(value is one for one in wanted):
            return False
        return value.__name__ not in bare or not (node.args or node.keywords)
    return when


def is_module(expr, resolver):
    """Whether an expression looks up a module where Python keeps them, or by its name: `sys.modules[__name__]`."""
    if isinstance(expr, gast.Subscript):
        return resolver(expr.value) is sys.modules
    if not isinstance(expr, gast.Call):
        return False
    found = resolver(expr.func)
    if found is vars and expr.args:
        return is_module(expr.args[0], resolver)
    of_modules = isinstance(expr.func, gast.Attribute) and resolver(expr.func.value) is sys.modules
    return found is importlib.import_module or found is __import__ or of_modules


def _written_module(node, source):
    """Whether an expression looks up a module into which the function writes, also by a name: `sys.modules[name].x = v`."""
    def reaches(expr, names=()):
        while isinstance(expr, (gast.Attribute, gast.Subscript)) and expr is not node:
            expr = expr.value
        called = isinstance(expr, gast.Call) and expr is not node and value_of(expr.func, source) is vars and expr.args
        return reaches(expr.args[0], names) if called else expr is node or getattr(expr, 'id', None) in names
    if not is_module(node, lambda expr: value_of(expr, source)):
        return False
    nodes = list(walk(source.tree))
    names = {getattr(t, 'id', '') for s in nodes if isinstance(s, gast.Assign) and reaches(s.value) for t in s.targets}
    return any(reaches(owner, names) for n in nodes if (owner := _written(n, source)) is not None)


def _written(node, source):
    """What a node writes into: the owner of an attribute or element that it sets; None if it is no such node."""
    if isinstance(node, gast.Call):
        if value_of(node.func, source) is setattr and node.args:
            return node.args[0]
        return node.func.value if isinstance(node.func, gast.Attribute) and node.func.attr in WRITING else None
    return node.value if isinstance(node, (gast.Attribute, gast.Subscript)) and isinstance(node.ctx, gast.Store) else None


def _binds_globals(node, source):
    """Whether it is `globals()[name] = v`, or a method that does so."""
    owner = _written(node, source)
    return isinstance(owner, gast.Call) and value_of(owner.func, source) is globals


def _has_star(node, source):
    return is_starred(node)


def _bound(source, contexts=gast.Store):
    """Names that the function assigns anywhere."""
    return {n.id for n in walk(source.tree) if isinstance(n, gast.Name) and isinstance(n.ctx, contexts)}


SUPER = Row((gast.Call,), 'calls of super without arguments', 'name the class: Base.method(self, ...)',
            _calls(bare=('super',)))

INSERTIONS = (                          # in every form of a derivative
    Row((gast.With,), 'insert_grad_of blocks of another form',
        'write with insert_grad_of(x) as dx: for one variable x', _malformed_insertion),
    Row((gast.With,), 'insert_grad_of blocks for what is no variable of the function',
        'name one that the function assigns, or a parameter', _inserted_elsewhere),
)

ALWAYS = (
    Row((gast.AsyncFunctionDef, gast.AsyncFor, gast.AsyncWith, gast.Await), 'async functions and await',
        'write a plain function'),
    Row((gast.Yield, gast.YieldFrom), 'generators (yield)', 'return the values together'),
    Row((gast.FunctionDef,), 'functions defined inside the function',
        'define it at the top level and pass it what it needs as arguments'),
    Row((gast.ClassDef,), 'classes defined inside the function', 'define the class at the top level'),
    Row(TRIES, 'try statements',
        'test for the case with if, or put the try into the caller'),
    *INSERTIONS,
    Row((gast.With,), 'with statements other than insert_grad_of(...) and numpy.errstate(...)',
        'enter the context in the caller', lambda node, source: not is_insertion(node, source) and not is_quiet(node, source)
        and region(node) is None),
    Row((gast.Delete,), 'del statements of elements and attributes', 'leave it out, or build a new list or dict without it',
        lambda node, source: not all(isinstance(t, gast.Name) for t in node.targets)),
    Row((gast.Global,), 'global declarations of names that the function assigns',
        'return the value and assign it in the caller', lambda node, source: not set(node.names).isdisjoint(_bound(source))),
    Row((gast.Nonlocal,), 'nonlocal declarations', 'return the value and assign it in the caller'),
    Row((gast.Subscript, gast.Call), 'variables that are bound by globals()', 'declare them: global name',
        _binds_globals),
    Row((gast.Subscript, gast.Call), 'writes into modules that are looked up by their names',
        'declare the variables: global name', _written_module),
    Row((gast.Call,), 'eval, exec and locals', 'write out the code that they stand for',
        _calls('eval', 'exec', 'locals', bare=('vars', 'dir'))),
    Row((gast.Call,), 'views made by numpy.ndarray(buffer=...)', 'take a slice of the array, or reshape it',
        lambda node, source: getattr(value_of(node.func, source), '__name__', '') == 'ndarray'
        and (len(node.args) > 2 or any(k.arg == 'buffer' for k in node.keywords))),
    SUPER,
)

SENT = Row((gast.Yield,), 'values sent into a generator', 'pass them as arguments',
           lambda node, source: not any(isinstance(s, gast.Expr) and s.value is node for s in walk(source.tree)))

WHEN_ACTIVE = (
    Row((gast.GeneratorExp,), 'generator expressions that are kept, or given to functions of your own',
        'make it a list: [...]'),
    Row((gast.SetComp, gast.Set), 'sets', 'use a list or a tuple'),
    Row((gast.Lambda,), 'lambdas inside the function', 'define the function at the top level'),
    Row((gast.Call,), 'calls with *args or **kwargs', 'write out the arguments', _has_star),
    Row((gast.Starred,), 'starred expressions', 'write out the elements, or use a slice'),
    Row((gast.Attribute,), 'assignments to attributes', 'use a local variable and return it',
        lambda node, source: isinstance(node.ctx, gast.Store)),
)

LOGGED = (*TRIES, gast.With, gast.For, gast.While, gast.Yield, gast.Nonlocal, gast.FunctionDef, gast.Delete, gast.Global,
          gast.Lambda)
"""Constructs that the log form takes wherever they stand."""


FORWARD = (*TRIES, gast.With, gast.For, gast.While, gast.Delete, gast.Yield, gast.Global)
"""Constructs that forward mode takes wherever they stand."""


def check(source, logged=False, forward=False):
    """Refuse what no room can handle, wherever it stands in the function.

    Parameters
    ----------
    source : Source
    logged : bool
        Whether the function is to have the log form.
    forward : bool
        Whether it is to be differentiated in forward mode.

    Raises
    ------
    TangentParseError
        At the first such place in the order of the text.
    """
    tree = source.tree
    inside = [tree] if isinstance(tree, gast.AsyncFunctionDef) else []
    inside += [tree.args] + [node for stmt in tree.body for node in _walk(stmt)]
    taken = set(LOGGED if logged else FORWARD if forward else ())
    rows = [row for row in ALWAYS
            if row in INSERTIONS or not set(row.kinds) & taken and not ((logged or forward) and row is SUPER)]
    rows += [SENT] * forward
    _refuse(rows, inside, source)


def refuse_active(node, source):
    """Refuse what cannot stand in a statement or expression that has to be differentiated."""
    _refuse(WHEN_ACTIVE, gast.walk(node), source)


def handler(room, node, source):
    """The method of a room for an expression through which a derivative flows."""
    found = getattr(room, 'of_' + type(node).__name__, None)
    if found is None:
        refuse_active(node, source)
        raise unsupported(node, source, f'{type(node).__name__} expressions through which a derivative flows',
                          'split the expression into assignments')
    return found


def refuse_passive(node, flows, source):
    """Refuse an element of what has no derivative, and whose index has one."""
    if not flows(node.value):
        raise unsupported(node, source, 'np.mgrid, np.ogrid and their like around values with a derivative',
                          'use numpy.linspace or numpy.meshgrid')


def unsupported(node, source, what, instead, undecided=False):
    """The error for a place in the user's code.

    Parameters
    ----------
    node : gast.AST
        The place; a node made by the library shows the line of its origin.
    source : Source
    what : str
        What is not supported, in the plural.
    instead : str
        What to write in its place.
    undecided : bool
        Whether it may be right for some types of the variables, which are not known here.
    """
    filename, line, (lineno, column, end_lineno, end_column) = _shown_place(node, source)
    message = locate(node, source, f'{what} are not supported in differentiated code: {instead}')
    error = TangentParseError(message, (filename, lineno, column + 1, line + '\n', end_lineno, end_column + 1))
    error.undecided = undecided
    return error


def locate(node, source, message):
    """The message with file and line in front, and the line with a caret under the place below.

    A line of a library's comes last: in front there will be the user's, who calls it.
    """
    filename, line, (lineno, column, *_) = _shown_place(node, source)
    if filename is None:
        return message
    if filename.startswith(LIBRARIES):
        return f'{message} ({file_name(filename)}:{lineno}: {line.strip()})'
    return f'{file_name(filename)}:{lineno}: {message}\n{_pointer(line, column)}'


def at_line(node, source, do):
    """What `do` gives; a rule that refuses something does so with the line."""
    try:
        return do()
    except ReverseNotImplementedError as error:
        raise ReverseNotImplementedError(locate(node, source, error.bare)) from None


def _walk(node):
    """Nodes in the order of the text; what a nested definition holds is its own affair."""
    yield node
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        return
    for child in children(node):
        yield from _walk(child)


def _refuse(rows, nodes, source):
    by_kind = {}
    for row in rows:
        for kind in row.kinds:
            by_kind.setdefault(kind, []).append(row)
    for node in nodes:
        for row in by_kind.get(type(node), ()):
            if row.when(node, source):
                raise unsupported(_shown(node), source, row.what, row.instead)


def _shown(node):
    """The node under which the caret goes: a parameter list has no place of its own."""
    if isinstance(node, gast.arguments):
        return node.vararg or node.kwarg
    return node


def _place(node, source):
    """Line and column of a node, and of its end; columns count characters, from 0."""
    origin = getattr(node, 'origin', None)
    lineno = getattr(node, 'lineno', 0) or (origin.line if origin else 0) or source.tree.lineno
    line = source.line(lineno)
    indent = len(line) - len(line.lstrip())
    if getattr(node, 'col_offset', None) is None or getattr(node, 'end_lineno', None) is None:
        return lineno, indent, lineno, len(line)
    column = len(line.encode()[:node.col_offset].decode(errors='replace'))
    end = len(source.line(node.end_lineno).encode()[:node.end_col_offset].decode(errors='replace'))
    return lineno, column, node.end_lineno, end


def _shown_place(node, source):
    """(file, line of text, place in it) of a node: of emitted text, of the user's line that it stands for, if there is one."""
    place = _place(node, source)
    if source.filename not in PLACES:
        return source.filename, source.line(place[0]), place
    if place[0] not in PLACES[source.filename]:
        return None, '', place
    file, lineno, *_ = PLACES[source.filename][place[0]]
    line = linecache.getline(file, lineno).rstrip('\n')
    return file, line, (lineno, len(line) - len(line.lstrip()), lineno, len(line))


def _pointer(line, column):
    """The line, and a caret under the column."""
    margin = ''.join(c if c == '\t' else ' ' for c in line[:column])
    stripped = line.lstrip()
    cut = min(len(line) - len(stripped), column)
    return f'    {stripped}\n    {margin[cut:]}^'
