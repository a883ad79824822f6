"""Functions of a derivative written out where another one of the same text calls them once: what is handed over is then a name.

    def f_primal(x):                             def dfdx(x, bf=1.0):
        t = np.tanh(x)                               t = np.tanh(x)
        return t * x, (x, t)                         y = t * x
                                                     by = 2 * bf * y
    def dfdx(x, bf=1.0):                ->           bx = by * t + by * x * (1 - t * t)
        y, saved = f_primal(x)                       return bx
        by = 2 * bf * y
        bx = f_adjoint(by, saved)
        return bx

So loops of both become one, and an array of which nothing but its shape is asked for in another function need not be there.
People read the functions as they were; what Numba compiles is this.
"""
import builtins
import collections
import dataclasses
import types
from collections.abc import Mapping

import gast

from tangent.emit.signature import params
from tangent.frontend import tree
from tangent.frontend.source import Source, read
from tangent.runtime.tape import LocalTape, Tape

MOST = 300                                    # statements: the time that it takes to compile a function grows faster than these
SCOPES = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom)
STRICT = (gast.Call, gast.Tuple, gast.List, gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Subscript, gast.Compare)
UNSET = object()


@dataclasses.dataclass(frozen=True, eq=False)
class Joined(Source):
    """The Source of a function with others written out in it.

    brought : name -> cell with what it denotes in those
    handed : names of what one of them keeps for another
    """
    brought: Mapping = dataclasses.field(default_factory=dict)
    handed: frozenset = frozenset()

    @property
    def closure(self):
        return {**super().closure, **self.brought}

    @property
    def library(self):
        return frozenset(super().library) | self.brought.keys()


def joined(function):
    """The Source of a function of ours, as a Joined where it calls others that can be written out."""
    source = read(function)
    found = _Joiner(source)
    while found.step():
        pass
    return found.source() if found.done else source


class _Joiner:
    """
    body : the statements of the function so far
    done : functions that have been written out
    brought : see Joined
    """

    def __init__(self, source):
        self.own, self.body = source, list(source.tree.body)
        self.comments, self.done, self.brought, self.handed = dict(source.comments), [], {}, set()
        self.names = tree.Names({n.id for n in tree.walk(source.tree) if isinstance(n, gast.Name)} | {source.name})

    def source(self):
        known = {f.name: getattr(self.own, f.name) for f in dataclasses.fields(Source)}
        first = min([s.lineno for s in tree.every(self.body)] + [self.own.tree.lineno])
        known.update(tree=tree.replace(self.own.tree, body=self.localised(self.body), lineno=first), comments=self.comments)
        return Joined(**known, brought=self.brought, handed=frozenset(self.handed & self.bound().keys()))

    def bound(self):
        """Name -> how often it is bound, by `+=` and its like too."""
        return counted(self.body, params(self.own.tree))

    def step(self):
        """Write out one call, if there is any."""
        used = collections.Counter(n for s in self.body for n in tree.names(s, gast.Load))
        for k, s in enumerate(self.body):
            if not isinstance(s, (gast.Assign, gast.Expr, gast.Return)) or s.value is None:
                continue
            for call in tree.walk(s.value):
                source = self.callee(call, used) if isinstance(call, gast.Call) and is_first(s.value, call) else None
                if source is not None:
                    self.body[k:k + 1] = self.written(s, call, source)
                    self.body = self.apart(self.body)
                    return True
        return False

    def callee(self, call, used):
        """The Source of what a call calls, if it can be written out."""
        if not isinstance(call.func, gast.Name) or used[call.func.id] != 1 or call.keywords \
                or tree.starred(call.args):
            return None
        dispatcher = lookup(self.own, call.func.id, self.brought)
        plain = getattr(dispatcher, 'py_func', dispatcher)
        if not isinstance(plain, types.FunctionType) or getattr(plain, 'source', UNSET) is not self.own.function.source \
                or options(dispatcher) != options(getattr(self.own.function, 'compiled', None)) or hasattr(plain, 'derived'):
            return None
        source = read(plain)
        inner = source.tree
        ends = [s for s in tree.every(inner.body) if isinstance(s, gast.Return)]
        own = tree.all_names(inner)
        a = inner.args
        if plain in self.done or {inner.name, self.own.name} & own or ends not in ([], inner.body[-1:]) \
                or any(isinstance(n, SCOPES) for s in inner.body for n in tree.walk(s)) \
                or a.vararg or a.kwarg or a.kwonlyargs or len(a.args) + len(a.posonlyargs) != len(call.args) \
                or sum(1 for _ in tree.every([*self.body, *inner.body])) > MOST:
            return None
        return source

    def written(self, s, call, source):
        """The statements for one, in which a call stands for what it calls."""
        inner = source.tree
        bound, given = counted(inner.body, params(inner)), {}
        before = []
        for n in tree.walk(inner):
            if isinstance(n, gast.Name) and n.id not in bound and n.id not in given:
                given[n.id] = self.denoting(n.id, source)
        for name, arg in zip(params(inner), call.args):
            if isinstance(arg, gast.Name) and bound[name] == 1:
                given[name] = arg.id
            else:
                given[name] = self.names.fresh(name)
                before.append(tree.like(s, tree.store(given[name]), arg))
        given.update({n: self.names.fresh(n) for n in bound if n not in given})
        body = [tree.rename(t, given) for t in inner.body]
        self.comments.update(source.comments)
        self.done.append(source.function)
        value = tree.constant(None)
        if isinstance(body[-1], gast.Return):
            value = body.pop().value or value
        return [*before, *body, *ended(s, call, value, self.names)]

    def denoting(self, name, source):
        """The name by which the text here calls what a name denotes there."""
        thing = lookup(source, name, {})
        if name not in self.bound() and lookup(self.own, name, self.brought) is thing:
            self.names.taken.add(name)
            return name
        new = next((n for n, cell in self.brought.items() if cell.cell_contents is thing), None)
        if new is None:
            new = self.names.fresh(name)
            self.brought[new] = types.CellType(thing)
        return new

    # What is handed over

    def apart(self, body):
        """The statements with names for what a tuple holds that is taken apart again, and nothing that nobody reads."""
        bound, loads = self.bound(), collections.Counter(n for s in body for n in tree.names(s, gast.Load))
        tuples = {tree.target(s): s for s in body if tree.target(s) and isinstance(s.value, gast.Tuple)
                  and bound[tree.target(s)] == 1 and all(isinstance(e, (gast.Name, gast.Constant)) for e in s.value.elts)}
        opened = [s for s in body if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Tuple)
                  and isinstance(s.value, gast.Name) and s.value.id in tuples
                  and all(isinstance(t, gast.Name) for t in s.targets[0].elts)
                  and len(s.targets[0].elts) == len(tuples[s.value.id].value.elts) and loads[s.value.id] == 1]
        for s in opened:
            body = self.opened(body, s, tuples[s.value.id], bound)
        return body

    def opened(self, body, s, made, bound):
        """The statements without a tuple and the statement that takes it apart."""
        one, other, mapping = [], [], {}
        for target, value in zip(s.targets[0].elts, made.value.elts):
            if isinstance(value, gast.Name) and bound[value.id] != 1:            # it may stand for something else by then
                kept = self.names.fresh(value.id)
                one.append(tree.like(made, tree.store(kept), value))
                value = tree.load(kept)
            if isinstance(value, gast.Name) and bound[target.id] == 1:
                mapping[target.id] = value.id
            else:
                other.append(tree.like(s, target, value))
        self.handed.update(mapping.values())
        self.handed.update(tree.target(t) for t in other)
        out = []
        for t in body:
            out += one if t is made else other if t is s else [tree.rename(t, mapping)]
        return out

    def localised(self, body):
        """The statements with tapes that nobody else is given: their places are variables of the function."""
        loads = collections.Counter(n for s in body for n in tree.names(s, gast.Load))
        for n in (n for s in body for n in tree.walk(s)):
            known = isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr in ('append', 'pop')
            owner = n.func.value if known else n.test if isinstance(n, gast.While) else None
            if isinstance(owner, gast.Name):
                loads[owner.id] -= 1
        bound, out = self.bound(), []
        for s in body:
            name = tree.target(s)
            if name and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Name) and not s.value.args \
                    and lookup(self.own, s.value.func.id, self.brought) is Tape and not loads[name] and bound[name] == 1:
                s = tree.replace(s, value=tree.call(self.local()))
            out.append(s)
        return out

    def local(self):
        """The name of `LocalTape`."""
        if lookup(self.own, 'LocalTape', self.brought) is LocalTape:
            return 'LocalTape'
        new = self.names.fresh('LocalTape')
        self.brought[new] = types.CellType(LocalTape)
        return new


def counted(body, parameters):
    """Name -> how often it is bound, by `+=` and its like too."""
    found = collections.Counter(parameters)
    for s in tree.every(body):
        found.update(n for part in tree.header(s) for n in tree.names(part, gast.Store))
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) and not isinstance(s.target.ctx, gast.Store):
            found[s.target.id] += 1
    return found


def ended(s, call, value, names):
    """What is left of a statement, where the value of a call is known."""
    if s.value is not call:
        out = []
        if not isinstance(value, gast.Name):
            made = names.fresh('made')
            out, value = [tree.like(s, tree.store(made), value)], tree.load(made)
        return [*out, tree.exchange(s, {id(call): value})]
    if isinstance(s, gast.Expr):
        simple = value.elts if isinstance(value, gast.Tuple) else [value]
        return [] if all(isinstance(e, (gast.Name, gast.Constant)) for e in simple) else [tree.replace(s, value=value)]
    if isinstance(s, gast.Return):
        return [tree.replace(s, value=value)]
    target, = s.targets
    pairs = tree.side_by_side(target, value)
    written = {n for t, _ in pairs for n in tree.names(t, gast.Store)}
    if len(pairs) > 1 and all(isinstance(t, gast.Name) for t, _ in pairs) and len(written) == len(pairs) \
            and written.isdisjoint(tree.names(value, gast.Load)):
        return [tree.like(s, t, v) for t, v in pairs]
    return [tree.replace(s, value=value)]


def is_first(expr, call):
    """Whether a call is what an expression calculates first."""
    while expr is not call:
        if not isinstance(expr, STRICT):
            return False
        for child in tree.children(expr):
            if any(n is call for n in tree.walk(child)):
                expr = child
                break
            if not isinstance(child, (gast.Name, gast.Constant)):
                return False
    return True


def lookup(source, name, brought):
    """What a name that is not bound in a function denotes."""
    cell = brought.get(name) or source.closure.get(name)
    if cell is not None:
        try:
            return cell.cell_contents
        except ValueError:
            return UNSET
    return source.globals.get(name, getattr(builtins, name, UNSET))


def options(dispatcher):
    """How a function is compiled, but for how it can be called."""
    given = getattr(dispatcher, 'targetoptions', None)
    return given and {k: v for k, v in given.items() if k not in ('no_cpython_wrapper', 'no_cfunc_wrapper', 'nogil')}
