"""Lists and dicts of objects of one class become one for each of their fields; an object in them is a place.

    bodies = [Body(1.0, x), Body(2.0, 0.0)]       bodies_m = [1.0, 2.0]
                                                  bodies_x = [x, 0.0]
    for b in bodies:                              for b_at in range(len(bodies_m)):
        b.x += k / b.m                    ->          bodies_x[b_at] += k / bodies_m[b_at]
    for name, a in accounts.items():              for name in accounts_balance:
        a.balance *= rates[name]                      accounts_balance[name] *= rates[name]
    for a, b in combinations(bodies, 2):          for a_at, b_at in combinations(range(len(bodies_m)), 2):
        a.pull(b)                                     bodies_x[a_at] = pull(bodies_x[a_at], bodies_x[b_at])
    bodies.append(Body(3.0, x))                   bodies_m.append(3.0)
                                                  bodies_x.append(x)

What is gone through is a range of places. A variable for an object of a list is one for its place: that is so as long as
lists are only appended to, and the list that is meant is bound once. An object that is put into a list has no other name from
then on. Where objects have variables, and not only in loops, a dict gets no others.
"""
import itertools
from typing import NamedTuple

import gast

from tangent.frontend import tree
from tangent.frontend.scopes import inside
from tangent.normal.objects.owner import At, Many, Owner, Refined, Whole

GOING = zip, itertools.combinations, itertools.permutations, itertools.product, reversed, itertools.chain
SIMPLE = gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop, gast.expr_context


class Row(NamedTuple):
    """What a loop over a list of objects binds a name to: the Owner of the list."""
    of: Owner


class Key(NamedTuple):
    """The same for the keys of a dict of objects."""
    of: Owner


class Item(NamedTuple):
    """The same for a pair of a key and an object."""
    of: Owner


class Known(NamedTuple):
    """What a variable for an object of a list stands for.

    owner : the Owner there
    loops : those in which that holds
    lasts : the variable for the place, where it holds outside of them, too, if it always stands for objects of this list
    blocks : those in which that is bound
    """
    owner: Owner
    loops: tuple
    blocks: tuple
    lasts: object = None


class Rows:
    """The lists of objects of one Text.

    known : variable -> Known
    lists : variable -> (list of which it stands for an object, loops in which it is bound to that)
    roaming : variables that are read outside of the loops, or the block, of what has bound them last
    carried : (variable, its list, loops) of those that are read in loops after they were bound before these
    places : (variable, place in the text) of what binds such a variable
    bound : variable that holds an object or a list of such -> the loops, and the block, in which it is bound
    loops : those around the statement that is written, as `id`s
    over : loop -> classes of the objects that it goes through
    loaded : variable -> the loops in which it is read
    gone : variables whose objects are in a list now
    leaves : variables that are lists of fields
    hidden : names that a comprehension around has for something else
    looked_at : variables for lists of which an object is known by its place
    counted : variables for places that are surely counted from the start
    early : variables that are read, in the order of the text, before it is known what they stand for
    """

    def __init__(self, text):
        self.text = text
        self.known, self.places, self.bound = {}, set(), {}
        self.loops, self.blocks, self.over, self.loaded, self.gone = (), (), {}, {}, set()
        self.leaves, self.hidden, self.looked_at, self.roaming, self.lists = set(), set(), set(), set(), {}
        self.counted, self.carried, self.early = set(), set(), set()

    # Variables

    def named(self, name):
        """The Owner that a variable stands for here, or None."""
        if name in self.hidden:
            return None
        if name in self.text.standing.known:
            return self.text.standing.known[name]
        known = self.known.get(name)
        if known is not None:
            inside_loops = self.loops[:len(known.loops)] == known.loops
            if not inside_loops and known.lasts is None:
                raise Whole(known.owner)
            if not inside_loops or self.blocks[:len(known.blocks)] != known.blocks:
                self.roaming.add(name)
            self.carried.add((name, known.owner.around()[:2], self.loops[len(known.loops):]))
            return known.owner
        if name not in self.text.objects:
            return None
        owner = Owner(name, (), self.text.objects[name])
        if name in self.gone:
            raise Whole(owner)
        self.loaded.setdefault(name, set()).update(self.loops)
        return owner

    def check(self, stores, hidden):
        """A variable that stands for an object of a list is bound to nothing else, and the list is bound once."""
        for name in {n for n, _ in self.places}:
            if stores.get(name, 0) != sum(n == name for n, _ in self.places) or name in hidden or name in self.early:
                raise Whole(self.text.any())
            if name in self.roaming and len({lists for lists, _ in self.lists[name]}) > 1:
                raise Whole(self.text.any())
        for name, lists, loops in self.carried:                    # another iteration may have bound it to one of another list
            if any(other != lists and not set(loops).isdisjoint(at) for other, at in self.lists.get(name, ())):
                raise Whole(self.text.any())
        if (text := self.text).has_variables & text.grows & {(kind, dict) for kind, _ in text.grows}:
            raise Whole(text.any())                                          # a variable may be for one that is replaced
        for name in self.looked_at:
            if len(self.text.assigned.get(name, ())) > 1:
                raise Whole(Owner(name, (), self.text.objects[name]))

    def binds(self, name):
        """A variable is bound to an object, or a list of such."""
        self.gone.discard(name)
        again = not self.loaded.get(name, set()).isdisjoint(self.loops)           # what it was bound to before is read here
        self.bound[name] = None if again else (self.loops, self.blocks)

    def is_bound_once(self, name):
        """Whether a variable for an object is bound by one statement, outside of loops, as far as is known."""
        return len(self.text.assigned.get(name, ())) < 2 and self.bound.get(name, ((), ())) == ((), self.blocks)

    def gives_up(self, owner):
        """Whether an object that is put into a list now is not read by its own name any more; from now on it may not be."""
        loops, blocks = self.bound.get(owner.name) or (None, ())
        if owner.path or loops != self.loops or self.blocks[:len(blocks)] != blocks:
            return False
        self.gone.add(owner.name)
        return True

    def is_lasting(self, lists):
        """Whether a list of objects stays the one that it is in the loops here: there is one statement that binds it."""
        bound = self.bound.get(lists.name, ((), ()))
        self.looked_at.add(lists.name)
        for step, form in self.fields_of(lists):
            self.text.program.looked_at.add((form.kind, step))
        return bound is not None and self.loops[:len(bound[0])] == bound[0]

    def fields_of(self, owner):
        """(field, Form of the object that has it) on the way to what an Owner is."""
        form = self.text.objects[owner.name]
        for step in owner.path:
            if not isinstance(step, At):
                yield step, form
            form = form._replace(many=None) if isinstance(step, At) else form.field(step)

    def new_place(self, target, lists, own=False):
        """A variable for the place that another one stands for from here on, see `name`."""
        known = self.known.get(target.id)
        same = known is not None and not own and known.lasts and known.owner[:2] == lists.at(known.lasts)[:2]
        new = known.lasts if same else self.text.names.fresh(f'{target.id}_at')
        self.name(target, lists, new, own, None if own or (self.bound.get(lists.name) or ((),))[0] else new)
        return new

    def name(self, target, lists, place, own=False, lasts=None):
        """A variable stands for an object of a list from here on; `own` : it is that of a comprehension."""
        taken = target.id in self.text.objects or target.id in self.text.params
        if taken and not own or not self.is_lasting(lists):
            raise Whole(lists)
        if not own:
            self.places.add((target.id, id(target)))
            self.lists.setdefault(target.id, set()).add((lists[:2], self.loops))
        self.hidden.discard(target.id)
        self.known[target.id] = Known(lists.at(place), self.loops, self.blocks, lasts)

    def assigned(self, target, owner):
        """The statement for `b = bodies[k]`."""
        lists, place = owner.around(), owner.path[-1]
        if (self.bound.get(lists.name) or ((), ()))[0] or self.text.guarded:      # another list in each iteration
            raise Whole(owner)
        self.text.has_variables.add((owner.form.kind, lists.form.many))
        new, value = self.new_place(target, lists), place.expression()
        if (owner.form.kind, list) in self.text.program.grown and not self.is_counted(place):
            value = self.from_start(lists, place)                                                # -1 is another one, then
        return gast.Assign(targets=[tree.store(new)], value=value, type_comment=None)

    # Going through them

    def first(self, lists):
        """The list of one field, which says how many objects there are."""
        return self.text.loads(lists)[0]

    def range(self, lists):
        self.refuse_own(('range', range), ('len', len))
        return tree.call('range', tree.call('len', self.first(lists)))

    def gone_through(self, expr):
        """(the tree to go through in place of an expression, what the parts of its items are: Row, None for anything, or a
        tuple of such); None where no objects are gone through."""
        text = self.text
        if (viewed := self.viewed(expr)) is not None:
            return viewed
        if isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Slice):
            found = self.gone_through(expr.value)
            return found and (tree.replace(expr, value=found[0], slice=text.expr(expr.slice)), found[1])
        owner = text.denoted(expr)
        if owner is not None:
            if not owner.form.many:
                return None
            if owner.form.many is dict:
                return self.first(owner), Key(owner)
            return self.range(owner), Row(owner)
        called = expr.func if isinstance(expr, gast.Call) and tree.root_name(expr.func) not in text.objects else None
        function = text.resolver(called) if called is not None else None
        if function not in (enumerate, *GOING) or not any(map(self.holds_rows, expr.args)):
            return None
        parts = [self.gone_through(a) or (text.expr(a), None) for a in expr.args]
        each = tuple([shape for _, shape in parts])
        args = [a for a, _ in parts]
        if function is enumerate:
            each = None, each[0]
        elif function is reversed:
            each = each[0]
        elif function in (itertools.combinations, itertools.permutations):
            count = getattr(expr.args[1], 'value', None) if len(expr.args) == 2 else None
            each = each[:1] * (count if isinstance(count, int) else 0)
        elif function is itertools.chain or function is itertools.product and expr.keywords:
            raise Whole(text.any())
        return tree.replace(expr, args=args), each

    def viewed(self, expr):
        """The same for `accounts.items()`, `accounts.values()` and `accounts.keys()`; None for others."""
        method = expr.func if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) else None
        owner = self.text.denoted(method.value) if method is not None and not tree.arguments(expr) else None
        if owner is None or owner.form.many is not dict or method.attr not in ('items', 'values', 'keys'):
            return None
        shape = Key(owner) if method.attr == 'keys' else Row(owner) if method.attr == 'values' else Item(owner)
        return self.first(owner), shape

    def refuse_own(self, *names):
        """Refuse texts that call something else by the names of these builtins."""
        if any(n in self.text.local or self.text.resolver.name(n) is not thing for n, thing in names):
            raise Whole(self.text.any())

    def holds_rows(self, expr):
        """Whether a list of objects is gone through in it."""
        if isinstance(expr, gast.Call):
            return any(map(self.holds_rows, expr.args)) or self.viewed(expr) is not None
        expr = expr.value if isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Slice) else expr
        owner = self.text.denoted(expr)
        return owner is not None and owner.form.many

    def bind(self, target, shape, own=False):
        """What a loop, or for its `own` names a comprehension, binds in place of a target."""
        if shape is None:
            if own:
                self.hides(target)
            return target if own else self.text.expr(target)
        if isinstance(shape, Key):
            return self.bind(target, None, own)
        if isinstance(shape, Item):
            pair = target.elts if isinstance(target, gast.Tuple) and len(target.elts) == 2 else ()
            if not pair or not all(isinstance(t, gast.Name) for t in pair):
                raise Whole(shape.of)
            key = self.bind(pair[0], None, own)
            self.name(pair[1], shape.of, pair[0].id, own)
            return key
        if isinstance(shape, Row):
            if not isinstance(target, gast.Name):
                raise Whole(shape.of)
            new = self.new_place(target, shape.of, own)
            stored = [n for s in inside(self.text.source.tree.body) if isinstance(s, gast.Assign) for n in tree.writes(s)]
            if own or target.id not in stored:
                self.counted.add(new)
            return tree.store(new)
        if not isinstance(target, (gast.Tuple, gast.List)) or len(target.elts) != len(shape) or tree.starred(target.elts):
            raise Whole(self.text.any())
        return tree.replace(target, elts=[self.bind(t, part, own) for t, part in zip(target.elts, shape)])

    def hides(self, target):
        for n in tree.names(target, gast.Store):
            self.known.pop(n, None)
            self.hidden.add(n)

    def loop(self, s):
        """`for` over such lists; None for others."""
        found = self.gone_through(s.iter)
        if found is None:
            return None
        iterated, shape = found
        shapes = list(within(shape))
        self.over[id(s)] = {(part.of.form.kind, part.of.form.many) for part in shapes}
        inner = {n for t in s.body for n in tree.names(t, gast.Store)}
        items = any(isinstance(part, Item) for part in shapes)                       # of which a key is the place
        if items and not inner.isdisjoint(tree.names(s.target, gast.Store)):
            raise Whole(self.text.any())
        if is_counted(iterated, s):                       # `for i, b in enumerate(bodies)`: i is the place
            counter, target = s.target.elts
            self.name(target, shape[1].of, counter.id)
            iterated, target = iterated.args[0], self.text.expr(counter)
        else:
            target = self.bind(s.target, shape)
        body, orelse = self.text.filled(s.body, s), self.text.filled(s.orelse, s)
        return [tree.replace(s, target=target, iter=iterated, body=body, orelse=orelse)]

    def comprehension(self, node):
        """One that makes no objects; names that it binds are its own."""
        known, hidden, text, generators = dict(self.known), set(self.hidden), self.text, []
        for g in node.generators:
            iterated, shape = self.gone_through(g.iter) or (text.expr(g.iter), None)
            target = self.bind(g.target, shape, True)
            generators.append(tree.replace(g, target=target, iter=iterated, ifs=[text.test(e) for e in g.ifs]))
        fields = {f: text.expr(getattr(node, f)) for f in ('key', 'value', 'elt') if hasattr(node, f)}
        self.known, self.hidden = known, hidden
        return tree.replace(node, generators=generators, **fields)

    # Making them

    def makes_objects(self, node):
        """Whether a comprehension makes a list of objects of a class that it calls."""
        return isinstance(node, gast.ListComp) and isinstance(node.elt, gast.Call) \
            and self.text.program.form(Many(self.text.resolver(node.elt.func))) is not None

    def made_in_loop(self, node, target):
        """`[Body(x) for x in xs]`, by a loop."""
        text = self.text
        if text.lazy or text.guarded:
            raise Whole(text.any())
        form = text.program.form(Many(text.resolver(node.elt.func)))
        lists, value = text.destination(target, form)
        own = {n: text.names.fresh(n) for g in node.generators for n in tree.names(g.target, gast.Store)}
        node = tree.rename(node, {n: new for n, new in own.items() if self.is_used_beside(node, n)})
        self.emptied(lists)
        text.front += self.nested(node.generators, node.elt, lists)
        return value

    def nested(self, generators, elt, lists):
        """The statements that put what an expression makes into lists, for each item of what generators go through."""
        text = self.text
        outer, loops, known, hidden, text.front = text.front, self.loops, dict(self.known), set(self.hidden), []
        if not generators:
            owner = text.visit(elt)
            if not isinstance(owner, Owner):
                raise Whole(lists)
            self.append(lists, owner)
        else:
            g, *rest = generators
            iterated, shape = self.gone_through(g.iter) or (text.expr(g.iter), None)
            front, text.front, self.loops = text.front, [], (*loops, id(g))
            target = self.bind(g.target, shape, True)
            tests = [text.test(e) for e in g.ifs]
            if text.front:
                raise Whole(lists)
            body = self.nested(rest, elt, lists)
            for test in reversed(tests):
                body = [gast.If(test=test, body=body, orelse=[])]
            text.front = [*front, gast.For(target=target, iter=iterated, body=body, orelse=[], type_comment=None)]
        found, text.front, self.loops, self.known, self.hidden = text.front, outer, loops, known, hidden
        return found

    def is_used_beside(self, node, name):
        """Whether a name stands for something outside of a comprehension that binds it, too."""
        whole, own = ([n for n in tree.walk(top) if isinstance(n, gast.Name) and n.id == name]
                      for top in (self.text.source.tree, node))
        return len(whole) > len(own)

    def display(self, owners, target, keys=()):
        """`[a, Body(x)]`, or `{'a': Body(x)}` with these keys."""
        text, first = self.text, next(o for o in owners if isinstance(o, Owner))
        of = dict if keys else list
        many = text.program.form(Many(first.form.kind, of))
        keys = [k if tree.is_atom(k) else text.kept(k, text.front) for k in keys]
        alike = all(isinstance(o, Owner) and o.form == first.form for o in owners)
        if not alike and of is list:
            return text.standing.display(owners, target)
        if not alike or many != first.form._replace(many=of) or text.lazy or text.guarded:
            raise Whole(first)
        for owner in owners:
            self.take(owner)
        loads = [self.with_empties(o) for o in owners]
        lists, value = text.destination(target, many)
        for k, leaf in enumerate(text.stores(lists)):
            fields = [each[k] for each in loads]
            fields = gast.Dict(keys=[*map(tree.clone, keys)], values=fields) if keys else gast.List(
                elts=fields, ctx=gast.Load())
            text.front.append(gast.Assign(targets=[leaf], value=fields, type_comment=None))
        text.bound_anew(lists)
        return value

    def emptied(self, lists):
        """`bodies = []`, or the same for a field."""
        for leaf in self.text.stores(lists):
            self.text.front.append(gast.Assign(targets=[leaf], value=empty(lists.form.many), type_comment=None))
        self.text.bound_anew(lists)

    def take(self, owner):
        """An object goes into a list."""
        text = self.text
        if owner.fresh:
            return
        if owner.name in self.gone:
            raise Whole(owner)
        if owner.name in text.given and not owner.path and not self.loops:
            text.keeps.add(owner.name)
            self.gone.add(owner.name)
        elif not self.gives_up(owner):
            text.program.aliased.update([owner.form.kind, *getattr(owner.form.kind, 'kinds', ())])

    def append(self, lists, owner):
        """Put an object into a list."""
        text = self.text
        if lists.form != owner.form._replace(many=list):
            raise Whole(lists)
        text.writes = True
        text.program.mutated.add(owner.form.kind)
        leaves = text.loads(lists)
        for leaf, value in zip(leaves, self.just_made(owner, leaves) or self.with_empties(owner)):
            text.front.append(gast.Expr(value=gast.Call(func=gast.Attribute(value=leaf, attr='append', ctx=gast.Load()),
                                                        args=[value], keywords=[])))

    def just_made(self, owner, lists):
        """The values of the fields of an object that the statements in front have just made, which are taken away; None where
        there may be others that read them, or one reads the lists to which they go."""
        text, names = self.text, [v for _, v in self.text.leaves(owner)]
        made = text.front[-len(names):]
        if not owner.fresh or owner.path or [tree.target(s) for s in made] != names:
            return None
        own = {*names, *map(tree.root_name, lists)}
        if any(not own.isdisjoint(tree.names(s.value, gast.Load)) for s in made):
            return None
        del text.front[-len(names):]
        return [s.value for s in made]

    def with_empties(self, owner):
        """The trees for all fields of an object that goes into a list; what has just been made empty is made there."""
        text, found = self.text, self.text.loads(owner)
        for k, (_, name) in enumerate(text.leaves(owner) if owner.fresh and not owner.path else ()):
            made = [s for s in text.front if tree.target(s) == name]
            named = sum(n == name for s in text.front for n in (*tree.names(s, gast.Load), *tree.names(s, gast.Store)))
            if named == len(made) == 1 and is_empty(made[0].value):
                text.front.remove(made[0])
                found[k] = made[0].value
        return found

    def appended(self, node, owner, given):
        """`bodies.append(b)`, of an object; whether it was one."""
        func = node.func
        if func.attr != 'append' or len(given) != 1 or node.keywords or not isinstance(given[0], Owner):
            return False
        kind = given[0].form.kind
        if not isinstance(owner, Owner):
            self.found(func.value, Many(kind))
            return True
        self.put(owner, Many(kind))
        self.take(given[0])
        self.append(owner, given[0])
        return True

    def put(self, owner, many):
        """Note that an object is put into a list or dict of such."""
        text = self.text
        if text.lazy or text.guarded or owner.form.many is not many.of or self.is_gone_through([many]):
            raise Whole(owner)
        text.grows.add((many.kind, many.of))
        text.program.grown.add((many.kind, many.of))

    def may_store(self, target, value):
        """Whether an object may be assigned to an element of a dict of such."""
        one = isinstance(target, gast.Subscript) and not isinstance(target.slice, gast.Slice)
        return one and isinstance(value, gast.Call) and self.text.program.form(self.text.resolver(value.func)) is not None

    def stored(self, target, owner):
        """`accounts[name] = Account(x)`, field by field, in front."""
        text, many = self.text, Many(owner.form.kind, dict)
        lists = text.denoted(target.value)
        if lists is None:
            self.found(target.value, many)
            return
        self.put(lists, many)
        values, before = self.just_made(owner, text.loads(lists)) or self.with_empties(owner), len(text.front)
        key = text.visit(target.slice)
        if isinstance(key, Owner) or lists.form != owner.form._replace(many=dict) or not owner.fresh:
            raise Whole(lists)
        key = key if self.is_simple(key) and len(text.front) == before else text.kept(key, text.front)
        text.writes = True
        text.program.mutated.add(owner.form.kind)
        for path, value in zip(owner.form.leaves(), values):
            place = text.part(lists.name, (*lists.path, *path))
            part = gast.Subscript(value=place, slice=tree.clone(key), ctx=gast.Store())
            text.front.append(gast.Assign(targets=[part], value=value, type_comment=None))

    def is_gone_through(self, kinds):
        return any(not self.over.get(loop, set()).isdisjoint(kinds) for loop in self.loops)

    def found(self, expr, many):
        """Note that a variable, or a field, holds a list or dict of objects."""
        text, form, kind = self.text, self.text.program.form(many), many.kind
        if form is None:
            raise Whole(Owner('', (), text.program.form(kind)))
        above = text.denoted(expr.value) if isinstance(expr, gast.Attribute) else None
        if above is not None and above.form.field(expr.attr) is None:
            raise Refined(above.form.kind, expr.attr, many)
        name = getattr(expr, 'id', None)
        if name not in text.local or name in text.params or text.key is None and name in text.program.kept:
            raise Whole(Owner('', (), text.program.form(kind)))
        text.found[name] = form

    # Reading them

    def item(self, owner, index):
        """`bodies[k]`"""
        text = self.text
        if isinstance(index, (Owner, gast.Slice)) or tree.is_none(index):
            raise Whole(owner)
        if isinstance(index, gast.Constant) and type(index.value) is int and owner.form.many is list:
            return owner.at(index.value)
        if not self.is_simple(index):
            index = text.kept(index, text.front)
        return owner.at(index.id if isinstance(index, gast.Name) else index)

    def is_simple(self, index):
        """Whether an index may be evaluated wherever the object is asked for."""
        calls = [n for n in tree.walk(index) if isinstance(n, gast.Call)]
        lengths = all(self.text.resolver(c.func) is len and all(isinstance(a, gast.Name) for a in c.args) for c in calls)
        return lengths and all(isinstance(n, SIMPLE) or n in calls for n in tree.walk(index))

    def same(self, node, left, right):
        """`a is b`, for objects of one list; None for others."""
        one = left.is_row() and right.is_row() and (left.name, left.path[:-1]) == (right.name, right.path[:-1])
        if not one or not all(isinstance(o.path[-1].place, (str, int)) for o in (left, right)):
            return None
        places = [o.path[-1].expression() if self.is_counted(o.path[-1]) else self.from_start(o.around(), o.path[-1])
                  for o in (left, right)]
        op = gast.Eq() if isinstance(node.ops[0], gast.Is) else gast.NotEq()
        return tree.replace(node, left=places[0], ops=[op], comparators=[places[1]])

    def is_counted(self, place):
        """Whether a place is a key, or is surely counted from the start."""
        return place.of is dict or place.place in self.counted or isinstance(place.place, int) and place.place >= 0

    def from_start(self, lists, place):
        """The place in a list, counted from its start: the index may be negative."""
        return gast.Subscript(value=self.range(lists), slice=place.expression(), ctx=gast.Load())


def within(shape):
    """The Row, Key and Item in what a loop goes through."""
    if isinstance(shape, (Row, Key, Item)):
        yield shape
    elif shape is not None:
        for part in shape:
            yield from within(part)


def is_counted(iterated, s):
    """Whether a loop is over `enumerate(range(n))`, and its counter is bound by nothing else in it."""
    if not isinstance(iterated, gast.Call) or len(iterated.args) != 1 or getattr(iterated.func, 'id', None) != 'enumerate' \
            or not tree.is_call(iterated.args[0], 'range') or iterated.keywords:
        return False
    pair = getattr(s.target, 'elts', ())
    names = [getattr(t, 'id', None) for t in pair]
    inner = [n for t in s.body for n in tree.names(t, gast.Store)]
    return len(names) == 2 and None not in names and names[0] not in inner and names[0] != names[1]


def empty(of):
    return gast.Dict(keys=[], values=[]) if of is dict else gast.List(elts=[], ctx=gast.Load())


def is_empty(expr):
    return isinstance(expr, gast.List) and not expr.elts or isinstance(expr, gast.Dict) and not expr.keys


def made_by(expr):
    """list or dict, for what makes an empty one."""
    return None if not is_empty(expr) else list if isinstance(expr, gast.List) else dict


def overlap(owners):
    """Whether one object may be, or be part of, another."""
    paths = [(o.name, *o.path) for o in owners]
    return any(all(map(may_be, a, b)) for k, a in enumerate(paths) for m, b in enumerate(paths) if k != m and len(a) <= len(b))


def may_be(a, b):
    """Whether two steps to an object may lead to the same."""
    if not isinstance(a, At) or not isinstance(b, At):
        return a == b
    return not (isinstance(a.place, int) and isinstance(b.place, int) and a.place != b.place and a.place * b.place >= 0)


def written(stmts):
    """Names of what statements write into, call a method of, or give to a function."""
    nodes = [n for s in stmts for n in tree.walk(s)]
    found = {tree.root_name(n) for n in nodes if isinstance(n, gast.Subscript) and not isinstance(n.ctx, gast.Load)}
    calls = [n for n in nodes if isinstance(n, gast.Call)]
    found |= {e.id for c in calls for e in tree.arguments(c) if isinstance(e, gast.Name)}
    return found | {tree.root_name(c.func) for c in calls if isinstance(c.func, gast.Attribute)}


def at_places(stmt, trees):
    """A copy of a statement with trees, which may be bound, in place of names."""
    def new(node):
        if isinstance(node, gast.Name) and node.id in trees:
            return gast.copy_location(tree.replace(trees[node.id], ctx=node.ctx), node)
        return tree.with_children(node, new)
    return new(tree.clone(stmt))
