"""What a statement does to names, read off its text once and remembered for as long as the statement lives.

A statement is looked at without its blocks, as in :mod:`tangent.tree`; a nested function or class is looked at whole,
because what it reads it reads whenever it is called.
"""
from typing import NamedTuple

import gast

from tangent.frontend import tree

NESTED = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
OPAQUE = NESTED + (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await, gast.ListComp, gast.SetComp, gast.DictComp,
                   gast.GeneratorExp, gast.JoinedStr)
CONDITIONAL = (gast.BoolOp, gast.IfExp, gast.Dict)
COMPOUND = (gast.If, gast.For, gast.While, gast.With, *tree.TRIES, gast.ExceptHandler, gast.AsyncFor, gast.AsyncWith)
BLOCKS = frozenset(('body', 'handlers', 'orelse', 'finalbody'))


class Look(NamedTuple):
    """loads : names read, as often as they are read, in the order of the text; writes : names bound
    mutated : names of the objects changed in place; calls : the calls in it, inner ones first
    opaque : it holds something whose evaluation is not one plain walk over its parts
    conditional : parts of it may not be evaluated, or in another order; captured : names that a nested function reads
    attributes : it reads an attribute that is not the name of a called function
    """
    loads: tuple
    writes: frozenset
    mutated: frozenset
    calls: tuple
    opaque: bool
    conditional: bool
    captured: frozenset
    attributes: bool


CLASSES = 'type()'          # stands for the classes of all things, as a name of something outside
_seen: dict = {}
MANY = 200_000


def look(node):
    """The :class:`Look` of a statement (without its blocks) or of an expression."""
    found = _seen.get(node)
    if found is None:
        if len(_seen) > MANY:
            _seen.clear()
        found = _seen[node] = _look(node)
    return found


def forget():
    """Let go of the statements looked at."""
    _seen.clear()


def _look(node):
    scan = _Scan()
    if isinstance(node, NESTED):
        scan.nested(node)
    else:
        skip = BLOCKS if isinstance(node, gast.stmt) or isinstance(node, gast.ExceptHandler) else ()
        scan.fields(node, skip) if skip else scan.visit(node)
    mutated = set()
    if isinstance(node, gast.AugAssign):
        if isinstance(node.target, gast.Name):
            scan.loads.append(node.target.id)
        mutated.update(changed_at(node.target))
    elif isinstance(node, (gast.Assign, gast.Delete)):
        places = [t for top in node.targets for t in flat(top) if not isinstance(t, gast.Name)]
        mutated.update(name for t in places for name in changed_at(t))
    elif isinstance(node, (gast.Import, gast.ImportFrom)):
        scan.writes.update((alias.asname or alias.name).split('.')[0] for alias in node.names)
    elif isinstance(node, gast.ExceptHandler) and isinstance(node.name, str):
        scan.writes.add(node.name)
    elif isinstance(node, (gast.Global, gast.Nonlocal)):
        scan.captured.update(node.names)
    return Look(tuple(scan.loads), frozenset(scan.writes), frozenset(mutated - {None}), tuple(scan.calls), scan.opaque,
                scan.conditional, frozenset(scan.captured), scan.attributes)


def changed_at(target):
    """Names of the objects that are changed where something is stored; see `CLASSES`."""
    root = tree.root_name(target)
    of_class = any(map(is_class_of, tree.walk(target)))
    found = [n.id for n in tree.walk(target) if isinstance(n, gast.Name)] if root is None else [root]
    return [*found, CLASSES] if of_class else found


def is_class_of(expr):
    """Whether it is the class of something."""
    return tree.is_call(expr, 'type') and len(expr.args) == 1 or isinstance(expr, gast.Attribute) and expr.attr == '__class__'


def flat(target):
    """The single targets in a target, which may be a tuple of tuples."""
    if isinstance(target, (gast.Tuple, gast.List)):
        return [t for item in target.elts for t in flat(item)]
    return flat(target.value) if isinstance(target, gast.Starred) else [target]


class _Scan:
    def __init__(self):
        self.loads, self.writes, self.calls, self.captured = [], set(), [], set()
        self.opaque = self.conditional = self.attributes = False

    def fields(self, node, skip=()):
        for field in node._fields:
            value = getattr(node, field, None)
            if field in skip and isinstance(value, list):
                continue
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, gast.AST):
                    self.visit(item)

    def visit(self, node):
        kind = type(node)
        if kind is gast.Name:
            self.loads.append(node.id) if type(node.ctx) is gast.Load else self.writes.add(node.id)
        elif kind is gast.BinOp:
            self.visit(node.left)
            self.visit(node.right)
        elif kind is gast.Constant:
            pass
        elif isinstance(node, gast.Call):
            self.callee(node.func)
            for item in node.args + node.keywords:
                self.visit(item)
            self.calls.append(node)
        elif isinstance(node, NESTED):
            self.nested(node)
        elif not isinstance(node, (gast.Constant, gast.expr_context)):
            self.opaque |= isinstance(node, OPAQUE)
            self.conditional |= isinstance(node, CONDITIONAL) or isinstance(node, gast.Compare) and len(node.ops) > 1
            self.attributes |= isinstance(node, gast.Attribute)
            self.fields(node)

    def callee(self, func):
        while isinstance(func, gast.Attribute):
            func = func.value
        self.visit(func)

    def nested(self, node):
        self.opaque = True
        inside = [n.id for n in tree.walk(node) if isinstance(n, gast.Name)]
        self.loads += inside
        self.captured.update(inside)
        if not isinstance(node, gast.Lambda):
            self.writes.add(node.name)
