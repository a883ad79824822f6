"""What functions keep outside of themselves: what a call puts there, another may read.

    CACHE = {}
    def square(v):
        if 'v' not in CACHE:
            CACHE['v'] = v * v           a value with a derivative,
        return CACHE['v']                read by the next call, which no text hands it to

That is globals, variables of functions around, default values, attributes of functions and classes. What a function both
assigns to and reads in its own text is a variable like any other. What is only written is no matter, nor what is read for
what has no derivative: a loss that is compared with the last one of a log, or printed.
"""
import builtins
import collections
import contextvars
import dis
import functools
import inspect
import types
import weakref
from typing import NamedTuple

import gast
import numpy as np

from tangent.analysis import unseen
from tangent.analysis.activity import Links, Sources, activity, each, is_passive, reach
from tangent.analysis.alias import handed_to, outputs
from tangent.analysis.kinds import classes
from tangent.frontend import quote, subset, tree
from tangent.frontend.dependencies import codes_of, is_installed, path_of
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.resolve import UNKNOWN, owner
from tangent.frontend.source import Source, uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

DEFINED = types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, Nested, np.ufunc
PLAIN = int, float, complex, str, bytes, tuple, frozenset, type(None), np.generic
FIXED = *PLAIN, types.BuiltinFunctionType, np.ufunc               # nothing can be written into these
GROWING = list, dict, set, bytearray, collections.deque, np.ndarray
NAMED = 0                        # the `thing` of a Key that tells the name of an attribute of some class
MOST = 200                       # values that are looked at
PATHS = gast.Name, gast.Attribute, gast.Subscript
WRITERS = mutations.names(lambda m: m.writes)
CHANGING = WRITERS | {'__setitem__', '__setattr__', '__iadd__', '__ior__'}
SILENT = mutations.names(lambda m: m.writes and m.gives == 'nothing')


class Store(NamedTuple):
    """A place where a function puts something outside.

    params : the parameters whose values may go there
    node, source : what to show
    own : whether the function's own text says so in a way that makes a variable of what is written
    """
    params: frozenset
    node: object
    source: object
    own: bool


class Outside(NamedTuple):
    """What a function and all that it calls does outside: key -> Store, and the keys of what is read.

    below : keys of what functions read or write that it calls
    looked_at : the parameters whose values go on, where others are only written into or compared
    gives : keys of what it hands out: who calls it may write into that
    """
    stores: dict
    loads: frozenset
    below: frozenset
    looked_at: frozenset
    gives: frozenset = frozenset()


FOLLOWED: weakref.WeakSet = weakref.WeakSet()         # the functions that texts were seen to call, and what these may run
NOTHING = Outside({}, frozenset(), frozenset(), frozenset())


class Key(NamedTuple):
    """An object outside, an attribute of one, or a variable.

    of_class : it is an attribute of a class, which instances read by names that are not known here
    """
    thing: int
    attribute: str | None = None
    of_class: bool = False

    def meets(self, other):
        return self.thing == other.thing and (None in (self.attribute, other.attribute) or self.attribute == other.attribute)


class Reads(Sources):
    """The names from which an expression reads something, of an object outside, too."""

    def Attribute(self, expr):
        return self(expr.value)

    def Call(self, expr):
        owner = [expr.func.value] if isinstance(expr.func, gast.Attribute) else []
        return super().Call(expr) if registry.is_constant(self.resolver(expr.func)) else super().Call(expr) | self.union(owner)


OPEN = (gast.Global, gast.Nonlocal, gast.Import, gast.ImportFrom, gast.With, gast.FunctionDef, gast.ClassDef, gast.Lambda)
OF_PYTHON = frozenset('abs bool enumerate float int len list max min print range reversed round sorted sum tuple zip'.split())


def of(source, function, aliases, reaching=None, updated=types.MappingProxyType({})):
    """The Outside of a function with this source and tree.

    reaching : tells the parameters on which the value of an expression depends; found where it is None
    updated : new name -> old name of each `x += v`, where each definition has a name
    """
    return NOTHING if is_installed(source.filename) else Reading(source, function, aliases, reaching, updated).found()


def stands_alone(source, resolver):
    """Whether all that a function names outside of itself are numbers, NumPy, `math` and functions of Python's, and all that
    it reads of its arguments elements, shapes and results of methods: nothing outside is there to be written into."""
    if isinstance(source, NestedSource) or resolver.sight or as_class(source) or defaults(source) \
            or not all(is_plain(name, resolver.name(name)) for name in resolver.outer):
        return False
    nodes = source.inner
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}

    def is_inside(n):
        if isinstance(n, gast.Attribute):
            return isinstance(n.ctx, gast.Load) and (is_passive(n.attr) or tree.root_name(n) in resolver.outer
                                                     or id(n) in called and isinstance(n.value, gast.Name))
        return not isinstance(n, gast.Subscript) or isinstance(n.ctx, gast.Load) or tree.root_name(n) in resolver.local
    return not any(isinstance(n, OPEN) or not is_inside(n) for n in nodes)


def is_plain(name, found):
    """Whether nothing can be put into what a name denotes, nor into what that gives."""
    if isinstance(found, types.ModuleType):
        return found.__name__ in ('numpy', 'math')
    return type(found) in (int, float, bool) or name in OF_PYTHON and getattr(builtins, name) is found


class Reading:
    """Reads a function for what it does outside."""

    def __init__(self, source, function, aliases, reaching, updated=types.MappingProxyType({})):
        self.source, self.function, self.aliases, self.reaching = source, function, aliases, reaching
        self.updated = updated
        self.text = reaching is None
        self.resolver, self.effects = aliases.resolver, aliases.effects
        self.stores, self.loads, self.below, self.unread, self.held, self.given = {}, set(), set(), set(), {}, []
        self.placed = []                          # (keys, values) of what is put there
        self.as_class = as_class(source)
        self.defaults = {p: Key(id(default)) for p, default in defaults(source)}
        self.nodes = [n for s in function.body for n in tree.walk(s)]
        self.declared = {n for node in self.nodes if isinstance(node, (gast.Global, gast.Nonlocal)) for n in node.names
                         if isinstance(node, gast.Global) or n in self.resolver.cells}

    def found(self):
        for node in self.nodes:
            if isinstance(node, gast.Assign) and (isinstance(node.value, PATHS) or self.opens(node.value)
                                                  or self.given_by(node.value)):
                for name in filter(None, (getattr(t, 'id', None) for t in node.targets)):
                    self.held.setdefault(name, []).append(node.value)
        for node in self.nodes:
            visit = getattr(self, type(node).__name__, None)
            if visit is not None:
                visit(node)
        for run, node in unseen.may_run(self.nodes, self.resolver):
            self.runs(run, node)
        if not self.text and not self.stores:          # nobody asks what is read of that
            return NOTHING
        useful = self.useful()
        paths = [n for n in self.nodes if isinstance(n, PATHS) and isinstance(n.ctx, gast.Load)
                 and id(tree.root(n)) not in self.unread]
        read = [n for n in paths if getattr(tree.root(n), 'id', None) in useful]
        fresh = self.fresh()
        for node in read:
            self.loads |= {k for k in self.keys(node) if not any(k.meets(f) for f in fresh)}
        self.loads |= {Key(NAMED, n.attr) for n in paths if isinstance(n, gast.Attribute) and self.resolver.value(n) is UNKNOWN
                       and (n in read or not isinstance(tree.root(n), gast.Name))}
        looked_at = self.resolver.given.intersection(n.id for n in read if isinstance(n, gast.Name))
        return Outside(self.stores, frozenset(self.loads), frozenset(self.below), looked_at, frozenset(self.handed_out()))

    def handed_out(self):
        """Keys of what the function gives back, or makes the dict of an object of, and may be written into."""
        ends = [n.value for n in self.nodes if isinstance(n, (gast.Return, gast.Yield)) and n.value is not None
                or isinstance(n, gast.Assign) and any(getattr(t, 'attr', None) == '__dict__' for t in n.targets)]
        names = set().union(*map(self.aliases.handed_on, ends))
        own = set().union(*(self.aliases.family(n) | {n} for n in names))
        kept = [keys for keys, values in self.placed if not all(own.isdisjoint(self.aliases.handed_on(e)) for e in values)]
        paths = [*map(tree.load, names), *(e for e in ends if isinstance(e, PATHS))]
        return {k for e in paths for k in self.keys(e)}.union(*kept, *(self.given_by(e) for e in ends))

    def given_by(self, expr):
        """Keys of what the function that an expression calls hands out."""
        called = uncompiled(self.resolver(expr.func)) if isinstance(expr, gast.Call) else None
        if isinstance(called, functools._lru_cache_wrapper):
            return {Key(id(called))}
        found = set()
        for function in run_for(called):
            gives = self.effects.of(function).outside.gives if self.effects.knows(function) else ()
            bound = self.effects.bound(function, expr) if gives else {}
            given = {id(default) for p, default in defaults(function) if p in bound} if gives else ()
            found |= {key for key in gives if key.thing not in given}
        return found

    def is_asked_again(self, keys):
        """Whether the function comes to what is there in two places or more, of which one may be after a write."""
        calls = [self.given_by(n) | self.read_in(n) for n in self.nodes if isinstance(n, gast.Call)]
        paths = [self.keys(n) for n in self.nodes if isinstance(n, PATHS) and tree.root_name(n) in self.resolver.outer]
        return sum(any(k.meets(key) for k in found for key in keys) for found in calls + paths) > 1

    def read_in(self, call):
        """Keys of what the function reads that is called."""
        function = uncompiled(self.resolver(call.func))
        plain = isinstance(function, (types.FunctionType, Nested)) and self.effects.knows(function)
        return self.effects.of(function).outside.loads if plain else frozenset()

    def fresh(self):
        """Keys of what every call fills, before it reads any of it, and does not hand out: a buffer for its work."""
        found, met = set(), set()
        body = [(s, *self.filled(s)) for s in self.function.body]
        if all(target is None for _, target, _ in body):
            return found
        out = self.handed_out()
        for s, target, rest in body:
            if target is not None:
                read = {k for e in rest for n in tree.walk(e) if isinstance(n, PATHS) for k in self.keys(n)}
                found |= {k for k in self.keys(target) if not any(k.meets(other) for other in met | read | out)}
            met |= {k for n in tree.walk(s) if isinstance(n, PATHS) for k in self.keys(n)}
        return {k for k in found if all(store.own for key, store in self.stores.items() if key.meets(k))}

    def filled(self, s):
        """(the array outside that a statement fills whole, or None; what it reads for that)."""
        call = s.value if isinstance(s, (gast.Expr, gast.Assign)) and isinstance(s.value, gast.Call) else None
        target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
        if isinstance(target, gast.Subscript) and is_whole(target.slice):
            target, rest = target.value, [s.value]
        elif call is not None and (written := outputs(self.resolver(call.func), call)) \
                and not any(k.arg == 'where' for k in call.keywords):
            target, rest = written[0], [e for e in tree.arguments(call) if e is not written[0]]
        else:
            return None, []
        return (target, rest) if isinstance(self.resolver.value(target), np.ndarray) else (None, [])

    def useful(self):
        """The names whose values go on: into what the function gives back, throws or puts into something of its caller's or
        outside, or into a call that may do so."""
        links = Links(Reads(self.resolver), self.aliases, each, inner=True)
        params = set(tree.names(self.function.args, gast.Param))
        ours = params.union(*map(self.aliases.family, params))
        pairs = list(links(self.function.body))
        left = [set(found) - {name} for name, found in pairs if name in ours]
        return activity(self.function, (), links, links.sources.union(self.given).union(*left), pairs=pairs).useful

    # Statements and expressions that put something outside, or only look

    def Assign(self, s):
        for target in s.targets if isinstance(s, gast.Assign) else [s.target]:
            for t in target.elts if isinstance(target, (gast.Tuple, gast.List)) else [target]:
                # `total = total + v`: what is read there goes back to where it was
                self.unread |= {id(tree.root(n)) for n in tree.walk(s.value) if isinstance(n, PATHS) and same(n, t)}
                if isinstance(t, (gast.Subscript, gast.Attribute)):
                    self.unread.add(id(tree.root(t)))
                    keys, given = self.keys(t), self.is_given(tree.root(t))
                    keyed = keys and isinstance(t, gast.Subscript) and self.reached(t.slice)     # others find it by its numbers
                    if not given or self.is_asked_again(keys):
                        self.put(keys, [s.value], t, own=isinstance(tree.root(t), gast.Name) and not keyed and not given)
                elif isinstance(t, gast.Name) and (isinstance(s, gast.AugAssign) or t.id in self.updated):
                    self.update(tree.load(self.updated.get(t.id, t.id)), s)
                elif isinstance(t, gast.Name) and t.id in self.declared:
                    self.put(self.variable(t.id), [s.value], t, own=True)

    AugAssign = Assign

    def update(self, name, s):
        """`x += v` for what may be an array: a default value, or one that a function has handed out."""
        if name.id in self.defaults or self.is_given(name) and self.is_asked_again(self.keys(name)):
            self.put(self.keys(name), [s.value], tree.place(name, tree.origin(s)), own=name.id in self.defaults)

    def is_given(self, root):
        """Whether a name holds what a function has handed out."""
        made = self.held.get(getattr(root, 'id', None), ())
        return any(isinstance(e, gast.Call) and not self.opens(e) for e in made)

    def AnnAssign(self, s):
        if s.value is not None:
            self.Assign(s)

    def Compare(self, node):
        self.unread |= {id(tree.root(e)) for e in [node.left, *node.comparators]}

    def Expr(self, s):
        if isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Attribute):
            self.unread.add(id(tree.root(s.value.func)))

    def Attribute(self, node):
        if node.attr in SILENT:                         # `add = log.append`
            self.unread.add(id(tree.root(node)))

    def Raise(self, s):
        self.given += [s.exc] if s.exc is not None else []

    def Call(self, call):
        args = tree.arguments(call)
        function = self.resolver(call.func)
        if isinstance(function, (functools._lru_cache_wrapper, type)):
            self.loads |= self.given_by(call)
        if tree.dotted(call.func) == 'getattr' and len(args) > 1 and isinstance(args[1], gast.Constant):
            self.loads.add(Key(NAMED, args[1].value))                          # as forward mode has attributes of objects
        if self.may_keep(function, call):
            self.given += args
        made = self.held.get(getattr(call.func, 'id', None), ())
        if made and all(getattr(e, 'attr', None) in SILENT for e in made):
            self.unread.add(id(call.func))
            self.put(set().union(*(self.keys(e.value) for e in made)), args, call)
        if facts.of(function).tells and function is not type:
            self.unread |= {id(tree.root(a)) for a in args}
        elif function is setattr:
            self.put(self.set_in(call), args[1:], call)
        elif function is not UNKNOWN:
            self.callee(uncompiled(function), call)
            for handed in handed_to(function, call):
                count = 2 if handed in call.args else 1              # `reduce`, or by `key=`
                self.callee(self.resolver(handed), gast.Call(func=handed, args=[gast.Tuple(elts=[
                    a for a in args if a is not handed], ctx=gast.Load())] * count, keywords=[]))
        elif isinstance(call.func, gast.Attribute):
            self.method(call.func, call, args)
        for written in outputs(function, call):
            self.put(self.keys(written), args, call, own=True)
        for written in (e for found in self.effects(function, call) for e in found):
            value = self.resolver.value(written)
            if isinstance(value, FIXED):
                continue
            array = isinstance(written, gast.Name) and isinstance(value, np.ndarray)
            self.put(self.keys(written), args, call, own=not array)          # of which the callee's caller has no gradient

    def set_in(self, call):
        """The keys of what `setattr(owner, name, value)` sets."""
        owner = self.resolver.value(call.args[0])
        if not isinstance(owner, types.ModuleType) or len(call.args) < 2:
            return self.keys(call.args[0])
        name = call.args[1].value if isinstance(call.args[1], gast.Constant) else None
        return {Key(id(vars(owner)), name, owner.__dict__ is not self.resolver.globals)}

    def method(self, func, call, args):
        """A method of an object outside: one that changes containers, or one of a class of the user's."""
        owner = self.resolver.value(func.value)
        own = tree.root_name(func.value) in self.defaults
        if isinstance(owner, contextvars.ContextVar) and func.attr == 'set':
            self.put(self.keys(func.value), args, call)
        elif isinstance(owner, GROWING) or own or not isinstance(func.value, gast.Name) and self.keys(func.value):
            if func.attr in WRITERS:
                moved = [func.value] if mutations.of(func.attr).orders else []
                self.put(self.keys(func.value), [*args, *moved], call, own)
        elif owner is not UNKNOWN and isinstance(found := getattr(type(owner), func.attr, None), types.FunctionType):
            if next(iter(inspect.signature(found).parameters), '') in self.effects.of(found).writes:
                self.put(self.keys(func.value), args, call, own=True)
            self.callee(found, tree.replace(call, args=[func.value, *call.args]))

    def callee(self, function, call):
        """What a function does that is called: outside of both, and with its default values."""
        function, call = classes.run_by(function, call)
        if not isinstance(function, (types.FunctionType, Nested)) or not self.effects.knows(function):
            return
        FOLLOWED.add(function)
        found = self.effects.of(function)
        bound = self.effects.bound(function, call)
        given = {id(default) for p, default in defaults(function) if p in bound}          # something else stands for these
        stores = {key: store for key, store in found.outside.stores.items() if key.thing not in given}
        for key, store in stores.items():
            self.put({key}, [e for p in store.params for e in bound.get(p, ())], store.node, source=store.source)
        loads = {key for key in found.outside.loads if key.thing not in given}
        self.loads |= loads
        self.below |= loads | stores.keys()
        self.unread |= {id(tree.root(e)) for p in found.writes if p not in found.outside.looked_at for e in bound.get(p, ())}

    def runs(self, run, node):
        """What a function does that may run with anything that this one has at hand; a context (a withitem) with what it is
        made of."""
        made = isinstance(node, gast.withitem)
        values, params = (tree.arguments(node.context_expr), frozenset()) if made else ([], self.all())
        function, owner = uncompiled(run.function), run.owner
        place = Key(id(owner)) if isinstance(owner, GROWING) or classes.is_users(type(owner)) else None
        if not isinstance(function, types.FunctionType):
            if place is not None and function.__name__ in CHANGING:
                self.put({place}, values, node, params=params)
            elif place is not None:
                self.loads.add(place)
            return
        if not self.effects.knows(function):
            return
        FOLLOWED.add(function)
        found = self.effects.of(function)
        for key, store in found.outside.stores.items():
            if store.params:
                self.put({key}, values, store.node, source=store.source, params=params)
        self.loads |= found.outside.loads
        self.below |= found.outside.loads | found.outside.stores.keys()
        if place is not None and next(iter(inspect.signature(function, follow_wrapped=False).parameters), '') in found.writes:
            self.put({place}, values, node, params=params)
        elif place is not None:
            self.loads.add(place)

    def all(self):
        """All parameters: what comes of any of them."""
        return frozenset(tree.names(self.function.args, gast.Param)) if self.text else self.reaching(None)

    def may_keep(self, function, call):
        """Whether a call may put what it is given anywhere: of a function that is not known, or cannot be read."""
        if function is not UNKNOWN:
            return isinstance(function, (types.FunctionType, Nested)) and not self.effects.knows(function)
        if not isinstance(call.func, gast.Attribute):
            return True
        owner = self.resolver.value(call.func.value)
        installed = is_installed(path_of(inspect.getmodule(type(owner))))
        return call.func.attr not in SILENT and (owner is UNKNOWN or classes.is_users(type(owner)) and not installed)

    # Keys

    def put(self, keys, values, node, own=False, source=None, params=frozenset()):
        """Note that the values may go there, or what comes of some parameters."""
        if not keys:
            return
        self.given += values
        self.placed.append((keys, values))
        params = params.union(*map(self.reached, values))
        for key in keys:
            before = self.stores.get(key)
            if before is None or params and not before.params:
                self.stores[key] = Store(params, node, source or self.source, own and (before is None or before.own))
            else:
                self.stores[key] = before._replace(params=before.params | params, own=own and before.own)

    def reached(self, expr):
        """The parameters on which the value of an expression depends."""
        if self.reaching is None:
            links = Links(Sources(self.resolver), self.aliases, inner=True)
            varied = reach(self.function, tree.names(self.function.args, gast.Param), links)
            self.reaching = lambda e: frozenset(p for p, v in varied.items() if not v.isdisjoint(links.sources(e)))
        return self.reaching(expr)

    def keys(self, expr, seen=()):
        """The keys of what `STORE[0]`, `model.cache` or `table` reaches into, where that is outside."""
        path, whole = [], expr
        while isinstance(expr, (gast.Attribute, gast.Subscript, gast.Starred)) and not self.opens(expr):
            path.insert(0, getattr(expr, 'attr', None))
            expr = expr.value
        if self.opens(expr) is globals:
            return {Key(id(self.resolver.globals), of_class=True)}
        if self.opens(expr) is type:
            path.insert(0, '__class__')
        if path and (not isinstance(expr, gast.Name) or self.resolver.name(expr.id) is UNKNOWN):
            shared = self.of_classes(expr, path)
            if shared:
                return shared
        if not isinstance(expr, gast.Name):
            return self.given_by(expr)
        if expr.id in self.defaults:
            return {self.defaults[expr.id]}
        if expr.id in self.held and expr.id not in self.declared:
            made = [e for e in self.held[expr.id] if e not in seen]
            return set().union(*(self.keys(tree.with_root(whole, e), [*seen, *made]) for e in made))
        found, keys = self.resolver.name(expr.id), self.variable(expr.id) if not path else set()
        while isinstance(found, types.ModuleType) and path and path[0]:
            keys = {Key(id(vars(found)), path[0], found.__dict__ is not self.resolver.globals)} if len(path) == 1 else keys
            found = getattr(found, path.pop(0), UNKNOWN)
        attribute = path[0] if path else None
        if found is UNKNOWN or isinstance(found, PLAIN) or isinstance(found, DEFINED) and attribute is None:
            return keys
        return keys | {Key(id(found), attribute, isinstance(found, type))} | self.on_the_way(found, path)

    def opens(self, expr):
        """`globals` or `type` where a call of these gives what is written into, `globals` for modules by other ways, too; None
        for all else."""
        if subset.is_module(expr, self.resolver):
            return globals
        found = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        return found if found is globals or found is type else None

    def of_classes(self, expr, path):
        """The keys of what `type(x).made`, `cls.made` and `self.made` reach into, where that is an attribute of a class."""
        itself = path[0] == '__class__' or getattr(expr, 'id', None) in self.as_class
        name = next((n for n in path if n != '__class__'), None)
        shared = [inspect.getattr_static(kind, name or '', None) for kind in self.resolver.classes]
        found = [value for value in shared if isinstance(value, GROWING)]
        named = {Key(NAMED, name)} if found else set()
        return {Key(id(value)) for value in found} | named | ({Key(id(type), name, True)} if itself and name else set())

    def on_the_way(self, found, path):
        """The keys of what can be changed on a path into an object outside."""
        keys, met = set(), [found]
        for name in path:
            if isinstance(found, type) and met == [found] and name:
                keys.add(Key(NAMED, name))
            met = [part for thing in met for part in parts(thing, name)][:MOST]
            keys |= {Key(id(thing)) for thing in met if isinstance(thing, GROWING) or classes.is_users(type(thing))}
        return keys

    def variable(self, name):
        """The key of a variable outside."""
        if name in self.resolver.cells:
            return {Key(id(self.resolver.cells[name]))}
        if name in self.declared or name in self.resolver.outer and not hasattr(builtins, name):
            if name in self.declared or not isinstance(self.resolver.globals.get(name), DEFINED):
                return {Key(id(self.resolver.globals), name)}
        return set()


def read_by(function, effect, resolver, effects, taken):
    """path -> array, container or object outside that a function reads, or one that it calls, as `STATE`, `config.STATE` or
    `Body.last`; None where there may be one later. Of names that are not taken."""
    if not effect.writes and not any(store.params for store in effect.outside.stores.values()):
        return {}                                         # nobody asks what is seen there
    nodes = [n for s in function.body for n in tree.walk(s)]
    found = dict(reached(tree.dotted(n), resolver) for n in nodes if tree.root_name(n) in resolver.outer and tree.dotted(n))
    callees = [resolver(n.func) for n in nodes if isinstance(n, gast.Call)]              # those found by kinds among them
    callees = [f for f in callees if isinstance(f, types.FunctionType | Nested)
               and not is_installed(path_of(inspect.getmodule(f)))]
    told = [effect, *(effects.of(f) for f in callees if effects.knows(f))]
    loads = {key for e in told for key in (*e.outside.loads, *e.outside.stores)}
    things = {key.thing for key in loads}
    for name, thing in resolver.globals.items() if loads else ():
        space = id(vars(thing)) if isinstance(thing, types.ModuleType) else id(thing)
        if name not in taken and (id(thing) in things or Key(id(resolver.globals), name) in loads):
            found[name] = thing
        if name not in taken and isinstance(thing, types.ModuleType | type):
            found.update((f'{name}.{key.attribute}', getattr(thing, key.attribute, UNKNOWN)) for key in loads
                         if key.thing == space and key.attribute)
    read = {n.attr for n in nodes if isinstance(n, gast.Attribute)} | {key.attribute for key in loads}
    of_classes = {(kind, name) for kind in resolver.classes if resolver.globals.get(kind.__name__) is kind
                  for name in read if isinstance(vars(kind).get(name), GROWING) or is_own(vars(kind).get(name))}
    found.update((f'{kind.__name__}.{name}', vars(kind)[name]) for kind, name in of_classes if kind.__name__ not in taken)
    read = {path: thing for path, thing in sorted(found.items())
            if isinstance(thing, GROWING) or is_own(thing) or thing is None and not hasattr(builtins, path)}
    first = {id(thing): path for path, thing in [*read.items()][::-1]}               # of several paths to one thing
    return {path: thing for path, thing in read.items() if thing is None or first[id(thing)] == path}


def reached(path, resolver):
    """(the part of a dotted name that leads through modules and classes to something else, what that denotes)."""
    first, *rest = path.split('.')
    found = resolver.name(first)
    while rest and isinstance(found, types.ModuleType | type):
        first, found = f'{first}.{rest[0]}', getattr(found, rest.pop(0), UNKNOWN)
    return first, found


def is_own(thing):
    """Whether it is an object of a class of the user's."""
    return thing is not UNKNOWN and not isinstance(thing, DEFINED) and classes.is_users(type(thing)) \
        and not is_installed(path_of(inspect.getmodule(type(thing))))


def is_read_in_module(key, function):
    """Whether another function of the same module reads what stands at a key."""
    namespace = function.__globals__
    names = {key.attribute} if key.thing == id(namespace) else {n for n, thing in namespace.items() if id(thing) == key.thing}
    return any(reads_global(code, names) for code in codes(namespace) if code is not function.__code__)


def bound_in_module(namespace, names):
    """Those of the variables of a module that some function of it binds."""
    return {step.argval for code in codes(namespace) if not names.isdisjoint(code.co_names)
            for step in dis.get_instructions(code) if step.opname == 'STORE_GLOBAL' and step.argval in names}


def codes(namespace):
    """The code of the functions of a module, of their inner functions and of the methods of its classes."""
    found = [uncompiled(f) if isinstance(f, types.FunctionType) else f for thing in list(namespace.values())
             for f in (vars(thing).values() if isinstance(thing, type) else [thing])]
    return [code for f in found if isinstance(f, types.FunctionType) and f.__globals__ is namespace
            for code in codes_of(f.__code__)]


def reads_global(code, names):
    """Whether code takes a value from one of these names, and does not only put one there."""
    if names.isdisjoint(code.co_names):
        return False
    steps = list(dis.get_instructions(code))
    return any(step.opname in ('LOAD_GLOBAL', 'LOAD_NAME') and step.argval in names and after.argval not in SILENT
               for step, after in zip(steps, steps[1:]))


def parts(thing, name):
    """What an object holds under the name of an attribute, or at any index."""
    if name is not None:
        found = inspect.getattr_static(thing, name, None)
        return [] if found is None or isinstance(found, DEFINED) or hasattr(type(found), '__get__') else [found]
    return [] if not isinstance(thing, GROWING + (tuple,)) or isinstance(thing, (np.ndarray, bytearray)) else \
        list(thing.values() if isinstance(thing, dict) else thing)


def as_class(source):
    """The first parameter of a class method, or of `__new__`, in a set."""
    function, args = getattr(source, 'function', None), source.tree.args
    bound = [inspect.getattr_static(kind, function.__name__, None) for kind in owner(function)] if function else []
    return {a.id for a in (args.posonlyargs + args.args)[:1]
            if any(isinstance(b, classmethod) or function.__name__ == '__new__' for b in bound)}


def run_for(called):
    """The functions that make what a call of a function, a class or a class method gives. Classes of packages are taken to make
    objects anew: what theirs do is much."""
    if isinstance(called, type):
        makers = type(called).__call__, called.__new__, classes.made_by(called)
        return [f for f in makers if isinstance(f, types.FunctionType) and not is_installed(f.__code__.co_filename)]
    if isinstance(called, types.MethodType) and isinstance(called.__self__, type):
        called = called.__func__
    return [called] if isinstance(called, (types.FunctionType, Nested)) else []


def is_whole(index):
    """Whether an index is `:` or `...`."""
    return isinstance(index, gast.Slice) and index.lower is index.upper is index.step is None \
        or tree.is_ellipsis(index)


def same(expr, target):
    """Whether an expression reads what a target stands for."""
    return type(expr) is type(target) and quote.same(expr, tree.replace(target, ctx=gast.Load()))


def defaults(thing):
    """(parameter, default value) of a function, or of one with this Source, for the values that may be changed: the text of
    the value for functions inside others."""
    source = thing.source if isinstance(thing, Nested) else thing
    if isinstance(source, NestedSource):
        args = source.tree.args
        positional = (args.posonlyargs + args.args)[len(args.posonlyargs + args.args) - len(args.defaults):]
        pairs = zip([*positional, *args.kwonlyargs], [*args.defaults, *args.kw_defaults])
        return [(a.id, d) for a, d in pairs if d is not None and not isinstance(d, (gast.Constant, gast.Tuple))]
    function = source.function if isinstance(source, Source) else source
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    return [(p.name, p.default) for p in parameters if isinstance(p.default, GROWING)]
