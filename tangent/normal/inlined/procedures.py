"""A function that writes into what its arguments share or hold, or gives back a part of one that is changed, stands where it is
called.

    def step(params, slopes):                      def f(x):
        for p, g in zip(params, slopes):               ps = [x[:2] * 2.0, np.sin(x)]
            p -= 0.1 * g                               for p, g in zip(ps, [np.cos(v) for v in ps]):
    def f(x):                              ->              p -= 0.1 * g
        ps = [x[:2] * 2.0, np.sin(x)]                  return np.sum(ps[0])
        step(ps, [np.cos(v) for v in ps])
        return np.sum(ps[0])

Two names of one array, names of parts of it, and elements of lists: a text of its own would not know which these are. Only
where kinds are known, and of functions that do nothing but run to their end.
"""
import dataclasses

import gast

from tangent.analysis.kinds.infer import axes_of_names
from tangent.frontend import tree
from tangent.frontend.resolve import local_names, resolver_of
from tangent.frontend.scopes import DEFINITIONS
from tangent.normal.inlined.factories import arguments, in_one_file, mean_the_same, source_of
from tangent.normal.typed.owned import stored_whole
from tangent.normal.typed.views import stores

REFUSED = (*DEFINITIONS, gast.Lambda, gast.ClassDef, gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom, gast.Await,
           gast.Return, gast.NamedExpr, gast.Import, gast.ImportFrom)
DISPLAYS = gast.List, gast.Dict, gast.ListComp, gast.DictComp
DEPTH = 4                        # functions that call others
LONGEST = 600                    # nodes in the place of a call


def written_out(source, known, effects):
    """The Source with such functions written out.

    known : (parameter -> kind, the Program)
    """
    resolver = resolver_of(source)
    calls = [call for s in tree.every(source.tree.body) for call in [call_of(s)] if call is not None]
    if not any(changes(effects, resolver(call.func), call) for call in calls):
        return source
    axes, _, held = axes_of_names(source, known)
    work = _Calls(source, resolver, effects, axes, held.of_arrays)
    body = work.block(source.tree.body)
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=body)) if work.done else source


def call_of(s):
    """The call by name that is the whole value of a statement, or None."""
    adds = isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)
    plain = isinstance(s, (gast.Expr, gast.Return)) or isinstance(s, gast.Assign) and len(s.targets) == 1 \
        or adds and s.target.id not in tree.names(s.value, gast.Load)
    call = s.value if plain else None
    return call if isinstance(call, gast.Call) and isinstance(call.func, gast.Name) and not tree.is_starred(call) else None


def changes(effects, function, call):
    """Whether the call of a function of the user's writes into what it is given, or gives it back."""
    return effects.knows(function) and (any(effects(function, call)) or any(
        effects.keeps(function, call, e) for e in tree.arguments(call)))


class _Calls:
    """done : whether a call was written out
    containers : names of lists and dicts that the function makes
    changed : names of what it writes into, as far as its text shows
    """

    def __init__(self, source, resolver, effects, axes, of_arrays):
        self.source, self.resolver, self.effects = source, resolver, effects
        self.arrays = {n for n, kind in axes.items() if type(kind) is int and kind > 0}
        self.of_arrays, self.done = of_arrays, False
        self.containers = {tree.target(s) for s in tree.every(source.tree.body)
                           if tree.target(s) and isinstance(s.value, DISPLAYS)}
        self.local = local_names(source.tree)
        self.names = tree.Names(self.local | set(source.globals) | tree.all_names(source.tree))
        self.changed = {tree.root_name(t) for s in tree.every(source.tree.body) for t in changed_by(s)}

    def block(self, stmts, depth=0):
        out = []
        for s in stmts:
            call = call_of(s)
            instead = self.instead(s, call) if call is not None and depth < DEPTH else None
            if instead is not None:
                self.done = True
                out += self.block(instead, depth + 1)
            else:
                out.append(tree.replace(s, **{field: self.block(block, depth) for field, block in tree.blocks(s)}))
        return out

    def instead(self, s, call):
        """The statements in the place of one with such a call, or None."""
        function = self.resolver(call.func)
        callee = source_of(function) if self.effects.knows(function) else None
        if callee is None or not in_one_file(callee, self.source) or not self.asks(s, callee, function, call):
            return None
        given, body = arguments(callee.tree, call), [t for t in callee.tree.body if not tree.is_text(t)]
        result = body.pop().value if isinstance(body[-1], gast.Return) else None
        nodes = [n for t in [*body, *([result] if result is not None else [])] for n in tree.walk(t)]
        own = {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        others = {n.id for n in nodes if isinstance(n, gast.Name)} - own - set(given or ())
        simple = len(nodes) < LONGEST and not any(isinstance(n, REFUSED) for n in nodes) and callee.name not in others
        if given is None or not simple or result is None and not isinstance(s, gast.Expr) \
                or not mean_the_same(others, callee, self.resolver, self.local):
            return None
        first, renamed = self.bindings(s, call, given, own, body)
        renamed |= {n: self.names.fresh(n) for n in sorted(own) if n not in renamed}
        self.arrays |= {renamed[p] for p, e in given.items() if getattr(e, 'id', None) in self.arrays and p not in own}
        last = [] if result is None or isinstance(s, gast.Expr) and tree.is_atom(result) else \
            [tree.replace(s, value=tree.rename(result, renamed))]
        return [*first, *(tree.rename(t, renamed) for t in body), *last]

    def asks(self, s, callee, function, call):
        """Whether the function has to stand where it is called."""
        bound, args = self.effects.bound(function, call), tree.arguments(call)
        inside = [e for p in self.effects.of(function).deep for e in bound.get(p, ())]
        updated = {tree.root_name(t.target) for t in tree.every(callee.tree.body)
                   if isinstance(t, gast.AugAssign) and isinstance(t.target, gast.Subscript)}
        in_place = any(isinstance(t, gast.AugAssign) or stored_whole(t) is not None for t in tree.every(callee.tree.body))
        held = self.containers | self.of_arrays
        if in_place and any(isinstance(e, DISPLAYS) or getattr(e, 'id', None) in held for e in inside) \
                or any(getattr(e, 'id', None) in self.of_arrays for p in updated for e in bound.get(p, ())):
            return True
        roots = [tree.root_name(e) for e in args if isinstance(e, (gast.Name, gast.Subscript))]
        written = {tree.root_name(e) for part in self.effects(function, call) for e in part}
        if any(n in self.arrays and roots.count(n) > 1 for n in written) and not all(map(is_element, args)):
            return True
        return isinstance(s, gast.Assign) and tree.target(s) in self.changed and any(
            tree.root_name(e) in self.arrays and self.effects.keeps(function, call, e) for e in args)

    def bindings(self, s, call, given, own, body):
        """(assignments of arguments to names, parameter -> its name in the caller); `own` are the names that the body binds."""
        first, renamed = [], {}
        order = {id(e): k for k, e in enumerate([*call.args, *(k.value for k in call.keywords)])}
        for p, value in sorted(given.items(), key=lambda pair: order.get(id(pair[1]), len(order))):
            if isinstance(value, gast.Name) and (
                    p not in own or not stores(body, p) and value.id in self.arrays):
                renamed[p] = value.id
            else:
                renamed[p] = self.names.fresh(p)
                first.append(tree.like(s, tree.store(renamed[p]), value))
        return first, renamed


def is_element(expr):
    """Whether it is no name, and no part of an array by slices."""
    parts = expr.slice.elts if isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Tuple) else \
        [getattr(expr, 'slice', None)]
    return not isinstance(expr, gast.Name) and not any(isinstance(p, gast.Slice) for p in parts)


def changed_by(s):
    """What a statement writes into, as far as its text shows."""
    if isinstance(s, gast.AugAssign):
        return [s.target]
    if isinstance(s, gast.Assign):
        return [n for t in s.targets for n in tree.walk(t) if isinstance(n, gast.Subscript)]
    return tree.arguments(s.value) if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else []
