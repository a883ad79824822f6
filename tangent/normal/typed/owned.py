"""Lists and dicts of the function's own that hold arrays which nobody else has.

    params = {'w': w.copy(), 'b': 0.1 * b}
    for k in params:
        params[k] -= rate * slopes[k]               params[k] = params[k] - rate * slopes[k]

What is put there is new, and what is read is computed with: no name holds an element, which would show an update in place.
All is in double precision: an update in place keeps the precision of what is there.
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES, UNKNOWN
from tangent.runtime import facts

UPDATING = gast.Add, gast.Sub, gast.Mult, gast.Div
COMPUTING = 'sum', 'mean', 'prod', 'dot', 'max', 'min', 'copy', 'std', 'var'          # methods that make something new
KEYS = 'dict_keys', 'len'
OPERATORS = tuple([f'__{r}{name}__' for name in ('add', 'sub', 'mul', 'truediv', 'matmul') for r in ('', 'r', 'i')])


def holders_of_own(function, known, resolver, effects):
    """Names of such lists and dicts.

    known : name -> number of axes of an array, or 'number'
    """
    if any(hasattr(kind, name) for kind in resolver.classes for name in OPERATORS):
        return frozenset()
    scan = _Scan(function, known, resolver, effects)
    return frozenset(scan.made - scan.lost - set(tree.names(function.args, gast.Param)))


class _Scan:
    """made, lost : names that are bound to nothing but new containers; those that something else has, or whose elements
    unsure : those that hold copies of what may be lists, for which `+=` and `*=` mean something of their own"""

    def __init__(self, function, known, resolver, effects):
        self.known, self.resolver, self.effects = known, resolver, effects
        bound: dict = {}
        every = list(tree.every(function.body))
        for s in every:
            for name in tree.writes(s):
                bound.setdefault(name, []).append(s.value if tree.target(s) == name else None)
        self.made = {name for name, values in bound.items() if all(map(self.is_made, values))}
        values = [(name, value) for name in self.made for value in bound[name]]
        values += [(s.targets[0].value.id, s.value) for s in every
                   if isinstance(s, gast.Assign) and self.is_element(s.targets[0])]
        self.unsure = {name for name, value in values if any(map(is_copy, tree.walk(value)))}
        self.lost: set = set()
        for s in every if self.made else ():
            self.statement(s)

    def is_made(self, value):
        comprehension = isinstance(value, (gast.ListComp, gast.DictComp))
        parts = value.values if isinstance(value, gast.Dict) else value.elts if isinstance(value, gast.List) \
            else [value.value if isinstance(value, gast.DictComp) else value.elt] if comprehension else [None]
        return not any(e is None or isinstance(e, gast.Starred) for e in parts) and all(map(self.is_new, parts)) \
            and not (isinstance(value, gast.Dict) and None in value.keys)

    def is_new(self, expr):
        """Whether a value surely is a number, or an array that nothing else holds."""
        if isinstance(expr, gast.Name):
            return self.known.get(expr.id) in ('number', 'int')
        if isinstance(expr, gast.Call):
            method = expr.func if isinstance(expr.func, gast.Attribute) and self.resolver(expr.func) is UNKNOWN else None
            if method is not None:
                return is_copy(expr)
            return self.computes(expr)
        return isinstance(expr, gast.BinOp) and isinstance(expr.op, (*UPDATING, gast.Pow, gast.MatMult)) \
            and not any(isinstance(e, (gast.List, gast.Tuple, gast.ListComp)) for e in (expr.left, expr.right)) \
            or isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub) \
            or isinstance(expr, gast.Constant) and type(expr.value) in (int, float)

    def computes(self, call):
        """Whether a call makes a number or an array of its own of what it is given."""
        function = self.resolver(call.func)
        if facts.home(function) == 'math':
            return True
        new = isinstance(function, np.ufunc) or facts.is_numpy(function) and facts.of(function).is_fresh(call)
        return new and len(call.args) <= getattr(function, 'nin', len(call.args)) and not any(
            k.arg in ('out', 'dtype', 'copy') for k in call.keywords) and not any(
            isinstance(self.resolver(a), (type, np.dtype)) or isinstance(getattr(a, 'value', None), str) for a in call.args)

    # Where they go

    def statement(self, s):
        if isinstance(s, gast.AugAssign) and self.is_element(s.target):
            self.look(s.target.slice, True)
            self.look(s.value, True)
            self.lost |= {s.target.value.id} & self.unsure if isinstance(s.op, (gast.Add, gast.Mult)) else set()
        elif isinstance(s, gast.Assign) and len(s.targets) == 1 and self.is_element(s.targets[0]):
            self.look(s.targets[0].slice, True)
            self.look(s.value, False)
            self.lost |= set() if self.is_new(s.value) else {s.targets[0].value.id}
        elif not isinstance(s, gast.Return) or any(isinstance(n, SCOPES) for n in tree.walk(s)):
            for part in tree.header(s):
                self.look(part, False)

    def is_element(self, target):
        return isinstance(target, gast.Subscript) and getattr(target.value, 'id', None) in self.made \
            and not any(isinstance(n, gast.Slice) for n in tree.walk(target.slice))

    def look(self, node, used):
        """Look at an expression; `used` if what computes with its value keeps nothing of it."""
        if isinstance(node, gast.Name):
            self.lost |= {node.id} if isinstance(node.ctx, gast.Load) else set()
        elif isinstance(node, SCOPES):
            self.lost |= tree.all_names(node)
        elif isinstance(node, gast.Subscript) and getattr(node.value, 'id', None) in self.made:
            self.lost |= set() if used and not isinstance(node.slice, gast.Slice) else {node.value.id}
            self.look(node.slice, True)
        elif isinstance(node, gast.Subscript):
            self.look(node.value, used)
            self.look(node.slice, True)
        elif isinstance(node, gast.Attribute):
            self.look(node.value, used)
        elif isinstance(node, gast.Call):
            self.call(node)
        elif isinstance(node, gast.Compare):
            self.each([e for e in [node.left, *node.comparators] if not isinstance(e, gast.Name)], True)
        else:
            self.each(tree.children(node), isinstance(node, (gast.BinOp, gast.UnaryOp)))

    def each(self, nodes, used):
        for node in nodes:
            self.look(node, used)

    def call(self, node):
        function = self.resolver(node.func)
        method = node.func if isinstance(node.func, gast.Attribute) and function is UNKNOWN else None
        if method is not None:
            if not (method.attr == 'keys' and isinstance(method.value, gast.Name)):
                self.look(method.value, method.attr in COMPUTING)
            return self.each(tree.arguments(node), method.attr in COMPUTING)
        keys = getattr(node.func, 'id', None) in KEYS
        computes = self.computes(node)
        for a in tree.arguments(node):
            reads = keys or self.effects.knows(function) and not self.effects.keeps(function, node, a) and not any(
                a is e for written in self.effects(function, node) for e in written)
            if not (reads and isinstance(a, gast.Name)):
                self.look(a, computes or reads)


def is_copy(expr):
    """Whether it is `x.copy()`."""
    return isinstance(expr, gast.Call) and getattr(expr.func, 'attr', None) == 'copy' and not tree.arguments(expr)
