"""Scopes: which names does a function inside a function take from the one around it, and which names are bound when?"""
import functools

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES, local_names

DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
CACHES = (functools.cache, functools.lru_cache)
KEEPING_VALUES = (*CACHES, functools.wraps)           # decorators after which a function computes what it did


def parameters(args):
    return set(tree.names(args, gast.Param))


def own_names(node):
    """Names that a function, lambda or comprehension binds itself."""
    if isinstance(node, DEFINITIONS):
        return local_names(node) - declared(node)
    if isinstance(node, gast.Lambda):
        return parameters(node.args)
    return {n for g in node.generators for n in tree.names(g.target, gast.Store)}


def declared(function):
    """Names that a function declares `nonlocal` or `global`."""
    return {n for s in inside(function.body) if isinstance(s, (gast.Nonlocal, gast.Global)) for n in s.names}


def caught(function):
    """Names of the exceptions that a function catches: they may hold anything."""
    return {h.name.id for s in function.body for h in tree.walk(s) if isinstance(h, gast.ExceptHandler) and h.name}


def rebound_outside(function):
    """Names of the functions around it that a function, or one inside it at any depth, declares `nonlocal`."""
    found = {n for s in inside(function.body) if isinstance(s, gast.Nonlocal) for n in s.names}
    own = own_names(function)
    return found.union(*(rebound_outside(s) - own for s in inside(function.body) if isinstance(s, DEFINITIONS)))


def inside(stmts):
    """All nodes of the statements, those of functions inside left out (the definitions themselves are in)."""
    pending = list(stmts)[::-1]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (*DEFINITIONS, gast.Lambda)):
            pending += outer_parts(node)[::-1]
        else:
            pending += tree.children(node)[::-1]


def outer_parts(node):
    """What of a definition is evaluated in the scope around it: defaults and decorators."""
    args = node.args
    return list(getattr(node, 'decorator_list', ())) + [d for d in [*args.defaults, *args.kw_defaults] if d is not None]


def decorators(node, resolver, without=CACHES):
    """The decorators of a definition but these."""
    found = [(d, resolver(getattr(d, 'func', d))) for d in getattr(node, 'decorator_list', ())]
    return [d for d, what in found if not any(what is one for one in without)]


def free(node):
    """Names that a function or lambda reads or writes from outside, those of functions inside it included."""
    own = own_names(node)
    body = node.body if isinstance(node.body, list) else [node.body]
    found = {n for s in body for n in _free(s)}
    return (found | (declared(node) if isinstance(node, DEFINITIONS) else set())) - own


def _free(node):
    if isinstance(node, gast.Name):
        return {node.id} if not isinstance(node.ctx, gast.Param) else set()
    if isinstance(node, (*DEFINITIONS, gast.Lambda)):
        found = {n for part in outer_parts(node) for n in _free(part)} | free(node)
        return found | ({node.name} if isinstance(node, DEFINITIONS) else set())
    if isinstance(node, COMPREHENSIONS):
        return {n for part in tree.children(node) for n in _free(part)} - own_names(node)
    return {n for part in tree.children(node) for n in _free(part)}


def reads(s):
    """Names of the scope around it that a statement reads in its own header: none of those that comprehensions bind."""
    parts = tree.header(s)
    if not any(isinstance(n, COMPREHENSIONS) for part in parts for n in tree.walk(part)):
        return tree.reads(s)
    updated = {s.target.id} if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) else set()
    return updated.union(*map(_read, parts))


def _read(node):
    if isinstance(node, gast.Name):
        return {node.id} if isinstance(node.ctx, gast.Load) else set()
    if not isinstance(node, COMPREHENSIONS):
        return {n for part in tree.children(node) for n in _read(part)}
    first = node.generators[0].iter
    inner = {n for part in tree.children(node) for n in _read(part)}
    return inner - own_names(node) | _read(first)


def held_inside(function, lets_go):
    """Names from outside of a function that function values it makes take, where these may live on when its call is over.

    lets_go : tells of (call, argument) whether the argument is done with when the call is
    """
    nodes = list(inside(statements(function)))
    own, found = own_names(function), set()
    names = {id(n.value): tree.target(n) for n in nodes if isinstance(n, gast.Assign)}
    given = {id(a): n for n in nodes if isinstance(n, gast.Call) and tree.root_name(n.func) not in own
             for a in tree.arguments(n)}
    for n in functions_in(function):
        called = is_only_called(function, getattr(n, 'name', names.get(id(n)))) or id(n) in given and lets_go(given[id(n)], n)
        found |= held_inside(n, lets_go) if called else free(n)
    return found - own


def functions_in(function):
    """The functions and lambdas that stand in a function, those in them left out."""
    return [n for n in inside(statements(function)) if isinstance(n, (*DEFINITIONS, gast.Lambda))]


def statements(function):
    """The statements of a function, or the expression of a lambda, as a list."""
    return function.body if isinstance(function.body, list) else [function.body]


def is_only_called(function, name):
    """Whether a name is read to be called and for nothing else, so that its value stays in the function."""
    called = sum(isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id == name for n in tree.walk(function))
    return name is not None and called == tree.names(function, gast.Load).count(name)


class Positions:
    """Where in a function names are bound and read: numbers of statements in the order of the text.

    at : id of a statement -> (its number, numbers of the loops around it)
    binds, reads : name -> list of such positions
    """

    def __init__(self, function):
        self.at, self.binds, self.reads, self.ends = {}, {}, {}, {}
        self.count = 0
        self.block(function.body, ())

    def block(self, stmts, loops):
        for s in stmts:
            self.count += 1
            number = self.count
            around = loops + (number,) if isinstance(s, (gast.For, gast.While)) else loops
            self.at[id(s)] = number, loops
            if isinstance(s, DEFINITIONS):
                self.note(self.binds, [s.name], number, loops)
                self.note(self.reads, [n for part in outer_parts(s) for n in _free(part)], number, loops)
                continue
            place = number, around if isinstance(s, (gast.For, gast.While)) else loops
            for part in tree.header(s):
                self.note(self.binds, _bound(part), *place)
                self.note(self.reads, _free(part) - _bound(part), *place)
            if isinstance(s, gast.AugAssign):
                self.note(self.binds, tree.names(s.target, gast.Store), *place)
            for _, block in tree.blocks(s):
                self.block(block, around)
            self.ends[number] = self.count

    @staticmethod
    def note(table, names, number, loops):
        for n in names:
            table.setdefault(n, []).append((number, loops))

    def may_be_rebound(self, name, s):
        """Whether the name may be bound anew after the statement (or by it)."""
        number, loops = self.at[id(s)]
        return any(at > number or set(around) & set(loops) for at, around in self.binds.get(name, ()))

    def rebound_between(self, name, s, used):
        """Whether the name may be bound anew after the statement and before one of the reads of the name `used`."""
        number, loops = self.at[id(s)]
        for at, around in self.binds.get(name, ()):
            shared = set(around) & set(loops)
            for read, _ in self.reads.get(used, ()):
                if number < at < read or shared and (read < number or read > self.ends.get(max(shared), read)):
                    return True
        return False


def bound(stmts):
    """Names that statements, and those in their blocks, bind in the scope they stand in."""
    imports = (gast.Import, gast.ImportFrom)
    return {n for s in tree.every(stmts) for n in (tree.writes(s) if isinstance(s, imports) else set().union(
        *map(_bound, tree.header(s))))}


def _bound(node):
    """Names that an expression or target binds in the scope it stands in."""
    if isinstance(node, (*DEFINITIONS, gast.Lambda, *COMPREHENSIONS)):
        return set()
    if isinstance(node, gast.Name):
        return {node.id} if isinstance(node.ctx, (gast.Store, gast.Del)) else set()
    return {n for part in tree.children(node) for n in _bound(part)}


class Bound:
    """Follows every path through statements with the names that are surely bound on it.

    first : names that may be read before they are bound
    before : id of a statement -> names surely bound where it begins
    always : names surely bound at each end of the statements, where a loop would go on or be left
    goes_on : whether there is such an end
    """

    def __init__(self, stmts, known=()):
        self.first, self.before, self.loops = set(), {}, []
        self.ends = []
        self.loops.append(self.ends)
        last = self.block(stmts, frozenset(known))
        self.ends += [last] if last is not None else []
        self.goes_on = bool(self.ends)
        self.always = frozenset.intersection(*self.ends) if self.ends else frozenset()

    def block(self, stmts, known):
        """Names bound behind the statements; None where nothing goes on behind them."""
        for s in stmts:
            if known is None:
                return None
            self.before[id(s)] = known
            known = self.statement(s, known)
        return known

    def statement(self, s, known):
        if isinstance(s, (*DEFINITIONS, gast.ClassDef)):
            self.first |= (free(s) if not isinstance(s, gast.ClassDef) else tree.reads(s)) - known
            return known | {s.name}
        self.first |= reads(s) - known
        if isinstance(s, (gast.Break, gast.Continue)):
            self.loops[-1].append(known)
            return None
        if isinstance(s, (gast.Return, gast.Raise)):
            return None
        known = known | stored(s)
        if isinstance(s, gast.If):
            return both(self.block(s.body, known), self.block(s.orelse, known))
        if isinstance(s, (gast.For, gast.While, gast.AsyncFor)):
            before = known - set(tree.names(s.target, gast.Store)) if hasattr(s, 'target') else known
            self.loops.append([])
            self.block(s.body, known)
            self.loops.pop()
            return both(before, self.block(s.orelse, before)) if s.orelse else before
        if isinstance(s, (gast.With, gast.AsyncWith)):
            return self.block(s.body, known)
        if isinstance(s, gast.Match):
            for case in s.cases:
                self.block(case.body, known | set(tree.names(case.pattern, gast.Store)))
            return known
        if hasattr(s, 'handlers'):
            return self.attempt(s, known)
        return known

    def attempt(self, s, known):
        done = self.block(s.body, known)
        done = self.block(s.orelse, done) if done is not None else None
        for h in s.handlers:
            done = both(done, self.block(h.body, known | ({h.name.id} if h.name else set())))
        final = self.block(s.finalbody, known)
        return None if done is None or final is None else done | final


def both(left, right):
    return right if left is None else left if right is None else left & right


def stored(s):
    """Names that a statement surely binds in its own header: none of comprehensions and lambdas."""
    if isinstance(s, (gast.Import, gast.ImportFrom)):
        return tree.writes(s)
    pending, found = list(tree.header(s)), set()
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            found.add(node.id)
        elif not isinstance(node, (*SCOPES, gast.IfExp, gast.BoolOp)):
            pending += tree.children(node)
    return found
