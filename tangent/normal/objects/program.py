"""The functions that are given the fields of objects in place of these."""
import collections
import inspect

import gast

from tangent.analysis.effects import Effects
from tangent.frontend import tree
from tangent.frontend.dependencies import codes_of
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.resolve import UNKNOWN, local_names, names_in, resolver_of
from tangent.normal.objects import spelled
from tangent.normal.objects.forms import Form, Several, form_of
from tangent.normal.objects.owner import Many, Nth, Owner, Whole
from tangent.normal.objects.text import Text

ROUNDS = 12                 # at most: what functions that call each other read of an object mostly grows


class Lifted:
    """A function for objects in some of its parameters.

    nested : the function that takes their fields, as a callee
    takes : (parameter, path) of the fields that it reads before it sets them
    sets : the same of those that it binds anew, which it gives back
    value : whether it gives back something else
    result : the Form of the object that this is, of which it gives back the fields; None where it is none
    itself : the parameter of which it gives back the object
    unset : variables of objects made in it with fields that may be read before they are set
    keeps : the parameters whose objects it puts into a list
    grows : (class, list or dict) of the objects that it puts into such
    writes : whether it changes a list of objects, or one that stands there, in place
    failed : whether an object has to be one
    """

    def __init__(self, program, function, given, wish):
        self.function, self.given, self.source = function, given, spelled.source_of(function)
        self.nested = Nested(program.names.fresh(wish), ())
        self.takes, self.sets, self.value, self.result, self.itself, self.unset = (), (), False, None, None, ()
        self.keeps, self.grows, self.writes = frozenset(), frozenset(), False
        self.failed, self.running, self.text = False, False, None

    def facts(self):
        return self.takes, self.sets, self.value, self.result, self.itself, self.unset, self.failed, (
            self.keeps, self.grows, self.writes)

    def settled(self, program):
        """Write the text again; whether nothing has changed that others have to know."""
        if self.running or self.failed:
            return True
        before, self.running = self.facts(), True
        try:
            text = Text(program, self.source, dict(self.given), (self.function, self.given))
            self.text = text
            self.takes, self.sets, self.value, self.result, self.itself = (
                text.takes, text.sets, text.value, text.result, text.itself)
            self.unset, self.writes = tuple(text.unset), text.writes
            self.keeps, self.grows = frozenset(text.keeps), frozenset(text.grows)
            self.nested.source = NestedSource.of(
                self.source, text.definition(self.nested.__name__), values=text.defaults,
                keyword_values=dict(self.source.kwdefaults), visible=program.visible, apart=True)
        except Whole:
            self.failed = True
        self.running = False
        return before == self.facts()


def yields(kind):
    """Whether objects of a class can be gone through, or have methods that make generators."""
    kind = getattr(kind, 'kind', kind)
    return isinstance(kind, type) and (hasattr(kind, '__iter__') or any(map(inspect.isgeneratorfunction, vars(kind).values())))


class Program:
    """Takes the objects of one function apart.

    kept, excluded : variables of it, and classes, whose objects are left as they are
    inside : class -> {field: the class of the object in it}
    inline : whether functions that write into what fields hold, by indices, too, are written where they are called
    given : parameters of it that are taken apart, see `given_objects`
    through : writes generators out where the classes of objects are known, see `inlined.consumers`
    visible : names that the new texts may call -> Nested or other object
    found : key of a text -> {variable: Form} of those that hold objects
    mutated, aliased : classes of which a field is bound anew, of which objects have several names
    replaced : (class, field) where another object takes the place of one
    stored : names of fields whose arrays and lists are written into
    copied : fields of what the function is given of whose arrays it writes into copies
    rebound : (class, field) of what is bound to something else than it was when the object was made
    looked_at : (class, field) of lists of objects of which one is known by its place
    grown : (class, list or dict) of which objects are put into lists after these have been made
    """

    def __init__(self, shared, kept, excluded, inside, inline, given, through):
        self.shared, self.kept, self.excluded, self.inside = shared, kept, excluded, inside
        self.inline, self.given, self.through = inline, given, through
        self.visible, self.lifted, self.found = {}, {}, collections.defaultdict(dict)
        self.mutated, self.aliased, self.replaced = set(), set(), set()
        self.looked_at, self.grown, self.rebound = set(), set(), set()
        self.stored, self.copied = set(), set()
        self.of_classes, self.of_calls = {}, {}
        self.names = tree.Names(shared)
        self.effects = Effects(shared.settings.facts, shared.settings.classes)

    def form(self, kind):
        """The Form of a class here, or None."""
        if isinstance(kind, Many):
            found = self.form(kind.kind)
            return found and found.leaves() and not found.late and found._replace(many=kind.of) or None
        if isinstance(kind, Several):
            inner = tuple([(Nth(k), self.form(each)) for k, each in enumerate(kind.kinds)])
            return Form(kind, inner) if kind not in self.excluded and all(form for _, form in inner) else None
        found = form_of(kind) if isinstance(kind, type) and kind not in self.excluded else None
        inner = {n: self.form(k) for n, k in self.inside.get(kind, {}).items()} if found else {}
        return found.holding({n: form for n, form in inner.items() if form}) if inner else found

    def holds(self, kind, other):
        """Whether objects of a class hold those of another, at any depth, or are such."""
        kind, other = getattr(kind, 'kind', kind), getattr(other, 'kind', other)
        if isinstance(kind, Several):
            return any(self.holds(each, other) for each in kind.kinds)
        return kind is other or any(self.holds(k, other) for k in self.inside.get(kind, {}).values())

    def whole(self, source):
        """The definition of the function without objects, None where it has none."""
        self.names.taken |= set(names_in(source).mentioned) | set(source.globals)
        self.function = source.function
        for _ in range(ROUNDS):
            before = self.state()
            try:
                text = Text(self, source, {}, None)
            except Whole as why:
                if before == self.state() or not yields(why.kind):
                    raise
                continue                              # what it yields is written out where its class is known
            steady = all([one.settled(self) for one in list(self.lifted.values())])
            if steady and before == self.state():
                return self.checked(text, source)
        return None

    def state(self):
        """What grows while texts are written."""
        return len(self.lifted), str(dict(self.found)), len(self.replaced), len(self.grown), len(self.rebound), len(self.stored)

    def checked(self, text, source):
        if not text.touched:
            return None
        unset = [*text.unset, *(owner for one in self.lifted.values() for owner in one.unset)]
        several = [kind for kind in self.aliased if kind in self.mutated]
        several += [kind for kind, _ in self.looked_at & self.replaced]
        if unset or several:
            raise Whole(unset[0] if unset else Owner('', (), self.form(several[0])))
        return text.definition(source.tree.name)

    def lift(self, function, given, wish):
        """The Lifted for a call of a function with objects of these forms for these parameters."""
        key = function, given
        if key not in self.lifted:
            known = {n.id for n in tree.walk(spelled.source_of(function).tree) if isinstance(n, gast.Name)}
            self.names.taken |= known | set(function.__globals__)
            self.lifted[key] = Lifted(self, function, given, wish)
            self.lifted[key].settled(self)
        return self.lifted[key]

    def may_set(self, name):
        """Whether one of the functions may set an attribute of that name of a class."""
        functions = [self.function, *(spelled.written(one.function) for one in self.lifted.values())]
        return any(key.attribute == name for f in functions for key in self.effects.of(f).outside.stores)

    def lifted_names(self):
        return [one.nested.__name__ for one in self.lifted.values()]

    def makes(self, function):
        """Whether the text of a function names a class that can be taken apart."""
        if isinstance(function, spelled.Spelled) and function in self.of_classes.values():
            return True
        known = [function.__globals__.get(n) for code in codes_of(function.__code__) for n in code.co_names]
        return any(isinstance(thing, type) and self.form(thing) is not None for thing in known)

    def of_class(self, function, kind):
        """The function of a class method, written out for its class."""
        if (function, kind) not in self.of_classes:
            self.of_classes[function, kind] = spelled.of_class(function, kind)
        return self.of_classes[function, kind]

    def of_call(self, function, count, names):
        """A function that takes any arguments, written out for some, see `spelled.of_call`."""
        if (function, count, names) not in self.of_calls:
            if sum(key[0] is function for key in self.of_calls) >= spelled.MOST:
                return None
            self.of_calls[function, count, names] = spelled.of_call(function, count, names)
        return self.of_calls[function, count, names]

    def name_of(self, thing, wish):
        """A name by which every text sees a function or class."""
        found = next((n for n, one in self.visible.items() if one is thing), None)
        if found is None:
            found = self.names.fresh(wish)
            self.visible[found] = thing
        return found

    def in_use(self, whole):
        """The Lifted that the text calls, and what these call."""
        names, pending, found = {one.nested.__name__: one for one in self.lifted.values()}, [whole], []
        while pending:
            for n in tree.walk(pending.pop()):
                one = names.get(n.id) if isinstance(n, gast.Name) else None
                if one is not None and one not in found:
                    found.append(one)
                    pending.append(one.nested.source.tree)
        return found

    def named(self, whole, source):
        """What the new texts name of all that was there, but for the classes of which there are no objects any more."""
        found = [*self.visible.values()]
        for text, where in [(whole, source), *((one.nested.source.tree, one.source) for one in self.in_use(whole))]:
            resolver, local = resolver_of(where), local_names(text)
            nodes = [n for s in text.body for n in tree.walk(s) if isinstance(n, (gast.Name, gast.Attribute))
                     and tree.root_name(n) not in local]
            things, values = map(resolver, nodes), [resolver.value(n) for n in nodes if isinstance(n, gast.Name)]
            found += [t for t in (*things, *values, *where.defaults) if t is not UNKNOWN]
        return [thing for thing in found if self.form(thing) is None]

    def register(self):
        """Let the derivation know the functions; what texts see by name."""
        for one in self.lifted.values():
            self.visible[one.nested.__name__] = one.nested
            self.shared.nested.append(one.nested)
        self.shared.update(self.visible)
        return self.visible
