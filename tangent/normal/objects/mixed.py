"""Lists of objects of several classes become a variable for each: what is done for each of them is written one by one.

    layers = [Dense(w, b), Tanh()]           layers_0 = Dense(w, b)
    for layer in layers:                     layers_1 = Tanh()
        x = layer.forward(x)        ->       x = layers_0.forward(x)
    return x                                 x = layers_1.forward(x)
                                             return x

So it is with displays that one statement makes, and that are gone through in loops and comprehensions alone.
"""
import dataclasses

import gast

from tangent.frontend import tree
from tangent.frontend.quote import literal
from tangent.frontend.resolve import resolver_of
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, inside, own_names
from tangent.normal.objects.forms import form_of

MOST, SIZE = 12, 400                  # objects in a list; nodes of what is written for all of them together
SIMPLE = gast.Assign, gast.AugAssign, gast.Return, gast.Expr, gast.If
WHOLE = sum, max, min, list, tuple    # which take all that a generator gives, in order


def one_by_one(source):
    """The Source with such lists written out."""
    if not any(isinstance(n, (gast.List, gast.Tuple)) for s in source.tree.body for n in tree.walk(s)):
        return source
    function, resolver = source.tree, resolver_of(source)
    nodes = list(inside(function.body))
    names = [n for n in nodes if isinstance(n, gast.Name)]
    made = {tree.target(s): s for s in function.body if isinstance(s, gast.Assign) and tree.target(s)}
    once = {n: s for n, s in made.items() if sum(m.id == n and not isinstance(m.ctx, gast.Load) for m in names) == 1}
    classes = {n: resolver(s.value.func) for n, s in once.items() if isinstance(s.value, gast.Call)}
    taken, lists = tree.Names({n.id for n in names} | set(source.globals)), {}
    hidden = set().union(*(tree.all_names(d) for d in nodes if isinstance(d, (*DEFINITIONS, gast.Lambda))),
                         *(d.names for d in nodes if isinstance(d, (gast.Global, gast.Nonlocal))))
    known = {n: kind for n, kind in classes.items() if n not in hidden}
    for name, s in once.items():
        if name not in hidden and are_mixed(s.value, resolver, known):
            lists[name] = [e.id if isinstance(e, gast.Name) else taken.fresh(f'{name}_{k}') for k, e in enumerate(s.value.elts)]
    written = OneByOne(lists, resolver, known, hidden | strays(function.body), taken)
    body = written.block(function.body)
    left = not lists.keys().isdisjoint(set().union(*map(tree.all_names, body)))
    return source if left or not written.done else dataclasses.replace(source, tree=tree.replace(function, body=body))


def strays(stmts, bound=frozenset()):
    """Names that are read outside of the loops that bind them."""
    found = set()
    for s in stmts:
        own = bound.union(tree.names(s.target, gast.Store)) if isinstance(s, gast.For) else bound
        found |= set().union(*map(loaded, tree.header(s))) - bound
        found = found.union(*(strays(block, own) for _, block in tree.blocks(s)))
    return found


def are_mixed(display, resolver, classes):
    """Whether it is a display of objects of several classes, each made there or known by a name."""
    if not isinstance(display, (gast.List, gast.Tuple)) or not 1 < len(display.elts) <= MOST:
        return False
    found = [classes.get(e.id) if isinstance(e, gast.Name) else resolver(e.func) if isinstance(e, gast.Call) else None
             for e in display.elts]
    return all(isinstance(kind, type) and form_of(kind) is not None for kind in found) and len({*found}) > 1


def loaded(expr):
    """Names that an expression reads, but for those that comprehensions in it bind."""
    if isinstance(expr, gast.Name):
        return {expr.id} if isinstance(expr.ctx, gast.Load) else set()
    found = set().union(*map(loaded, tree.children(expr)))
    return (found - own_names(expr)) | loaded(expr.generators[0].iter) if isinstance(expr, COMPREHENSIONS) else found


def acts(expr):
    """How many calls there are in an expression, but in comprehensions; many, where it may not be evaluated as a whole."""
    if isinstance(expr, COMPREHENSIONS):
        return 0
    lazy = isinstance(expr, (gast.IfExp, gast.BoolOp, gast.NamedExpr, gast.Lambda))
    return 2 * lazy + isinstance(expr, gast.Call) + sum(map(acts, tree.children(expr)))


class OneByOne:
    """lists : name -> the names of the objects in it
    hidden : names that functions inside mention, or that are read outside of the loops that bind them
    front : statements that make the objects of displays, before the one that is written
    first : whether a display in the statement that is written is the first to do anything
    """

    def __init__(self, lists, resolver, classes, hidden, taken):
        self.lists, self.resolver, self.classes, self.hidden, self.taken = lists, resolver, classes, hidden, taken
        self.done, self.front, self.first = False, [], False

    def block(self, stmts):
        out = []
        for s in stmts:
            before, self.front = self.front, []
            found = self.statement(s)
            out += [*self.front, *found]
            self.front = before
        return out

    def statement(self, s):
        if isinstance(s, gast.Assign) and tree.target(s) in self.lists:
            pairs = zip(self.lists[tree.target(s)], s.value.elts)
            return [tree.like(s, tree.store(n), e) for n, e in pairs if not isinstance(e, gast.Name)]
        self.first = isinstance(s, gast.For)
        if isinstance(s, gast.For) and self.is_plain(s) and (each := self.each(s.target, s.iter, s.body)):
            return self.loop(s, each)
        self.first = isinstance(s, SIMPLE) and sum(map(acts, tree.header(s))) < 2
        parts = {} if isinstance(s, (*DEFINITIONS, gast.ClassDef)) else {
            f: self.of(v) for f, v in vars(s).items() if isinstance(v, gast.expr)}
        blocks = {field: self.block(block) for field, block in tree.blocks(s)}
        return [tree.replace(s, **blocks, **parts)]

    def is_plain(self, s):
        """Whether a loop is not left in between, and its variables are not read later."""
        own = tree.names(s.target, gast.Store)
        nodes = [n for t in s.body for n in tree.walk(t)]
        jumps = any(isinstance(n, (gast.Break, gast.Continue, *DEFINITIONS, gast.Lambda)) for n in nodes)
        bound = any(isinstance(n, gast.Name) and n.id in own and not isinstance(n.ctx, gast.Load) for n in nodes)
        return not (jumps or bound or s.orelse) and self.hidden.isdisjoint(own)

    def loop(self, s, each):
        """The statements of a loop over such objects."""
        self.done = True
        body = self.block(s.body)
        return [tree.rename(t, names) if not numbers else exchanged(tree.rename(t, names), numbers)
                for names, numbers in each for t in body]

    def each(self, target, where, done):
        """({variable: object}, {variable: number}) for each object that a loop goes through, or None; `done`: what it does."""
        size = sum(len(tree.walk(node)) for node in done)
        counts = isinstance(where, gast.Call) and self.resolver(where.func) is enumerate and len(where.args) == 1
        if counts and not where.keywords:
            pair = target.elts if isinstance(target, gast.Tuple) else ()
            named = len(pair) == 2 and all(isinstance(t, gast.Name) for t in pair)
            objects = self.objects(where.args[0], size) if named else None
            return objects and [({pair[1].id: n}, {pair[0].id: k}) for k, n in enumerate(objects)]
        objects = self.objects(where, size) if isinstance(target, gast.Name) else None
        return objects and [({target.id: n}, {}) for n in objects]

    def objects(self, where, size):
        """The names of the objects in a list, with each of which so many nodes are written; a display gets names for those that
        it makes."""
        if isinstance(where, gast.Call) and self.resolver(where.func) is reversed and len(where.args) == 1:
            found = self.objects(where.args[0], size)
            return found and found[::-1]
        if isinstance(where, gast.Name):
            found = self.lists.get(where.id, ())
            return found if size * len(found) <= SIZE else None
        if not self.first or not are_mixed(where, self.resolver, self.classes) or size * len(where.elts) > SIZE:
            return None
        names = [e.id if isinstance(e, gast.Name) else self.taken.fresh(f'of_{e.func.id.lower()}') for e in where.elts]
        made = [(gast.Assign(targets=[tree.store(n)], value=e, type_comment=None), e) for n, e in zip(names, where.elts)]
        self.front += [gast.copy_location(s, e) for s, e in made if not isinstance(e, gast.Name)]
        return names

    def of(self, expr):
        """An expression with displays in the place of comprehensions over such objects."""
        if isinstance(expr, (gast.ListComp, gast.GeneratorExp)):
            return self.comprehension(expr)
        if isinstance(expr, gast.Call) and self.resolver(expr.func) in WHOLE and len(expr.args) == 1 \
                and isinstance(expr.args[0], gast.GeneratorExp):
            listed = gast.copy_location(gast.ListComp(elt=expr.args[0].elt, generators=expr.args[0].generators), expr.args[0])
            found = self.comprehension(listed)
            return tree.replace(expr, args=[found]) if found is not listed else expr
        if isinstance(expr, gast.Call) and self.resolver(expr.func) is len and len(expr.args) == 1 \
                and getattr(expr.args[0], 'id', None) in self.lists:
            return gast.copy_location(tree.constant(len(self.lists[expr.args[0].id])), expr)
        if isinstance(expr, gast.Subscript) and getattr(expr.value, 'id', None) in self.lists:
            objects, at = self.lists[expr.value.id], literal(expr.slice)
            known = at and type(at[0]) is int and -len(objects) <= at[0] < len(objects)
            return gast.copy_location(tree.load(objects[at[0]]), expr) if known else expr
        return expr if isinstance(expr, gast.Lambda) else tree.with_children(expr, self.of)

    def comprehension(self, expr):
        first = expr.generators[0]
        if len(expr.generators) > 1 or first.ifs or first.is_async or isinstance(expr, gast.GeneratorExp):
            return expr
        own = tree.names(first.target, gast.Store)
        binds = any(isinstance(n, (gast.NamedExpr, gast.Lambda)) or isinstance(n, gast.Name) and n.id in own
                    and not isinstance(n.ctx, gast.Load) for n in tree.walk(expr.elt))
        each = None if binds else self.each(first.target, first.iter, [expr.elt])
        if not each:
            return expr
        self.done = True
        elt = self.of(expr.elt)
        return gast.copy_location(gast.List(elts=[exchanged(tree.rename(elt, names), numbers) for names, numbers in each],
                                            ctx=gast.Load()), expr)


def exchanged(node, numbers):
    """The tree with numbers for some variables that count."""
    if isinstance(node, gast.Name):
        return gast.copy_location(tree.constant(numbers[node.id]), node) if node.id in numbers else node
    return tree.with_children(node, lambda child: exchanged(child, numbers))
