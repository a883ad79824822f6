"""Variables that functions inside a function bind anew: each is the one element of a list.

    def f(x):                                def f(x):
        total = 0.0                              total_cell = [0.0]
        def add(v):                   ->         def add(v):
            nonlocal total                           total_cell[0] = total_cell[0] + v
            total += v                           add(x)
        add(x)                                   return total_cell[0]
        return total

The list is captured like any other, and so is the list of its tangent, or of its gradient.
"""
import collections
import dataclasses

import gast

from tangent.errors import TangentParseError
from tangent.frontend import tree
from tangent.frontend.closures import lambda_lifting
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, free, own_names, parameters

BINDERS = (gast.With, gast.ExceptHandler, gast.Import, gast.ImportFrom, gast.NamedExpr, gast.Delete)
OPERATIONS = gast.BinOp, gast.UnaryOp, gast.Compare, gast.AugAssign, gast.If, gast.While
TRIES = 20


def converted(source, wrt, shared, effects, varied, forward=False):
    """As `lambda_lifting.converted`, with lists for what functions inside bind anew.

    forward : it is for forward mode, in which function values may write into what they captured, and what a list holds may be
        updated in place
    """
    for _ in range(TRIES):
        try:
            return lambda_lifting.converted(source, wrt, shared, effects, varied, may_write=forward)
        except TangentParseError as error:
            names = [n for n in getattr(error, 'cells', ()) if can_be_kept(source.tree, n)]
            if not names or not forward and not all(can_be_assigned(source.tree, n) for n in names):
                raise
            source = dataclasses.replace(source, tree=Cells(source.tree, names, not forward).rewritten())
    return lambda_lifting.converted(source, wrt, shared, effects, varied, may_write=forward)


def can_be_assigned(function, name):
    """Whether `name = name + v` does what `name += v` does: nothing else holds what the name does, or it holds a number."""
    nodes = [n for s in function.body for n in tree.walk(s)]
    updates = [n for n in nodes if isinstance(n, gast.AugAssign) and getattr(n.target, 'id', None) == name]
    bound = [n.value for n in updates] + [n.value for n in nodes if isinstance(n, gast.Assign) and tree.target(n) == name]
    if not updates or all(is_number(value, name) for value in bound):
        return True
    counts = collections.Counter(id(e) for n in nodes if isinstance(n, OPERATIONS) for e in tree.children(n))
    last = [n.value for n in function.body if isinstance(n, gast.Return)]
    alone = [n for n in nodes if getattr(n, 'id', None) == name and isinstance(n.ctx, gast.Load) and not counts[id(n)]]
    return all(any(n is e for e in last) for n in alone)


def is_number(expr, name):
    """Whether an expression is made of numbers that stand there, and of what has the name."""
    if isinstance(expr, (gast.BinOp, gast.UnaryOp)):
        return all(is_number(e, name) for e in tree.children(expr))
    return isinstance(expr, gast.Constant) and type(expr.value) in (int, float) or getattr(expr, 'id', None) == name


def can_be_kept(function, name):
    """Whether all that binds the name, here and in functions inside, are assignments and loops."""
    for node in tree.walk(function):
        if isinstance(node, BINDERS) and name in bound_by(node):
            return False
        if isinstance(node, DEFINITIONS) and node is not function and node.name == name:
            return False
    return True


def bound_by(node):
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        return {(a.asname or a.name).partition('.')[0] for a in node.names}
    if isinstance(node, gast.ExceptHandler):
        return set(tree.names(node.name, gast.Store)) if isinstance(node.name, gast.AST) else {node.name}
    if isinstance(node, gast.With):
        return {n for i in node.items if i.optional_vars for n in tree.names(i.optional_vars, gast.Store)}
    targets = node.targets if isinstance(node, gast.Delete) else [node.target]
    return {n.id for t in targets for n in gast.walk(t) if isinstance(n, gast.Name)}


class Cells(gast.NodeTransformer):
    """Writes `name_cell[0]` for some variables of a function, wherever they are seen.

    plain : updates are assignments
    """

    def __init__(self, function, names, plain=False):
        self.function, self.plain = function, plain
        taken = tree.Names(tree.all_names(function))
        self.cells = {name: taken.fresh(f'{name}_cell') for name in names}
        self.values = taken

    def rewritten(self):
        function = tree.clone(self.function)
        first = function.body[0]
        starts, begun = [], {}
        for name, cell in self.cells.items():
            if (s := self.first(function.body, name)) is not None:
                begun[id(s)] = cell
                continue
            value = tree.load(name) if name in parameters(function.args) else tree.constant(None)
            held = gast.List(elts=[value], ctx=gast.Load())
            starts.append(located(gast.Assign(targets=[tree.store(cell)], value=held, type_comment=None), first))
        body = [s for old in function.body for s in self.listed(
            self.visit(old) if id(old) not in begun else self.begins(old, begun[id(old)]))]
        return tree.replace(function, body=starts + body)

    @staticmethod
    def first(body, name):
        """The statement of a function that gives a variable its first value, if it is the first that speaks of it."""
        s = next((s for s in body if any(
            name == getattr(n, 'id', None) or name in getattr(n, 'names', ()) for n in tree.walk(s))), None)
        plain = isinstance(s, gast.Assign) and tree.target(s) == name and name not in tree.names(s.value, gast.Load)
        return s if plain and not any(isinstance(n, (*DEFINITIONS, gast.Lambda)) for n in tree.walk(s)) else None

    def begins(self, s, cell):
        """`cell = [value]` for the first `name = value`."""
        held = gast.copy_location(gast.List(elts=[self.visit(s.value)], ctx=gast.Load()), s.value)
        return gast.copy_location(tree.replace(s, targets=[tree.store(cell)], value=held), s)

    def visit_AugAssign(self, node):
        if not self.plain or getattr(node.target, 'id', None) not in self.cells:
            return self.generic_visit(node)
        old = gast.copy_location(tree.load(node.target.id), node)
        value = gast.copy_location(gast.BinOp(left=old, op=node.op, right=node.value), node)
        return self.visit(gast.copy_location(gast.Assign(targets=[node.target], value=value, type_comment=None), node))

    @staticmethod
    def listed(found):
        return found if isinstance(found, list) else [found]

    def visit_Name(self, node):
        if node.id not in self.cells or isinstance(node.ctx, gast.Param):
            return node
        cell = gast.copy_location(tree.load(self.cells[node.id]), node)
        return gast.copy_location(gast.Subscript(value=cell, slice=tree.constant(0), ctx=node.ctx), node)

    def visit_For(self, node):
        bound = [n for n in tree.names(node.target, gast.Store) if n in self.cells]
        node = self.generic_visit_but_target(node)
        if bound:
            names = {n: self.values.fresh(n) for n in bound}
            node.target = tree.rename(node.target, names)
            starts = [gast.Assign(targets=[self.visit_Name(tree.store(n))], value=tree.load(names[n]), type_comment=None)
                      for n in bound]
            node.body = [located(s, node) for s in starts] + node.body
        return node

    def generic_visit_but_target(self, node):
        target = node.target
        node.target = tree.constant(None)
        node = self.generic_visit(node)
        node.target = target
        return node

    def scope(self, node):
        """A function, lambda or comprehension, whose own names hide those from outside, but in what is evaluated there."""
        if isinstance(node, COMPREHENSIONS):
            holder, fields = node.generators[0], ('iter',)
        else:
            holder, fields = node.args, ('defaults', 'kw_defaults')
        outside = {}
        for field in fields:
            value = getattr(holder, field)
            outside[field] = self.visit(value) if isinstance(value, gast.AST) else [d and self.visit(d) for d in value]
            setattr(holder, field, tree.constant(None) if isinstance(value, gast.AST) else [])
        node = self.within(node)
        for field, value in outside.items():
            setattr(node.generators[0] if isinstance(node, COMPREHENSIONS) else node.args, field, value)
        return node

    def within(self, node):
        hidden = self.cells.keys() & own_names(node)
        if isinstance(node, DEFINITIONS):
            hidden -= free(node)
        outer, self.cells = self.cells, {n: c for n, c in self.cells.items() if n not in hidden}
        node = self.generic_visit(node)
        self.cells = outer
        return node

    visit_FunctionDef = visit_Lambda = scope

    def visit_Nonlocal(self, node):
        names = [n for n in node.names if n not in self.cells]
        return tree.replace(node, names=names) if names else gast.copy_location(gast.Pass(), node)


for _kind in COMPREHENSIONS:
    setattr(Cells, f'visit_{_kind.__name__}', Cells.scope)


def located(stmt, like):
    stmt = gast.copy_location(stmt, like)
    for node in gast.walk(stmt):
        if not hasattr(node, 'lineno'):
            gast.copy_location(node, like)
    return stmt
