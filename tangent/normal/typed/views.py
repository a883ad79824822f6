"""Rows of arrays under names of their own, and parts of arrays that are handed to functions which write into them.

    row = a[i]                     a[i, 2] = a[i, 0]              lorenz(y, k[0])         t = k[0].copy()
    row[2] = row[0]        ->                                                      ->     lorenz(y, t)
                                                                                          k[0] = t
    a[0][1] = v            ->      a[0, 1] = v                    m.T[0] = v       ->     m[:, 0] = v

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
    """(the FunctionDef with arrays in place of their rows, and copies of the parts that functions write into; the kinds with
    those of new names).

    kinds : name -> how many axes it has, for arrays
    ints : variables that hold integers
    """
    axes = {n: kind for n, kind in kinds.items() if type(kind) is int and kind > 0}
    if not axes:
        return function, kinds
    function = tree.replace(function, body=_Chained(axes, ints).block(function.body))
    rows = _Rows(function, axes, ints, library)
    turned = any(is_transposed(n.value, axes) for s in function.body for n in tree.walk(s)
                 if isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Store))
    body = rows.block(rows.body) if rows.found or turned else function.body
    body = _Parts(function, axes, ints, effects, resolver, library.names).block(body)
    return tree.replace(function, body=body), {**kinds, **axes}


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


def joined(parts, node, axes, ints):
    """The parts of `a[parts]` and those of an index into that, which are together an index into `a`; None where they are not.

    An array has its own axis behind a position, unless there is a slice between them; what is unknown may be a tuple.
    """
    more = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    steady = all(isinstance(p, (gast.Slice, gast.Constant)) or is_fixed(p, ints) for p in more)
    whole = steady or len(more) == 1 and is_no_tuple(more[0], axes, ints)
    return [*map(tree.clone, parts), *more] if whole else None


def is_no_tuple(expr, axes, ints):
    """Whether an expression is known for an array, a list or a number; a comparison for a mask."""
    if isinstance(expr, gast.BinOp):
        return is_no_tuple(expr.left, axes, ints) and is_no_tuple(expr.right, axes, ints)
    if isinstance(expr, gast.Subscript):
        return getattr(expr.value, 'id', None) in axes
    return isinstance(expr, (gast.Constant, gast.List, gast.Compare)) or getattr(expr, 'id', None) in axes.keys() | ints


class _Chained:
    """`a[i][j] = v` as `a[i, j] = v`, and what else the function reads so of such arrays."""

    def __init__(self, axes, ints):
        self.axes, self.ints, self.written = axes, ints, set()

    def block(self, stmts):
        targets = [t for s in tree.every(stmts) for t in getattr(s, 'targets', [getattr(s, 'target', None)])]
        self.written = {place[0] for t in targets if t is not None for n in tree.walk(t) if isinstance(n, gast.Subscript)
                        for place in [index_of(n.value, self.axes, self.ints)] if place}
        return list(map(self.visit, stmts)) if self.written else stmts

    def visit(self, node):
        node = tree.with_children(node, self.visit)
        place = index_of(node.value, self.axes, self.ints) if isinstance(node, gast.Subscript) else None
        whole = joined(place[1], node, self.axes, self.ints) if place and place[0] in self.written else None
        return tree.replace(node, value=node.value.value, slice=gast.Tuple(elts=whole, ctx=gast.Load())) if whole else node


class _Rows:
    """Rows of arrays that change.

    found : those that are bound once, and read only behind that in the same block, or in the loop that binds them
    """

    def __init__(self, function, axes, ints, library):
        self.found, self.library = {}, library
        self.axes, self.ints = axes, ints
        self.body = function.body
        if may_be_written(self.body).isdisjoint(axes):
            return
        self.body = self.apart(function)
        self.found = self.defined(self.body)
        self.found = self.changing(self.body)

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
                self.axes[new] = self.axes[name]
                s, mapping = tree.replace(s, targets=[tree.store(new)]), {**mapping, name: new}
            out.append(tree.replace(s, **{field: self.renamed(block, several) for field, block in tree.blocks(s)}))
        return out

    def defined(self, body):
        """Row -> place, for those that are bound there alone and read in its reach."""
        return {name: place for name, _, place, region in self.places(body)
                if len(stores(body, name)) == 1 and len(uses(region, name)) == len(uses(body, name))}

    def places(self, body, deep=True):
        """(name, statement, (array, index), the statements in which it stands for that) of what binds rows.

        deep : in blocks of the statements, too
        """
        late = {n for s in body for scope in tree.walk(s) if isinstance(scope, LATE) for n in tree.names(scope, gast.Load)}
        for block in tree.every_block(body) if deep else [body]:
            for k, s in enumerate(block):
                name, region = tree.target(s), block[k + 1:]
                place = place_of(s.value, self.axes, self.ints) if name else None
                if place is None or name in late or self.axes.get(name) != self.axes[place[0]] - points(place[1]):
                    continue
                fixed = {n for e in place[1] or () for n in tree.names(e, gast.Load)} | {place[0]}
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
            s = tree.replace(s, **blocks) if blocks else s
            out += self.part_written(s) or [_InPlace(self.found, set(blocks), self.axes, self.ints).visit_statement(s)]
        return out or [tree.place(gast.Pass(), tree.Origin('primal'))]

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
        node = tree.replace(node, slice=self.visit(node.slice))
        whole = joined(parts, node, self.axes, self.ints)
        if whole is None:
            return tree.replace(node, value=self.row(name))
        node = tree.replace(node, value=tree.load(array), slice=gast.Tuple(elts=whole, ctx=gast.Load()))
        return self.visit(node) if array in self.found else node

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
    """first : name of a number that a loop counts -> where that begins"""

    def __init__(self, function, axes, ints, effects, resolver, names):
        self.axes, self.ints, self.effects, self.resolver, self.names = axes, ints, effects, resolver, names
        begins: dict = {}
        for s in tree.every(function.body):
            if isinstance(s, gast.For) and isinstance(s.target, gast.Name):
                begins.setdefault(s.target.id, []).append(start_of(s.iter, resolver))
        self.first = {name: min(found) for name, found in begins.items()
                      if None not in found and len(found) == len(stores(function.body, name))}

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
        every = [n for a in args if not is_computed(a) for n in tree.names(a, gast.Load)]
        alone = all(every.count(places[id(e)][0]) == 1 or self.is_apart(e, args) for e in written if places[id(e)])
        keeps = any(self.effects.keeps(self.resolver(call.func), call, e) for e in written)
        if not arrays or not alone or keeps or tree.target(s) in every:
            return [s]
        before, after, held = [], [], {}
        for e in written:
            if places[id(e)]:
                name = held[id(e)] = self.names.fresh('t')
                self.axes[name] = self.axes[places[id(e)][0]] - points(places[id(e)][1])
                copy = tree.method(e, 'copy')
                before.append(gast.Assign(targets=[tree.store(name)], value=copy, type_comment=None))
                place = tree.replace(tree.clone(e), ctx=gast.Store())
                after.append(gast.Assign(targets=[place], value=tree.load(name), type_comment=None))
        given = [tree.load(held[id(a)]) if id(a) in held else a for a in call.args]
        keywords = [tree.replace(k, value=tree.load(held[id(k.value)])) if id(k.value) in held else k for k in call.keywords]
        new = tree.replace(s, value=tree.replace(call, args=given, keywords=keywords))
        return [*(tree.instead(t, s) for t in before), new,
                *(tree.instead(t, s) for t in after)]

    def is_apart(self, part, args):
        """Whether what a part of an array is given beside are other rows of that, so far as they are of this array at all."""
        array, place = index_of(part, self.axes, self.ints, False)
        mine = self.position(place[0])
        for other in args:
            if other is not part and array in tree.names(other, gast.Load) and not is_computed(other):
                found = index_of(other, self.axes, self.ints, False)
                its = self.position(found[1][0]) if found else None
                if mine is None or its is None or mine[0] != its[0] or mine[1] == its[1]:
                    return False
        return True

    def position(self, expr):
        """(a name that a loop counts or None, what is added to it) of a position that is counted from the front; else None."""
        name, more = expr, 0
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)):
            name, more = expr.left, getattr(expr.right, 'value', None)
        if isinstance(name, gast.Constant):
            name, more = None, name.value if name is expr else None
        if type(more) is not int or not (name is None or isinstance(name, gast.Name) and name.id in self.first):
            return None
        more = -more if isinstance(getattr(expr, 'op', None), gast.Sub) else more
        lowest = more if name is None else self.first[name.id] + more
        return (getattr(name, 'id', None), more) if lowest >= 0 else None


def is_computed(expr):
    """Whether an argument is no part of anything."""
    return isinstance(expr, (gast.BinOp, gast.UnaryOp))


def start_of(iterated, resolver):
    """Where `range(n)` and `range(1, n)` begin; None for what is no such range, and begins at what is not known."""
    if not isinstance(iterated, gast.Call) or resolver(iterated.func) is not range or iterated.keywords \
            or not 1 <= len(iterated.args) <= 2 or tree.is_starred(iterated):
        return None
    begin = iterated.args[0].value if isinstance(iterated.args[0], gast.Constant) else None
    return 0 if len(iterated.args) == 1 else begin if type(begin) is int else None
