"""Calls in forward mode.

    y = g(x, n)                    y, dy = g_tangent(x, n, dx)                   a function of the user's
    y = f(x, n)           ->       y, dy = pushforward(f, (x, n), (dx, None))    a function known only when running
    p = Point(x, 1.0)              p = Point(x, 1.0); dp = Point(dx, 0.0)        a container
"""
from __future__ import annotations

import inspect
import types

import gast

from tangent.frontend import subset, tree
from tangent.frontend.lambda_lifting import Nested
from tangent.frontend.resolve import pushed
from tangent.reverse import calls
from tangent.templates.language import registry


class Calls:
    """The part of `Forward` that knows calls."""

    def zeros(self, expr, number=False):
        """The zero tangent of a value, of a number or array or of what is not known to be one."""
        if self.count is not None:
            if isinstance(expr, gast.Constant) and type(expr.value) in (int, float):
                return tree.constant(0.0)
            return self.call('zero_directions', expr, tree.load(self.count))
        return self.call('init_grad' if number else 'zero_tangent', expr)

    def with_zeros(self, value):
        """A tangent with the zeros in it made for all directions, where there are several: they may be written into."""
        return value if self.count is None else calls_replaced(value, self.library.given.get('init_grad'), self.zeros)

    def on_derivative(self, s, op):
        """`grad(f)` and its kin: the derivative has captured what the function has."""
        self.both(s, self.d(op.args))

    def on_call(self, s, op):
        """A call of a function that is differentiated through its source, by way of its twin."""
        args, keywords = op.args
        call = self.to_twin(s, op)
        if inspect.isgeneratorfunction(op.what):
            for node in tree.walk(self.facts.tree):
                if tree.is_call(node, 'next') and node.args and tree.dotted(node.args[0]) == tree.target(s):
                    raise subset.unsupported(node, self.facts.source, 'next() of a generator with a derivative, in forward '
                                            'mode,', 'iterate over it with for')
            call = self.call('drained', call)
        self.hand_over(s, call, [*args, *keywords.values()])

    def on_effect(self, s, op):
        self.out.append(tree.replace(s, value=self.to_twin(s, op)))

    def to_twin(self, s, op):
        (args, keywords), callee = op.args, op.what
        bound = self.facts.bind(callee, args, keywords, s)
        wanted = tuple(p for p, e in bound.items() if any(map(self.flows, calls.atoms(e))))
        twin = self.twin(callee, wanted, s)
        tangents = [self.d_bound(bound[p]) for p in wanted]
        call = s.value
        if call.keywords or len(call.args) < twin.positional:
            given = [gast.keyword(arg=p, value=t) for p, t in zip(twin.parameters, tangents)]
            return tree.replace(call, func=tree.load(twin.name), keywords=call.keywords + given)
        return tree.replace(call, func=tree.load(twin.name), args=call.args + tangents)

    def d_bound(self, bound):
        """The tangent of what is bound to a parameter: one atom, or those of a vararg or kwarg."""
        if isinstance(bound, dict):
            return gast.Dict(keys=[tree.constant(k) for k in bound], values=[self.d(a) for a in bound.values()])
        return self.d(gast.Tuple(elts=list(bound), ctx=gast.Load()) if isinstance(bound, tuple) else bound)

    def hand_over(self, s, call, given):
        """`y, dy = call`, or the call alone where it is made for its effect."""
        if isinstance(s, gast.Expr):
            self.out.append(tree.replace(s, value=call))
            return
        target = s.targets[0]
        pair = gast.Tuple(elts=[target, tree.store(self.tangent(target.id))], ctx=gast.Store())
        self.note(target.id, gast.Tuple(elts=[self.d(a) for a in given if self.is_active(a)], ctx=gast.Load()))
        self.out.append(tree.replace(s, targets=[pair], value=call))

    def on_dispatch(self, s, op):
        """A call of a function that is known only when running."""
        func, args, keywords = op.args
        again = pushed(s.value, self.facts.resolver)
        if again is not None:                          # a forward pass that is pushed forward again
            func, *args = args
        given = [gast.Tuple(elts=list(args), ctx=gast.Load()), gast.Tuple(elts=list(map(self.maybe, args)), ctx=gast.Load())]
        if keywords:
            names = [None if k.arg is None else tree.constant(k.arg) for k in keywords]
            tangents = [self.d(k.value) if self.flows(k.value) else tree.expression('{}' if k.arg is None else 'None')
                        for k in keywords]
            given += [gast.Dict(keys=names, values=[k.value for k in keywords]), gast.Dict(keys=names, values=tangents)]
        own = func
        if tree.is_call(getattr(func, 'value', None), 'super') and len(func.value.args) == 2:
            func = self.call('method_above', *func.value.args, tree.constant(func.attr))
        call = self.call('pushforward', func if again is None else self.call('pushing', func), *given)
        func = own if again is None else again
        owner = func.value if isinstance(func, gast.Attribute) else func
        if tree.is_call(owner, 'super') and len(owner.args) == 2:
            owner = owner.args[1]
        if self.is_active(root(owner)):
            own = self.d(owner)
            if isinstance(func, gast.Attribute) and func.attr not in self.facts.methods and owner is func.value:
                own = self.call('tangent_called', owner, tree.constant(func.attr), own)
            call.keywords.append(gast.keyword(arg='df', value=own))
        self.hand_over(s, call, [*args, *(k.value for k in keywords), *([root(owner)] if call.keywords else [])])

    def maybe(self, atom):
        """The tangent of an argument, None where it has none."""
        if not isinstance(atom, gast.Starred):
            return self.d(atom) if self.flows(atom) else tree.constant(None)
        none = gast.List(elts=[tree.constant(None)], ctx=gast.Load())
        count = tree.call(self.library('len'), atom.value)
        passive = gast.BinOp(left=none, op=gast.Mult(), right=count)
        return tree.replace(atom, value=self.d(atom.value) if self.flows(atom.value) else passive)

    def apart(self, tangent, made_of):
        """The tangent that a twin returns, copied where it may be that of an argument while the value surely is none.

        made_of : for the value, or for each element of a tuple, the names of what it may share memory with
        """
        if isinstance(tangent, gast.Tuple) and len(tangent.elts) == len(made_of):
            return tree.replace(tangent, elts=[self.apart(t, [names]) for t, names in zip(tangent.elts, made_of)])
        aliases = self.facts.aliases
        names = set().union(*made_of)
        if not self.parameters.isdisjoint(names.union(*map(aliases.family, names), *map(aliases.origins, names))):
            return tangent
        return self.call('copy', tangent) if self.shares(tangent, {self.of.get(p) for p in self.parameters}) else tangent

    def on_partial(self, s, op):
        """The tangent of `functools.partial(f, x, k=y)` is `{-1: dx, 'k': dy}`: places count from the end."""
        func, count = s.value.args[0], len(s.value.args) - 1
        parts = [(key - count if isinstance(key, int) else key, atom) for key, atom in op.args[1:] if self.flows(atom)]
        if isinstance(op.what, Nested):
            op.what.active |= {key for key, _ in parts}
        made = gast.Dict(keys=[registry.number(key) if isinstance(key, int) else tree.constant(key) for key, _ in parts],
                         values=[self.d(atom) for _, atom in parts])
        if not isinstance(op.what, (Nested, types.FunctionType, types.BuiltinFunctionType)):
            made = self.call('partial_tangent', func, self.maybe(func), tree.constant(count), made)
        self.both(s, made)

    def on_make(self, s, op):
        """A call that makes a container: its tangent is made in the same way."""
        keywords = [tree.replace(k, value=self.d(k.value)) for k in s.value.keywords]
        tangents = list(map(self.d, s.value.args))
        pairs = self.facts.resolver(s.value.func) is dict and s.value.args
        if pairs:                                              # the keys of pairs are not in their tangents
            tangents = [self.call('dict_tangent', *tangents, *s.value.args)]
        self.both(s, tangents[0] if pairs and not keywords else tree.replace(s.value, args=tangents, keywords=keywords))


def calls_replaced(node, name, replacement):
    """The tree with `replacement(x)` in place of each call `name(x)`."""
    if tree.is_call(node, name):
        return replacement(node.args[0])
    if not isinstance(node, gast.AST) or isinstance(node, gast.Name):
        return node
    fields = {key: [calls_replaced(v, name, replacement) for v in value] if isinstance(value, list) else
              calls_replaced(value, name, replacement) for key, value in node.__dict__.items()}
    return tree.replace(node, **fields)


def root(expr):
    """The Name at the root of `x.a[i]`."""
    while isinstance(expr, (gast.Subscript, gast.Attribute)):
        expr = expr.value
    return expr
