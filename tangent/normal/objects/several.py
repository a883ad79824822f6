"""Lists of objects that stay as they are made, in variables and fields: each object has variables of its own, and what is done
for each of them is written one by one.

    net = Sequential([Dense(w, b), Tanh()])           net_layers_0_w = w
                                                      net_layers_0_b = b
    for layer in self.layers:                         x = forward(layers_0_w, layers_0_b, x)
        x = layer.forward(x)                ->        x = forward2(x)

That is for lists of objects of several classes: those of one class become lists of fields (`rows`). A list that is not what it
was made is left as it is.
"""
import gast

from tangent.frontend import tree
from tangent.frontend.quote import literal
from tangent.frontend.scopes import DEFINITIONS
from tangent.normal.objects.forms import Several
from tangent.normal.objects.mixed import MOST, SIZE, exchanged, strays
from tangent.normal.objects.owner import Nth, Owner, Whole


class Standing:
    """The lists of objects of several classes of one Text.

    known : variable -> the Owner that it stands for, in what is written for one object
    strays : names that are read outside of the loops that bind them
    """

    def __init__(self, text, function):
        self.text, self.known, self.strays = text, {}, strays(function.body)

    def display(self, owners, target):
        """`[Dense(w, b), Tanh()]`: the list, or what stands for the assignment."""
        text, first = self.text, next(o for o in owners if isinstance(o, Owner))
        alike = all(isinstance(o, Owner) for o in owners) and len(owners) <= MOST and not text.lazy and not text.guarded
        form = text.program.form(Several(tuple([o.form.kind for o in owners]))) if alike else None
        if form is None or [inner for _, inner in form.fields] != [o.form for o in owners]:
            raise Whole(first)
        for owner in owners:
            text.rows.take(owner)
        parts = [text.part(o.name, o.path + path) for o in owners for path in o.form.leaves(moved=True, late=False)]
        lists, value = text.destination(target, form)
        for store, load in zip(text.stores(lists), parts):
            text.front.append(gast.Assign(targets=[store], value=load, type_comment=None))
        text.bound_anew(lists)
        return value

    def item(self, lists, index):
        """`layers[0]`"""
        found = literal(index) if isinstance(index, gast.AST) else None
        count = len(lists.form.fields)
        if not found or type(found[0]) is not int or not -count <= found[0] < count or not self.text.rows.is_lasting(lists):
            raise Whole(lists)
        return lists.inner(Nth(found[0] % count))

    def loop(self, s):
        """The statements of a loop over such a list; None for others."""
        each = self.each(s.target, s.iter, s.body) if isinstance(s, gast.For) else None
        if each is None:
            return None
        own = tree.names(s.target, gast.Store)
        nodes = [n for t in s.body for n in tree.walk(t)]
        jumps = any(isinstance(n, (gast.Break, gast.Continue, *DEFINITIONS, gast.Lambda)) for n in nodes)
        bound = any(isinstance(n, gast.Name) and n.id in own and not isinstance(n.ctx, gast.Load) for n in nodes)
        if jumps or bound or s.orelse or not self.strays.isdisjoint(own):
            raise Whole(self.text.any())
        return [t for one in each for t in self.text.block([self.written(t, *one) for t in s.body])]

    def listed(self, node):
        """The display that stands for a comprehension over such a list; None for others."""
        first = node.generators[0]
        own = tree.names(first.target, gast.Store)
        plain = len(node.generators) == 1 and not first.ifs and not any(
            isinstance(n, (gast.NamedExpr, gast.Lambda)) or isinstance(n, gast.Name) and n.id in own
            and not isinstance(n.ctx, gast.Load) for n in tree.walk(node.elt))
        each = self.each(first.target, first.iter, [node.elt]) if plain else None
        return each and gast.copy_location(
            gast.List(elts=[self.written(node.elt, *one) for one in each], ctx=gast.Load()), node)

    def written(self, node, objects, numbers):
        """What is written for one object; the names in it stand for that from here on."""
        names = {n: self.text.names.fresh(n) for n in objects}
        self.known.update({names[n]: owner for n, owner in objects.items()})
        return exchanged(tree.rename(node, names), numbers)

    def each(self, target, where, done):
        """({variable: object}, {variable: number}) for each object that a loop goes through, or None; `done`: what it does."""
        counts = isinstance(where, gast.Call) and self.text.resolver(where.func) is enumerate and len(where.args) == 1 \
            and not where.keywords
        owners = self.owners(where.args[0] if counts else where)
        if owners is None:
            return None
        pair = target.elts if counts and isinstance(target, gast.Tuple) else [None, target]
        if counts and len(pair) != 2 or not isinstance(pair[1], gast.Name) or counts and not isinstance(pair[0], gast.Name) \
                or sum(len(tree.walk(node)) for node in done) * len(owners) > SIZE:
            raise Whole(self.text.any())
        return [({pair[1].id: o}, {pair[0].id: k} if counts else {}) for k, o in enumerate(owners)]

    def owners(self, where):
        """The objects that are gone through, in order, or None."""
        if isinstance(where, gast.Call) and len(where.args) == 1 and self.text.resolver(where.func) in (reversed, list, tuple):
            found = self.owners(where.args[0])
            return found and (found[::-1] if self.text.resolver(where.func) is reversed else found)
        lists = self.text.denoted(where)
        if lists is None or not isinstance(lists.form.kind, Several):
            return None
        if not self.text.rows.is_lasting(lists):
            raise Whole(lists)
        return [lists.inner(n) for n, _ in lists.form.fields]
