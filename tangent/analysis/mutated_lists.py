"""Builder lists: lists and dicts of a function's own that grow while it runs, and that nothing else holds meanwhile.

    out = []                       bout = unstack(by, out)
    for x in xs:                   for i in range(len(xs) - 1, -1, -1):
        out.append(f(x))               b = bout.pop()
    y = np.stack(out)                  ...

A list or dict of lists of its own is one such list, `table[i][j] = v` and `table[i].append(v)` a change of it: no row of it
has another name meanwhile.

Such a list may change although the rest of the function is pure, because every change is seen in the text: `append` gives
its gradient's last element back, `pop` puts one there. What another name may hold (a display, an unknown call, a return)
is fine once the list does not change any more.
"""
import collections
import types
from typing import NamedTuple

import gast

from tangent.analysis.kinds.holders import is_counter, is_tolist
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, is_lazy
from tangent.frontend.scopes import free
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

READERS = mutations.names(lambda m: not m.writes and m.gives in ('fact', 'element', 'new') and m.of & {'list', 'dict'})
SAFE_CALLS = (enumerate, zip, reversed)


class Change(NamedTuple):
    """A statement that changes a builder: its kind ('append', 'pop', 'appendleft', 'popleft', 'insert', 'take', 'store',
    'remove'), the builder's name, the value stored.

    key : tree of the key of a store, of what is removed from a dict, or of the place in a list where something is inserted, or
        taken out
    unique : the key is surely new
    path : trees of the keys that lead to what is changed: of `table[i][j] = v` and `table[i].append(v)` the first
    """
    kind: str
    name: str
    value: object = None
    key: object = None
    unique: bool = False
    path: tuple = ()


class Event(NamedTuple):
    """What the text does with a builder: its place in the order of the text, and the loops around it."""
    at: int
    loops: tuple
    kind: str          # 'make', 'change', 'read', 'hold', 'over' (iterated over)


class Builders:
    """The builders of a function in which every definition has its own name.

    kinds : name -> 'list', 'dict' or 'deque'
    changes : statement -> Change
    tables : those lists of lists of which elements of elements are changed
    given : parameters that are lent by who calls the function, with their kinds
    lending : says to which functions they may be lent (`lending.Lending`), if they may
    lent : id of a call -> names of the builders that the function called there changes
    """

    def __init__(self, function, resolver, effects, kinds=types.MappingProxyType({}), given=types.MappingProxyType({}),
                 lending=None):
        self.resolver, self.effects, self.given, self.lending = resolver, effects, given, lending
        self.changes, self.places, self.events, self.loops, self.lent = {}, {}, {}, {}, {}
        self.lending_calls = []
        self.made = self.candidates(function, kinds)
        self.kinds = {n: given.get(n) or kind_of(made, resolver) or 'list' for n, made in self.made.items()}
        self.tables = {c.name for s in tree.every(function.body) if self.kinds and (c := change_of(s, self.made)) and c.path}
        self.tables |= {n for call, names in self.lending_calls for n in names if lending.changes_rows(call, resolver, n)}
        if not self.kinds:
            return
        for name in given:
            self.note(name, Event(-1, (), 'make'))
        self.scan(function.body, ())
        for name in list(self.kinds):
            if not self.holds(name) or name in self.tables and not self.has_own_rows(name):
                del self.kinds[name]
        self.tables &= self.kinds.keys()
        self.changes = {s: c for s, c in self.changes.items() if c.name in self.kinds}
        self.lent = {call: found for call, names in self.lent.items() if (found := [n for n in names if n in self.kinds])}
        self.mark_unique()

    def __contains__(self, name):
        return name in self.kinds

    def candidates(self, function, kinds):
        """Names that are bound once, to a new list or dict, and changed somewhere: name -> the tree it is made by.

        kinds : name -> number of axes, for arrays that are known
        """
        every = list(tree.every(function.body))
        made = {tree.target(s): s.value for s in every if tree.target(s)
                and (kind_of(s.value, self.resolver) or is_list_of_array(s.value, kinds))}
        made.update(made_by_calls(every, self.resolver, self.lending))
        like = {tree.target(s): s.value.args[0] for s in every if tree.target(s) and isinstance(s.value, gast.Call) and made
                and facts.is_helper(self.resolver(s.value.func), 'zero_tangent')}
        made.update({n: made[like_what.id] for n, like_what in like.items()
                     if isinstance(like_what, gast.Name) and like_what.id in made})       # the tangent of one is one
        made = {n: value for n, value in made.items() if n not in self.given}
        made.update({n: gast.List(elts=[], ctx=gast.Load()) if kind != 'dict' else gast.Dict(keys=[], values=[])
                     for n, kind in self.given.items()})
        changed = {change.name for s in every if (change := change_of(s, made)) is not None} if made else set()
        changed |= self.find_lent(function, made)
        times = collections.Counter(n for s in every if changed for n in tree.writes(s))
        return {n: made[n] for n in made if n in changed and times[n] == (n not in self.given)}

    def find_lent(self, function, made):
        """Note the calls that change what is made by these trees; the names of that."""
        if not made or self.lending is None:
            return set()
        nodes = [n for s in function.body for n in tree.walk(s)]
        lazy = [n for n in nodes if is_lazy(n)] + [n.test if isinstance(n, gast.While) else n.iter for n in nodes
                                                   if isinstance(n, (gast.For, gast.While))]
        perhaps = {id(call) for n in lazy for call in tree.walk(n)}                     # not at their place, or not once
        for call in (n for n in nodes if isinstance(n, gast.Call) and id(n) not in perhaps):
            names = self.lending.lent(call, self.resolver, made)
            if names:
                self.lent[id(call)] = names
                self.lending_calls.append((call, names))
        return {n for names in self.lent.values() for n in names}

    def lent_in(self, s):
        """Names of the builders that functions called in a statement change."""
        calls = [n for part in tree.header(s) for n in tree.walk(part) if id(n) in self.lent] if self.lent else []
        return list(dict.fromkeys(name for call in calls for name in self.lent[id(call)]))

    def has_own_rows(self, name):
        """Whether all that is put into a table surely is a new list, and its rows have no rows in them that change."""
        made = self.made[name]
        rows = made.elts if isinstance(made, gast.List) else [made.elt] if isinstance(made, gast.ListComp) \
            else made.values if isinstance(made, gast.Dict) else [] if is_empty_dict(made, self.resolver) else [None]
        if not all(self.lending.lets_rows_go(call, self.resolver, name) for call, names in self.lending_calls if name in names):
            return False
        changes = {s: c for s, c in self.changes.items() if c.name == name}
        put = {s: c.value for s, c in changes.items() if c.kind in ('append', 'insert', 'store') and not c.path}
        return all(map(is_new_row, rows)) and all(is_new_row(row) or self.is_given_up(row, s) for s, row in put.items()) \
            and all(len(c.path) < 2 and c.kind != 'remove' for c in changes.values())

    def is_given_up(self, row, s):
        """Whether a name is that of a list that is made anew each time that it is put into a table, and is done with then."""
        events = self.events.get(row.id, ()) if isinstance(row, gast.Name) and self.kinds.get(row.id) == 'list' else ()
        at, loops = self.places[s]
        makes = [e for e in events if e.kind == 'make']
        return len(makes) == 1 and makes[0].loops == loops and row.id not in self.tables and is_new_row(self.made[row.id]) \
            and all(e.at <= at for e in events)

    # Reading the function

    def scan(self, stmts, loops):
        for s in stmts:
            at = self.places[s] = len(self.places), loops
            change = change_of(s, self.made)
            if change is not None:
                self.changes[s] = change
                self.note(change.name, Event(*at, 'change'))
                for part in (change.value, change.key, *change.path):
                    if part is not None:
                        self.read(part, at, 'hold')
                continue
            elif names := bound_by(s) & self.kinds.keys():
                for name in names:
                    self.note(name, Event(*at, 'make'))
                self.read(s.value, at, 'hold')
            elif isinstance(s, gast.For):
                inside = at[0], loops + (at[0],)
                self.loops[at[0]] = s
                self.iterated(s.iter, inside)
                self.scan(s.body, inside[1])
                continue
            else:
                inside = at if not isinstance(s, gast.While) else (at[0], loops + (at[0],))
                for part in tree.header(s):
                    self.read(part, inside, 'read' if isinstance(s, (gast.If, gast.While, gast.Assert)) else 'hold')
            for _, block in tree.blocks(s):
                self.scan(block, loops + (at[0],) if isinstance(s, gast.While) else loops)

    def note(self, name, event):
        self.events.setdefault(name, []).append(event)

    def iterated(self, expr, at):
        if isinstance(expr, gast.Name):
            if expr.id in self.kinds:
                self.note(expr.id, Event(*at, 'over'))
                if expr.id in self.tables:                                    # whose rows have another name then
                    self.note(expr.id, Event(*at, 'hold'))
            return
        call = expr if isinstance(expr, gast.Call) else None
        if call is not None and self.resolver(call.func) in SAFE_CALLS:
            for a in call.args:
                self.iterated(a, at)
        elif call is not None and isinstance(call.func, gast.Attribute) and isinstance(call.func.value, gast.Name) \
                and call.func.attr in mutations.VIEWS:
            self.iterated(call.func.value, at)
        else:
            self.read(expr, at, 'hold')

    def read(self, expr, at, held):
        """Note what the expression does with builders; `held` says what becomes of its own value.

        held : 'hold', 'read', or 'fact' where nothing of it is read again; who reads a table, or a row of it, has its rows
        """
        if isinstance(expr, gast.Name):
            if expr.id in self.kinds:
                self.note(expr.id, Event(*at, 'read' if held == 'fact' else 'hold' if expr.id in self.tables else held))
        elif isinstance(expr, gast.Lambda):                 # which reads what it has captured whenever it is called
            for name in free(expr) & self.kinds.keys():
                self.note(name, Event(*at, 'hold'))
        elif isinstance(expr, (gast.Compare, gast.JoinedStr)):
            for part in tree.children(expr):
                self.read(part, at, 'fact')
        elif isinstance(expr, gast.Subscript):
            cell = isinstance(expr.value, gast.Subscript) and not isinstance(expr.slice, gast.Slice)
            owner = expr.value.value if cell else expr.value
            table = getattr(owner, 'id', None) in self.tables
            self.read(owner, at, ('fact' if cell else held) if table else 'read')
            self.read(expr.slice, at, 'read')
            if cell:
                self.read(expr.value.slice, at, 'read')
        elif isinstance(expr, gast.Call):
            self.call(expr, at, held)
        elif isinstance(expr, (gast.BinOp, gast.UnaryOp)):
            for part in tree.children(expr):
                self.read(part, at, 'read')
        elif isinstance(expr, gast.BoolOp):
            for part in expr.values:
                self.read(part, at, held)
        elif isinstance(expr, gast.Attribute):
            self.read(expr.value, at, 'hold')
        elif isinstance(expr, (gast.ListComp, gast.SetComp, gast.DictComp)):
            self.gone_through(expr, at)
        else:
            for part in tree.children(expr):
                self.read(part, at, 'hold')

    def gone_through(self, expr, at):
        """A comprehension that runs where it stands: what it makes may hold the elements of lists, but not these."""
        for g in expr.generators:
            safe = isinstance(g.iter, gast.Call) and self.resolver(g.iter.func) in SAFE_CALLS
            for e in g.iter.args if safe else [g.iter]:
                plain = isinstance(e, gast.Name) and e.id in self.kinds and e.id not in self.tables
                self.read(e, at, 'read' if plain else 'hold')
            for test in g.ifs:
                self.read(test, at, 'read')
        for part in (getattr(expr, field, None) for field in ('elt', 'key', 'value')):
            if part is not None:
                self.read(part, at, 'hold')

    def call(self, expr, at, held):
        function = self.resolver(expr.func)
        args = tree.arguments(expr)
        if function is UNKNOWN and isinstance(expr.func, gast.Attribute):
            attribute = expr.func.attr
            self.read(expr.func.value, at, 'read' if attribute in READERS else held if attribute in mutations.VIEWS else 'hold')
        elif function is UNKNOWN:
            self.read(expr.func, at, 'hold')
        for a in args:
            if isinstance(a, gast.Name) and a.id in self.lent.get(id(expr), ()):
                self.note(a.id, Event(*at, 'change'))
                continue
            lazy = facts.of(function).takes == 'later'
            if isinstance(a, gast.GeneratorExp) and not lazy and facts.of(function).takes == 'now':
                self.gone_through(a, at)
                continue
            reads = 'fact' if function is len else 'read'
            self.read(a, at, held if lazy else reads if self.only_reads(function, expr, a) else 'hold')

    def only_reads(self, function, call, arg):
        """Whether a function that is called neither writes into the argument nor holds on to it."""
        if function is UNKNOWN:
            return False
        rule = registry.lookup(function)
        if rule is not None:
            return True
        if self.effects.knows(function):
            return not self.effects.keeps(function, call, arg) and not any(
                arg is e for found in self.effects(function, call) for e in found)
        return function is len or facts.of(function).takes == 'now'

    # Questions

    def holds(self, name):
        """Whether the name is a builder after all: nothing that may hold it is followed by a change."""
        events = self.events.get(name, ())
        makes = [e for e in events if e.kind == 'make']
        if len(makes) != 1 or not any(e.kind == 'change' for e in events):
            return False
        for e in events:
            if e.at < makes[0].at and e.kind != 'make' or e.loops[:len(makes[0].loops)] != makes[0].loops:
                return False
            if e.kind == 'hold' and self.may_change(name, e):
                return False
            if e.kind == 'over' and any(c.kind == 'change' and e.at in c.loops for c in events):
                return False
        return True

    def may_change(self, name, event):
        """Whether a change of the builder may follow the event before the builder is made anew."""
        make, = (e for e in self.events[name] if e.kind == 'make')
        return any(e.kind == 'change' and (e.at > event.at or any(
            loop in event.loops and loop not in make.loops for loop in e.loops)) for e in self.events[name])

    def unsettled(self, name, s):
        """Whether the name is a builder that may change after the statement, or by it: `xs[0] = f(xs)`."""
        if name not in self.kinds:
            return False
        at, change = self.places.get(s), self.changes.get(s)
        here = change is not None and change.name == name or name in self.lent_in(s)
        return at is None or here or name in self.given or self.may_change(name, Event(*at, 'read'))

    def mark_unique(self):
        """Find the stores that surely make a new key: all keys of the dict are different literals, set outside of loops; or one
        store in a loop makes all, by what is another one in each iteration."""
        for name, kind in self.kinds.items():
            if kind != 'dict' or not isinstance(self.made[name], gast.Dict) or name in self.given or self.is_lent(name):
                continue
            stores = [s for s, c in self.changes.items() if c.name == name and c.kind == 'store' and not c.path]
            made = self.made[name]
            keys = [self.changes[s].key for s in stores] + made.keys
            loops = next(e.loops for e in self.events[name] if e.kind == 'make')
            known = {repr(k.value) for k in keys if isinstance(k, gast.Constant)}
            unique = len(known) == len(keys) and all(self.places[s][1] == loops for s in stores) \
                or len(keys) == len(stores) == 1 and self.is_counted(stores[0], keys[0], loops)
            for s in stores:
                self.changes[s] = self.changes[s]._replace(unique=unique)

    def is_lent(self, name):
        return any(name in names for names in self.lent.values())

    def is_counted(self, s, key, loops):
        """Whether a key is another one in each iteration of the loop that a store stands in, run once for each dict."""
        inside = self.places[s][1]
        loop = self.loops.get(inside[-1]) if inside and inside[:-1] == loops else None
        if loop is None or not isinstance(key, gast.Name) or not isinstance(loop.iter, gast.Call):
            return False
        first = loop.target.elts[0] if isinstance(loop.target, gast.Tuple) else None
        call = loop.iter
        pairs = self.resolver(call.func) is enumerate or is_items(call, self.resolver)
        counted = loop.target if self.resolver(call.func) is range else first if pairs else None
        rebound = [n for t in loop.body for n in tree.names(t, gast.Store)]
        return isinstance(counted, gast.Name) and counted.id == key.id and key.id not in rebound


def is_items(call, resolver):
    """Whether it is `d.items()` of a dict, as far as the classes in sight tell."""
    return isinstance(call.func, gast.Attribute) and call.func.attr == 'items' and not tree.arguments(call) \
        and resolver(call.func) is UNKNOWN and not any(hasattr(kind, 'items') for kind in resolver.classes)


def builders_made(function, resolver, lending):
    """Names that are bound to new lists and dicts."""
    every = list(tree.every(function.body))
    return {tree.target(s) for s in every if tree.target(s) and kind_of(s.value, resolver)} \
        | made_by_calls(every, resolver, lending).keys()


def made_by_calls(stmts, resolver, lending):
    """Name -> the tree that makes it, for lists that a function which is called has made; see `lending.Lending.makes`."""
    found = {}
    for s in stmts if lending is not None else ():
        target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.value, gast.Call) else None
        if isinstance(target, (gast.Name, gast.Tuple)):
            made = lending.makes(s.value, resolver)
            if isinstance(target, gast.Tuple) and isinstance(made, list) and len(made) == len(target.elts):
                found.update({t.id: m for t, m in zip(target.elts, made) if m is not None and isinstance(t, gast.Name)})
            elif isinstance(target, gast.Name) and isinstance(made, gast.AST):
                found[target.id] = made
    return found


def bound_by(s):
    """Names that an assignment binds."""
    return tree.writes(s) if isinstance(s, gast.Assign) else set()


def is_new_row(expr):
    """Whether an expression surely makes a new list, of what is no list of the function's that may change."""
    if isinstance(expr, gast.BinOp):
        joined = isinstance(expr.op, gast.Add) and is_new_row(expr.right)
        return is_new_row(expr.left) and (joined or isinstance(expr.op, gast.Mult))
    if isinstance(expr, gast.ListComp):
        return not isinstance(expr.elt, CONTAINERS)
    return isinstance(expr, gast.List) and not any(isinstance(e, (*CONTAINERS, gast.Starred)) for e in expr.elts)


CONTAINERS = gast.List, gast.ListComp, gast.Dict, gast.DictComp, gast.Set, gast.SetComp, gast.GeneratorExp


def kind_of(expr, resolver):
    """'list', 'dict' or 'deque' if the value of the expression is surely a new one, else None."""
    if isinstance(expr, (gast.List, gast.ListComp)):
        return 'list'
    if isinstance(expr, (gast.Dict, gast.DictComp)):
        return 'dict'
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Mult)):
        return 'list' if isinstance(expr.left, gast.List) or isinstance(expr.right, gast.List) else None
    if isinstance(expr, gast.Call) and facts.is_helper(resolver(expr.func), 'no_keys'):       # the tangent of a dict
        return kind_of(expr.args[0], resolver)
    if isinstance(expr, gast.Call):
        if is_counter(expr, resolver) or is_empty_dict(expr, resolver):
            return 'dict'
        if resolver(expr.func) is collections.deque:
            return 'deque' if not expr.keywords and len(expr.args) < 2 else None           # no end pushes the other out
        return {list: 'list', sorted: 'list', dict: 'dict'}.get(hashable(resolver(expr.func)))
    return None


def is_empty_dict(expr, resolver):
    """Whether it is `dict()`, or `defaultdict(list)`, whose rows are its own."""
    if not isinstance(expr, gast.Call) or expr.keywords:
        return False
    function = hashable(resolver(expr.func))
    return function in (dict, collections.OrderedDict) and not expr.args \
        or function is collections.defaultdict and len(expr.args) == 1 and resolver(expr.args[0]) is list


def is_dict(expr):
    """Whether what makes a builder makes a dict."""
    ordered = isinstance(expr, gast.Call) and (tree.dotted(expr.func) or '').endswith('OrderedDict')
    return ordered or isinstance(expr, (gast.Dict, gast.DictComp)) or tree.is_call(expr, 'dict')


def is_list(expr):
    """Whether what makes a builder surely makes a list."""
    return isinstance(expr, (gast.List, gast.ListComp, gast.BinOp)) or any(tree.is_call(expr, n) for n in ('list', 'sorted'))


def is_last(index):
    """Whether it is -1."""
    return isinstance(index, gast.UnaryOp) and isinstance(index.op, gast.USub) and getattr(index.operand, 'value', None) == 1


def is_list_of_array(expr, kinds):
    """Whether it is `x.tolist()` of an array."""
    return is_tolist(expr) and type(kinds.get(getattr(expr.func.value, 'id', None))) is int


def hashable(thing):
    return thing if isinstance(thing, type | types.BuiltinFunctionType) else None


def change_of(s, made):
    """The Change that a statement makes to one of the names in `made`, or None."""
    if isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], gast.Subscript):
        name, path = owned(s.targets[0], made)
        return Change('store', name, s.value, path[-1], path=path[:-1]) if name is not None else None
    call = s.value if (isinstance(s, gast.Expr) or tree.target(s)) and isinstance(s.value, gast.Call) else None
    method = call.func.attr if call is not None and isinstance(call.func, gast.Attribute) and not call.keywords else None
    name, path = owned(call.func.value, made) if method is not None else (None, ())
    if name is None or len(path) > 1:
        return None
    one = len(call.args) == 1 and not isinstance(call.args[0], gast.Starred)
    if isinstance(s, gast.Expr) and method in ('append', 'appendleft') and one:
        return Change(method, name, call.args[0], path=path)
    if method in ('pop', 'popleft') and not call.args or method == 'pop' and one and is_last(call.args[0]) \
            and is_list(made[name]):
        return Change(method, name, path=path)
    if method == 'pop' and one and is_dict(made[name]) and not path:
        return Change('remove', name, None, call.args[0])
    if not path and not is_list(made[name]):
        return None
    if method == 'pop' and one:
        return Change('take', name, None, call.args[0], path=path)
    if isinstance(s, gast.Expr) and method == 'insert' and len(call.args) == 2 and not tree.starred(call.args):
        return Change('insert', name, call.args[1], call.args[0], path=path)
    return None


def owned(expr, made):
    """(the name of a builder, trees of the keys that lead into it) for `table[i][j]`; (None, ()) for all else."""
    path: tuple = ()
    while isinstance(expr, gast.Subscript):
        expr, path = expr.value, (expr.slice, *path)
    if not isinstance(expr, gast.Name) or expr.id not in made:
        return None, ()
    tuples = [k for k in path if isinstance(k, gast.Tuple)]
    if tuples and (len(path) > 1 or not is_dict(made[expr.id])) or any(
            isinstance(n, gast.Slice) for k in path for n in (k, *getattr(k, 'elts', ()))):
        return None, ()
    return expr.id, path
