"""Lists and dicts of the function's own that hold numbers and nothing else.

    force = [0.0] * n                  counts = {}
    force[i] += k * x[i]               counts[key] = counts.get(key, 0.0) + x[i]

What nobody but the function has, and is only given numbers, holds numbers: the largest set of names for which that is so is
found by taking out, again and again, those for which something in the text says otherwise. A list of such lists is a table,
whose rows have no other name: `table[i][j] += v`.
"""
import collections

import gast
import numpy as np

from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts

OF_NUMBERS = frozenset([abs, float, int, bool, max, min, round, pow, len])
TOTALS = frozenset([np.sum, np.mean, np.max, np.min, np.prod, np.linalg.norm, np.linalg.det])
METHODS = frozenset(['append', 'insert', 'pop', 'get', 'keys', 'values', 'items', 'copy', 'index', 'count', 'sort', 'reverse'])


def holders_of_numbers(function, known, given, resolver):
    """(names of such lists, dicts and tables, those of them that are lists and have no other name, even as a row).

    known : name -> number of axes of an array, or 'number'
    given : lists, tuples and dicts that are known to hold numbers, whoever has them
    """
    found = _Holders(function, known, given, resolver)
    while found.narrowed():
        pass
    lists = {n for n in found.holders if not any(isinstance(v, gast.Dict) or is_counter(v, resolver) for v in found.bound[n])}
    return found.holders | found.tables, lists - found.rows


CAPTURING = gast.Lambda, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.GeneratorExp, gast.Global, gast.Nonlocal


class _Holders:
    """numbers, positions, holders : names of numbers, of integers, of lists and dicts of numbers, for all that is known."""

    def __init__(self, function, known, given, resolver):
        self.known, self.given, self.resolver = known, given, resolver
        self.statements = list(tree.every(function.body))
        params, captured = set(tree.names(function.args, gast.Param)), set()
        for s in function.body:
            for n in tree.walk(s):
                if isinstance(n, CAPTURING):
                    captured |= {m.id for m in tree.walk(n) if isinstance(m, gast.Name)}
        self.bound: dict = {}             # name -> what it is bound to; None: not known
        for s in self.statements:
            for name, value in bindings(s, resolver):
                self.bound.setdefault(name, []).append(value)
        names = self.bound.keys() - params - captured
        made = {n for n in names if all(v is not None and self.makes(v) for v in self.bound[n])}
        self.tables = {n for n in made if any(self.makes(e) for v in self.bound[n] for e in listed(v))
                       or any(self.makes(a) or getattr(a, 'id', None) in made for a in appended(n, self.statements))}
        self.numbers, self.holders = set(names) - made, made - self.tables
        self.positions = set(self.numbers)
        self.rows = {a.id for n in self.tables for a in appended(n, self.statements) if isinstance(a, gast.Name)}

    def narrowed(self):
        """Whether a name had to be taken out."""
        lost = {n for n in self.numbers if not all(v is not None and self.is_number(v) for v in self.bound[n])}
        left = {n for n in self.holders if not all(map(self.is_made_of_numbers, self.bound[n]))}
        let_go = {n for s in self.statements for n in self.let_go(s)} if self.holders or self.tables else set()
        left |= let_go & self.holders
        other = {n for n in self.tables if n in let_go or not all(map(self.is_table, self.bound[n]))}
        self.numbers -= lost
        gone = {n for n in self.positions if n not in self.numbers or not all(map(self.is_position, self.bound[n]))}
        self.positions -= gone
        self.holders -= left
        self.tables -= other
        return bool(lost or left or gone or other)

    # What names are bound to

    def makes(self, expr):
        """Whether an expression makes a list or a dict."""
        if isinstance(expr, (gast.List, gast.ListComp, gast.Dict)):
            return True
        if isinstance(expr, gast.BinOp):
            return isinstance(expr.op, gast.Mult) and isinstance(expr.left, gast.List)
        return isinstance(expr, gast.Call) and (
            self.is_list_of_vector(expr) or self.is_empty_counter(expr) or self.resolver(expr.func) in (list, sorted))

    def is_empty_counter(self, call):
        return is_counter(call, self.resolver) and len(call.args) == 1 and not call.keywords

    def is_list_of_vector(self, call):
        return is_tolist(call) and self.known.get(getattr(call.func.value, 'id', None)) == 1

    def is_made_of_numbers(self, expr):
        if isinstance(expr, gast.List):
            return all(map(self.is_number, expr.elts))
        if isinstance(expr, gast.ListComp):
            own = {n for g in expr.generators for n, v in items(g.target, g.iter, self.resolver) if v and self.is_number(v)}
            before, self.numbers = self.numbers, self.numbers | own
            found, self.numbers = self.is_number(expr.elt), before
            return found
        if isinstance(expr, gast.Dict):
            return None not in expr.keys and all(map(self.is_number, expr.values))
        if isinstance(expr, gast.BinOp):
            return self.is_made_of_numbers(expr.left)
        return self.is_list_of_vector(expr) or self.is_empty_counter(expr) \
            or len(expr.args) == 1 and self.gives_numbers(expr.args[0])

    def is_table(self, expr):
        """Whether an expression makes a list of new lists of numbers."""
        if isinstance(expr, gast.ListComp):
            return self.is_row(expr.elt)
        return isinstance(expr, gast.List) and all(map(self.is_row, expr.elts))

    def is_row(self, expr):
        if isinstance(expr, gast.Name):
            return expr.id in self.holders
        return self.makes(expr) and not isinstance(expr, gast.Dict) and self.is_made_of_numbers(expr)

    def is_row_of_table(self, expr):
        return isinstance(expr, gast.Subscript) and getattr(expr.value, 'id', None) in self.tables \
            and not isinstance(expr.slice, gast.Slice)

    def gives_numbers(self, expr):
        """Whether what goes through it finds numbers: a vector, or such a list."""
        name = getattr(expr, 'id', None)
        if self.is_row_of_table(expr):
            return True
        if isinstance(expr, gast.Call) and self.resolver(expr.func) is range:
            return True
        return isinstance(expr, gast.Name) and (self.known.get(name) == 1 or name in self.holders or name in self.given)

    # Numbers

    def is_number(self, expr):
        if isinstance(expr, gast.Constant):
            return isinstance(expr.value, (int, float))
        if isinstance(expr, gast.Name):
            return self.known.get(expr.id) == 'number' or expr.id in self.numbers
        if isinstance(expr, _Item):
            return expr.iterated is COUNT or self.gives_numbers(expr.iterated)
        if isinstance(expr, gast.Subscript):
            parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
            name = getattr(expr.value, 'id', None)
            if name in self.holders or name in self.given or self.is_row_of_table(expr.value):
                return not isinstance(expr.slice, gast.Slice)
            return self.known.get(name) == len(parts) and all(map(self.is_position, parts))
        if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Compare, gast.IfExp)):
            return all(self.is_number(e) for e in tree.children(expr) if isinstance(e, gast.expr))
        return isinstance(expr, gast.Call) and not expr.keywords and self.calls_for_number(expr)

    def is_position(self, expr):
        """Whether an index is surely an integer: one of bools chooses, and gives an array."""
        if isinstance(expr, gast.Name):
            return expr.id in self.positions
        if isinstance(expr, _Item):
            return expr.iterated is COUNT or isinstance(expr.iterated, gast.Call) and self.resolver(expr.iterated.func) is range
        if isinstance(expr, gast.UnaryOp):
            return isinstance(expr.op, gast.USub) and self.is_position(expr.operand)
        if isinstance(expr, gast.BinOp):
            return self.is_number(expr) and (self.is_position(expr.left) or self.is_position(expr.right))
        if isinstance(expr, gast.Call):
            return self.resolver(expr.func) in (len, int)
        return isinstance(expr, gast.Constant) and type(expr.value) is int

    def calls_for_number(self, call):
        function = self.resolver(call.func)
        if function is UNKNOWN:
            method = call.func if isinstance(call.func, gast.Attribute) else None
            return method is not None and getattr(method.value, 'id', None) in self.holders and (
                method.attr == 'pop' and not call.args or method.attr == 'get' and len(call.args) == 2
                and self.is_number(call.args[1]))
        if function is sum or function in (max, min) and len(call.args) == 1:
            return len(call.args) == 1 and self.gives_numbers(call.args[0])
        if function is len:
            return True
        if function in TOTALS:
            return len(call.args) == 1 and isinstance(self.known.get(getattr(call.args[0], 'id', None)), int)
        elementwise = facts.home(function) == 'math' or isinstance(function, np.ufunc)      # `where` makes arrays of numbers
        return (elementwise or function in OF_NUMBERS) and all(map(self.is_number, call.args))

    # Where they go

    def let_go(self, s):
        """Names of holders that a statement gives something else than numbers, or hands to somebody."""
        seen = set()                      # loads (their `id`) that only read
        for target in s.targets if isinstance(s, gast.Assign) else [s.target] if isinstance(s, gast.AugAssign) else ():
            if isinstance(target, gast.Subscript) and getattr(target.value, 'id', None) in self.tables:
                seen |= {id(target.value)} if not isinstance(target.slice, gast.Slice) and self.is_row(s.value) else set()
            elif isinstance(target, gast.Subscript) and isinstance(target.value, gast.Subscript):
                seen |= {id(target.value)} if self.is_number(s.value) else set()
            elif isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
                whole = isinstance(target.slice, gast.Slice)
                made = self.makes(s.value) and self.is_made_of_numbers(s.value) or self.gives_numbers(s.value)
                if (made if whole else self.is_number(s.value)):
                    seen |= {id(target.value), id(s.value)} if whole else {id(target.value)}
        if isinstance(s, gast.For):
            seen.add(id(s.iter))
        if isinstance(s, gast.Return):
            seen.add(id(s.value))
        nodes = [n for part in tree.header(s) for n in tree.walk(part)]
        for node in nodes:
            if isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Load) and not isinstance(node.slice, gast.Slice):
                seen.add(id(node.value))
            elif isinstance(node, gast.comprehension):
                seen.add(id(node.iter))
            elif isinstance(node, gast.Compare):
                seen |= set(map(id, node.comparators))
            elif isinstance(node, gast.Call):
                seen |= self.read_by(node)
        names = {id(n): n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)}
        iterated = [n.iter for n in [s, *nodes] if isinstance(n, (gast.For, gast.comprehension))]
        rows = [n for n in nodes if isinstance(n, gast.Subscript) and getattr(n.value, 'id', None) in self.tables]
        kept = {id(n.value) for n in rows if id(n) not in seen and isinstance(n.ctx, gast.Load)}           # `row = table[i]`
        kept |= {id(n) for n in iterated if getattr(n, 'id', None) in self.tables}
        return {name for key, name in names.items() if key not in seen or key in kept}

    def read_by(self, call):
        """The names (their `id`) that a call only reads, or gives a number."""
        function = self.resolver(call.func)
        if function is not UNKNOWN:
            known = facts.of(function)
            reads = facts.is_numpy(function) and not known.writes or known.tells or known.takes is not None
            return set(map(id, call.args)) if reads else set()
        method = call.func if isinstance(call.func, gast.Attribute) and call.func.attr in METHODS else None
        if method is not None and getattr(method.value, 'id', None) in self.tables:
            fits = method.attr == 'pop' or method.attr in ('append', 'insert') and self.is_row(call.args[-1])
            return {id(method.value), *map(id, call.args)} if fits else set()
        fits = method is not None and (method.attr not in ('append', 'insert') or all(map(self.is_number, call.args)))
        return {id(method.value)} if fits else set()


def listed(expr):
    """What a list display or comprehension puts into the list."""
    return expr.elts if isinstance(expr, gast.List) else [expr.elt] if isinstance(expr, gast.ListComp) else []


def appended(name, stmts):
    """What is appended to a list."""
    calls = [s.value for s in stmts if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call)]
    return [a for c in calls if tree.dotted(c.func) == f'{name}.append' for a in c.args]


def is_counter(call, resolver):
    """Whether it is `defaultdict(float)`."""
    return isinstance(call, gast.Call) and resolver(call.func) is collections.defaultdict and bool(call.args) \
        and resolver(call.args[0]) in (int, float)


def is_tolist(expr):
    """Whether it is `x.tolist()`."""
    return isinstance(expr, gast.Call) and not expr.args and getattr(expr.func, 'attr', None) == 'tolist'


class _Item:
    """What a loop over an expression binds its target to."""

    def __init__(self, iterated):
        self.iterated = iterated


def bindings(s, resolver):
    """(name, the expression it is bound to, None where that is another thing) for the names that a statement binds."""
    if isinstance(s, gast.For):
        return items(s.target, s.iter, resolver)
    if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
        return [(s.target.id, s.value)]
    single = isinstance(s, gast.Assign) and len(s.targets) == 1
    pairs = tree.side_by_side(s.targets[0], s.value) if single else []
    if pairs and all(isinstance(t, gast.Name) for t, _ in pairs):
        return [(t.id, value) for t, value in pairs]
    return [(n, None) for n in tree.writes(s)]


def items(target, iterated, resolver):
    """The same for the target of a loop."""
    if isinstance(target, gast.Name):
        return [(target.id, _Item(iterated))]
    function = resolver(iterated.func) if isinstance(iterated, gast.Call) else UNKNOWN
    parts = [COUNT, *iterated.args[:1]] if function is enumerate else iterated.args if function is zip else []
    if not isinstance(target, gast.Tuple) or len(parts) != len(target.elts):
        return [(n, None) for n in tree.names(target, gast.Store)]
    return [pair for t, part in zip(target.elts, parts) for pair in items(t, part, resolver)]


COUNT = gast.Constant(value=0, kind=None)
