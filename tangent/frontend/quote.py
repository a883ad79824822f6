"""How the texts of rules become trees: parameters and `d[...]` are replaced, and what has become literal is folded."""
import builtins

import gast

from tangent.frontend import tree

REFUSE = object()          # the partial of a parameter that has a derivative which nobody has written down


class Written:
    """A partial that is written for each call: `write(bound)`, or `write(bound, i)` for a vararg, gives its text."""

    def __init__(self, write, reads):
        self.write, self.reads = write, tuple(reads.split())


class Guard:
    """A condition on literal arguments: `y == 2`, `axis is None`."""

    def __init__(self, text):
        self.code = compile(text, '<guard>', 'eval')
        self.names = set(self.code.co_names) - set(dir(builtins))


class Fill(gast.NodeTransformer):
    """Puts the trees of a call into a text: parameters, the result, `d[...]`; then folds what has become literal."""

    def __init__(self, mapping, gradients, absent):
        """`absent` are the parameters that the call leaves at their defaults."""
        self.mapping, self.gradients, self.absent = mapping, gradients, absent

    def __call__(self, node):
        return self.visit(tree.clone(node))

    def at(self, index):
        return Fill({**self.mapping, 'i': tree.constant(index)}, self.gradients, self.absent)

    def visit_Name(self, node):
        if node.id not in self.mapping:
            return node
        new = self.mapping[node.id]
        return tree.rename(node, {node.id: new.id}) if isinstance(node.ctx, gast.Store) else tree.clone(new)

    def visit_Subscript(self, node):
        if isinstance(node.value, gast.Name) and node.value.id == 'd' and isinstance(node.slice, gast.Name):
            return tree.clone(self.gradients[node.slice.id])
        node = self.generic_visit(node)
        if isinstance(node.value, (gast.Tuple, gast.List)) and isinstance(node.slice, gast.Constant):
            return node.value.elts[node.slice.value]
        return node

    def visit_Call(self, node):
        node.keywords = [k for k in node.keywords if self._parameter(k.value) not in self.absent]
        return self.generic_visit(node)

    @staticmethod
    def _parameter(expr):
        """The name of what is written `axis` or `d[initial]` as the value of a keyword."""
        if isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name) and expr.value.id == 'd':
            expr = expr.slice
        return getattr(expr, 'id', None)

    def visit_BinOp(self, node):
        node = self.generic_visit(node)
        left, right = literal(node.left), literal(node.right)
        if isinstance(node.op, gast.Sub) and _number(left) and _number(right):
            return number(left[0] - right[0])
        if isinstance(node.op, gast.Pow) and right == [1] or isinstance(node.op, gast.Sub) and right == [0]:
            return node.left
        return node


def _number(values):
    return bool(values) and isinstance(values[0], (int, float)) and not isinstance(values[0], bool)


def number(value):
    """The tree of a number; a negative one is a minus and a number, as it is in source."""
    if value < 0:
        return gast.UnaryOp(op=gast.USub(), operand=tree.constant(-value))
    return tree.constant(value)


def literal(expr):
    """[value] of a literal tree (numbers, None, strings, tuples of them; a list as a tuple), [] for any other."""
    if isinstance(expr, gast.Constant):
        return [expr.value]
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        return [-v for v in literal(expr.operand) if isinstance(v, (int, float, complex))]
    if isinstance(expr, (gast.Tuple, gast.List)):
        items = [v for e in expr.elts for v in literal(e)]
        return [tuple(items)] if len(items) == len(expr.elts) else []
    return []


def same(a, b):
    """Whether two trees are the same text."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, gast.AST):
        return all(same(getattr(a, field, None), getattr(b, field, None)) for field in a._fields)
    if type(a) is list:
        return len(a) == len(b) and all(map(same, a, b))
    return a == b if type(a) is str else repr(a) == repr(b)


def total(terms):
    """The sum of the trees."""
    result = terms[0]
    for term in terms[1:]:
        result = gast.BinOp(left=result, op=gast.Add(), right=term)
    return result


def zeros_like(expr):
    """The tree of the zero tangent of an argument that has none."""
    if isinstance(expr, (gast.Tuple, gast.List)):
        return tree.replace(expr, elts=[zeros_like(e) for e in expr.elts])
    return tree.call('init_grad', expr)


def text_tree(partial, bound, *index):
    return partial if isinstance(partial, gast.AST) else tree.expression(partial.write(bound, *index))


SOLVERS = frozenset('unsolve_ivp unodeint adjoint unsolution unminimum unintegral'.split())
"""Helpers that give the gradients of several arguments and take long."""


def once(terms, fresh):
    """(statements, terms) in which such a helper is called once, and not once for each argument."""
    calls = {}
    for p, term in terms.items():
        for n in tree.walk(term) if isinstance(term, gast.AST) else ():        # not of a vararg
            if isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id in SOLVERS:
                calls.setdefault(gast.dump(n), {})[p] = n
    body = []
    for places in calls.values():
        if len(places) > 1:
            name = fresh('bt')
            body.append(tree.assign(name, next(iter(places.values())), None))
            terms = {p: _Named(places[p], name).visit(term) if p in places else term for p, term in terms.items()}
    return body, terms


class _Named(gast.NodeTransformer):
    """A name in place of a part of a tree."""

    def __init__(self, part, name):
        self.part, self.name = part, name

    def visit(self, node):
        return tree.load(self.name) if node is self.part else super().visit(node)
