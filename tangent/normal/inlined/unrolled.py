"""A loop over functions that the text names stands for each of them.

    for f in (np.sin, square):              x = np.sin(x)
        x = f(x)                     ->     x = square(x)

                                            def fs1(v):
    fs = [np.sin, lambda v: v * k]              return v * k
    y = sum(f(x) for f in fs)        ->     fs = [np.sin, fs1]
                                            y = sum([np.sin(x), fs1(x)])
"""
import builtins
import collections
import dataclasses
import functools
import types

import gast

from tangent.analysis.fences.halfway import leaves
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, resolver_of
from tangent.frontend.scopes import DEFINITIONS
from tangent.frontend.source import uncompiled
from tangent.templates.language import registry

MOST = 8                      # functions that a loop goes through
LONGEST = 24                  # statements in its place
LATER = (*DEFINITIONS, gast.Lambda, gast.GeneratorExp)                  # what runs when the loop is elsewhere


def written_out(source, program=None):
    """The Source with such loops written out.

    program : the `kinds.program.Program`, which is told what tuples outside were taken for; None where these are left alone
    """
    if not any(isinstance(n, (gast.For, gast.comprehension)) for n in source.nodes):
        return source
    work = Unrolled(source, program)
    body = work.block(source.tree.body)
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=body)) if work.done else source


class Unrolled:
    """
    once : the names that are bound in one place of all the text
    displays : variable -> the functions in the display that is all it is ever bound to, which nothing changes
    functions_of : variable that is only ever bound to a function or a lambda -> the expression for it
    held : assignment of such a display -> definitions of the lambdas in it, and the display with their names
    """

    def __init__(self, source, program):
        self.resolver, self.program, self.done = resolver_of(source), program, 0
        nodes = source.nodes
        counts = collections.Counter(n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load))
        counts.update(n.name for n in nodes if isinstance(n, DEFINITIONS))
        counts.update(name for n in nodes if isinstance(n, (gast.Nonlocal, gast.Global)) for name in n.names)
        self.counts, self.bound = counts, set(counts)
        self.loads = collections.Counter(n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load))
        self.once = {name for name, count in counts.items() if count == 1}
        iterated = collections.Counter(getattr(self.iterated(n)[0], 'id', None) for n in nodes
                                       if isinstance(n, (gast.For, gast.comprehension)))
        self.names = tree.Names(self.bound | set(self.loads) | set(source.globals))
        self.displays, self.held, self.functions_of = {}, {}, {}
        for s in source.tree.body:
            name, value = tree.target(s), getattr(s, 'value', None)
            if name in self.once and (isinstance(value, gast.Lambda) or self.is_function(value)):
                self.functions_of[name] = tree.load(name) if isinstance(value, gast.Lambda) else value
            if name in self.once and iterated[name] and self.are_functions(value, gast.Lambda) and (
                    isinstance(value, gast.Tuple) or self.loads[name] == iterated[name]):
                self.held[s] = self.named(value, name)
                self.displays[name] = self.held[s][-1].elts

    @staticmethod
    def iterated(loop):
        """(what a loop goes through, the target that counts or None, the name that the elements have or None)."""
        target, iterated, count = loop.target, loop.iter, None
        if tree.is_call(iterated, 'enumerate') and len(iterated.args) == 1 and not iterated.keywords \
                and isinstance(target, gast.Tuple) and len(target.elts) == 2 and isinstance(target.elts[0], gast.Name):
            (count, target), iterated = target.elts, iterated.args[0]
        return iterated, count, getattr(target, 'id', None)

    def are_functions(self, display, *others):
        """Whether it is a list or tuple of functions that the text names, or of `others`."""
        return isinstance(display, (gast.Tuple, gast.List)) and 0 < len(display.elts) <= MOST and all(
            isinstance(e, others) or self.is_function(e) for e in display.elts)

    def named(self, display, wish):
        """Definitions of the lambdas in a display, and the display with their names."""
        made, elts = [], []
        for k, e in enumerate(display.elts):
            if isinstance(e, gast.Lambda):
                name = self.names.fresh(f'{wish}{k}')
                made.append(tree.definition(name, e.args, [gast.copy_location(gast.Return(value=e.body), e)], e))
                e = gast.copy_location(tree.load(name), e)
            elts.append(self.functions_of.get(getattr(e, 'id', None), e))
        return [*made, tree.replace(display, elts=elts)]

    def is_function(self, expr):
        if not isinstance(expr, (gast.Name, gast.Attribute)) or tree.root_name(expr) in self.bound:
            return isinstance(expr, gast.Name) and expr.id in self.functions_of
        found = self.resolver(expr)
        return found is not UNKNOWN and is_known(found)

    def functions(self, expr):
        """The expressions for the functions that a loop goes through, or None."""
        if self.are_functions(expr):
            return self.named(expr, '')[-1].elts
        if not isinstance(expr, gast.Name):
            return None
        if expr.id in self.displays:
            return self.displays[expr.id]
        found = self.resolver(expr) if expr.id not in self.bound else None
        if self.program is None or type(found) is not tuple or not 0 < len(found) <= MOST or not all(map(is_known, found)):
            return None
        paths = [self.path(function) for function in found]
        if None in paths:
            return None
        self.program.assume(self.resolver, expr.id, found)
        return paths

    def path(self, function):
        """The expression by which the text can name a function, or None."""
        name, home = getattr(function, '__name__', ''), getattr(function, '__module__', None)
        modules = [n for n, found in self.resolver.globals.items() if isinstance(found, types.ModuleType)
                   and getattr(found, name, None) is function and found.__name__ in ('numpy', home)]
        for path in [name, *(f'{n}.{name}' for n in modules)]:
            first, *rest = path.split('.')
            if first.isidentifier() and first not in self.bound and functools.reduce(
                    lambda found, part: getattr(found, part, None), rest, self.resolver.name(first)) is function:
                return tree.expression(path)
        return None

    # Statements

    def block(self, stmts):
        return [new for s in stmts for new in self.statement(s)]

    def statement(self, s):
        if s in self.held:
            *made, display = self.held[s]
            return [*made, tree.replace(s, value=display)]
        if isinstance(s, gast.For) and (found := self.unrolled(s)) is not None:
            self.done += 1
            return self.block(found)
        s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
        parts = {id(part): part for part in tree.header(s)}
        return [tree.with_children(s, lambda child: self.expression(child) if id(child) in parts else child)]

    def unrolled(self, loop):
        """The statements for all the functions that a loop goes through, or None."""
        iterated, count, name = self.iterated(loop)
        made = []
        if name is not None and self.are_functions(iterated, gast.Lambda):
            *made, iterated = self.named(iterated, name)
            functions = iterated.elts
        else:
            functions = self.functions(iterated)
        if functions is None or name is None or len(functions) * sum(1 for _ in tree.every(loop.body)) > LONGEST \
                or leaves(loop.body) or not self.is_read_in(name, loop.body):
            return None
        out = made
        for k, function in enumerate(functions):
            if count is not None:
                out.append(gast.copy_location(tree.assign(count.id, tree.constant(k)), loop))
            out += [tree.substitute(tree.clone(s), {name: function}) for s in loop.body]
        return out + loop.orelse

    def is_read_in(self, name, nodes):
        """Whether all that reads the variable of a loop stands in its body, and runs there."""
        inner = [n for node in nodes for n in tree.walk(node)]
        later = [n for node in inner if isinstance(node, LATER) for n in tree.names(node, gast.Load)]
        return self.counts[name] == 1 and self.loads[name] == sum(
            isinstance(n, gast.Name) and n.id == name for n in inner) and name not in later

    # Expressions

    def expression(self, node):
        """An expression with displays in the place of comprehensions over functions."""
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        inner = None
        if isinstance(node, gast.ListComp):
            inner = node
        elif tree.is_call(node, 'sum') and node.args and isinstance(node.args[0], gast.GeneratorExp) \
                and self.resolver(node.func) is builtins.sum:
            inner = node.args[0]
        found = self.display(inner) if inner is not None else None
        if found is None:
            return tree.with_children(node, self.expression)
        self.done += 1
        found = gast.copy_location(found, inner)
        return found if inner is node else tree.replace(node, args=[found, *node.args[1:]])

    def display(self, comprehension):
        """The list of what a comprehension makes of each function, or None."""
        loop = comprehension.generators[0]
        iterated, count, name = self.iterated(loop)
        functions = self.functions(iterated) if len(comprehension.generators) == 1 and not loop.ifs else None
        if functions is None or name is None or not self.is_read_in(name, [comprehension.elt]):
            return None
        if count is not None and not self.is_read_in(count.id, [comprehension.elt]):
            return None
        numbers = [{count.id: tree.constant(k)} if count is not None else {} for k in range(len(functions))]
        elts = [tree.substitute(comprehension.elt, {name: function} | number) for function, number in zip(functions, numbers)]
        return gast.List(elts=list(map(self.expression, elts)), ctx=gast.Load())


def is_known(found):
    """Whether a text can name it as a function: one of the user's, or one with a rule."""
    return isinstance(uncompiled(found), types.FunctionType) or callable(found) and not isinstance(found, type) \
        and registry.lookup(found) is not None
