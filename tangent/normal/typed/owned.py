"""Lists and dicts of the function's own that hold arrays which nobody else has.

    params = {'w': w.copy(), 'b': 0.1 * b}
    for k in params:
        params[k] -= rate * slopes[k]               params[k] = params[k] - rate * slopes[k]

What is put there is new, and what is read is computed with. A name that holds an element (`for p in params: n += np.sum(p)`)
would show an update in place: there is none while it is read. All is in double precision: an update in place keeps the
precision of what is there.
"""
import gast
import numpy as np

from tangent.analysis.kinds.grown import gone_through
from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES, UNKNOWN
from tangent.normal.ssa import live_after
from tangent.runtime import facts

UPDATING = gast.Add, gast.Sub, gast.Mult, gast.Div
COMPUTING = 'sum', 'mean', 'prod', 'dot', 'max', 'min', 'copy', 'std', 'var'          # methods that make something new
KEYS = 'dict_keys', 'len'
AT_ONCE = gast.ListComp, gast.SetComp, gast.DictComp
CONSUMERS = frozenset([sum, min, max, any, all, list, tuple, sorted])
OPERATORS = tuple([f'__{r}{name}__' for name in ('add', 'sub', 'mul', 'truediv', 'matmul') for r in ('', 'r', 'i')])


def holders_of_own(function, known, of_arrays, resolver, effects, own=frozenset()):
    """Names of such lists and dicts.

    known : name -> number of axes of an array, or 'number'
    of_arrays : lists and dicts that are known to hold arrays alone
    own : parameters that are taken for such
    """
    if any(hasattr(kind, name) for kind in resolver.classes for name in OPERATORS):
        return frozenset()
    scan = _Scan(function, known, of_arrays, resolver, effects, own)
    return frozenset(scan.made - scan.lost - (set(tree.names(function.args, gast.Param)) - own))


class _Scan:
    """made, lost : names that are bound to nothing but new containers; those that something else has, or whose elements
    unsure : those that hold copies of what may be lists, for which `+=` and `*=` mean something of their own
    elements : name -> those of which it may hold an element
    """

    def __init__(self, function, known, of_arrays, resolver, effects, own):
        self.known, self.resolver, self.effects = known, resolver, effects
        bound: dict = {}
        every = list(tree.every(function.body))
        for s in every:
            for name in tree.writes(s):
                bound.setdefault(name, []).append(s.value if tree.target(s) == name else None)
        self.made = {name for name, values in bound.items() if all(map(self.is_made, values))} | own - bound.keys()
        values = [(name, value) for name in self.made for value in bound.get(name, ())]
        values += [(s.targets[0].value.id, s.value) for s in every
                   if isinstance(s, gast.Assign) and self.is_element(s.targets[0])]
        self.unsure = {name for name, value in values if any(map(is_copy, tree.walk(value)))} - of_arrays
        self.lost: set = set()
        self.elements = self.named(every) if self.made else {}
        live: dict = {}
        live_after(function.body if self.elements else [], frozenset(), live)
        for s in every if self.made else ():
            self.statement(s)
            target = stored_whole(s) or (s.target if isinstance(s, gast.AugAssign) else None)
            if target is not None:
                updated = getattr(target.value, 'id', None) if isinstance(target, gast.Subscript) else None
                self.lost |= {updated for name in live.get(s, ()) if updated in self.elements.get(name, ())}

    # Names of elements

    def named(self, every):
        """Name -> holders of which it may hold an element."""
        found: dict = {}
        courses = [g for s in every for part in tree.header(s) for n in tree.walk(part) if isinstance(n, SCOPES)
                   for g in getattr(n, 'generators', ())]
        for s in [*every, *courses]:
            for target, holder in gone_through(s.target, s.iter, self.resolver) if hasattr(s, 'iter') else self.taken(s):
                if holder in self.made:
                    found.setdefault(target, set()).add(holder)
        return found

    @staticmethod
    def taken(s):
        """The same of what an assignment binds: `w, b = params`, `w = params[0]`."""
        if not isinstance(s, gast.Assign) or len(s.targets) != 1:
            return []
        if isinstance(s.targets[0], gast.Tuple) and isinstance(s.value, gast.Name):
            return [(getattr(t, 'id', None), s.value.id) for t in s.targets[0].elts]
        taken = isinstance(s.value, gast.Subscript) and isinstance(s.value.value, gast.Name) and tree.target(s)
        return [(taken, s.value.value.id)] if taken and not isinstance(s.value.slice, gast.Slice) else []

    def course(self, target, iterated):
        """Look at what a loop goes through: names that get elements of holders do so knowingly."""
        known = {holder for _, holder in gone_through(target, iterated, self.resolver)} & self.made
        if known and all(isinstance(n, gast.Name) and n.id in self.elements for n in leaves(target, iterated)):
            self.each([n for n in names_read(iterated) if n.id not in known], False)
        else:
            self.look(iterated, False)

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
        elif self.is_element(whole := stored_whole(s)):
            self.look(whole.slice, True)
            self.look(s.value, True)
        elif isinstance(s, gast.Assign) and len(s.targets) == 1 and self.is_element(s.targets[0]):
            self.look(s.targets[0].slice, True)
            self.look(s.value, False)
            self.lost |= set() if self.is_new(s.value) else {s.targets[0].value.id}
        elif isinstance(s, gast.For):
            self.course(s.target, s.iter)
        elif [pair for pair in self.taken(s) if pair[1] in self.made]:
            self.look(s.value.slice if isinstance(s.value, gast.Subscript) else None, True)
        elif isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            self.lost |= self.elements.get(s.target.id, set())
            self.look(s.value, True)
        elif not isinstance(s, gast.Return) or any(isinstance(n, SCOPES) for n in tree.walk(s)):
            for part in tree.header(s):
                self.look(part, False)

    def is_element(self, target):
        return isinstance(target, gast.Subscript) and getattr(target.value, 'id', None) in self.made \
            and not any(isinstance(n, gast.Slice) for n in tree.walk(target.slice))

    def look(self, node, used):
        """Look at an expression; `used` if what computes with its value keeps nothing of it."""
        if node is None:
            return
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Load):
                self.lost |= {node.id} | (set() if used else self.elements.get(node.id, set()))
        elif isinstance(node, AT_ONCE):
            self.at_once(node)
        elif isinstance(node, SCOPES):
            names = tree.all_names(node)
            self.lost |= names.union(*(self.elements.get(n, ()) for n in names))
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

    def at_once(self, node):
        """Look at a comprehension, which is run where it stands."""
        for g in node.generators:
            self.course(g.target, g.iter)
            self.each(g.ifs, True)
        for field in ('elt', 'key', 'value'):
            self.look(getattr(node, field, None), False)

    def each(self, nodes, used):
        for node in nodes:
            self.look(node, used)

    def call(self, node):
        function = self.resolver(node.func)
        method = node.func if isinstance(node.func, gast.Attribute) and function is UNKNOWN else None
        if method is not None and method.attr == 'append' and getattr(method.value, 'id', None) in self.made:
            self.lost |= set() if len(node.args) == 1 and self.is_new(node.args[0]) else {method.value.id}
            return self.each(node.args, False)
        if method is not None:
            if not (method.attr == 'keys' and isinstance(method.value, gast.Name)):
                self.look(method.value, method.attr in COMPUTING)
            return self.each(tree.arguments(node), method.attr in COMPUTING)
        if len(node.args) == 1 and isinstance(node.args[0], gast.GeneratorExp) and function in CONSUMERS:
            return self.at_once(node.args[0])
        keys = getattr(node.func, 'id', None) in KEYS
        computes = self.computes(node)
        for a in tree.arguments(node):
            reads = keys or self.effects.knows(function) and not self.effects.keeps(function, node, a) and not any(
                a is e for written in self.effects(function, node) for e in written)
            if not (reads and isinstance(a, gast.Name)):
                self.look(a, computes or reads)


def stored_whole(s):
    """`xs[k]` of `xs[k][:] = e` where `e` computes with it, element by element, so that it has its shape; else None."""
    target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, (gast.Name, gast.Subscript)) \
            or not (tree.is_ellipsis(target.slice) or isinstance(target.slice, gast.Slice) and not tree.children(target.slice)):
        return None
    pending, same = [s.value], gast.dump(target.value)
    while pending:
        expr = pending.pop()
        if isinstance(expr, (gast.BinOp, gast.UnaryOp)) and not isinstance(expr.op, gast.MatMult):
            pending += [e for e in tree.children(expr) if isinstance(e, gast.expr)]
        elif gast.dump(expr) == same and isinstance(s.value, (gast.BinOp, gast.UnaryOp)):
            return target.value
    return None


def is_copy(expr):
    """Whether it is `x.copy()`."""
    return isinstance(expr, gast.Call) and getattr(expr.func, 'attr', None) == 'copy' and not tree.arguments(expr)


def leaves(target, iterated):
    """What a loop binds, but for counters and keys that stand before it."""
    counted = isinstance(iterated, gast.Call) and isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 2 \
        and (getattr(iterated.func, 'attr', None) == 'items' or getattr(iterated.func, 'id', None) == 'enumerate')
    parts = target.elts[1:] if counted else [target]
    return [n for part in parts for n in tree.walk(part) if not isinstance(n, (gast.Tuple, gast.List))]


def names_read(expr):
    """The names in what a loop goes through, without the functions that make it."""
    if isinstance(expr, gast.Call):
        inner = [expr.func.value] if isinstance(expr.func, gast.Attribute) else []
        return [n for part in [*inner, *expr.args] for n in names_read(part)]
    return [n for n in tree.walk(expr) if isinstance(n, gast.Name)]
