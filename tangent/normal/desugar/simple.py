"""What says the same in other words: `del x` of a name, `global` of a name that is only read, `add = xs.append`,
`np.ndarray.dot(x, y)`, `np.put(a=x, ind=k, v=y)`, `np.array(x.flat)`, `y = operator.iadd(x, v)`, `inspect.signature(f)`."""
import collections
import functools
import inspect
import itertools
import operator
import types

import gast
import numpy as np

from tangent.analysis.fences.texts import may_be_texts
from tangent.analysis.kinds import classes
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.loops import SCOPES, inside, made, own
from tangent.runtime import facts
from tangent.templates.language import registry

UPDATES = {operator.iadd: gast.Add, operator.isub: gast.Sub, operator.imul: gast.Mult, operator.itruediv: gast.Div,
           operator.ipow: gast.Pow, operator.imatmul: gast.MatMult, operator.ifloordiv: gast.FloorDiv, operator.imod: gast.Mod,
           operator.iconcat: gast.Add}
PRODUCTS = np.multiply, np.divide                                       # written with operators, which repeat a list
OF_ARRAYS = np.sort, np.sort_complex, np.partition, np.tril, np.triu, np.angle        # besides what works element by element
ONE = np.ones(1)
OF_FLAT = 'ravel' if np.shares_memory(np.array(ONE.flat), ONE) else 'flatten'


def simple(stmts, assigned):
    """The statements without those that a derivative does not need.

    assigned : names that the function assigns
    """
    out = []
    for s in stmts:
        if isinstance(s, gast.Delete):
            targets = [t for t in s.targets if not isinstance(t, gast.Name)]
            out += [tree.replace(s, targets=targets)] if targets else []
        elif isinstance(s, gast.Global):
            names = [n for n in s.names if n in assigned]
            out += [tree.replace(s, names=names)] if names else []
        elif isinstance(s, SCOPES):
            out.append(s)
        else:
            blocks = {field: simple(block, assigned) for field, block in tree.blocks(s)}
            if 'body' in blocks and not blocks['body']:
                blocks['body'] = [made(gast.Pass(), s)]
            changed = any(len(b) != len(getattr(s, f)) or any(x is not y for x, y in zip(b, getattr(s, f)))
                          for f, b in blocks.items())
            out.append(tree.replace(s, **blocks) if changed else s)
    return out


def undecorated(stmts, names):
    """The statements with decorators as the calls that they are: `@memo` above `def h` is `h = memo(h2)`."""
    out = []
    for s in stmts:
        s = inside(s, lambda block: undecorated(block, names)) if not isinstance(s, SCOPES) else s
        if not isinstance(s, gast.FunctionDef) or not s.decorator_list:
            out.append(s)
            continue
        plain = names.fresh(s.name)
        value = tree.load(plain)
        for decorator in reversed(s.decorator_list):
            value = gast.Call(func=decorator, args=[value], keywords=[])
        out += [tree.replace(s, name=plain, decorator_list=[]), made(tree.assign(s.name, value), s)]
    return out


def plain_methods(function, resolver):
    """The FunctionDef with `out.append(x)` for `add(x)` where `add = out.append`, of lists of its own and of arrays."""
    lists = own('list', function, resolver)
    times = collections.Counter(tree.names(function, gast.Store))
    times.update(tree.names(function.args, gast.Param))
    calls = collections.Counter(tree.dotted(n.func) for n in tree.walk(function) if isinstance(n, gast.Call))
    loads = collections.Counter(tree.names(function, gast.Load))
    found = {}
    for s in tree.walk(function):
        name = tree.target(s) if isinstance(s, gast.Assign) else None
        if name and times[name] == 1 and isinstance(s.value, gast.Attribute) and isinstance(s.value.value, gast.Name) \
                and (s.value.value.id in lists or registry.method(s.value.attr) is not None) \
                and times[s.value.value.id] == 1 and calls[name] == loads[name]:
            found[name] = s.value
    if not found:
        return function
    return tree.replace(function, body=[tree.substitute(s, found) for s in without(function.body, found)])


def of_arrays(function, resolver):
    """The FunctionDef with `x.dot(y)` for `np.ndarray.dot(x, y)`, where no class of the user's has another `dot`."""
    if not any(method_of_arrays(n, resolver) for n in tree.walk(function)):
        return function
    bound = Bound(resolver, classes.users(resolver)[0])
    return tree.replace(function, body=[bound.visit(tree.clone(s)) for s in function.body])


def method_of_arrays(node, resolver):
    """Whether it is such a call."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and bool(node.args) \
        and not isinstance(node.args[0], gast.Starred) and getattr(resolver(node.func), '__objclass__', None) is np.ndarray


def loose_zips(function, resolver):
    """The FunctionDef with `zip(a, b)` for `zip(a, b, strict=False)`."""
    loose = {id(n) for n in tree.walk(function) if isinstance(n, gast.Call) and resolver(n.func) is zip
             and [(k.arg, getattr(k.value, 'value', None)) for k in n.keywords] == [('strict', False)]}
    def plain(node):
        inner = tree.with_children(node, plain)
        return tree.replace(inner, keywords=[]) if id(node) in loose else inner
    return plain(function) if loose else function


def signatures(function, resolver, library):
    """The FunctionDef with `signature_of(f)` for `inspect.signature(f)`, which has no derivative but for defaults that have
    one: it looks at these when it runs."""
    asks = lambda node: isinstance(node, gast.Call) and resolver(node.func) is inspect.signature  # noqa: E731
    if not any(asks(n) for s in function.body for n in tree.walk(s)):
        return function
    def asked(node):
        inner = tree.with_children(node, asked)
        return tree.replace(inner, func=tree.load(library('signature_of'))) if asks(node) else inner
    return tree.replace(function, body=[asked(s) for s in function.body])


def numerals(function, names, resolver, library, effects, wrt):
    """The FunctionDef with `numeral(t) if isinstance(t, str) else float(t)` for `float(t)`, where that may read a text which is
    held beside what has a derivative: it has none itself. One that was made of such is refused when it is read."""
    found = may_be_texts(function, resolver, effects, wrt)
    computed = {name for kind in resolver.classes for name, _ in classes.getters(kind)} if found else set()
    def asked(node):
        inner = tree.with_children(node, asked)
        if node not in found:
            return inner
        value = again = inner.args[0]
        if tree.dotted(value) is None or not computed.isdisjoint(tree.dotted(value).split('.')):
            again = tree.load(names.fresh('t'))
            value = gast.NamedExpr(target=tree.store(again.id), value=value)
        is_text = tree.call(library('isinstance'), value, tree.load(library('str')))
        reader = library('text_of_numbers' if found[node] else 'numeral')
        return gast.IfExp(test=is_text, body=tree.call(reader, again), orelse=tree.replace(inner, args=[again]))
    return tree.replace(function, body=[asked(s) for s in function.body]) if found else function


def sized(function, resolver, library):
    """The FunctionDef with `xs[1:3] = ys` for `xs[part] = ys` of a list, where `part = slice(1, 3)` is bound once; under other
    slices that have a name as many elements are put as there were."""
    if not any(isinstance(n, gast.Name) and resolver(n) is slice for s in function.body for n in tree.walk(s)):
        return function
    def is_list(e):
        return isinstance(e, (gast.List, gast.ListComp)) or isinstance(e, gast.Call) and resolver(e.func) in (list, sorted)
    def is_slice(e):
        return isinstance(e, gast.Call) and resolver(e.func) is slice and not e.keywords and len(e.args) in (1, 2, 3) \
            and all(isinstance(getattr(a, 'operand', a), gast.Constant) for a in e.args)                    # `-1` among them
    bound = tree.names(function, gast.Store) + tree.names(function.args, gast.Param)
    pairs = [(t.id, e) for t, e in each_assigned(function) if isinstance(t, gast.Name)]
    lists = {name for name, e in pairs if is_list(e)}
    parts = {name: e for name, e in pairs if is_slice(e) and bound.count(name) == 1}
    def named(node):
        index = node.slice if isinstance(node, gast.Subscript) and getattr(node.value, 'id', None) in lists else None
        return parts.get(getattr(index, 'id', None), index if is_slice(index) else None)
    def written(node):
        inner = tree.with_children(node, written)
        if (part := named(node)) is not None:
            first, last, step = {1: (None, *part.args, None), 2: (*part.args, None)}.get(len(part.args), part.args)
            return tree.replace(inner, slice=gast.Slice(lower=first, upper=last, step=step))
        place = node.targets[0] if isinstance(node, gast.Assign) and len(node.targets) == 1 else None
        if isinstance(place, gast.Subscript) and getattr(place.value, 'id', None) in lists and named(place) is None \
                and isinstance(place.slice, gast.Name) and not isinstance(node.value, gast.Constant):
            checked = tree.call(library('as_many'), inner.value, tree.load(place.value.id), place.slice)
            return tree.replace(inner, value=checked)
        return inner
    return tree.replace(function, body=[written(s) for s in function.body])


def each_assigned(function):
    """(target, value) of the assignments of a function, those of `a, b = x, y` one by one."""
    for s in (s for s in tree.every(function.body) if isinstance(s, gast.Assign)):
        for t in s.targets:
            apart = isinstance(t, gast.Tuple) and isinstance(s.value, gast.Tuple) and len(t.elts) == len(s.value.elts)
            yield from zip(t.elts, s.value.elts) if apart else [(t, s.value)]


def of_displays(function, resolver, library, flows):
    """The FunctionDef with `np.sin(np.array([x, y]))` for `np.sin([x, y])`, as rules of elementwise functions take numbers and
    arrays."""
    told = resolver.listed - set(tree.names(function, gast.Store)) if resolver.listed else set()
    arrays = Arrays(resolver, library, flows, tree.bound_to(function, is_display) | told)
    if not any(map(arrays.concerns, tree.walk(function))):
        return function
    return tree.replace(function, body=[arrays.visit(tree.clone(s)) for s in function.body])


def is_display(expr):
    return isinstance(expr, (gast.List, gast.Tuple, gast.ListComp))


def by_position(function, resolver, source):
    """The FunctionDef with `np.put(a, [0], v)` for `np.put(a=a, ind=[0], v=v)`: of functions that write into what they are
    given it is known by position what that is."""
    if not any(map(functools.partial(named, resolver), tree.walk(function))):
        return function
    placed = Placed(resolver, source)
    return tree.replace(function, body=[placed.visit(tree.clone(s)) for s in function.body])


def by_operators(stmts, names, resolver):
    """The statements with `y = x; y += v` for `y = operator.iadd(x, v)`, and the like."""
    out = []
    for s in stmts:
        s = inside(s, lambda block: by_operators(block, names, resolver)) if not isinstance(s, SCOPES) else s
        call = s.value if isinstance(s, gast.Expr) or tree.target(s) else None
        op = UPDATES.get(resolver(call.func)) if isinstance(call, gast.Call) and is_builtin(resolver(call.func)) else None
        if op is None or len(call.args) != 2 or call.keywords:
            out.append(s)
            continue
        left, right = call.args
        name = tree.target(s) or names.fresh('updated')
        acts = name in tree.names(right, gast.Load) or any(isinstance(n, gast.Call) for n in tree.walk(right))
        if acts and name != getattr(left, 'id', None):
            after = [made(tree.assign(name, tree.load(new := names.fresh(name))), s)]
            name = new
        else:
            after = []
        before = [] if name == getattr(left, 'id', None) else [made(tree.assign(name, left), s)]
        out += [*before, made(gast.AugAssign(target=tree.store(name), op=op(), value=right), s), *after]
    return out


def is_builtin(function):
    return isinstance(function, types.BuiltinFunctionType)


def without_flat(function, resolver, source):
    """The FunctionDef with `x.ravel()` for `np.array(x.flat)`, of which NumPy makes a view of `x` where it can, although it
    copies everything else; with `x.flatten()` where NumPy copies that, too."""
    if not any(getattr(n, 'attr', None) == 'flat' for n in tree.walk(function)):
        return function
    flat = Flat(resolver, source)
    return tree.replace(function, body=[flat.visit(tree.clone(s)) for s in function.body])


def named(resolver, node):
    """Names by which such a call is given what stands next among the parameters; none of another node."""
    if not isinstance(node, gast.Call) or not node.keywords or tree.is_starred(node):
        return []
    function = resolver(node.func)
    known = facts.of(None if function is UNKNOWN else function)
    given = {k.arg for k in node.keywords}
    if not known.writes or registry.is_message(function):          # what a message writes into is asked by name
        return []
    names = known.parameters[len(node.args):]
    return [*itertools.takewhile(given.__contains__, names)]


class Flat(gast.NodeTransformer):
    def __init__(self, resolver, source):
        self.resolver, self.source = resolver, source

    def visit_Call(self, node):
        node = self.generic_visit(node)
        flat = node.args[0] if node.args and self.resolver(node.func) is np.array else None
        if getattr(flat, 'attr', None) != 'flat':
            return node
        if len(node.args) > 1 or node.keywords or 'flat' in classes.users(self.resolver)[1]:
            raise subset.unsupported(node, self.source, 'arrays made of .flat, which may be views,',
                                     'write x.flatten(), or x.ravel()')
        return tree.replace(tree.method(flat.value, OF_FLAT), lineno=node.lineno, col_offset=node.col_offset)


class Placed(gast.NodeTransformer):
    def __init__(self, resolver, source):
        self.resolver, self.source = resolver, source

    def visit_Call(self, node):
        names = named(self.resolver, node)
        if names:
            values = {k.arg: k.value for k in node.keywords}
            if [k.arg for k in node.keywords][:len(names)] != names and any(map(self.may_act, map(values.get, names))):
                raise subset.unsupported(
                    node, self.source, 'calls of functions that write whose arguments, given by name in another order, are '
                    'calls', 'give them in the order of the parameters')
            node = tree.replace(node, args=[*node.args, *map(values.get, names)],
                                keywords=[k for k in node.keywords if k.arg not in names])
        return self.generic_visit(node)

    def may_act(self, expr):
        """Whether evaluating an expression may change something: it assigns, or calls what has no rule."""
        return any(isinstance(n, gast.NamedExpr) or isinstance(n, gast.Call) and (
            (found := self.resolver(n.func)) is UNKNOWN or registry.lookup(found) is None) for n in tree.walk(expr))


class Bound(gast.NodeTransformer):
    def __init__(self, resolver, own):
        self.resolver, self.own = resolver, own

    def visit_Call(self, node):
        if method_of_arrays(node, self.resolver) and node.func.attr not in self.own:
            array, *rest = node.args
            node = tree.replace(node, func=tree.replace(node.func, value=array), args=rest)
        return self.generic_visit(node)


class Arrays(gast.NodeTransformer):
    """lists: the names of displays."""

    def __init__(self, resolver, library, flows, lists):
        self.resolver, self.library, self.flows, self.lists = resolver, library, flows, lists

    def concerns(self, node):
        if not isinstance(node, gast.Call) or not any(map(self.is_list, node.args)):
            return False
        found = self.resolver(node.func)
        return found in PRODUCTS and any(map(self.flows, node.args)) or (isinstance(found, np.ufunc) or found in OF_ARRAYS) \
            and any(self.is_list(a) and self.flows(a) for a in node.args)

    def is_list(self, expr):
        return is_display(expr) or getattr(expr, 'id', None) in self.lists

    def visit_Call(self, node):
        if self.concerns(node):
            every, array = self.resolver(node.func) in PRODUCTS, gast.Attribute(
                value=tree.load(self.library('numpy')), attr='array', ctx=gast.Load())
            node = tree.replace(node, args=[gast.Call(func=array, args=[a], keywords=[]) if self.is_list(a) and (
                every or self.flows(a)) else a for a in node.args])
        return self.generic_visit(node)


def without(stmts, names):
    """The statements less the assignments to the names."""
    return [inside(s, lambda block: without(block, names)) for s in stmts if tree.target(s) not in names]
