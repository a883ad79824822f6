"""The tape of a derivative in its raw form, taken for the list that it is, when that derivative is differentiated.

    _stack = Stack()                    _stack = []
    push(_stack, y, '_1')        ->     _stack.append(y)
    y = pop(_stack, '_1')               y = _stack.pop()
"""
import gast

from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, local_names
from tangent.frontend.source import is_derivative
from tangent.runtime import facts

NAMES = ('Stack', 'push', 'pop')


def as_lists(function, source):
    """The FunctionDef with lists for tapes; itself where there is none."""
    if not any(isinstance(n, gast.Name) and n.id.rstrip('0123456789') in NAMES for n in tree.walk(function)):
        return function
    resolver = Resolver(source, local_names(function))
    return tree.replace(function, body=[_replaced(s, resolver) for s in function.body])


def handed_over(function, source):
    """The FunctionDef of an adjoint with a list of its own for a tape that it was given; a gradient that it is lent is the
    caller's, and changes with it."""
    if not is_derivative(source.function) or '_adjoint' not in function.name:
        return function
    function = tree.replace(function, body=_added(function.body))
    popped = {n.func.value.id for n in tree.walk(function) if isinstance(n, gast.Call) and not n.args
              and isinstance(n.func, gast.Attribute) and n.func.attr == 'pop' and isinstance(n.func.value, gast.Name)}
    given = set(tree.names(function.args, gast.Param)).difference(getattr(source.function, 'gradients_lent', ()))
    names = tree.Names(tree.all_names(function))
    own = {n: names.fresh('tape') for n in sorted(popped)}
    body = [_own(n, own, function.body[0]) for n in own if n in given]
    known = {n: own[n] for n in own if n in given}
    for s in function.body:
        body.append(tree.rename(s, known))
        if isinstance(s, gast.Assign) and isinstance(s.value, gast.Name) and s.value.id in given:
            new = [n for n in own if n in tree.writes(s)]
            body += [_own(n, own, s) for n in new]
            known.update((n, own[n]) for n in new)
    return tree.replace(function, body=_taken_apart(body, set(own.values()), names))


def _added(stmts):
    """The statements with `b = add_at(b, i, v)` for `add_at(b, i, v)`, which says that it is done to `b`."""
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: _added(block) for field, block in tree.blocks(s)})
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Name) \
                and s.value.func.id.rstrip('0123456789') == 'add_at' and isinstance(s.value.args[0], gast.Name):
            s = tree.instead(tree.assign(s.value.args[0].id, s.value), s)
        out.append(s)
    return out


def _taken_apart(stmts, tapes, names):
    """The statements with `top = tape.pop(); x, y = top` for `x, y = tape.pop()`."""
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: _taken_apart(block, tapes, names) for field, block in tree.blocks(s)})
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Tuple) and isinstance(s.value, gast.Call) \
                and (tree.dotted(s.value.func) or '').partition('.')[0] in tapes:
            top = names.fresh('top')
            out.append(tree.replace(s, targets=[tree.store(top)]))
            s = tree.replace(s, value=tree.load(top))
        out.append(s)
    return out


def _own(name, own, s):
    """`tape = [] + name` at the place of the statement."""
    value = gast.BinOp(left=gast.List(elts=[], ctx=gast.Load()), op=gast.Add(), right=tree.load(name))
    return tree.instead(tree.assign(own[name], value), s)


def _operation(call, resolver):
    """'Stack', 'push' or 'pop' for a call of the run time's function of that name, else None."""
    name = (tree.dotted(call.func) or '').rpartition('.')[2].rstrip('0123456789')
    return name if name in NAMES and facts.is_helper(resolver(call.func), *NAMES) else None


def _replaced(node, resolver):
    """The tree with pushes and pops as methods; statements keep their places."""
    if isinstance(node, gast.Call) and (name := _operation(node, resolver)):
        if name == 'Stack':
            return gast.List(elts=[], ctx=gast.Load())
        return tree.method(node.args[0], 'append', _replaced(node.args[1], resolver)) if name == 'push' \
            else tree.method(node.args[0], 'pop')
    return tree.with_children(node, lambda n: _replaced(n, resolver))
