"""The keys of a dict have no derivative, whatever its values have: where they may be numbers, that is said.

    for n in table:                        for n in dict_keys(table):
        y = y + table[n] * x ** n     ->       y = y + table[n] * x ** n
    best = max(table)                      best = max(dict_keys(table))

A name is a dict if it is bound to nothing else, or if its elements are looked up in it: `table[n]`; a parameter, if it is known
to be one.
"""
import gast

from tangent.emit.library import find
from tangent.frontend import tree
from tangent.normal.desugar.loops import own
from tangent.runtime import facts

USES = (gast.BinOp, gast.UnaryOp, gast.AugAssign, gast.Call)


def with_keys(function, resolver, library, dicts=frozenset()):
    """The FunctionDef with `dict_keys(d)` for d where the keys of a dict are gone through and may be numbers.

    dicts : parameters that surely are dicts with such keys
    """
    keys = Keys(function, resolver, library, dicts)
    if not keys.dicts and not any(isinstance(n, (gast.For, gast.comprehension)) or getattr(n, 'attr', None) == 'popitem'
                                  for s in function.body for n in tree.walk(s)):
        return function
    new = [keys.visit(tree.clone(s)) for s in function.body]
    new = [s for found in new for s in (found if isinstance(found, list) else [found])]
    return tree.replace(function, body=new) if keys.found else function


def reads_keys(function):
    """Whether a function goes through the keys of a dict that it is given, and not the values, too."""
    return facts.of(function).takes is not None and function is not dict


class Keys(gast.NodeTransformer):
    def __init__(self, function, resolver, library, dicts):
        self.resolver, self.library, self.found = resolver, library, False
        self.dicts = own('dict', function, resolver) - by_text(function) | dicts - set(tree.names(function, gast.Store))

    def keys_of(self, expr, names):
        """The expression with the keys of these names, of which it is one, or a function of Python's goes through them."""
        if isinstance(expr, gast.Name) and isinstance(expr.ctx, gast.Load) and expr.id in names:
            self.found = True
            known = self.library('dict_keys')
            self.resolver.seen[known] = find('dict_keys')
            return gast.copy_location(tree.call(known, expr), expr)
        if isinstance(expr, gast.Call) and reads_keys(self.resolver(expr.func)):
            expr.args = [self.keys_of(a, names) for a in expr.args]
        return expr

    def looked_up(self, target, source, nodes):
        """Names whose elements a loop goes through and looks up in them, where they may be used as numbers, too."""
        mine = set(tree.names(target, gast.Store))
        looked = {(n.slice.id, n.value.id) for n in nodes if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name)
                  and isinstance(n.slice, gast.Name)}
        owners = {owner for element, owner in self.elements(target, source) if (element, owner) in looked}
        numbers = any(isinstance(e, gast.Name) and e.id in mine for n in nodes if isinstance(n, USES) for e in tree.children(n))
        return self.dicts | owners if numbers else self.dicts

    def elements(self, target, expr):
        """(variable of a loop, name of what it goes through) for each of them: what `enumerate` counts is no element."""
        if isinstance(expr, gast.Name):
            return [(target.id, expr.id)] if isinstance(target, gast.Name) else []
        function = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        if not reads_keys(function) or function is map:
            return []
        targets = [target] * len(expr.args)
        if function in (enumerate, zip):
            targets = getattr(target, 'elts', [])[function is enumerate:]
        return [pair for t, e in zip(targets, expr.args) for pair in self.elements(t, e)]

    def visit_For(self, node):
        nodes = [n for s in node.body for n in gast.walk(s)]
        node.iter = self.keys_of(node.iter, self.looked_up(node.target, node.iter, nodes))
        return self.generic_visit(node)

    def comprehension(self, node):
        nodes = list(gast.walk(node))
        for g in node.generators:
            g.iter = self.keys_of(g.iter, self.looked_up(g.target, g.iter, nodes))
        return self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_Call(self, node):
        return self.generic_visit(self.keys_of(node, self.dicts)) if self.dicts else self.generic_visit(node)

    def visit_Starred(self, node):
        if isinstance(node.ctx, gast.Load):
            node.value = self.keys_of(node.value, self.dicts)
        return self.generic_visit(node)

    def visit_Assign(self, node):
        target = node.targets[0]
        if isinstance(target, (gast.Tuple, gast.List)):
            if is_last_item(node.value) and len(target.elts) == 2 and isinstance(target.elts[0], gast.Name):
                return self.last_item(node, target, node.value.func)
            node.value = self.keys_of(node.value, self.dicts)
        return self.generic_visit(node)

    def last_item(self, node, target, method):
        """`k = last_key(d); v = d.pop(k)` for `k, v = d.popitem()`."""
        self.found = True
        known = self.library('last_key')
        self.resolver.seen[known] = find('last_key')
        key = target.elts[0].id
        taken = gast.Call(func=tree.replace(method, attr='pop'), args=[tree.load(key)], keywords=[])
        return [tree.instead(tree.assign(t, value, tree.origin(node)), node)
                for t, value in [(key, tree.call(known, method.value)), (target.elts[1], taken)]]

    def scope(self, node):
        return node

    visit_FunctionDef = visit_Lambda = scope


def is_last_item(expr):
    return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr == 'popitem' \
        and isinstance(expr.func.value, gast.Name) and not expr.args and not expr.keywords


def by_text(function):
    """Names of dicts all of whose keys are texts, as far as the function says."""
    found, others = set(), set()
    for node in tree.walk(function):
        if isinstance(node, gast.Assign) and tree.target(node):
            keys = node.value.keys if isinstance(node.value, gast.Dict) else [None]
            texts = all(is_text(k) for k in keys) or isinstance(node.value, gast.Call) and not node.value.args
            (found if texts else others).add(tree.target(node))
        elif isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Store) and isinstance(node.value, gast.Name) \
                and not is_text(node.slice):
            others.add(node.value.id)
    return found - others


def is_text(expr):
    return isinstance(expr, gast.Constant) and isinstance(expr.value, str)
