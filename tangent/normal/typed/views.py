"""Rows of arrays under names of their own, and parts of arrays that are handed to functions which write into them.

    row = a[i]                     a[i, 2] = a[i, 0]              lorenz(y, k[0])         t = k[0].copy()
    row[2] = row[0]        ->                                                      ->     lorenz(y, t)
                                                                                          k[0] = t
    for row in a:                  for i in range(len(a)):
        row[0] = v         ->          a[i, 0] = v                m.T[0] = v       ->     m[:, 0] = v

    w = a[1:]                      t = a[1:].copy()               w = m.T                m[2, 0] = v
    w[i] = v               ->      t[i] = v                       w[0, 2] = v     ->     m[:, 1] = u
                                   a[1:] = t                      w[1] = u

A row is a view: wherever it is read or written, the array itself can be, so long as neither the array nor the index has
been bound anew. What types say to be an array of one axis less is one. An array of one name has a derivative in place.
So are slices at fixed places, transposed matrices and other names for an array.
"""
import gast

from tangent.frontend import tree
from tangent.frontend.scopes import DEFINITIONS

LATE = (*DEFINITIONS, gast.Lambda, gast.GeneratorExp)         # which read what they have captured later


def written_out(function, kinds, ints, effects, resolver, library):
    """The FunctionDef with arrays in place of their rows, and copies of the parts that functions write into.

    ints : variables that hold integers
    """
    axes = {n: kind for n, kind in kinds.items() if type(kind) is int and kind > 0}
    if not axes:
        return function
    rows = _Rows(function, axes, ints, resolver, library)
    turned = any(is_transposed(n.value, axes) for s in function.body for n in tree.walk(s)
                 if isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Store))
    body = rows.block(rows.body) if rows.found or turned else function.body
    return tree.replace(function, body=_Parts(axes, ints, effects, resolver, library.names).block(body))


def index_of(expr, axes, ints, whole=True):
    """(array, index parts) of `a[i]`, `a[i, 1:]`: an array of the function's at fixed positions; None for others.

    whole : only positions, that leave an array
    """
    if not isinstance(expr, gast.Subscript) or not isinstance(expr.value, gast.Name) or expr.value.id not in axes:
        return None
    parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
    points = [p for p in parts if is_fixed(p, ints)]
    if len(points) >= axes[expr.value.id] or len(parts) > axes[expr.value.id] or whole and len(points) != len(parts):
        return None
    ends = [e for p in parts if isinstance(p, gast.Slice) for e in (p.lower, p.upper, p.step) if e is not None]
    if not all(p in points or isinstance(p, gast.Slice) for p in parts) or not all(is_fixed(e, ints) for e in ends):
        return None
    return expr.value.id, parts


def place_of(expr, axes, ints):
    """The same for slices as well, with no index for the array itself and None for `a.T` of a matrix."""
    if isinstance(expr, gast.Name) and expr.id in axes:
        return expr.id, []
    if isinstance(expr, gast.Attribute) and expr.attr == 'T' and axes.get(getattr(expr.value, 'id', None)) == 2:
        return expr.value.id, None
    return index_of(expr, axes, ints, False)


def is_transposed(expr, axes):
    """Whether it is `a.T` of a matrix."""
    return isinstance(expr, gast.Attribute) and expr.attr == 'T' and axes.get(getattr(expr.value, 'id', None)) == 2


def over_rows(s, axes, resolver):
    """(row, (array, index or no index)) of `for i, row in enumerate(a)` and `for row in a`; Nones for other loops."""
    target, array, index = s.target, s.iter, None
    if isinstance(array, gast.Call) and resolver(array.func) is enumerate and len(array.args) == 1 and not array.keywords \
            and isinstance(target, gast.Tuple) and len(target.elts) == 2:
        (index, target), array = target.elts, array.args[0]
    names = [target, array, *([index] if index else [])]
    if not all(isinstance(n, gast.Name) for n in names) or array.id not in axes:
        return None, None
    return target.id, (array.id, [tree.load(index.id)] if index else [])


def stores(body, name):
    """Where a name is bound, updates in place aside."""
    updated = {id(s.target) for s in tree.every(body) if isinstance(s, gast.AugAssign)}
    return [n for s in body for n in tree.walk(s) if isinstance(n, gast.Name) and n.id == name
            and not isinstance(n.ctx, gast.Load) and id(n) not in updated]


def uses(body, name):
    """Where a name is read, or what it stands for updated in place."""
    updated = {id(s.target) for s in tree.every(body) if isinstance(s, gast.AugAssign)}
    return [n for s in body for n in tree.walk(s) if isinstance(n, gast.Name) and n.id == name
            and (isinstance(n.ctx, gast.Load) or id(n) in updated)]


def points(parts):
    """How many axes an index leaves out."""
    return sum(not isinstance(p, gast.Slice) for p in parts or ())


def is_fixed(expr, ints):
    """Whether an expression is an integer made of names and literals."""
    if isinstance(expr, gast.Constant):
        return type(expr.value) is int
    if isinstance(expr, gast.BinOp):
        return isinstance(expr.op, (gast.Add, gast.Sub, gast.Mult, gast.Mod, gast.FloorDiv)) \
            and is_fixed(expr.left, ints) and is_fixed(expr.right, ints)
    if isinstance(expr, gast.UnaryOp):
        return isinstance(expr.op, gast.USub) and is_fixed(expr.operand, ints)
    return isinstance(expr, gast.Name) and expr.id in ints


def bound(stmts):
    """Names that statements bind."""
    return {n.id for s in stmts for n in tree.walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, (gast.Store, gast.Del))}


def written(stmts, name):
    """The elements and parts of an array of this name that statements write into."""
    targets = [t for s in tree.every(stmts) for t in getattr(s, 'targets', [getattr(s, 'target', None)])]
    return [n for t in targets if t is not None for n in tree.walk(t)
            if isinstance(n, gast.Subscript) and getattr(n.value, 'id', None) == name]


def stored_into(stmts):
    """Names of arrays into whose elements statements store, or that they change in place."""
    found = set()
    for s in tree.every(stmts):
        targets = s.targets if isinstance(s, gast.Assign) else [s.target] if isinstance(s, gast.AugAssign) else []
        found |= {n.value.id for t in targets for n in tree.walk(t)
                  if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name)}
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            found.add(s.target.id)
    return found


def may_be_written(stmts):
    """The same, and names of what statements hand over for effect."""
    return stored_into(stmts).union(*(tree.names(s, gast.Load) for s in tree.every(stmts) if isinstance(s, gast.Expr)))


def turned(node, ints):
    """The parts of an index into a transposed matrix, in the order of the matrix; None where there is no such index.

    One part is a position: `m.T[...]` and `m.T[[0, 1], 1:]` have the order of the axes of `m.T`.
    """
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    parts = parts if len(parts) > 1 else [*parts, gast.Slice(lower=None, upper=None, step=None)]
    plain = all(isinstance(p, gast.Slice) or is_fixed(p, ints) for p in parts)
    return parts[::-1] if plain and len(parts) == 2 and points(parts) else None


class _Rows:
    """Rows of arrays that change.

    found : those that are bound once, and read only behind that in the same block, or in the loop that binds them
    counts : loop over rows -> the name of the number of the row
    """

    def __init__(self, function, axes, ints, resolver, library):
        self.found, self.counts, self.resolver, self.library = {}, {}, resolver, library
        self.axes, self.ints = axes, ints
        self.body = function.body
        if may_be_written(self.body).isdisjoint(axes):
            return
        self.body = self.apart(function)
        defined = self.defined(self.body)
        self.found = {row: place for row, (place, _) in defined.items()}
        self.found = self.changing(self.body)
        for row, (place, s) in defined.items():
            if row in self.found and isinstance(s, gast.For):
                counter = place[1][0].id if place[1] else self.library.names.fresh('i')
                self.counts[s], self.found[row] = counter, (place[0], [tree.load(counter)])

    def apart(self, function):
        """The body, each row of it under a name of its own where a name stands for several, one behind the other."""
        found = [name for name, *_ in self.places(function.body)]
        several = {n for n in found if found.count(n) > 1} - set(tree.names(function.args, gast.Param))
        several &= {n for n in several if found.count(n) == len(stores(function.body, n))
                    and sum(len(uses(region, n)) for m, _, _, region in self.places(function.body) if m == n)
                    == len(uses(function.body, n))}
        return self.renamed(function.body, several) if several else function.body

    def renamed(self, stmts, several):
        out, mapping = [], {}
        for s in stmts:
            if mapping:
                s = tree.rename(s, mapping)
            name = next((n for n, *_ in self.places([s], False) if n in several), None)
            if name is not None:
                new = self.library.names.fresh(name)
                self.axes = {**self.axes, new: self.axes[name]}
                if isinstance(s, gast.For):
                    s = tree.rename(s, {name: new})
                else:
                    s, mapping = tree.replace(s, targets=[tree.store(new)]), {**mapping, name: new}
            out.append(tree.replace(s, **{field: self.renamed(block, several) for field, block in tree.blocks(s)}))
        return out

    def defined(self, body):
        """Row -> (place, the statement that binds it), for those that are bound there alone and read in its reach."""
        return {name: (place, s) for name, s, place, region in self.places(body)
                if len(stores(body, name)) == 1 and len(uses(region, name)) == len(uses(body, name))}

    def places(self, body, deep=True):
        """(name, statement, (array, index), the statements in which it stands for that) of what binds rows.

        deep : in blocks of the statements, too
        """
        late = {n for s in body for scope in tree.walk(s) if isinstance(scope, LATE) for n in tree.names(scope, gast.Load)}
        for block in tree.every_block(body) if deep else [body]:
            for k, s in enumerate(block):
                name, place, region = tree.target(s), None, block[k + 1:]
                if isinstance(s, gast.For):
                    name, place = over_rows(s, self.axes, self.resolver)
                    region = s.body
                elif name:
                    place = place_of(s.value, self.axes, self.ints)
                if place is None or name in late or self.axes.get(name) != self.axes[place[0]] - (
                        1 if isinstance(s, gast.For) else points(place[1])):
                    continue
                fixed = {n for e in place[1] or () for n in tree.names(e, gast.Load)} | {place[0]}
                if not isinstance(s, gast.For):
                    last = max((at for at, t in enumerate(region) if uses([t], name)), default=-1)
                    region = region[:last + 1]
                straight = place[1] is not None or all(turned(e, self.ints) for e in written(region, name))
                if fixed.isdisjoint(bound(region)) and straight:
                    yield name, s, place, region

    def changing(self, body):
        """Those rows into which the function writes, or may: into elements, in place, or by handing them over for effect;
        rows of arrays into which it writes, and rows of such rows."""
        written = may_be_written(body)
        while True:
            more = {array for row, (array, _) in self.found.items() if row in written} \
                | {row for row, (array, _) in self.found.items() if array in written}
            if more <= written:
                return {row: place for row, place in self.found.items() if row in written}
            written |= more

    def block(self, stmts):
        out = []
        for s in stmts:
            if tree.target(s) in self.found and isinstance(s, gast.Assign):
                continue
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            s = tree.replace(s, **blocks, **self.counted(s)) if blocks else s
            out += self.part_written(s) or [_InPlace(self.found, set(blocks), self.axes, self.ints).visit_statement(s)]
        return out or [tree.place(gast.Pass(), tree.Origin('primal'))]

    def counted(self, s):
        """Target and iterator of a loop over rows that goes over their numbers, as fields of the loop."""
        if s not in self.counts:
            return {}
        array = s.iter.args[0] if isinstance(s.iter, gast.Call) else s.iter
        length = tree.call(self.library.known('len'), array)
        return {'target': tree.store(self.counts[s]), 'iter': tree.call(self.library.known('range'), length)}

    def part_written(self, s):
        """A statement that writes into a slice under a name, on a copy that is put back; None for others."""
        target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else getattr(s, 'target', None)
        name = getattr(getattr(target, 'value', None), 'id', None)
        if not isinstance(s, (gast.Assign, gast.AugAssign)) or not isinstance(target, gast.Subscript) \
                or not any(isinstance(p, gast.Slice) for p in self.found.get(name, ('', ()))[1] or ()):
            return None
        place = _InPlace(self.found, (), self.axes, self.ints).row(name)
        made = tree.method(place, 'copy')
        there = tree.replace(tree.clone(place), ctx=gast.Store())
        back = gast.Assign(targets=[there], value=tree.load(name), type_comment=None)
        first = gast.Assign(targets=[tree.store(name)], value=made, type_comment=None)
        others = {n: known for n, known in self.found.items() if n != name}
        return [tree.instead(first, s), _InPlace(others, (), self.axes, self.ints).visit_statement(s),
                tree.instead(back, s)]


class _InPlace(gast.NodeTransformer):
    def __init__(self, found, done, axes, ints):
        self.found, self.done, self.axes, self.ints = found, done, axes, ints

    def visit_statement(self, s):
        fields = {}
        for field, value in gast.iter_fields(s):
            if field in self.done:
                continue
            if isinstance(value, gast.AST):
                fields[field] = self.visit(tree.clone(value))
            elif isinstance(value, list):
                fields[field] = [self.visit(tree.clone(v)) if isinstance(v, gast.AST) else v for v in value]
        return tree.replace(s, **fields)

    def visit_Subscript(self, node):
        name = getattr(node.value, 'id', None)
        if isinstance(node.ctx, gast.Store) and is_transposed(node.value, self.axes) \
                and (order := turned(node, self.ints)):
            index = gast.Tuple(elts=order, ctx=gast.Load())
            return self.visit(tree.replace(node, value=node.value.value, slice=index))
        if name not in self.found:
            return self.generic_visit(node)
        array, parts = self.found[name]
        if parts == []:
            return self.visit(tree.replace(node, value=tree.load(array)))
        if parts is None or any(isinstance(p, gast.Slice) for p in parts):
            return self.of_part(node, array, parts)
        more = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        whole = gast.Tuple(elts=[*map(tree.clone, parts), *(self.visit(p) for p in more)], ctx=gast.Load())
        if not all(isinstance(p, gast.Slice) or not isinstance(p, gast.Compare) for p in more):
            return tree.replace(node, value=self.row(name))
        return self.visit(tree.replace(node, value=tree.load(array), slice=whole)) if array in self.found else \
            tree.replace(node, value=tree.load(array), slice=whole)

    def of_part(self, node, array, parts):
        """An element or part of an array under another name, of a transposed one, or of a slice."""
        order = turned(node, self.ints) if parts is None else None
        if order:
            index = gast.Tuple(elts=[self.visit(tree.clone(p)) for p in order], ctx=gast.Load())
            node = tree.replace(node, value=tree.load(array), slice=index)
            return self.visit(node) if array in self.found else node
        return tree.replace(node, value=self.row(node.value.id), slice=self.visit(tree.clone(node.slice)))

    def visit_Name(self, node):
        if node.id not in self.found:
            return node
        return tree.replace(self.row(node.id), ctx=node.ctx)

    def row(self, name):
        array, parts = self.found[name]
        if not parts:
            whole = tree.load(array) if parts is not None else gast.Attribute(value=tree.load(array), attr='T', ctx=gast.Load())
            return self.visit(whole) if array in self.found else whole
        index = tree.clone(parts[0]) if len(parts) == 1 else gast.Tuple(elts=[*map(tree.clone, parts)], ctx=gast.Load())
        whole = gast.Subscript(value=tree.load(array), slice=index, ctx=gast.Load())
        return self.visit(whole) if array in self.found else whole


class _Parts:
    def __init__(self, axes, ints, effects, resolver, names):
        self.axes, self.ints, self.effects, self.resolver, self.names = axes, ints, effects, resolver, names

    def block(self, stmts):
        out = []
        for s in stmts:
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            s = tree.replace(s, **blocks) if blocks else s
            call = s.value if isinstance(s, gast.Expr) or tree.target(s) else None
            out += self.called(s, call) if isinstance(call, gast.Call) else [s]
        return out

    def called(self, s, call):
        """The statement, its call given copies of the parts of arrays that it writes into, which are put back then."""
        written = [e for part in self.effects(self.resolver(call.func), call) for e in part]
        args = tree.arguments(call)
        places = {id(e): index_of(e, self.axes, self.ints, False) for e in written}
        arrays = [p[0] for p in places.values() if p]
        every = [n for a in args if not isinstance(a, (gast.BinOp, gast.UnaryOp)) for n in tree.names(a, gast.Load)]
        alone = all(every.count(n) == 1 for n in arrays)
        keeps = any(self.effects.keeps(self.resolver(call.func), call, e) for e in written)
        if not arrays or not alone or keeps or tree.target(s) in every:
            return [s]
        before, after, held = [], [], {}
        for e in written:
            if places[id(e)]:
                name = held[id(e)] = self.names.fresh('t')
                copy = tree.method(e, 'copy')
                before.append(gast.Assign(targets=[tree.store(name)], value=copy, type_comment=None))
                place = tree.replace(tree.clone(e), ctx=gast.Store())
                after.append(gast.Assign(targets=[place], value=tree.load(name), type_comment=None))
        given = [tree.load(held[id(a)]) if id(a) in held else a for a in call.args]
        keywords = [tree.replace(k, value=tree.load(held[id(k.value)])) if id(k.value) in held else k for k in call.keywords]
        new = tree.replace(s, value=tree.replace(call, args=given, keywords=keywords))
        return [*(tree.instead(t, s) for t in before), new,
                *(tree.instead(t, s) for t in after)]
