"""Resolve: which object does a name of the function denote, when the derivative is made?

A name that the function binds itself denotes nothing yet. Any other is looked up where Python would: closure cells,
globals, builtins. What was found is remembered, so that a derivative can tell later whether a callee has been rebound.
"""
import builtins
import copy
import functools
import importlib
import sys
import types
from typing import NamedTuple

import gast

from tangent.frontend import dependencies, tree
from tangent.frontend.array_modules import counterpart, is_autograd, is_cupy, on_device
from tangent.frontend.source import undressed
from tangent.runtime import facts

UNKNOWN = object()


def resolver_of(source):
    """The Resolver of a whole function, which sees what that imports and the functions found inside others."""
    return Resolver(source, None, {**imported(source.tree, source), **getattr(source, 'visible', {})})


def owner(function):
    """The class that a function is a method of, in a set; none where its module cannot name that."""
    first, *path = getattr(function, '__qualname__', '').split('.')[:-1] or [None]
    found = getattr(function, '__globals__', {}).get(first)
    for name in path:
        found = getattr(found, name, None)
    return frozenset([found] if isinstance(found, type) else [])


class Naming(NamedTuple):
    """What the text of a function says of names, whatever these denote.

    local : those that it binds itself; given : its parameters
    more : the name of its `**kw`, or None; bindings : what binds that anew
    mentioned : all that stand in it, in order
    comprehended : those that comprehensions bind; inner : those that only functions inside speak of, which bind them
    """
    local: frozenset
    given: frozenset
    more: str | None
    bindings: list
    mentioned: list
    comprehended: frozenset
    inner: frozenset


def names_in(source):
    """The Naming of the tree of a Source. It stays with that: nobody changes a tree that is in a Source, and one with another
    tree is another Source."""
    found = source.__dict__.get('naming')
    if found is None:
        function = source.tree
        nodes, more = source.nodes, getattr(function.args.kwarg, 'id', None)
        bindings = [] if more is None else [
            n for n in nodes if type(n) is gast.Assign and tree.target(n) == more
            or type(n) is gast.Name and type(n.ctx) is gast.Store and n.id == more]
        found = source.__dict__['naming'] = Naming(
            frozenset(local_names(function)), frozenset(tree.names(function.args, gast.Param)), more, bindings,
            sorted({n.id for n in nodes if type(n) is gast.Name}), in_comprehensions(nodes),
            frozenset(in_functions(function, nodes)))
    return found


class Resolver:
    """Looks up dotted names in the namespace of one function.

    local : what are variables; by default those of the function
    seen : each dotted name that was asked for -> the object it denoted
    acting : names that stand for operators of classes, which may write into what they are given
    """

    def __init__(self, source, local=None, nested=types.MappingProxyType({})):
        names = names_in(source)
        self.sight, self.methods, self.comms, self.listed = source.sight, source.methods, source.comms, source.listed
        self.globals = source.globals
        self.cells = source.closure
        self.local = names.local if local is None else frozenset(local)
        self.given, self.more, self.bindings, self.mentioned = names.given, names.more, names.bindings, names.mentioned
        self.outer = frozenset(self.mentioned) - self.local
        self.nested = {**nested, **{name: method.function for name, method in source.methods.items()}}     # found inside others
        hidden = {n for n in names.comprehended if not isinstance(self.name(n), types.ModuleType)}
        self.local |= hidden
        self.outer -= hidden | names.inner
        self.seen, self.acting = {}, set()
        self.namespaces = {}              # local name -> module that it must be, checked when running
        self.classes = self.sight | owner(source.function)         # in sight, and that which the function is a method of

    @functools.cached_property
    def keywords(self):
        """The name of `**kw`, in a set, where nothing else is bound to it but copies of what it holds."""
        names = sum(type(n) is gast.Name for n in self.bindings)
        copies = sum(type(n) is gast.Assign and self.copies(n.value, self.more) for n in self.bindings)
        return {self.more} if names == copies and self.more is not None else set()

    def copies(self, expr, name):
        """Whether an expression is `copy(d)`, `dict(d)` or `d.copy()` of the dict of that name."""
        if type(expr) is not gast.Call or expr.keywords:
            return False
        if type(expr.func) is gast.Attribute and not expr.args:
            return expr.func.attr == 'copy' and getattr(expr.func.value, 'id', None) == name
        return [getattr(e, 'id', None) for e in expr.args] == [name] and any(
            self(expr.func) is f for f in (dict, copy.copy, copy.deepcopy))

    @functools.cached_property
    def modules(self):
        """Names of the modules that the function's code reads."""
        return {found.__name__ for n in self.mentioned if isinstance(found := self.name(n), types.ModuleType)}

    def hide(self, names):
        """Take these names for variables, whatever they denote now."""
        self.local |= frozenset(names)
        self.outer -= frozenset(names)
        self.seen = {path: found for path, found in self.seen.items() if path.partition('.')[0] not in self.local}

    def name(self, name):
        if name in self.nested:
            return self.nested[name]
        if name in self.local:
            return UNKNOWN
        if name not in self.cells and name not in self.globals:
            return getattr(builtins, name, UNKNOWN)
        found = contents(self.cells[name]) if name in self.cells else self.globals[name]
        return UNKNOWN if answers_by_errors(found) else found

    def placed(self, rule, expr):
        """The rule of a call of what the expression names: with CuPy's functions in its texts where that is CuPy's."""
        return on_device(rule) if rule is not None and self.is_on_device(expr) else rule

    def is_on_device(self, expr):
        path = tree.dotted(expr)
        return path is not None and 'cupy' in sys.modules and path in self.seen and is_cupy(self.raw(path))

    def raw(self, path):
        """What a dotted name denotes, CuPy's function for CuPy's."""
        first, *rest = path.split('.')
        return functools.reduce(lambda found, name: getattr(found, name, UNKNOWN), rest, self.name(first))

    def lookup(self, expr):
        """A Lookup for a dotted name that was resolved."""
        path = tree.dotted(expr)
        first = path.partition('.')[0]
        if path in self.methods or first in self.nested and first not in self.cells and first not in self.globals:
            return None                                   # it asks what is called whenever it is called; it imports that
        return Lookup(self.globals, self.cells.get(first), path)

    @functools.cached_property
    def runs_tasks(self):
        """Whether the function names something of `concurrent.futures`, and nothing of Dask's clusters."""
        homes = {str(getattr(found, '__module__', None) or getattr(found, '__name__', None)).partition('.')[0]
                 for found in map(self.name, self.mentioned)}
        return 'concurrent' in homes and 'distributed' not in homes

    def visible(self, kind):
        """Names of the namespace that the function's code reads and that denote objects of this kind; then all others."""
        mentioned = [n for n in self.mentioned if isinstance(self.name(n), kind)]
        return mentioned or [n for n in self.globals if n not in self.local and isinstance(self.globals[n], kind)]

    def __call__(self, expr):
        """The object that a Name or a chain of Attributes on modules and classes denotes, or UNKNOWN."""
        path = tree.dotted(expr)
        if path is None:
            return UNKNOWN
        if path in self.seen:
            return self.seen[path]
        first, *rest = path.split('.')
        found = self.name(first) if first in self.outer or first in self.nested else self.namespaces.get(first, UNKNOWN)
        if found is UNKNOWN:
            return UNKNOWN
        self.note(first, found)
        for attribute in rest:
            if not isinstance(found, (types.ModuleType, type)) and not has_functions(found):
                return UNKNOWN
            found = attribute_of(found, attribute)
        found = UNKNOWN if type(found).__module__ == 'dask.delayed' else current(found)       # that has every attribute
        if found is not UNKNOWN:
            self.seen[path] = found
        return found

    def note(self, first, found):
        """Note what a name of the namespace denotes."""
        if first in self.nested or first not in self.outer:
            return
        if first in self.cells:
            dependencies.note_cell(self.cells[first], found)
        elif first in self.globals:
            dependencies.note_name(self.globals, first, found)

    def value(self, expr):
        """What a dotted name of the namespace denotes now, attributes of objects included, or UNKNOWN."""
        path = tree.dotted(expr)
        first, *rest = path.split('.') if path else ['']
        found = self.name(first) if first in self.outer else UNKNOWN
        for attribute in rest:
            found = vars(found).get(attribute, UNKNOWN) if hasattr(found, '__dict__') else UNKNOWN
        return found


def attribute_of(owner, name):
    """What a module or a class has by a name."""
    found = getattr(owner, name, UNKNOWN)
    if answers_by_errors(found):
        return UNKNOWN
    if isinstance(owner, type):
        dependencies.note_classes([owner])
    elif isinstance(owner, types.ModuleType) and found is not UNKNOWN and dependencies.may_change(owner):
        dependencies.note_name(vars(owner), name, found)
    return found


def stands_for_module(thing):
    """Whether an object stands in the place of a module, as packages have it that tell of names that they have given up."""
    return hasattr(type(thing), '__getattr__') and any(thing is module for module in list(sys.modules.values()))


def has_functions(thing):
    """Whether attributes of an object are known functions: a ufunc's `reduce`, the `logpdf` of a distribution of SciPy."""
    of_scipy = type(thing).__module__.startswith('scipy.stats.') and hasattr(thing, 'rvs')
    return type(thing).__name__ == 'ufunc' or of_scipy or stands_for_module(thing)


class Lookup:
    """Finds again, at any later time, what a dotted name denotes; equal for equal names in the same namespace."""

    def __init__(self, namespace, cell, path):
        self.namespace, self.cell = namespace, cell
        self.first, *self.rest = path.split('.')

    def __call__(self):
        found = self.namespace.get(self.first) if self.cell is None else self.cell.cell_contents
        for attribute in self.rest:
            found = getattr(found, attribute, None)
        return current(found)

    @property
    def plain(self):
        """(namespace, name) of a global, which is found without a call; empty for others."""
        return (self.namespace, self.first) if self.cell is None and not self.rest else ()

    def __eq__(self, other):
        return isinstance(other, Lookup) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    @property
    def key(self):
        return id(self.namespace if self.cell is None else self.cell), self.first, *self.rest


def current(found):
    """The function itself for what stands in its place in a derivative of ours (`twins.Twin`), NumPy's for CuPy's and
    autograd's."""
    if is_cupy(found) or is_autograd(found):
        return counterpart(found)
    undressed(found)
    follow = getattr(type(found), 'current', None)
    return follow(found) if type(found).__module__ == 'tangent.driver.rebound_names' else facts.in_tables(found)


def pushes(function):
    """Whether it is `pushforward`, which calls what it is given, whatever that does."""
    return facts.is_helper(function, 'pushforward')


def pushed(call, resolver):
    """What a call of `pushforward` calls: its first argument, without any `pushing` around it; None for another call."""
    if not pushes(resolver(call.func)):
        return None
    found = call.args[0]
    while isinstance(found, gast.Call) and is_pushing(resolver(found.func)):
        found = found.args[0]
    return found


def with_pushed(expr, new, resolver):
    """The first argument of a call of `pushforward` with another thing to call in it."""
    if isinstance(expr, gast.Call) and is_pushing(resolver(expr.func)):
        return tree.replace(expr, args=[with_pushed(expr.args[0], new, resolver)])
    return new


def is_pushing(function):
    return facts.is_helper(function, 'pushing')


def contents(cell, missing=UNKNOWN):
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell: the enclosing function has not bound the name yet
        return missing


def local_names(function):
    """Parameters and every name that the function binds anywhere in its own scope."""
    bound = set(tree.names(function.args, gast.Param))
    nodes = [n for s in function.body for n in tree.walk(s)]
    for node in own_nodes(function.body) if any(isinstance(n, INNER) for n in nodes) else nodes:
        if type(node) is gast.Name:
            if type(node.ctx) is not gast.Load:
                bound.add(node.id)
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            bound |= {(a.asname or a.name).partition('.')[0] for a in node.names}
        elif isinstance(node, SCOPES):
            bound |= bound_outside(node)
        elif isinstance(node, PATTERNS):
            bound |= {getattr(node, 'name', None), getattr(node, 'rest', None)} - {None}
    return bound


def own_nodes(stmts):
    """The nodes of the statements, what stands inside other scopes left out."""
    pending = list(stmts)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, INNER):
            pending += tree.children(node)


def bound_outside(node):
    """What `:=` in a comprehension binds, which it does in the function around."""
    if isinstance(node, gast.Lambda):
        return set()
    inner = [n for child in tree.children(node) for n in tree.walk_scope([child]) if isinstance(n, gast.NamedExpr)]
    return {n.target.id for n in inner}


def in_comprehensions(nodes):
    """Names that comprehensions among the nodes bind: what they denote outside is hidden from what stands in these."""
    targets = [n.target for n in nodes if type(n) is gast.comprehension]
    return frozenset(name for target in targets for name in tree.names(target, gast.Store))


def in_functions(function, nodes):
    """Names that only functions inside speak of, which bind them: parameters, for one."""
    theirs: dict = {}                    # name -> ids of the places where it is theirs
    for inner in nodes:
        if isinstance(inner, (gast.FunctionDef, gast.Lambda)) and inner is not function:
            own = set(tree.names(inner.args, gast.Param)) if isinstance(inner, gast.Lambda) else local_names(inner)
            parts = tree.walk(inner)
            own = own.difference(*(n.names for n in parts if isinstance(n, (gast.Nonlocal, gast.Global))))
            for n in parts:
                if type(n) is gast.Name and n.id in own:
                    theirs.setdefault(n.id, set()).add(id(n))
    return {name for name in theirs if all(id(n) in theirs[name] for n in nodes if type(n) is gast.Name and n.id == name)}


PATTERNS = (gast.MatchAs, gast.MatchStar, gast.MatchMapping)
SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
INNER = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, *SCOPES)

LAZY = (gast.IfExp, gast.BoolOp, *SCOPES)


def is_lazy(expr):
    """Whether it depends on values, or on others, whether all parts of an expression are evaluated, and how often."""
    return isinstance(expr, LAZY) or isinstance(expr, gast.Compare) and len(expr.ops) > 1


def is_prange(found):
    """Whether an object is `numba.prange`: a `range` whose trips may run in any order."""
    return getattr(found, '__name__', None) == 'prange' and str(getattr(found, '__module__', None)).startswith('numba.')


# What a function imports itself: its names are known like global ones, if they can mean one thing only

_SEVERAL = object()


def answers_by_errors(thing):
    """Whether it stands for a module that could not be imported, and says so wherever an attribute is asked for."""
    if not isinstance(type(thing).__getattribute__, types.FunctionType):
        return False
    try:
        return thing.__module__ is None
    except Exception:                         # whatever it says
        return True


def imported(function, source):
    """Name -> module or object, for the names that the function binds by imports alone."""
    found = {}
    for node in source.nodes if function is source.tree else tree.walk(function):
        if isinstance(node, gast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition('.')[0]
                _note(found, name, _load(alias.name if alias.asname else name))
        elif isinstance(node, gast.ImportFrom):
            for alias in node.names:
                _note(found, alias.asname or alias.name, _member(*_absolute(node, source.globals), alias.name))
    other = {*tree.names(function, gast.Store), *tree.names(function.args, gast.Param)} if found else ()
    return {name: thing for name, thing in found.items()
            if thing is not _SEVERAL and name not in other and source.globals.get(name, thing) is thing}


def _note(found, name, thing):
    found[name] = thing if found.get(name, thing) is thing else _SEVERAL


def _absolute(node, names):
    """The module from which a function of a module with these names imports: `from ..tools import f` starts at its package."""
    return '.' * (node.level or 0) + (node.module or ''), names.get('__package__') or None


def _load(name, package=None):
    try:
        return importlib.import_module(name, package)
    except (ImportError, TypeError):                     # relative to no package
        return _SEVERAL


def _member(module, package, name):
    found = _load(module, package)
    if found is _SEVERAL:
        return _SEVERAL
    value = getattr(found, name, _SEVERAL)
    return value if value is not _SEVERAL else _load(f'{found.__name__}.{name}')
