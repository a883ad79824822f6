"""Numbers with a derivative that become keys of a dict, or elements of a set, and come out again as numbers.

    inv = {v: k for k, v in zip('abc', x)}           memo[v] = v * v
    return max(inv)                                  return memo[v] + len(memo)

A derivative knows places, and a key has none: what is done on the left is refused, and what is done on the right is fine.
The keys of a dict `d` are a variable of their own here, `d.keys()`: does a derivative flow through it?
"""
import collections

import gast

from tangent.analysis.activity import ByName, Links, Sources, activity, over_keys, stored
from tangent.analysis.alias import COMPREHENSIONS
from tangent.analysis.fences.places import place
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts
from tangent.templates.language import registry

ALIKE = frozenset([reversed, sorted, list, tuple, iter])            # they give what they go through
SETS = frozenset([set, frozenset])
DICTS = frozenset([dict, collections.OrderedDict, collections.defaultdict, collections.Counter])
MAKERS = gast.Dict, gast.DictComp, gast.Set, gast.SetComp


def first_key(function, sources, wrt):
    """The first expression with a derivative that becomes a key through which this flows to a result; None if there is none."""
    if not sources.named and not sources.made:
        return None
    links = Through(sources, ByName(sources.resolver), heads=sources.pairs, inner=True)
    flow = activity(function, wrt, links)
    return next((expr for name, expr in links.put if name in flow.active and flow.flows(expr)), None)


def first_change(function, keys, varied, effects):
    """The first statement that changes, with a derivative, an object which it has found as a key of a dict or in a set.

        for node, d in table.items():              for node in table:
            node.height = d                            relax(node, x)

    No place tells which object that is: the names under which others hold it would be taken to be as they were.

    varied : gives the names that depend on the arguments
    """
    names = keys.taken(function)
    found = [(s, given) for s in tree.every(function.body) for changed, given in changes(s, keys.resolver, effects)
             if keys.is_taken(tree.root(changed), names)]
    if not found:
        return None
    put = [e for made in keys.made.values() for e in keys.put_in(made)[0]]
    depends = varied().intersection
    return next((s for s, given in found if any(depends(tree.names(e, gast.Load)) for e in (*given, *put))), None)


def changes(s, resolver, effects):
    """[(what a statement changes, what it does that with)] for attributes, methods that are called for what they do, and what
    the functions that it calls write into."""
    if isinstance(s, (gast.Assign, gast.AugAssign)):
        targets = s.targets if isinstance(s, gast.Assign) else [s.target]
        yield from ((t, [s.value]) for t in targets if any(isinstance(n, gast.Attribute) for n in tree.walk(t)))
    done = s.value if isinstance(s, gast.Expr) else None
    if isinstance(done, gast.Call) and isinstance(done.func, gast.Attribute) and resolver(done.func) is UNKNOWN:
        yield done.func.value, tree.arguments(done)
    for call in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)):
        if effects.knows(resolver(call.func)):
            yield from ((e, tree.arguments(call)) for part in effects(resolver(call.func), call) for e in part)


class Keys(Sources):
    """The sources of an expression, those of the keys among them that it takes out of dicts and sets.

    made : id of an expression that makes a dict or set -> this expression
    named : place that is bound to one -> whether it is a set
    """

    def __init__(self, function, resolver):
        super().__init__(resolver)
        nodes = [n for s in function.body for n in tree.walk(s)]
        self.futures = frozenset()         # names that hold one
        times = collections.Counter(n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store))
        self.futures = frozenset(n for s in nodes if isinstance(s, gast.Assign) and self.is_future(s.value)
                                 for n in tree.names(s.targets[0], gast.Store) if times[n] == 1)
        self.made = {id(n): n for n in nodes if isinstance(n, MAKERS) or self.kind(n) in SETS | DICTS}
        texts = {n.left.id for n in nodes if isinstance(n, gast.Compare) and isinstance(n.left, gast.Name)
                 and all(map(is_text, n.comparators))}
        self.over_keys = {id(n) for n in nodes if isinstance(n, gast.For) and (
            over_keys(n) or getattr(n.target, 'id', None) in texts)}
        returned = {id(n.value) for n in nodes if isinstance(n, gast.Return)}
        for comp in (n for n in nodes if isinstance(n, COMPREHENSIONS)):
            self.over_keys |= {id(g) for g in comp.generators if is_index(g, comp, id(comp) in returned)}
        named = function.args.kwarg         # a dict of its own
        self.named, before = {(named.id, None): False} if named is not None else {}, None
        bound = [(place(t), s.value) for s in nodes if isinstance(s, gast.Assign) for t in s.targets if place(t)]
        self.named.update({(owner, None): False for owner in looked_through(nodes, resolver)})
        self.taped = taped(nodes)
        while before != self.named:
            before = dict(self.named)
            self.named.update((at, self.is_set(value)) for at, value in bound if self.variables(value))

    def is_future(self, key):
        """Whether a key is a future of `concurrent.futures`: with its task goes its derivative."""
        if isinstance(key, gast.Name):
            return key.id in self.futures
        return isinstance(key, gast.Call) and getattr(key.func, 'attr', None) == 'submit' and self.resolver.runs_tasks

    def kind(self, expr):
        found = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        return found if isinstance(found, type) else None

    def is_set(self, expr):
        return isinstance(expr, (gast.Set, gast.SetComp)) or self.kind(expr) in SETS \
            or self.named.get(place(expr), False)

    def variables(self, expr):
        """The variables that stand for the keys of what an expression gives."""
        if place(expr) in self.named:
            return frozenset([variable(place(expr))])
        if id(expr) in self.made:
            return frozenset([variable(id(expr))])
        method = is_method(expr, self.resolver)
        if method in ('copy', 'union', 'keys'):
            return self.variables(expr.func.value)
        parts = [expr.left, expr.right] if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.BitOr) else \
            [expr.body, expr.orelse] if isinstance(expr, gast.IfExp) else []
        return self.keys_of(parts)

    def keys_of(self, exprs):
        return frozenset().union(*map(self.variables, exprs))

    def Call(self, expr):
        method = is_method(expr, self.resolver)
        if method == 'get' and expr.args:                           # what is found does not depend on the key smoothly
            return self.union([expr.func.value, *expr.args[1:]])
        if method in ('items', 'keys', 'popitem') or method == 'pop' and self.is_set(expr.func.value):
            return super().Call(expr) | self.variables(expr.func.value)
        function = self.resolver(expr.func)
        if facts.of(function).takes is not None and function not in DICTS:             # tuple(table)
            return frozenset().union(*(self.variables(e) or self(e) for e in tree.arguments(expr)))
        read = self.keys_of(tree.arguments(expr)) if self.may_read(function) else frozenset()
        return super().Call(expr) | read

    @staticmethod
    def may_read(function):
        """Whether a function may read the keys of what it is given: all but those that are known."""
        takes = facts.of(function).takes or facts.of(function).calls or function is next
        return bool(takes) or function is UNKNOWN or registry.lookup(function) is None

    def Starred(self, expr):
        return self(expr.value) | self.variables(expr.value)

    def Only(self, expr):
        return expr.names

    def comprehension_value(self, expr):
        found = self.union(self.held(expr.key, expr.value)) if isinstance(expr, gast.DictComp) else self(expr.elt)
        for g in reversed(expr.generators):
            pairs = [(set(stored(t)), e) for t, e in self.pairs(g)]
            found = found.union(*(self(e) for names, e in pairs if not found.isdisjoint(names))) - set(stored(g.target))
        return found

    ListComp = SetComp = GeneratorExp = DictComp = comprehension_value

    def put_in(self, expr):
        """(the expressions that become keys in what makes a dict or set, what hands its own keys on to it)."""
        if isinstance(expr, gast.Dict):
            keys = [k for k in expr.keys if k is not None and not self.is_future(k)]
            return keys, [v for k, v in zip(expr.keys, expr.values) if k is None]
        if isinstance(expr, (gast.DictComp, gast.SetComp)):
            elt = expr.key if isinstance(expr, gast.DictComp) else expr.elt
            put = gast.copy_location(gast.GeneratorExp(elt=elt, generators=expr.generators), elt)
            return [put] * (not self.is_future(elt)), []
        if isinstance(expr, gast.Set):
            return expr.elts, []
        if self.kind(expr) is collections.defaultdict or not expr.args:
            return [], expr.args[1:]
        given = expr.args[0]
        if self.kind(expr) in SETS or self.kind(expr) is collections.Counter:
            return [given], [given]
        if isinstance(given, gast.Call) and self.resolver(given.func) is zip:
            return given.args[:1], []
        pairs = given.elts if isinstance(given, (gast.List, gast.Tuple)) else [getattr(given, 'elt', None)]
        firsts = [p.elts[0] for p in pairs if isinstance(p, gast.Tuple) and p.elts]
        return [tree.replace(given, elt=e) if hasattr(given, 'elt') else e for e in firsts], [given]

    def taken(self, function):
        """Names of what was a key of a dict or in a set, and of lists of that."""
        nodes, names, before = [n for s in function.body for n in tree.walk(s)], set(), None
        bound = [(t, s.value) for s in nodes if isinstance(s, gast.Assign) for t in s.targets]
        bound += [pair for loop in nodes if isinstance(loop, (gast.For, gast.comprehension)) for pair in self.pairs(loop)]
        while before != len(names):
            before = len(names)
            names |= {n for t, e in bound if self.is_taken(e, names) for n in tree.names(t, gast.Store)}
        return names

    def is_taken(self, expr, names):
        if isinstance(expr, gast.Call):
            method, function = is_method(expr, self.resolver), self.resolver(expr.func)
            if method in ('pop', 'popitem') and self.variables(expr.func.value):
                return method == 'popitem' or self.is_set(expr.func.value)
            return any(function is f for f in (*ALIKE, min, max, next)) and any(
                self.variables(e) or self.is_taken(e, names) for e in expr.args)
        if isinstance(expr, (gast.Subscript, gast.Starred)):
            return self.is_taken(expr.value, names)
        return isinstance(expr, Only) or getattr(expr, 'id', None) in names

    def pairs(self, loop):
        """[(target, what it is bound to an element of)] of a loop, or of a part of a comprehension."""
        passive = isinstance(loop, gast.comprehension) and id(loop) in self.over_keys
        return [] if passive else list(self.paired(loop.target, loop.iter, loop))

    def paired(self, target, expr, loop):
        several = getattr(target, 'elts', ())
        function = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        if function is enumerate and len(several) == 2:
            yield from self.paired(several[1], expr.args[0], loop)
        elif function is zip and len(several) == len(expr.args):
            for t, e in zip(several, expr.args):
                yield from self.paired(t, e, loop)
        elif any(function is f for f in ALIKE) and len(expr.args) == 1:
            yield from self.paired(target, expr.args[0], loop)
        elif is_method(expr, self.resolver) == 'items' and len(several) == 2:
            yield several[0], Only(self.variables(expr.func.value))
            yield several[1], expr.func.value
        elif self.variables(expr) or is_method(expr, self.resolver) == 'keys':
            yield target, Only(self.variables(expr))
        elif id(loop) not in self.over_keys:
            yield target, expr


def looked_through(nodes, resolver):
    """Names of what is looked up by its own keys, `keys = list(d)` and then `d[keys[i]]`: if they are numbers, there is no
    derivative by them."""
    keys = {tree.target(s): getattr(s.value.args[0], 'id', None) for s in nodes if isinstance(s, gast.Assign) and tree.target(s)
            and isinstance(s.value, gast.Call) and len(s.value.args) == 1 and resolver(s.value.func) is list}
    return {n.value.id for n in nodes if keys and isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name)
            and isinstance(n.slice, gast.Subscript) and keys.get(getattr(n.slice.value, 'id', None)) == n.value.id}


def taped(nodes):
    """Name of a tape -> the names whose values are kept there: each time it is these, and nothing else."""
    found: dict = {}
    for n in nodes:
        tape = n.func.value if isinstance(n, gast.Call) and getattr(n.func, 'attr', None) == 'append' and n.args else None
        if isinstance(tape, gast.Name):
            found.setdefault(tape.id, set()).add(names_of(n.args[0]))
    return {tape: names for tape, (names, *others) in found.items() if names and not others}


def names_of(expr):
    """The names in a tuple of names, or the one that an expression is; None for others."""
    names = [getattr(e, 'id', None) for e in getattr(expr, 'elts', [expr])]
    return tuple(names) if None not in names else None


def is_text(expr):
    """Whether an expression is a text, or one of several: what is compared with these is one, too."""
    parts = getattr(expr, 'elts', [expr])
    return bool(parts) and all(isinstance(e, gast.Constant) and isinstance(e.value, str) for e in parts)


def is_index(loop, comp, returned):
    """Whether a comprehension uses what it finds as a key, and for nothing else; it may be a key of what is made only if it is
    one of what it was found in, `{k: table[k] for k in table}`, or is returned to who has that."""
    if not isinstance(loop.target, gast.Name):
        return False
    name, nodes = loop.target.id, list(tree.walk(comp))
    looked_up = [(n.value, n.slice) for n in nodes if isinstance(n, gast.Subscript)]
    looked_up += [(n.func.value, n.args[0]) for n in nodes
                  if isinstance(n, gast.Call) and getattr(n.func, 'attr', '') == 'get' and n.args]
    keys = [key for _, key in looked_up]
    inside = set(tree.names(loop.iter, gast.Load))
    if returned or any(getattr(key, 'id', None) == name and getattr(owner, 'id', None) in inside for owner, key in looked_up):
        keys.append(getattr(comp, 'key', None))
    return tree.names(comp, gast.Load).count(name) == sum(getattr(e, 'id', None) == name for e in keys)


class Only(gast.AST):
    """Stands for an expression that has these sources."""
    _fields = ()

    def __init__(self, names):
        self.names = names


class Through(Links):
    """Links with the variables of keys.

    put : (variable, expression that becomes a key in it), in the order of the text
    """

    put = ()

    def __call__(self, stmts):
        if not self.put:
            self.put = [(variable(key), e) for key, made in self.sources.made.items() for e in self.sources.put_in(made)[0]]
            yield from ((name, self.sources(e)) for name, e in self.put)
            yield from ((variable(key), self.sources.keys_of(self.sources.put_in(made)[1]))
                        for key, made in self.sources.made.items())
        yield from super().__call__(stmts)

    def bound(self, s):
        keys = self.sources
        if isinstance(s, gast.Assign) and is_method(s.value, keys.resolver) == 'pop' \
                and keys.taped.get(getattr(s.value.func.value, 'id', None)) == names_of(s.targets[0]):
            return                           # they hold what they held
        yield from super().bound(s)
        for t in s.targets if isinstance(s, gast.Assign) else [s.target] if isinstance(s, gast.AugAssign) else []:
            if place(t) in keys.named:
                yield variable(place(t)), keys.variables(s.value)
                yield from ((n, {variable(place(t))}) for n in keys.variables(s.value))
            elif isinstance(t, (gast.Tuple, gast.List)):
                yield from ((n, keys.variables(s.value)) for n in stored(t))
            if isinstance(t, gast.Subscript):
                yield from self.given_key(t.value, t.slice)

    def results(self, function):
        """A dict that is returned may be read by its caller, who does not know its keys."""
        returned = [s.value for s in tree.every(function.body) if isinstance(s, gast.Return)]
        return super().results(function) | self.sources.keys_of(returned)

    def given_key(self, owner, expr):
        if self.sources.is_future(expr):
            return
        for name in self.sources.variables(owner):
            self.put.append((name, expr))
            yield name, self.sources(expr)

    def inside(self, node, s):
        if isinstance(node, gast.comprehension):
            yield from ((n, self.sources(e)) for t, e in self.sources.pairs(node) for n in stored(t))
            return
        yield from super().inside(node, s)
        method = is_method(node, self.sources.resolver)
        if method in ('add', 'setdefault') and node.args:
            yield from self.given_key(node.func.value, node.args[0])
        elif method == 'update':
            more = [node.func.value] if isinstance(s, gast.Expr) else []
            yield from ((n, self.sources.keys_of(node.args)) for owner in more for n in self.sources.variables(owner))
            if self.sources.is_set(node.func.value):
                yield from self.given_key(node.func.value, node.args[0])


def variable(key):
    """The variable of the keys of what a place holds, or an expression of this `id` gives."""
    return f'{key}.keys()'


def is_method(expr, resolver):
    """The name of the method of something known only when running that an expression calls, or None."""
    call = isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and resolver(expr.func) is UNKNOWN
    return expr.func.attr if call else None
