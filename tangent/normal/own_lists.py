"""Lists, dicts and deques of a function's own, whose changes are said in the words that have a derivative.

    del xs[k]; del d[key]           xs.pop(k); d.pop(key)
    del xs[:n]                      for _ in range(len(xs[:n])): xs.pop(0)
    xs[1:3] = ys                    for _ in range(len(xs[1:3])): xs.pop(1);  for k, v in enumerate(ys): xs.insert(1 + k, v)
    xs.clear(); d.clear()           for _ in range(len(xs)): xs.pop();  for k in list(d): d.pop(k)
    xs.remove(v)                    k = list.index(xs, v); xs.pop(k)
    k = xs.index(v)                 k = list.index(xs, v)
    d.move_to_end(key)              d[key] = d.pop(key)
    k, v = d.popitem(last=False)    k = next(iter(d)); v = d.pop(k)
    y = heapq.heapreplace(h, v)     t = v; y = heapq.heappop(h); heapq.heappush(h, t)
    w = deque(ys, maxlen=n)         w = deque(ys);  while len(w) > n: w.popleft()
    w.append(v)              ->     w.append(v);  if len(w) > n: w.popleft()
    w.rotate(1)                     if w: w.appendleft(w.pop())
    ys = xs[:]; ys = xs.copy()      ys = list(xs), where `ys` changes
    for row in m: row[0] *= 2       for i in range(len(m)): m[i][0] *= 2
    row = m[k]; row[0] *= 2         m[k][0] *= 2
    ys = xs                         (`xs` stands where `ys` is read, where one of them changes)

That is done to what surely is one: to names that are bound to new ones alone, and to what is known by kind.
"""
import builtins
import collections
import dataclasses
import functools
import heapq
import operator

import gast

from tangent.analysis.activity import stored
from tangent.analysis.attributes import makes_object
from tangent.analysis.kinds.values import Entries, Items, Number, Parts
from tangent.analysis.mutated_lists import kind_of
from tangent.frontend import tree
from tangent.frontend.resolve import resolver_of
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS
from tangent.normal.desugar.loops import inside, own
from tangent.normal.desugar.targets import makes_several
from tangent.normal.objects.text import placed
from tangent.runtime import facts
from tangent.templates.python import mutations

SCOPES = (*DEFINITIONS, gast.Lambda, gast.ClassDef)
FORMS = {list: 'list', dict: 'dict', collections.deque: 'deque'}
ASKING = 'index', 'count', 'heapreplace'
NEEDED = 'len', 'range', 'list', 'enumerate', 'next', 'iter'


def spelled(source, kinds, lent, effects):
    """The Source with such changes written so; `kinds` : those of parameters that are known; `lent` : see `desugar.Given`."""
    function, resolver = source.tree, resolver_of(source)
    if not any(map(is_change, source.nodes)) or any(resolver.name(n) is not getattr(builtins, n) for n in NEEDED):
        return source
    function = with_own_names(tree.replace(function, body=one_by_one(function.body, resolver)), resolver)
    work = Spelled(dataclasses.replace(source, tree=function), kinds, lent, effects, resolver)
    work.done = work.done or function.body is not source.tree.body
    body = work.block(work.with_places(work.with_one_name(function.body)))
    return dataclasses.replace(source, tree=tree.replace(function, body=body)) if work.done else source


def one_by_one(stmts, resolver):
    """The statements with `xs = list(ys)` and `q = deque()` for `xs, q = list(ys), deque()`."""
    out = []
    for s in stmts:
        if isinstance(s, gast.Assign) and len(s.targets) == 1 and makes_several(
                s.targets[0], s.value, lambda call: kind_of(call, resolver) is not None and isinstance(call.func, gast.Name)):
            out += [placed(gast.Assign(targets=[t], value=v, type_comment=None), s)
                    for t, v in tree.side_by_side(s.targets[0], s.value)]
        else:
            out.append(s if isinstance(s, SCOPES) else inside(s, lambda block: one_by_one(block, resolver)))
    return stmts if len(out) == len(stmts) and all(map(operator.is_, out, stmts)) else out


def with_own_names(function, resolver):
    """The FunctionDef with another name for a list that is made of a parameter and changes, `xs = list(xs)`."""
    params, body = set(tree.names(function.args, gast.Param)), [*function.body]
    nodes = [n for s in body for n in tree.walk(s)]
    if any(isinstance(n, SCOPES) for n in nodes):
        return function
    stores = collections.Counter(n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load))
    changing = {tree.root_name(getattr(n, 'func', n)) for n in nodes if is_change(n)}
    fresh, found = tree.Names({n.id for n in nodes if isinstance(n, gast.Name)} | params).fresh, False
    for k, s in enumerate(body):
        name = tree.target(s)
        if name in params & changing and stores[name] == 1 and kind_of(s.value, resolver):
            new, found = fresh(name), True
            body[k] = tree.replace(s, targets=[gast.copy_location(tree.store(new), s.targets[0])])
            body[k + 1:] = [tree.rename(t, {name: new}) for t in body[k + 1:]]
    return tree.replace(function, body=body) if found else function


def is_change(node):
    """Whether it may be one of the changes, or make another name for what changes."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return mutations.of(node.func.attr).writes or node.func.attr in ASKING
    return isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)


class Spelled:
    """lists, dicts, deques : names that surely hold one; limits : name of a deque -> tree of how long it can be."""

    def __init__(self, source, kinds, lent, effects, resolver):
        function = source.tree
        self.source, self.kinds, self.effects, self.resolver = source, kinds, effects, resolver
        self.nodes = [n for s in function.body for n in tree.walk(s)]
        self.params = set(tree.names(function.args, gast.Param))
        self.count_stores()
        given = {p: FORMS.get(kind.form) if isinstance(kind, Parts) else 'list' if isinstance(kind, Items) else 'dict'
                 for p, kind in kinds.items() if isinstance(kind, (Entries, Items, Parts))}
        given = {p: form for p, form in (given | dict(lent)).items() if self.stores[p] == 1}
        self.lists, self.dicts, deques = (own(kind, function, resolver) | {p for p, form in given.items() if form == kind}
                                          for kind in ('list', 'dict', 'deque'))
        self.changed_here = set().union(*map(self.changes, self.nodes))
        self.copies = self.found_copies(function)
        self.limits = {name: limit for s in tree.every(function.body) if (found := self.limited(s))
                       for name, limit in [found] if self.is_plain(name)}
        self.deques = deques | self.limits.keys()
        self.fresh = tree.Names({n.id for n in tree.walk(function) if isinstance(n, gast.Name)} | set(source.globals)).fresh
        self.done = False

    def count_stores(self):
        self.stores = collections.Counter(n.id for n in self.nodes if isinstance(n, gast.Name)
                                          and not isinstance(n.ctx, gast.Load))
        self.stores.update(self.params)

    def found_copies(self, function):
        """Name -> tree of the list that it is bound to a copy of, where one of them changes."""
        found: dict = {}
        made = {tree.target(s): s.value for s in tree.every(function.body) if tree.target(s)}
        for name, value in made.items():
            whole = copied(value) if self.stores[name] == 1 else None
            if whole is None and isinstance(value, gast.Call) and facts.is_helper(self.resolver(value.func), 'zero_tangent'):
                self.lists = self.lists | ({name} if getattr(value.args[0], 'id', None) in self.lists else set())
                self.dicts = self.dicts | ({name} if getattr(value.args[0], 'id', None) in self.dicts else set())
            if getattr(whole, 'id', None) in self.lists:
                self.lists = self.lists | {name}
                if {name, whole.id} & self.changed_here:
                    found[name] = whole
        return found

    # Deques that forget

    def limited(self, s):
        """(the name, how long it can be) of what an assignment binds to `deque(xs, maxlen=n)`; None for others."""
        call = s.value if tree.target(s) and isinstance(s.value, gast.Call) else None
        if call is None or self.resolver(call.func) is not collections.deque or tree.is_starred(call):
            return None
        limits = [k.value for k in call.keywords if k.arg == 'maxlen'] + call.args[1:]
        if len(limits) != 1 or len(call.keywords) + len(call.args) > 2:
            return None
        return (tree.target(s), limits[0]) if self.is_count(limits[0]) and self.stores[tree.target(s)] == 1 else None

    def is_count(self, limit):
        """Whether an expression surely is the same integer throughout, and not None."""
        if isinstance(limit, gast.Name):
            bound = [s.value for s in self.nodes if isinstance(s, gast.Assign) and tree.target(s) == limit.id]
            given = isinstance(self.kinds.get(limit.id), Number) or bound and (
                isinstance(bound[0], gast.BinOp) or self.is_count(bound[0]) and not isinstance(bound[0], gast.Name))
            return self.stores[limit.id] == 1 and bool(given)
        return isinstance(limit, gast.Constant) and type(limit.value) is int and limit.value >= 0

    def is_plain(self, name):
        """Whether nothing is done with a deque but what lists can do, and what is said here in other words."""
        known = set()
        late = [n for scope in self.nodes if isinstance(scope, SCOPES) for n in tree.walk(scope)]
        if any(isinstance(n, gast.Name) and n.id == name for n in late):
            return False                     # where nothing is said in other words
        for n in self.nodes:
            if isinstance(n, gast.Expr) and isinstance(n.value, gast.Call) and isinstance(n.value.func, gast.Attribute) \
                    and n.value.func.attr in ('append', 'appendleft', 'clear') and not tree.is_starred(n.value):
                known.add(id(n.value.func.value))
            elif isinstance(n, gast.Call):
                function = self.resolver(n.func)
                if function is len or facts.of(function).takes or facts.is_numpy(function):       # `copy.copy` has the limit
                    known.update(map(id, n.args))
                elif isinstance(n.func, gast.Attribute) and n.func.attr in ('pop', 'popleft', 'count', 'index'):
                    known.add(id(n.func.value))
            elif isinstance(n, gast.Subscript):
                known.add(id(n.value))
            elif isinstance(n, (gast.For, gast.comprehension)):
                known.add(id(n.iter))
            elif isinstance(n, (gast.If, gast.While, gast.IfExp)):
                known.add(id(n.test))
        uses = [n for n in self.nodes if isinstance(n, gast.Name) and n.id == name]
        return all(id(n) in known or isinstance(n.ctx, gast.Store) for n in uses)

    # Other names

    def with_one_name(self, stmts):
        """The statements with one name for each list that changes, where `ys = xs` gave it two."""
        out = [*stmts]
        for k, s in enumerate(out):
            name = tree.target(s)
            if name and isinstance(s.value, gast.Name) and self.is_other_name(name, s.value.id, out[k + 1:]):
                self.done = True
                out[k] = placed(gast.Pass(), s)
                out[k + 1:] = [tree.rename(t, {name: s.value.id}) for t in out[k + 1:]]
            elif not isinstance(s, SCOPES):
                out[k] = tree.replace(s, **{field: self.with_one_name(block) for field, block in tree.blocks(s)})
        return out

    def is_other_name(self, name, owner, rest):
        """Whether a name is another one for a list that changes, in the rest of a block and nowhere else."""
        if owner not in self.lists | self.dicts | self.deques or self.stores[name] != 1 or self.stores[owner] != 1:
            return False
        inside = [n for s in rest for n in tree.walk(s)]
        uses = sum(isinstance(n, gast.Name) and n.id == name for n in self.nodes) - 1
        names = [n.id for n in inside if isinstance(n, gast.Name)]
        late = any(isinstance(n, SCOPES) or makes_object(n, self.resolver) for n in self.nodes)      # or of unknown kind
        return not late and names.count(name) == uses and not self.changed_here.isdisjoint((name, owner)) \
            and not any(isinstance(n, gast.Name) and n.id == owner and isinstance(n.ctx, gast.Store) for n in inside)

    def changes(self, node):
        """Names of what an expression changes."""
        if isinstance(node, gast.Subscript):
            return {tree.root_name(node)} if not isinstance(node.ctx, gast.Load) else set()
        if not isinstance(node, gast.Call):
            return set()
        owner = node.func.value if isinstance(node.func, gast.Attribute) and mutations.of(node.func.attr).writes else None
        found = {n for e in self.effects(self.resolver(node.func), node) for part in e for n in tree.names(part, gast.Load)}
        return found | ({tree.root_name(owner)} if owner is not None else set())

    # Rows

    @functools.cached_property
    def tables(self):
        """Names of lists whose rows change."""
        owners = {name: owner for n in self.nodes for name, owner in [row_of(n)] if owner in self.lists}
        found = set()
        for n in self.nodes:
            changed = None
            if is_change(n) and getattr(getattr(n, 'func', None), 'attr', None) not in ASKING:
                changed = getattr(n, 'func', n).value
            if isinstance(changed, gast.Subscript):
                found.add(tree.root_name(changed))
            elif isinstance(changed, gast.Name):
                found.add(owners.get(changed.id))
        late = any(isinstance(n, SCOPES) for n in self.nodes)
        return frozenset() if late else {n for n in found & self.lists if self.has_one_name(n)}

    def has_one_name(self, name):
        """Whether a list is known under its name alone: who has it otherwise may put other rows into it."""
        known = set()
        for n in self.nodes:
            if isinstance(n, (gast.Subscript, gast.Attribute, gast.Return)):
                known.add(id(n.value))
            elif isinstance(n, (gast.For, gast.comprehension)):
                known.add(id(n.iter))
            elif isinstance(n, gast.Call) and (facts.of(self.resolver(n.func)).reads or facts.is_numpy(self.resolver(n.func))):
                known.update(map(id, n.args))
            elif isinstance(n, (gast.Compare, gast.BinOp, gast.UnaryOp, gast.If, gast.While)):
                known.update(map(id, tree.children(n)))
        return self.stores[name] == 1 and all(id(n) in known for n in self.nodes if isinstance(n, gast.Name) and n.id == name
                                              and isinstance(n.ctx, gast.Load))

    def with_places(self, stmts):
        """The statements with the lists themselves in the place of their rows."""
        if not self.tables:
            return stmts
        stmts = [*map(self.gone_through, stmts)]
        self.nodes = [n for s in stmts for n in tree.walk(s)]
        self.count_stores()
        return self.rows(stmts)

    def rows(self, stmts):
        out = [*stmts]
        for k, s in enumerate(out):
            s = out[k] = inside(s, self.rows)
            name, owner = row_of(s)
            if name is None or owner not in self.tables:
                continue
            if isinstance(s, gast.For) and self.stands_for(name, owner, stored(s.target), s.body):
                out[k] = placed(self.counted(s, name, owner), s)
            elif isinstance(s, gast.Assign) and tree.is_atom(s.value.slice) \
                    and self.stands_for(name, owner, tree.names(s.value.slice, gast.Load), out[k + 1:]):
                out[k + 1:] = [tree.substitute(t, {name: s.value}) for t in out[k + 1:]]
                out[k] = placed(gast.Pass(), s)
                self.done = True
        return out

    def stands_for(self, name, owner, others, region):
        """Whether a row has its place in a list as long as it has a name: in these statements, and nowhere else."""
        inner = [n for s in region for n in tree.walk(s)]
        names = [n for n in inner if isinstance(n, gast.Name)]
        changed = [getattr(n, 'func', n).value for n in inner if is_change(n)]
        moved = {e.id for e in changed if isinstance(e, gast.Name)}
        called = [n for n in inner if isinstance(n, gast.Call) and not isinstance(n.func, gast.Attribute)]
        moved |= {m for n in called for m in self.changes(n)}
        uses = sum(isinstance(n, gast.Name) and n.id == name for n in self.nodes) - 1
        return self.stores[name] == 1 and sum(n.id == name for n in names) == uses and owner not in moved \
            and not any(n.id in (owner, *others) and not isinstance(n.ctx, gast.Load) for n in names)

    def counted(self, s, name, owner):
        """A loop over the numbers of the rows."""
        self.done = True
        i = s.target.elts[0].id if isinstance(s.target, gast.Tuple) else self.fresh('i')
        place = gast.Subscript(value=tree.load(owner), slice=tree.load(i), ctx=gast.Load())
        count = tree.call('range', tree.call('len', tree.load(owner)))
        return tree.replace(s, target=tree.store(i), iter=count, body=[tree.substitute(t, {name: place}) for t in s.body])

    def gone_through(self, node):
        """An expression with the same done in its comprehensions."""
        node = tree.with_children(node, self.gone_through)
        first = node.generators[0] if isinstance(node, COMPREHENSIONS) and len(node.generators) == 1 else None
        name, owner = row_of(first) if first is not None else (None, None)
        if owner not in self.tables or name is None or isinstance(first.target, gast.Tuple):
            return node
        self.done = True
        i = self.fresh('i')
        place = gast.Subscript(value=tree.load(owner), slice=tree.load(i), ctx=gast.Load())
        count = tree.call('range', tree.call('len', tree.load(owner)))
        inner = tree.substitute(tree.replace(node, generators=[]), {name: place})
        ifs = [tree.substitute(test, {name: place}) for test in first.ifs]
        return tree.replace(inner, generators=[tree.replace(first, target=tree.store(i), iter=count, ifs=ifs)])

    # Statements

    def block(self, stmts):
        return [new for s in stmts for new in self.statement(s)]

    def statement(self, s):
        if isinstance(s, SCOPES):
            return [s]
        s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
        if isinstance(s, gast.Delete):
            found = self.deleted(s)
        elif self.is_first_item(s):
            found = self.first_item(s)
        elif isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Attribute):
            found = self.changed(s, s.value)
        elif tree.target(s):
            found = self.bound(s)
        elif isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], gast.Subscript):
            found = self.replaced(s, s.targets[0])
        else:
            found = None
        if found is not None:
            self.done = True
            return [placed(new, s) if new is not s else new for new in found]
        return [self.looked_for(s)]

    def looked_for(self, s):
        """A statement with `list.index(xs, v)` for `xs.index(v)`."""
        blocks = tuple(field for field, _ in tree.blocks(s))
        if not any(self.is_question(n) for part in tree.header(s) for n in tree.walk(part)):
            return s
        self.done = True
        return tree.with_children(s, self.question, skip=blocks)

    def is_question(self, node):
        return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in ('index', 'count') \
            and getattr(node.func.value, 'id', None) in self.lists

    def question(self, node):
        node = tree.with_children(node, self.question)
        if not self.is_question(node):
            return node
        function = gast.copy_location(gast.Attribute(value=tree.load('list'), attr=node.func.attr, ctx=gast.Load()), node.func)
        return tree.replace(node, func=function, args=[node.func.value, *node.args])

    def deleted(self, s):
        """What stands for `del xs[k], d[key], name`; None where one of these is of something else."""
        out = []
        for target in s.targets:
            if isinstance(target, gast.Name):
                out.append(tree.replace(s, targets=[target]))
                continue
            owner = getattr(target.value, 'id', None) if isinstance(target, gast.Subscript) else None
            if isinstance(getattr(target, 'slice', None), gast.Slice) and owner in self.lists:
                taken = self.without(owner, target)
                if taken is None:
                    return None
                out += taken
            elif owner in self.lists | self.dicts:
                out.append(gast.Expr(value=tree.method(tree.load(owner), 'pop', target.slice)))
            else:
                return None
        return out if any(not isinstance(t, gast.Name) for t in s.targets) else None

    def replaced(self, s, target):
        """What stands for `xs[1:3] = ys`; None for other places."""
        owner, part = getattr(target.value, 'id', None), target.slice
        if owner not in self.lists or not isinstance(part, gast.Slice) or not tree.children(part):
            return None
        taken = self.without(owner, target)
        if taken is None:
            return None
        if isinstance(s.value, (gast.List, gast.Tuple)) and not tree.starred(s.value.elts):
            held = [self.fresh('t') for _ in s.value.elts]
            puts = [gast.Expr(value=self.put(owner, part, tree.constant(k), name)) for k, name in enumerate(held)]
            return [*map(tree.assign, held, s.value.elts), *taken, *puts]
        given, k, v = self.fresh('t'), self.fresh('k'), self.fresh('v')
        each, pair = tree.load(given), tree.store(v)
        if part.upper is not None:
            each, pair = tree.call('enumerate', each), gast.Tuple(elts=[tree.store(k), pair], ctx=gast.Store())
        loop = gast.For(target=pair, iter=each, body=[gast.Expr(value=self.put(owner, part, tree.load(k), v))], orelse=[],
                        type_comment=None)
        return [tree.assign(given, tree.call('list', s.value)), *taken, loop]

    def put(self, owner, part, k, name):
        """What puts the value of a name where the k-th element of a slice was, when that has been taken out."""
        if part.upper is None:
            return tree.method(tree.load(owner), 'append', tree.load(name))
        first = part.lower or tree.constant(0)
        if isinstance(k, gast.Constant):
            place = tree.constant(first.value + k.value)
        else:
            place = gast.BinOp(left=first, op=gast.Add(), right=k) if first.value else k
        return tree.method(tree.load(owner), 'insert', place, tree.load(name))

    def without(self, owner, target):
        """The loop that takes the elements of a slice out of a list, from its end or at its beginning, or none where there are
        none; None for other slices."""
        part = target.slice
        first = part.lower.value if isinstance(part.lower, gast.Constant) else 0 if part.lower is None else None
        if part.step is not None or part.upper is not None and (type(first) is not int or first < 0):
            return None
        if part.upper is not None and getattr(part.upper, 'value', None) == first:
            return []
        given = [tree.constant(first)] if part.upper is not None else []
        return [self.times(tree.call('len', tree.replace(tree.clone(target), ctx=gast.Load())),
                          tree.method(tree.load(owner), 'pop', *given))]

    def times(self, count, *calls):
        """`for _ in range(count): ...`."""
        body = [gast.Expr(value=call) for call in calls]
        return gast.For(target=tree.store(self.fresh('_')), iter=tree.call('range', count), body=body, orelse=[],
                        type_comment=None)

    def changed(self, s, call):
        """What stands for a call of a method of a list, a dict or a deque; None for others."""
        owner, method = getattr(call.func.value, 'id', None), call.func.attr
        if owner is None or call.keywords or tree.is_starred(call):
            return None
        load = lambda: tree.load(owner)                                                              # noqa: E731
        if method == 'clear' and not call.args:
            return self.cleared(owner)
        if method == 'remove' and owner in self.lists and len(call.args) == 1:
            function = gast.Attribute(value=tree.load('list'), attr='index', ctx=gast.Load())
            place, k = gast.Call(func=function, args=[load(), *call.args], keywords=[]), self.fresh('k')
            return [tree.assign(k, place), gast.Expr(value=tree.method(load(), 'pop', tree.load(k)))]
        if method == 'move_to_end' and owner in self.dicts and len(call.args) == 1 and tree.is_atom(call.args[0]):
            place = gast.Subscript(value=load(), slice=call.args[0], ctx=gast.Store())
            taken = self.fresh('t')
            return [tree.assign(taken, tree.method(load(), 'pop', call.args[0])),
                    gast.Assign(targets=[place], value=tree.load(taken), type_comment=None)]
        if method in ('append', 'appendleft') and owner in self.limits:
            longer = gast.Compare(left=tree.call('len', load()), ops=[gast.Gt()], comparators=[self.limits[owner]])
            other = tree.method(load(), 'popleft' if method == 'append' else 'pop')
            return [s, gast.If(test=longer, body=[gast.Expr(value=other)], orelse=[])]
        if method == 'rotate' and owner in self.deques:
            return self.rotated(owner, call.args)
        return None

    def is_first_item(self, s):
        """Whether it is `d.popitem(last=False)` or `k, v = d.popitem(last=False)`."""
        call = s.value if isinstance(s, (gast.Expr, gast.Assign)) else None
        known = isinstance(call, gast.Call) and getattr(call.func, 'attr', None) == 'popitem' and not call.args \
            and getattr(call.func.value, 'id', None) in self.dicts and len(call.keywords) == 1
        pair = [getattr(e, 'id', None) for e in getattr(s.targets[0], 'elts', ())] if isinstance(s, gast.Assign) else []
        return known and getattr(call.keywords[0].value, 'value', None) is False and (
            isinstance(s, gast.Expr) or len(s.targets) == 1 and len(pair) == 2 and None not in pair)

    def first_item(self, s):
        owner = s.value.func.value.id
        key, value = [e.id for e in s.targets[0].elts] if isinstance(s, gast.Assign) else (self.fresh('k'), None)
        taken = tree.method(tree.load(owner), 'pop', tree.load(key))
        first = tree.assign(key, tree.call('next', tree.call('iter', tree.load(owner))))
        return [first, tree.assign(value, taken) if value else gast.Expr(value=taken)]

    def cleared(self, owner):
        if owner in self.lists | self.deques:
            return [self.times(tree.call('len', tree.load(owner)), tree.method(tree.load(owner), 'pop'))]
        if owner not in self.dicts:
            return None
        key = self.fresh('k')
        taken = gast.Expr(value=tree.method(tree.load(owner), 'pop', tree.load(key)))
        return [gast.For(target=tree.store(key), iter=tree.call('list', tree.load(owner)), body=[taken], orelse=[],
                         type_comment=None)]

    def rotated(self, owner, given):
        """By a literal number of steps."""
        step = given[0] if given else tree.constant(1)
        back = isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub)
        count = step.operand if back else step
        if len(given) > 1 or not isinstance(count, gast.Constant) or type(count.value) is not int:
            return None
        put, take = ('append', 'popleft') if back else ('appendleft', 'pop')
        turn = tree.method(tree.load(owner), put, tree.method(tree.load(owner), take))
        body = [gast.Expr(value=turn)] if count.value == 1 else [self.times(count, turn)]
        return [gast.If(test=tree.load(owner), body=body, orelse=[])]

    def bound(self, s):
        """What stands for `w = deque(xs, maxlen=n)`, and for a copy of a list that changes."""
        name, value = tree.target(s), s.value
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and len(tree.arguments(value)) == 2 \
                and self.resolver(value.func) is heapq.heapreplace and isinstance(value.args[0], gast.Name):
            heap, given = value.args[0], self.fresh('t')
            calls = [tree.replace(value, func=tree.replace(value.func, attr=attr), args=args)
                     for attr, args in (('heappop', [heap]), ('heappush', [heap, tree.load(given)]))]
            return [tree.assign(given, value.args[1]), tree.assign(name, calls[0]), gast.Expr(value=calls[1])]
        if name in self.limits:
            short = [tree.replace(value, args=value.args[:1], keywords=[])]
            longer = gast.Compare(left=tree.call('len', tree.load(name)), ops=[gast.Gt()], comparators=[self.limits[name]])
            rest = gast.While(test=longer, body=[gast.Expr(value=tree.method(tree.load(name), 'popleft'))], orelse=[])
            return [tree.replace(s, value=short[0]), *([rest] if value.args else [])]
        if name in self.copies:
            return [tree.replace(s, value=gast.copy_location(tree.call('list', self.copies[name]), value))]
        return None


def row_of(node):
    """(name, name of a list) for what binds the name to an element of the list: a loop, or `row = m[k]`; Nones for others."""
    if isinstance(node, (gast.For, gast.comprehension)):
        target, expr = node.target, node.iter
        if tree.is_call(expr, 'enumerate') and len(expr.args) == 1 and len(getattr(target, 'elts', ())) == 2 \
                and isinstance(target.elts[0], gast.Name):
            target, expr = target.elts[1], expr.args[0]
        return getattr(target, 'id', None), getattr(expr, 'id', None)
    if isinstance(node, gast.Assign) and tree.target(node) and isinstance(node.value, gast.Subscript) \
            and not isinstance(node.value.slice, gast.Slice):
        return tree.target(node), getattr(node.value.value, 'id', None)
    return None, None


def copied(expr):
    """The tree of what `xs[:]` and `xs.copy()` copy, or None."""
    if isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Slice) and not tree.children(expr.slice):
        return expr.value
    method = expr.func if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) else None
    return method.value if method is not None and method.attr == 'copy' and not tree.arguments(expr) else None
