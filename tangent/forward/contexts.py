"""Contexts with a derivative, in forward mode: their methods are called as the language reference says `with` does.

    with scaled(x) as y:               context = scaled(x)
        z = y * y                      y = context.__enter__()
                                       failed = False
                                       try:
                                           try:
                                               z = y * y
                              ->           except BaseException:
                                               failed = True
                                               handled = context.__exit__(raised(0), raised(1), raised(2))
                                               if not handled:
                                                   raise
                                       finally:
                                           if not failed:
                                               context.__exit__(None, None, None)

All of these are calls that are looked at when running.
"""
import sys
import types

import gast

from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.source import is_manager
from tangent.runtime import facts

LIBRARIES = sys.stdlib_module_names - {'contextlib'} | {'numpy', 'scipy'}


class Contexts:
    """Writes out the contexts of one function.

    flows : whether a derivative may flow through an expression
    methods : names of the methods of classes in sight
    found : whether there was any: it may ask an exception for values
    """

    def __init__(self, flows, methods, names, library, resolver, temps, effects):
        self.flows, self.methods, self.names, self.effects = flows, methods, names, effects
        self.library, self.resolver, self.temps = library, resolver, temps
        self.found = False

    def block(self, stmts):
        return [t for s in stmts for t in self.statement(s)]

    def statement(self, s):
        s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
        if not isinstance(s, gast.With):
            return [s]
        return self.one_by_one(s.items, s) if any(map(self.is_active, s.items)) else [s]

    def one_by_one(self, items, s):
        if not items:
            return s.body
        body = self.one_by_one(items[1:], s)
        return self.entered(items[0], body, s) if self.is_active(items[0]) else [tree.replace(s, items=items[:1], body=body)]

    def is_active(self, item):
        if not self.flows(item.context_expr):
            return self.gives_active(item)
        return item.optional_vars is not None or '__enter__' in self.methods or isinstance(item.context_expr, gast.Call)

    def gives_active(self, item):
        """Whether a context may give what gets a derivative in the block: itself, what it holds or what it is given."""
        return isinstance(item.optional_vars, gast.Name) and self.flows(tree.load(item.optional_vars.id)) \
            and self.is_written_out(item.context_expr)

    def is_written_out(self, expr):
        """Whether the methods of a context are those of a class in sight, of a generator, or of contextlib's."""
        if not isinstance(expr, gast.Call):
            return '__enter__' in self.methods
        kind = self.resolver(expr.func)
        python = isinstance(getattr(kind, '__enter__', None), types.FunctionType)
        return isinstance(kind, types.FunctionType) and is_manager(kind) or python and facts.home(kind) not in LIBRARIES

    def entered(self, item, body, s):
        self.found = True
        context, failed, handled = (self.fresh(name) for name in ('context', 'failed', 'handled'))
        errors = [tree.call(self.helper('raised'), tree.constant(k)) for k in range(3)]
        error = self.fresh('error') if self.throws(body) else None                  # it may carry values
        if error is not None:
            errors[1] = tree.load(error)
        enter, swallow, leave = (tree.method(tree.load(context), f'__{name}__', *args) for name, args in (
            ('enter', ()), ('exit', errors), ('exit', [tree.constant(None)] * 3)))
        given = [gast.Assign(targets=[item.optional_vars], value=enter, type_comment=None)] if item.optional_vars \
            else [gast.Expr(value=enter)]
        again = gast.If(test=tree.negation(tree.load(handled)), body=[gast.Raise(exc=None, cause=None)], orelse=[])
        handler = gast.ExceptHandler(type=tree.load(self.helper('BaseException')), name=error and tree.store(error), body=[
            tree.assign(failed, tree.constant(True)), tree.assign(handled, swallow), again])
        final = gast.If(test=tree.negation(tree.load(failed)), body=[gast.Expr(value=leave)], orelse=[])
        inner = gast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
        whole = gast.Try(body=[inner], handlers=[], orelse=[], finalbody=[final])
        stmts = [tree.assign(context, item.context_expr), *given, tree.assign(failed, tree.constant(False)), whole]
        return [placed(t, s) for t in stmts]

    def throws(self, body):
        """Whether a block may throw an exception that carries a value with a derivative."""
        for n in (n for s in body for n in tree.walk(s)):
            if isinstance(n, gast.Raise) and n.exc is not None and self.flows(n.exc):
                return True
            found = self.resolver(n.func) if isinstance(n, gast.Call) else None
            if found is not None and self.effects.knows(found) and self.effects.of(found).raises:
                return True
        return False

    def fresh(self, base):
        name = self.names.fresh(base)
        self.temps.add(name)
        return name

    def helper(self, name):
        known = self.library(name)
        self.resolver.seen[known] = find(name)
        return known


def managers(function, resolver):
    """The functions called that make contexts of generators: what a call gives is looked at when running."""
    called = [resolver(n.func) for n in tree.walk(function) if isinstance(n, gast.Call)]
    return {f for f in called if isinstance(f, types.FunctionType) and is_manager(f)}


def placed(stmt, s):
    """The statement and those in it that have no place yet, at the place of the `with`."""
    for node in gast.walk(stmt):
        if isinstance(node, (gast.stmt, gast.ExceptHandler)) and tree.origin(node) is None:
            tree.place(node, tree.origin(s))
        if not hasattr(node, 'lineno') and isinstance(node, (gast.stmt, gast.expr, gast.ExceptHandler)):
            gast.copy_location(node, s)
    return stmt
