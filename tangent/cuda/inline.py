"""Device functions in place of their calls, where they are given arrays, have loops or defaults: what they write, and what
their adjoint keeps, is then the business of the kernel.

    y[i] = f(dot(a, i, w))      ->      s = 0.0
                                        for k in range(w.shape[0]):
                                            s += a[i, k] * w[k]
                                        y[i] = f(s)
"""
import builtins
import inspect

import gast

from tangent.frontend import subset, tree
from tangent.frontend.source import read

DEEPEST = 20                     # calls in calls
BRANCHING = (gast.BoolOp, gast.IfExp, gast.Lambda, gast.ListComp, gast.GeneratorExp)
WAY_OUT = 'call it in a statement of its own, and let it return at its end alone'


class Inliner:
    """Writes device functions into a kernel.

    Parameters
    ----------
    source : Source
    names : dict
        What the names of the kernel stand for outside; names that the written functions bring are added.

    Attributes
    ----------
    space : dict
        These.
    """

    def __init__(self, source, names):
        self.source, self.names, self.space = source, names, {}
        self.taken = tree.Names({n.id for n in tree.walk(source.tree) if isinstance(n, gast.Name)} | set(names))

    def block(self, stmts, depth=0):
        found = []
        for s in stmts:
            s = tree.replace(s, **{field: self.block(block, depth) for field, block in tree.blocks(s)})
            before, s = self.statement(s, depth)
            found += [*before, s] if s is not None else before
        return found

    def statement(self, s, depth):
        """(what stands before the statement, the statement or None)."""
        before = []
        while True:
            call = next((n for part in tree.header(s) for n in tree.walk(part) if self.is_wanted(n)), None)
            if call is None:
                return before, s
            if depth > DEEPEST:
                raise subset.unsupported(s, self.source, 'device functions that call themselves', 'write a loop')
            whole = isinstance(s, (gast.Expr, gast.Assign)) and s.value is call
            body, value = self.written(call, s, whole)
            before += self.block(body, depth + 1)
            if isinstance(s, gast.Expr) and whole:
                return before, None
            if value is None:
                raise subset.unsupported(s, self.source, 'device functions that return nothing, used as values,', WAY_OUT)
            if not whole and not isinstance(value, gast.Name):
                name = self.taken.fresh('value')
                before += self.block([gast.copy_location(tree.assign(name, value), s)], depth + 1)
                value = tree.load(name)
            blocks = {field for field, _ in tree.blocks(s)}
            s = tree.with_children(s, lambda part: tree.exchange(part, {id(call): value}), blocks)      # noqa: B023

    def is_wanted(self, n):
        function = self.names.get(n.func.id) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name) else None
        if not hasattr(function, 'py_func'):
            return False
        loops = any(isinstance(m, (gast.For, gast.While)) for m in tree.walk(read(function).tree))
        return bool(function.py_func.__defaults__ or n.keywords) or loops or has_elements(function, set())

    def written(self, call, s, whole):
        """(the statements of a device function as they stand in the kernel, what it returns)."""
        function = self.names[call.func.id]
        source = read(function)
        *body, last = [t for t in source.tree.body if not isinstance(t, gast.Pass)
                       and not (isinstance(t, gast.Expr) and isinstance(t.value, gast.Constant))] or [gast.Pass()]
        if not isinstance(last, gast.Return):
            body, last = [*body, last], gast.Return(value=None)
        writes = any(isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Store) or isinstance(n, gast.Attribute)
                     and n.attr == 'atomic' for t in body for n in tree.walk(t))
        if any(isinstance(n, gast.Return) for t in body for n in tree.walk(t)) or isinstance(s, gast.While) \
                or writes and not whole or any(isinstance(n, BRANCHING) and call in tree.walk(n)
                                               for part in tree.header(s) for n in tree.walk(part)):
            raise subset.unsupported(call, self.source, f'calls of the device function {source.name} at this place', WAY_OUT)
        names, first = self.arguments(call, function, source)
        names.update((n, self.outside(n, function)) for n in self.global_names(source))
        own = {n for t in source.tree.body for n in tree.names(t, gast.Store)} - names.keys()
        names.update((n, self.taken.fresh(n)) for n in sorted(own))
        written = [*first, *(tree.rename(t, names) for t in body)]
        value = None if last.value is None else tree.rename(last.value, names)
        for node in (n for t in [*written, *([value] if value is not None else [])] for n in tree.walk(t)):
            if hasattr(node, 'lineno'):
                gast.copy_location(node, s)
        return written, value

    def arguments(self, call, function, source):
        """({parameter: the name it has in the kernel}, statements that give others their values)."""
        if tree.is_starred(call):
            raise subset.unsupported(call, self.source, 'arguments of device functions with a star', 'write them one by one')
        bound = inspect.signature(function.py_func).bind(*call.args, **{k.arg: k.value for k in call.keywords})
        bound.apply_defaults()
        stored = {n for t in source.tree.body for n in tree.names(t, gast.Store)}
        names, first = {}, []
        for parameter, arg in bound.arguments.items():
            arg = arg if isinstance(arg, gast.AST) else tree.constant(arg)
            if isinstance(arg, gast.Name) and parameter not in stored:
                names[parameter] = arg.id
            else:
                names[parameter] = self.taken.fresh(parameter)
                first.append(tree.assign(names[parameter], arg))
        return names, first

    def global_names(self, source):
        local = set(tree.names(source.tree.args, gast.Param)) | {n for t in source.tree.body for n in tree.names(t, gast.Store)}
        return {n for t in source.tree.body for n in tree.names(t, gast.Load)} - local

    def outside(self, name, function):
        """The name in the kernel for what a device function calls by a name of its module."""
        source = read(function)
        space = {**source.globals, **{n: c.cell_contents for n, c in source.closure.items()}}
        if name not in space:
            return name
        thing = space[name]
        here = name if self.names.get(name, getattr(builtins, name, self)) is thing else next(
            (n for n, other in self.space.items() if other is thing), None)
        if here is None:
            here = self.taken.fresh(name)
            self.names[here] = self.space[here] = thing
        return here


def has_elements(function, seen):
    """Whether a device function, or one that it calls, treats a parameter as an array."""
    source = read(function)
    if source.function in seen:
        return False
    seen.add(source.function)
    nodes = tree.walk(source.tree)
    parameters = set(tree.names(source.tree.args, gast.Param))
    found = {n.value.id for n in nodes if isinstance(n, (gast.Subscript, gast.Attribute)) and isinstance(n.value, gast.Name)}
    names = {**source.globals, **{n: c.cell_contents for n, c in source.closure.items()}}
    return bool(found & parameters) or any(
        has_elements(names[n.func.id], seen) for n in nodes
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and hasattr(names.get(n.func.id), 'py_func'))
