"""The statement that stands on a line of a text, emitted or the user's: what it reads, what it writes, in which loops it is."""
import ast
import functools
import linecache
from typing import NamedTuple

COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.Match)
BODIES = 'body', 'orelse', 'finalbody', 'handlers', 'cases'
CERTAIN = (ast.Name, ast.Constant, ast.Tuple, ast.Slice, ast.UnaryOp, ast.BinOp, ast.Attribute, ast.Subscript, ast.operator,
           ast.unaryop, ast.expr_context)          # what may be evaluated once more: it has no effect


class Statement(NamedTuple):
    """A statement, of a compound one its header.

    node : its tree
    reads : names that it reads
    writes : what it binds or writes into, as expressions that can be evaluated afterwards: 'y', 'x[i]', 'self.w'
    inside : those of them that it changes in place, so that what was there before is gone
    changed : the names of what it changes in place
    loops : the names that the loops around it bind
    empty : whether what it binds is not filled yet, as what `numpy.empty` gives
    """
    node: ast.AST
    reads: tuple
    writes: tuple
    inside: tuple
    changed: frozenset
    loops: tuple
    empty: bool


def statement_at(file, line):
    """The statement of a file that covers a line, or None."""
    lines = linecache.getlines(file)
    return of_text(''.join(lines)).get(line) if lines else None


def statement_of(frame):
    """The statement that a frame is at, or None; of a lambda the return of its value."""
    code = frame.f_code
    found = statement_at(code.co_filename, frame.f_lineno)
    if found is None or code.co_name != '<lambda>':
        return found
    bodies = [n.body for n in ast.walk(found.node) if isinstance(n, ast.Lambda) and is_of(code, n)]
    return described(ast.copy_location(ast.Return(bodies[0]), bodies[0]), ()) if len(bodies) == 1 else None


def is_of(code, node):
    """Whether code is that of a lambda; where several stand on a line, Python 3.11 and later know by the columns."""
    if tuple(a.arg for a in node.args.args) != code.co_varnames[:code.co_argcount]:
        return False
    places = [place for place in code.co_positions() if None not in place] if hasattr(code, 'co_positions') else []
    body = node.body
    around = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return all(around[0] <= (first, start) and (last, end) <= around[1] for first, last, start, end in places if start or end)


@functools.lru_cache(maxsize=256)
def of_text(text):
    """Line -> the Statement on it."""
    try:
        body = ast.parse(text).body
    except SyntaxError:                  # a notebook's cell with magic in it
        return {}
    found: dict = {}
    collect(body, (), found)
    return found


def collect(block, loops, found):
    for node in block:
        inner = loops
        if isinstance(node, (ast.For, ast.While)):
            inner = (*loops, *names(node.target, ast.Store)) if isinstance(node, ast.For) else loops
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = ()
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            last = node.end_lineno if not isinstance(node, (*COMPOUND, ast.ExceptHandler)) else node.lineno
            made = described(node, loops)
            found.update(dict.fromkeys(range(node.lineno, last + 1), made))
        for field in BODIES:
            collect(getattr(node, field, ()), inner, found)


def described(node, loops):
    parts = header(node)
    reads = tuple(dict.fromkeys(n for part in parts for n in names(part, ast.Load)))
    targets = [t for part in targets_of(node) for t in unpacked(part)]
    outs = [k.value for call in calls(parts) for k in call.keywords if k.arg == 'out']
    receivers = [node.value.func.value] if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) \
        and isinstance(node.value.func, ast.Attribute) else []
    bound = [n for part in parts for n in names(part, ast.Store)]
    writes = [t for t in [*targets, *outs, *receivers] if is_certain(t)]
    updates = isinstance(node, ast.AugAssign)
    inside = [t for t in writes if updates or not isinstance(t, ast.Name) or t in outs or t in receivers]
    if updates:
        reads = (*reads, *names(node.target, ast.Store))
    given = [*map(ast.unparse, writes), *bound]
    return Statement(node, tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(given)), tuple(map(ast.unparse, inside)),
                     frozenset(map(base_of, inside)), loops, is_empty(getattr(node, 'value', None)))


def header(node):
    """The expressions that a statement evaluates itself."""
    if not isinstance(node, (*COMPOUND, ast.ExceptHandler)):
        return [node]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return []
    fields = [getattr(node, name, None) for name in ('test', 'iter', 'subject', 'target')]
    items = [part for item in getattr(node, 'items', ()) for part in ast.iter_child_nodes(item)]
    return [f for f in fields if f is not None] + items


def targets_of(node):
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)) else []


def unpacked(target):
    if isinstance(target, (ast.Tuple, ast.List)):
        return [t for e in target.elts for t in unpacked(e)]
    return [target.value if isinstance(target, ast.Starred) else target]


def names(tree, context):
    return [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, context)]


def calls(parts):
    return [n for part in parts for n in ast.walk(part) if isinstance(n, ast.Call)]


def base_of(target):
    """The name of what a target is a part of."""
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Call)):
        target = target.func if isinstance(target, ast.Call) else target.value
    return target.id if isinstance(target, ast.Name) else ''


def is_certain(tree):
    return all(isinstance(n, CERTAIN) for n in ast.walk(tree))


def is_empty(value):
    return isinstance(value, ast.Call) and isinstance(value.func, (ast.Attribute, ast.Name)) \
        and (value.func.attr if isinstance(value.func, ast.Attribute) else value.func.id) in ('empty', 'empty_like')
