"""Where comments and blank lines go: the user's own comments, `# Grad of: ...`, and paragraphs."""
import bisect
import re

import gast

from tangent.frontend.tree import TRIES, blocks, origin

DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
COMPOUND = DEFINITIONS + (gast.If, gast.For, gast.AsyncFor, gast.While, gast.With, gast.AsyncWith, *TRIES,
                          gast.Match)

_HEADER = re.compile(r'(if|elif|for|while|with|try)\b')


def is_compound(stmt):
    return isinstance(stmt, COMPOUND)


def has_elif(stmt):
    return isinstance(stmt, gast.If) and len(stmt.orelse) == 1 and isinstance(stmt.orelse[0], gast.If)


def is_docstring(stmt):
    return (isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Constant)
            and isinstance(stmt.value.value, str))


def attach(function, comments, starts):
    """The user's comments by statement: {id: own-line comments above it}, {id: comments behind it}."""
    above, behind = {}, {}
    if not comments:
        return above, behind
    placed = list(_primal(function.body))
    covering, first = _covering(placed), {}
    for stmt, _ in placed:
        first.setdefault(origin(stmt).line, stmt)
    lines = sorted(starts if starts is not None else first)
    for line, (text, own_line) in sorted(comments.items()):
        if line <= (getattr(function, 'lineno', None) or 0):
            continue
        stmt = covering.get(line)
        if stmt is None and own_line:
            following = bisect.bisect(lines, line)
            stmt = first.get(lines[following]) if following < len(lines) else None
        if stmt is not None:
            (above if own_line else behind).setdefault(id(stmt), []).append(text)
    return above, behind


def _primal(block):
    """(statement, its block) for the user's own statements, in the order in which they are printed."""
    for stmt in block:
        where = origin(stmt)
        if where is not None and where.role == 'primal' and where.line and not isinstance(stmt, gast.ExceptHandler):
            yield stmt, block
        for _, inner in blocks(stmt):
            yield from _primal(inner)


def _covering(placed):
    """Line -> the statement that stands on it: of several made from one line the last in a row, of copies the first."""
    found = {}
    for i, (stmt, block) in enumerate(placed):
        start = origin(stmt).line
        header = is_compound(stmt) or _HEADER.match(origin(stmt).text)     # its location spans the blocks as well
        end = start if header else max(start, getattr(stmt, 'end_lineno', None) or 0)
        for line in range(start, end + 1):
            _, last, last_block = found.get(line, (None, i - 1, block))
            if last == i - 1 and last_block is block:
                found[line] = stmt, i, block
    return {line: stmt for line, (stmt, _, _) in found.items()}


def group_of(stmt):
    """What one comment `# Grad of: ...` covers, also in the blocks of a reversed loop or branch."""
    where = origin(stmt)
    return (where.line, where.text) if where is not None and where.role == 'adjoint' else None


def title(stmts, i, group):
    """The comment that opens a group of statements made from one line of the user's, and the group we are in."""
    where = origin(stmts[i])
    role = where.role if where else None
    if role == 'inserted':
        return (None if group == 'inserted' else '# Inserted code'), 'inserted'
    if role == 'primal':
        return None, None
    key = where and (where.line, where.text)
    if role == 'adjoint' or role == 'tape' and _leads_in(stmts, i, key):
        return (None if group == key or not where.text else _grad_of(where.text)), key
    return None, group


def _grad_of(text):
    return '# Grad of: ' + text.splitlines()[0]


def _leads_in(stmts, i, key):
    """Whether a value taken from the tape is taken for the adjoint statement that follows."""
    while i < len(stmts) and isinstance(stmts[i], gast.Assign):
        where = origin(stmts[i])
        if where is None or where.role not in ('tape', 'adjoint') or (where.line, where.text) != key:
            return False
        if where.role == 'adjoint':
            return True
        i += 1
    return i < len(stmts) and origin(stmts[i]) is not None and (
        origin(stmts[i]).role == 'adjoint' and tuple(origin(stmts[i])[1:3]) == key)


def paragraph(stmts):
    """Where the backward pass begins, if what stands before it is long enough for a paragraph of its own."""
    roles = [where.role if where else None for where in map(origin, stmts)]
    first = roles.index('adjoint') if 'adjoint' in roles else 0
    while first and roles[first - 1] == 'seed':
        first -= 1
    forward = stmts[is_docstring(stmts[0]):first]
    return first if len(forward) > 2 or any(map(is_compound, forward)) else None
