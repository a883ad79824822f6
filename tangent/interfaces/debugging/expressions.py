"""Which part of a line it was: its expressions are evaluated once more, those inside first, where that has no effect."""
import ast
import types
from typing import NamedTuple

from tangent.errors import PLACES
from tangent.interfaces.debugging.statements import header, names

PLAIN = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Tuple, ast.List, ast.Subscript, ast.Slice,
         ast.Attribute, ast.Call, ast.keyword, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context)
OPERATIONS = ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript
WRITING = {'push', 'pop', 'push_stack', 'pop_stack', 'keep', 'enter', 'leave', 'told'}


class Part(NamedTuple):
    """An operation inside of a line.

    made : (its text, its value)
    reads : names in it
    place : the Place that it stands for, where that is another one than that of the line; else None
    """
    made: tuple
    reads: frozenset
    place: object


def culprit(frame, line, bad):
    """The first operation of a line whose value is bad while its operands are not; None where it cannot be told.

    bad : what a value holds that is looked for, '' for nothing
    """
    space = {**frame.f_globals, **frame.f_locals, **line.reads}
    for path in inside_first(header(line.statement.node)):
        node = path[-1]
        if not isinstance(node, OPERATIONS) or not is_pure(node, space):
            continue
        value, operands = computed(node, space), [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
        if bad(value) and not any(bad(computed(n, space)) for n in operands):
            return Part((ast.unparse(node), value), frozenset(names(node, ast.Load)), place_of(path, frame, line.number))
    return None


def inside_first(nodes, path=()):
    """Paths to all nodes, those of what is evaluated first in front."""
    for node in nodes:
        here = (*path, node)
        yield from inside_first(ast.iter_child_nodes(node), here)
        yield here


def computed(node, space):
    try:
        return eval(compile(ast.Expression(node), '<part of a line>', 'eval'), space)
    except Exception:                       # what this line has used up cannot be read again
        return None


def is_pure(node, space):
    """Whether an expression may be evaluated once more: it calls NumPy and what helps derivatives, nothing of the user's."""
    inner = list(ast.walk(node))
    return all(isinstance(n, PLAIN) for n in inner) and all(calls_pure(n.func, space) for n in inner if isinstance(n, ast.Call))


def calls_pure(func, space):
    if isinstance(func, ast.Attribute):
        base = func
        while isinstance(base, ast.Attribute):
            base = base.value
        owner = space.get(base.id) if isinstance(base, ast.Name) else None
        return isinstance(owner, types.ModuleType) and owner.__name__.partition('.')[0] in ('numpy', 'scipy', 'math', 'cmath') \
            and 'random' not in ast.unparse(func)
    called = space.get(func.id) if isinstance(func, ast.Name) else None
    module = getattr(called, '__module__', None) or ''
    return module.startswith(('tangent.runtime', 'numpy', 'math')) and func.id not in WRITING


def place_of(path, frame, number):
    """The Place that an expression of emitted text stands for, where its line stands for several."""
    place = PLACES.get(frame.f_code.co_filename, {}).get(number)
    if place is None or place.folded is None:
        return None
    return place._replace(line=place.folded.line_of(path[::-1]), folded=None)
