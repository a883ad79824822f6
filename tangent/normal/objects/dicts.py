"""Dicts that a function makes and keeps to itself become variables, one for each key, where the text says all keys.

    state = {'x': x0, 'v': 0.0}             state_x = x0
    for _ in range(n):                      state_v = 0.0
        state['v'] -= h * state['x']   ->   for _ in range(n):
        state['x'] += h * state['v']            state_v -= h * state_x
    return state['x']                           state_x += h * state_v
                                            return state_x

So do copies (`dict(params)`, `{**params, 'w': w}`) of parameters whose keys are known.
"""
import dataclasses
import itertools
import types
from collections.abc import Mapping

import gast

from tangent.analysis.kinds.values import Parts
from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, local_names, names_in
from tangent.frontend.scopes import DEFINITIONS
from tangent.normal.desugar.loops import inside

LATER = (*DEFINITIONS, gast.ClassDef, gast.Lambda, gast.GeneratorExp)        # what is in them runs at another time
AT_ONCE = frozenset([len, dict, list, sorted, sum, min, max, any, all, tuple, set])         # which keep no part of a dict


def own_dicts(source, kinds: Mapping = types.MappingProxyType({})):
    """The Source with variables in the place of such dicts.

    kinds : parameter -> kind of what it is given, where that is known
    """
    if not any(isinstance(n, gast.Subscript) and key_of(n) is not None for n in source.inner):
        return source
    local = local_names(source.tree)
    scan = _Scan(source.tree, Resolver(source, local), {
        p: kind.keys for p, kind in kinds.items() if isinstance(kind, Parts) and kind.form is dict})
    found = scan.found()
    if not found:
        return source
    names = tree.Names(local | set(source.globals) | set(names_in(source).mentioned))
    variables = {(d, k): names.fresh(f'{d}_{k}' if k.isidentifier() else d) for d, each in found.items() for k in each}
    function = tree.replace(source.tree, body=_Parts(scan, variables).block(source.tree.body))
    return own_dicts(dataclasses.replace(source, tree=function), kinds)


def key_of(node):
    """The text in `d['text']`, or None."""
    known = isinstance(node.value, gast.Name) and isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str)
    return node.slice.value if known and not isinstance(node.ctx, gast.Del) else None


class _Scan:
    """
    made : name -> the displays and copies that it is bound to
    asked : name -> the keys that are read or set
    set : names of dicts, keys of which are set
    lost : names with other uses, those of parameters that may get other keys among them
    """

    def __init__(self, function, resolver, keys):
        self.resolver, self.made, self.asked, self.set, self.lost = resolver, {}, {}, set(), set()
        self.params = set(tree.names(function.args, gast.Param))
        self.keys = {p: found for p, found in keys.items() if p in self.params}
        self.each(function.body, False)

    def each(self, nodes, tried):
        for node in nodes:
            self.look(node, tried)

    def look(self, node, tried):
        """Note what a statement or expression does with dicts; `tried` where an exception may leave it half done."""
        if isinstance(node, gast.Name):
            self.lost.add(node.id)
        elif isinstance(node, LATER):
            self.lost.update(n.id for n in tree.walk(node) if isinstance(n, gast.Name))
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            self.lost.update(node.names)
        elif isinstance(node, (gast.Assign, gast.AnnAssign)) and target_of(node) and self.parts(node.value) is not None \
                and not tried:
            self.made.setdefault(target_of(node), []).append(node.value)
            self.each(self.parts(node.value).values(), tried)
        elif isinstance(node, gast.Subscript) and (key := key_of(node)) is not None:
            self.asked.setdefault(node.value.id, set()).add(key)
            self.set.update([node.value.id] * isinstance(node.ctx, gast.Store))
        elif isinstance(node, gast.Call) and self.resolver(node.func) in AT_ONCE:
            inner = [tree.children(a) if isinstance(a, gast.GeneratorExp) else [a] for a in tree.arguments(node)
                     if not (isinstance(a, gast.Name) and a.id in self.keys)]
            self.each(itertools.chain(*inner), tried)
        else:
            self.each(gast.iter_child_nodes(node), tried or isinstance(node, (*tree.TRIES, gast.With)))

    def parts(self, value):
        """key -> expression for what a display or a copy of a dict holds; None for any other value."""
        if isinstance(value, gast.Dict):
            pairs = list(zip(value.keys, value.values))
        elif tree.is_copy(value):
            pairs = [(None, value.func.value)]
        elif isinstance(value, gast.Call) and self.resolver(value.func) is dict and len(value.args) < 2:
            pairs = [*((None, e) for e in value.args), *((k.arg and tree.constant(k.arg), k.value) for k in value.keywords)]
        else:
            return None
        found: dict = {}
        for k, e in pairs:
            if k is None and isinstance(e, gast.Name) and e.id in self.keys and not found:
                found.update({key: item(e.id, key) for key in self.keys[e.id]})
            elif isinstance(k, gast.Constant):
                found[k.value] = e
            else:
                return None
        return found if found and all(isinstance(k, str) for k in found) else None

    def found(self):
        """name -> keys of the dicts that can become variables."""
        found, changed = {}, self.lost | self.set | self.made.keys()
        for d, values in self.made.items():
            keys = [set(self.parts(v)) for v in values]
            copied = {n.id for v in values for n in tree.walk(v) if isinstance(n, gast.Name) and n.id in self.keys}
            if d not in self.lost | self.params and copied.isdisjoint(changed) and self.asked.get(d, set()) <= keys[0] \
                    and all(k == keys[0] for k in keys):
                found[d] = list(self.parts(values[0]))
        return found


def item(name, key):
    return gast.Subscript(value=tree.load(name), slice=tree.constant(key), ctx=gast.Load())


class _Parts(gast.NodeTransformer):
    def __init__(self, scan, variables):
        self.scan, self.variables, self.dicts = scan, variables, {d for d, _ in variables}

    def block(self, stmts):
        out = []
        for s in stmts:
            if isinstance(s, (gast.Assign, gast.AnnAssign)) and target_of(s) in self.dicts:
                out += self.binding(s, target_of(s))
            else:
                out.append(inside(self.header(s), self.block))
        return out

    def header(self, s):
        """The statement with variables in what it evaluates itself."""
        fields = {}
        skip = [field for field, _ in tree.blocks(s)]
        for field, value in gast.iter_fields(s):
            if field not in skip and isinstance(value, gast.AST):
                fields[field] = self.replaced(value)
            elif field not in skip and isinstance(value, list):
                fields[field] = [self.replaced(v) if isinstance(v, gast.AST) else v for v in value]
        return tree.replace(s, **{f: v for f, v in fields.items() if v is not getattr(s, f)})

    def replaced(self, node):
        asks = any(isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name) and n.value.id in self.dicts
                   for n in tree.walk(node))
        return self.visit(tree.clone(node)) if asks else node

    def visit_Subscript(self, node):
        if isinstance(node.value, gast.Name) and node.value.id in self.dicts:
            name = self.variables[node.value.id, node.slice.value]
            return gast.copy_location(gast.Name(id=name, ctx=node.ctx, annotation=None, type_comment=None), node)
        return self.generic_visit(node)

    def binding(self, s, name):
        """The statements in place of one that makes a dict: one after the other, unless some read what others set."""
        parts = {self.variables[name, k]: self.replaced(e) for k, e in self.scan.parts(s.value).items()}
        again = any(v in tree.names(e, gast.Load) for e in parts.values() for v in parts)
        if again and len(parts) > 1:
            parts = {tree.targets(*parts): gast.Tuple(elts=list(parts.values()), ctx=gast.Load())}
        else:
            parts = {tree.store(v): e for v, e in parts.items()}
        return [gast.copy_location(gast.Assign(targets=[t], value=e, type_comment=None), s) for t, e in parts.items()]


def target_of(s):
    """The name in `name = value` or `name: type = value`, else None."""
    if isinstance(s, gast.AnnAssign):
        return s.target.id if isinstance(s.target, gast.Name) and s.value is not None else None
    return tree.target(s)
