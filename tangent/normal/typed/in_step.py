"""Views of arrays that change under several names: arrays of their own, which are kept in step.

    w = y.reshape(2, 3)            w = y.reshape(2, 3).copy()         top, end = p[:4], p[4:]
    w[0] *= v               ->     w[0] *= v                          top -= end ** 2
    return f(y)                    y[...] = w.reshape(y.shape)    ->  p[:4] = top
                                   return f(y)                        end[...] = p[4:]

What is written into one name is put into the array that it is a view of, and from there into the other views, each where it
is read next: behind the loops in which only the one is known. `views` has done before what needs no copy: rows, transposed
matrices and slices under names. Only for arrays that the function makes itself, that nothing else may share memory with
(`own_arrays.Pairs`), and of which the view surely is one: a `reshape` of what is in the order of its axes.
"""
import functools

import gast
import numpy as np

from tangent.analysis.alias import Aliases
from tangent.analysis.array_accesses import is_position, write_of
from tangent.analysis.mutated_arrays import Memory
from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES
from tangent.normal.ssa import live_after
from tangent.normal.typed.own_arrays import COMPOUND, Pairs
from tangent.normal.typed.views import is_fixed, may_be_written, stored_into
from tangent.runtime.facts import is_one

SAME: tuple = np.asarray, np.asanyarray
FUNCTIONS: tuple = np.reshape, np.ravel, np.swapaxes, np.transpose
IN_ORDER: tuple = np.zeros, np.ones, np.empty, np.full, np.eye, np.arange, np.linspace, np.outer
FLATTENED = {'ravel': (0, 0), 'reshape': (1, 9), 'swapaxes': (2, 2), 'transpose': (0, 0)}       # method -> arguments, from, to


def kept(function, kinds, ints, effects, resolver, library):
    """The FunctionDef with such copies.

    kinds : name -> how many axes it has, for arrays
    ints : variables that hold integers
    """
    axes = {n: kind for n, kind in kinds.items() if type(kind) is int and kind > 0}
    if len(axes) < 2 or may_be_written(function.body).isdisjoint(axes) \
            or any(isinstance(n, SCOPES) for s in function.body for n in tree.walk(s)) \
            or any(any(tree.blocks(s)) and not isinstance(s, COMPOUND) for s in tree.every(function.body)):
        return function
    apart = _Apart(axes, ints, resolver, library)
    plain = made = tree.replace(function, body=apart.block(function.body))
    views = _Views(plain, axes, apart.ints, effects, resolver)
    for base, names in views.groups().items():
        made = _InStep(made, base, {n: views.found[n] for n in names}, effects, resolver).written_out()
    return function if made is plain else made


class _Apart:
    """One assignment for each name of `a, b = y[:3], y[3:]` and of `a, b = np.split(y, 2)`."""

    def __init__(self, axes, ints, resolver, library):
        self.axes, self.ints, self.resolver, self.library = axes, ints, resolver, library

    def block(self, stmts):
        out = []
        for s in stmts:
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            s = tree.replace(s, **blocks) if blocks else s
            pairs = self.pairs(s) if isinstance(s, gast.Assign) and len(s.targets) == 1 else ()
            out += [tree.instead(tree.assign(n, value, tree.origin(s)), s) for n, value in pairs] or [s]
        return out

    def pairs(self, s):
        """(name, value) of each part; none where it stays one statement."""
        target, value = s.targets[0], s.value
        names = [getattr(t, 'id', None) for t in target.elts] if isinstance(target, gast.Tuple) else [None]
        if None in names or len(names) != len(set(names)) or not set(names).isdisjoint(tree.names(value, gast.Load)):
            return ()
        if isinstance(value, gast.Tuple) and len(value.elts) == len(names) and not self.axes.keys().isdisjoint(names):
            return zip(names, value.elts)
        split = isinstance(value, gast.Call) and len(value.args) == 2 and not value.keywords \
            and self.resolver(value.func) is np.split and self.axes.keys() >= {*names, getattr(value.args[0], 'id', None)}
        return self.split(names, value) if split else ()

    def split(self, names, call):
        """The same for `numpy.split`, by slices."""
        array, places = call.args
        before, ends = [], [None, *getattr(places, 'elts', ()), None]
        if isinstance(places, gast.Constant) and places.value == len(names) > 1:
            count = self.library.names.fresh('n')
            part = gast.Subscript(value=tree.clone(call), slice=tree.constant(0), ctx=gast.Load())
            before = [(count, tree.call(self.library.known('len'), part))]
            self.ints = self.ints | {count}
            several = [gast.BinOp(left=tree.constant(k), op=gast.Mult(), right=tree.load(count)) for k in range(2, len(names))]
            ends = [None, tree.load(count), *several, None]
        if len(ends) != len(names) + 1 or not all(e is None or is_fixed(e, self.ints) for e in ends):
            return ()
        slices = [gast.Slice(lower=a, upper=b, step=None) for a, b in zip(ends, ends[1:])]
        return before + [(n, gast.Subscript(value=tree.clone(array), slice=tree.clone(part), ctx=gast.Load()))
                         for n, part in zip(names, slices)]


class _Views:
    """Which names are views of which arrays.

    found : view -> the expression that says what it shows of an array of the function's own
    """

    def __init__(self, function, axes, ints, effects, resolver):
        self.axes, self.ints, self.effects, self.resolver = axes, ints, effects, resolver
        self.body = function.body
        self.function = function
        self.params = set(tree.names(function.args, gast.Param))
        names = [n.id for s in self.body for n in tree.walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)]
        updated = [s.target.id for s in tree.every(self.body)
                   if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)]
        self.once = {n for n in names if names.count(n) - updated.count(n) == 1} - self.params
        self.steady = self.once - set(updated) | (self.params - set(names))
        self.made = {tree.target(s): s.value for s in tree.every(self.body) if tree.target(s) in self.once}
        self.found = {n: whole for n, made in self.made.items() if n in axes for whole in [self.view(made)]
                      if whole is not None and self.is_own(tree.root_name(base_of(whole)))}

    @functools.cached_property
    def memory(self):
        return Memory(self.resolver, Aliases(self.function, self.resolver, self.effects, self.axes), self.axes)

    def groups(self):
        """Array -> its views, where one of them is written into and nothing else shares their memory."""
        groups: dict = {}
        for name, whole in self.found.items():
            groups.setdefault(base_of(whole).id, []).append(name)
        written = stored_into(self.body)
        groups = {base: names for base, names in groups.items() if not written.isdisjoint([base, *names])}
        if not groups:
            return {}
        pairs = Pairs(self.memory, self.effects, {}, self.params)
        pairs.block(self.body, frozenset())
        shared = frozenset().union(*pairs.at.values()) if pairs.at else frozenset()
        return {base: names for base, names in groups.items()
                if all(p <= {base, *names} for p in shared if not p.isdisjoint([base, *names]))}

    def is_own(self, name):
        """Whether an array is made by the function, where its name is bound for good."""
        return name in self.axes and name in self.made and self.memory.is_fresh(self.made[name])

    def view(self, expr):
        """The expression with the names of views in it written out, if its value is a view of an array for sure; else None."""
        if isinstance(expr, gast.Name):
            if expr.id in self.made and expr.id in self.axes and not self.memory.is_fresh(self.made[expr.id]):
                return self.view(self.made[expr.id])
            return expr if expr.id in self.axes else None
        if isinstance(expr, gast.Subscript):
            parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
            inner = self.view(expr.value) if all(map(self.is_steady, parts)) else None
            return tree.replace(expr, value=inner) if inner is not None and isinstance(inner, gast.Name) else None
        if isinstance(expr, gast.Attribute) and expr.attr == 'T':
            inner = self.view(expr.value)
            return inner and tree.replace(expr, value=inner)
        if isinstance(expr, gast.Call) and not expr.keywords:
            return self.called(expr)
        return None

    def called(self, call):
        function = self.resolver(call.func)
        if is_one(function, SAME) and len(call.args) == 1:
            return self.view(call.args[0])
        method, args = getattr(call.func, 'attr', None), call.args
        if is_one(function, FUNCTIONS) and args:
            method, owner, args = function.__name__, args[0], args[1:]
        elif isinstance(call.func, gast.Attribute) and method in FLATTENED:
            owner = call.func.value
        else:
            return None
        least, most = FLATTENED[method]
        inner = self.view(owner)
        if inner is None or not least <= len(args) <= most or not all(map(self.is_steady, args)) \
                or method in ('reshape', 'ravel') and not self.is_in_order(inner):
            return None
        return tree.method(inner, method, *args)

    def is_steady(self, part):
        """Whether an index or an argument is made of what never changes, and an index leaves a view."""
        if isinstance(part, gast.Slice):
            return all(e is None or self.is_steady(e) for e in (part.lower, part.upper, part.step))
        if isinstance(part, gast.Tuple):
            return all(map(self.is_steady, part.elts))
        return (is_fixed(part, self.ints) or isinstance(part, gast.Constant) and part.value in (None, Ellipsis)) \
            and self.steady.issuperset(tree.names(part, gast.Load))

    def is_in_order(self, expr):
        """Whether an array surely lies in memory in the order of its axes."""
        if isinstance(expr, gast.Call):
            return expr.func.attr in ('reshape', 'ravel')
        if isinstance(expr, gast.Subscript):
            flat = self.axes.get(expr.value.id) == 1 and isinstance(expr.slice, gast.Slice) and expr.slice.step is None
            return flat and self.is_in_order(expr.value)
        made = self.made.get(getattr(expr, 'id', None))
        if isinstance(made, (gast.BinOp, gast.UnaryOp)):
            return self.axes[expr.id] == 1
        if not isinstance(made, gast.Call):
            return False
        function = self.resolver(made.func)
        if getattr(made.func, 'attr', None) == 'copy' and not made.args and not made.keywords:
            return True
        plain = not any(k.arg in ('order', 'out') for k in made.keywords) and len(made.args) <= 2
        return is_one(function, IN_ORDER) and plain \
            or isinstance(function, np.ufunc) and self.axes[expr.id] == 1 and not made.keywords


def base_of(view):
    """The array that a view shows."""
    while not isinstance(view, gast.Name):
        view = view.func if isinstance(view, gast.Call) else view.value
    return view


def put(view, value):
    """The assignment that puts what a view shows into its array."""
    if isinstance(view, gast.Call) and view.func.attr in ('reshape', 'ravel'):
        inner = view.func.value
        shape = gast.Attribute(value=tree.clone(inner), attr='shape', ctx=gast.Load())
        return put(inner, tree.method(value, 'reshape', shape))
    if isinstance(view, gast.Call):                                      # `swapaxes` and `transpose` undo themselves
        return put(view.func.value, tree.method(value, view.func.attr, *map(tree.clone, view.args)))
    if isinstance(view, gast.Attribute):
        return put(view.value, gast.Attribute(value=value, attr='T', ctx=gast.Load()))
    if isinstance(view, gast.Name):
        view = gast.Subscript(value=view, slice=tree.constant(...), ctx=gast.Load())
    return gast.Assign(targets=[tree.replace(tree.clone(view), ctx=gast.Store())], value=value, type_comment=None)


class _InStep:
    """One array and its views.

    after : statement -> assignments that go behind it
    """

    def __init__(self, function, base, views, effects, resolver):
        self.base, self.views = base, views
        self.given, self.function = function, tree.replace(function, body=self.with_copies(function.body))
        self.effects, self.resolver = effects, resolver
        self.members, self.after, self.around = {base, *views}, {}, {}
        self.live: dict = {}
        live_after(self.function.body, frozenset(), self.live)
        self.within(self.function.body, ())
        self.binds = {tree.target(s): s for s in self.around if tree.target(s) in self.members}

    def with_copies(self, stmts):
        """The statements with views that are bound to copies of what they show of the array itself."""
        out = []
        for s in stmts:
            blocks = {field: self.with_copies(block) for field, block in tree.blocks(s)}
            s = tree.replace(s, **blocks) if blocks else s
            name = tree.target(s)
            out.append(tree.replace(s, value=tree.method(tree.clone(self.views[name]), 'copy')) if name in self.views else s)
        return out

    def within(self, stmts, around):
        """Note (compound statement, field) for the blocks around each statement, the inner ones first."""
        for s in stmts:
            self.around[s] = around
            for field, block in tree.blocks(s):
                self.within(block, ((s, field), *around))

    def written_out(self):
        """The function with copies in the place of the views; as it is where one would be put back at every element."""
        for s in self.around:
            changed = self.changed(s)
            if changed and not self.in_order(s, changed) or not all(self.follow(s, name) for name in sorted(changed)):
                return self.given
        return tree.replace(self.function, body=self.block(self.function.body))

    def changed(self, s):
        """Members that a statement itself changes; one that only binds a view does not."""
        if any(tree.blocks(s)):
            return set()
        found = stored_into([s]) if isinstance(s, (gast.Assign, gast.AugAssign)) else set()
        for call in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)):
            written = self.effects(self.resolver(call.func), call)
            found |= {n for part in written for e in part for n in tree.names(e, gast.Load)}
        return found & self.members

    def in_order(self, s, changed):
        """Whether a statement reads all that it reads of the members before it changes one."""
        calls = any(isinstance(n, gast.Call) for part in tree.header(s) for n in tree.walk(part))
        stored = stored_into([s]) if isinstance(s, (gast.Assign, gast.AugAssign)) else set()
        return changed <= stored or not calls or len(self.members & set(tree.names(s, gast.Load))) == 1

    def follow(self, s, name):
        """Note what has to be put in step after a statement that writes into a member; whether that is worth it."""
        if name != self.base:
            place = self.outermost(s, self.members - {name}, self.binds[name])
            others = [n for n in self.views if n != name and n in self.live[place]]
            if self.base not in self.live[place] and not others:
                return True
            if not self.pays(s, place):
                return False
            self.note(place, self.put_back(name, place))
            s = place
        for other in sorted(self.views.keys() - {name}):
            place = self.outermost(s, {other}, self.binds[other])
            if other in self.live[place] and not are_apart(self.views.get(name), self.views[other]):
                if not self.pays(s, place) or not self.is_bound(other, place):
                    return False
                whole = gast.Subscript(value=tree.load(other), slice=tree.constant(...), ctx=gast.Store())
                self.note(place, gast.Assign(targets=[whole], value=tree.clone(self.views[other]), type_comment=None))
        return True

    def put_back(self, name, place):
        """The assignment that puts a view into its array: one that binds it anew where nothing else writes into either."""
        made = put(self.views[name], tree.load(name))
        whole = isinstance(made.targets[0].slice, gast.Constant) and made.targets[0].slice.value is Ellipsis
        direct = self.base in may_be_written(self.function.body) or len(self.views) > 1 or name in self.live[place]
        if not whole or direct or any(isinstance(outer, (gast.For, gast.While)) for outer, _ in self.around[place]):
            return made
        return tree.replace(made, targets=[tree.store(self.base)])

    def outermost(self, s, names, binding):
        """The statement furthest out around another one in which none of these members is known, nor the view bound."""
        around = {outer for outer, _ in self.around[binding]}
        for outer, _ in self.around[s]:
            mentioned = {*tree.names(outer, gast.Load), *tree.names(outer, gast.Store)}
            if not names.isdisjoint(mentioned) or outer in around:
                break
            s = outer
        return s

    def pays(self, s, place):
        """Whether arrays may be put in step behind a statement: not for each element in a loop, nor where it may be left."""
        leaves = any(isinstance(n, (gast.Break, gast.Continue)) for n in tree.walk(place)) \
            and not isinstance(place, (gast.For, gast.While))
        write = write_of(s)
        parts = write.index.elts if write and isinstance(write.index, gast.Tuple) else [write.index] if write else ()
        loops = any(isinstance(outer, (gast.For, gast.While)) for outer, _ in self.around[place])
        return not leaves and not (loops and parts and all(map(is_position, parts)))

    def is_bound(self, name, place):
        """Whether a view surely has been bound where it is to be put in step."""
        binding, order = self.binds[name], list(self.around)
        return set(self.around[binding]) <= set(self.around[place]) and order.index(binding) < order.index(place)

    def note(self, place, assignment):
        made = self.after.setdefault(place, [])
        if all(gast.dump(assignment) != gast.dump(known) for known in made):
            made.append(assignment)

    def block(self, stmts):
        out = []
        for s in stmts:
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            new = tree.replace(s, **blocks) if blocks else s
            if isinstance(s, gast.AugAssign) and getattr(s.target, 'id', None) in self.members:      # of its own by now
                value = gast.BinOp(left=tree.load(s.target.id), op=s.op, right=s.value)
                new = tree.instead(tree.assign(s.target.id, value, tree.origin(s)), s)
            out += [new, *(tree.instead(made, s) for made in self.after.get(s, ()))]
        return out


def are_apart(one, other):
    """Whether two views surely share no element: slices of one array, of which one ends where the other begins, or before."""
    one, other = map(slice_of, (one, other))
    if one is None or other is None:
        return False
    ends = [(one.upper, other.lower), (other.upper, one.lower)]
    return any(a is not None and b is not None and (gast.dump(a) == gast.dump(b) or is_before(a, b)) for a, b in ends)


def slice_of(view):
    """The slice of an array that a view shows, under whatever shape, or None."""
    while view is not None and not isinstance(view, gast.Subscript):
        view = None if isinstance(view, gast.Name) else view.func.value if isinstance(view, gast.Call) else view.value
    index = view.slice if view is not None else None
    return index if isinstance(index, gast.Slice) and index.step is None and isinstance(view.value, gast.Name) else None


def is_before(a, b):
    """Whether both are literals, counted from the front, in this order."""
    return all(isinstance(e, gast.Constant) for e in (a, b)) and a.value <= b.value
