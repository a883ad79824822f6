"""Builder lists in reverse: their gradient is a list of the same length at any time, which shrinks where they grew.

    out.append(e)          be = bout.pop()
    v = out.pop()          bout.append(bv)
    v = queue.popleft()    bqueue.appendleft(bv)
    table[k] = e           be = btable.pop(k)                                 for a key that is surely new
    table[k] = e           be = btable[k]; btable[k] = init_grad(old)         where `old` was before
    table[i][j] = e        be = btable[i][j]; btable[i][j] = init_grad(old)
    table[i].append(e)     be = btable[i].pop()
    v = table.pop(k)       btable[k] = bv
    out.insert(k, e)       be = bout.pop(k)
    v = out.pop(k)         bout.insert(k, bv)

The gradient becomes a list of its own where the last change is met, and is given up where the builder was made.
"""
import gast

from tangent.analysis.shapes import NUMBER
from tangent.frontend import quote, tree
from tangent.normal.normalise import CHANGES  # noqa: F401 (for others)
from tangent.normal.ops import subscripts
from tangent.reverse import arrays
from tangent.reverse.accumulate import Term, is_fresh
from tangent.runtime import facts


def given(reverse, name):
    """Open the gradient of a builder that is lent: it is the caller's, and stays the same object."""
    gradient = reverse.gradient(name)
    reverse.open[name] = [gradient]
    reverse.unshared.add(gradient)
    reverse.lent[gradient] = reverse.normal.builders.get(name)


def open_all(reverse, s, origin):
    """Before the adjoint of a statement that changes builders: their gradients have to be lists of their own by now."""
    for name in reverse.normal.changes(s):
        terms = reverse.owed.pop(name, [])
        if name in reverse.open:
            if terms:
                reverse.accumulate(reverse.accumulator(name), terms, owned=True)
        else:
            reverse.open[name] = [owned(reverse, name, terms, origin)]


def owned(reverse, name, terms, origin, target=None):
    """The name of the sum of the terms as a list, a dict or an array of its own, made by statements put out."""
    array = name in reverse.normal.buffers
    table = name in reverse.normal.tables                 # whose rows are written into as well
    deque = reverse.normal.builders.get(name) == 'deque'  # which a gradient of another form does not end at both sides
    if len(terms) == 1 and not deque and terms[0].index is None and isinstance(terms[0].value, gast.Name) \
            and is_list(reverse, terms[0].value) and target is None and not table:
        return terms[0].value.id
    target = target or reverse.gradient(name)
    reverse.unshared.add(target)
    parts = [t for t in terms if t.index is not None]
    wholes = [t if array else whole(t) for t in terms if t.index is None]
    if array:
        reverse.arrays[target] = reverse.arrays.get(name)
    if wholes and not (array and reverse.normal.buffers.may_be_number(name)):
        value = reverse.sum(wholes)
        own = is_fresh(value) if array else is_list(reverse, value) and not table
        value = value if own else reverse.call('copy' if array else 'own_parts', value)
        reverse.put(target, reverse.call('queue_of', value, tree.constant(None)) if deque else value, wholes[-1].origin)
    else:
        parts = wholes + parts
        reverse.put(target, reverse.call('init_grad', tree.load(name)), parts[0].origin if parts else origin)
    reverse.accumulate(target, parts, owned=True)
    return target


def whole(term):
    """The term as one for a list, which `+` does not add."""
    return Term(term.value, term.origin, False)


def is_list(reverse, value):
    """Whether the value of a tree is a list or dict that nothing else holds."""
    if isinstance(value, gast.Name):
        return value.id in reverse.unshared
    if not isinstance(value, gast.Call) or not isinstance(value.func, gast.Name):
        return False
    return facts.of(value.func.id).listed or value.func.id == 'add_grad' and is_list(reverse, value.args[0])


def made(reverse, name):
    """Where a builder is made: its gradient, or None where nothing is owed to it; it is over with the builder."""
    acc = reverse.open.pop(name, None)
    if not acc:
        return reverse.take(name)
    terms = reverse.owed.pop(name, None)
    if terms:
        reverse.accumulate(acc[0], terms, owned=True)
    return tree.load(acc[0])


def changed(reverse, s, op, origin):
    """The adjoint of a statement that changes a builder."""
    if op.kind in ('write', 'update'):
        arrays.changed(reverse, s, op, origin)
        return
    gradient = tree.load(reverse.open[op.args[0]][0])
    owner = subscripts(gradient, op.what.path)
    if op.kind in ('pop', 'popleft', 'remove', 'take'):
        taken = reverse.take(tree.target(s))
        if taken is None:
            taken = reverse.call('init_grad', tree.load(tree.target(s)))
        elif isinstance(taken, gast.Name) and reverse.shapes.of.get(tree.target(s)) != NUMBER:
            taken = reverse.call('copy', taken)
        if op.kind == 'take':
            reverse.out.append(tree.place(gast.Expr(value=tree.method(owner, 'insert', op.args[1], taken)), origin))
        elif op.kind != 'remove':
            back = 'append' if op.kind == 'pop' else 'appendleft'
            reverse.out.append(tree.place(gast.Expr(value=tree.method(owner, back, taken)), origin))
        else:
            reverse.put(gast.Subscript(value=gradient, slice=op.args[1], ctx=gast.Store()), taken, origin)
        return
    value = op.args[1]
    if op.kind == 'store' and not op.what.unique:
        overwritten(reverse, owner, value, *op.args[2:], origin)
        return
    part = tree.method(owner, 'popleft' if op.kind == 'appendleft' else 'pop', *op.args[2:])
    if not reverse.is_active(value):
        reverse.out.append(tree.place(gast.Expr(value=part), origin))
        return
    target = reverse.gradient(value.id)
    reverse.unshared.add(target)
    reverse.put(target, part, origin)
    reverse.offer(value, Term(tree.load(target), origin, reverse.is_number(value)))


def overwritten(reverse, gradient, value, key, old, origin):
    """The adjoint of `table[k] = e` where the key may be there already: what was there before has no gradient so far, and need
    not be like `e`."""
    place = gast.Subscript(value=gradient, slice=key, ctx=gast.Load())
    if reverse.is_active(value):
        target = reverse.gradient(value.id)
        reverse.put(target, place, origin)
        reverse.offer(value, Term(tree.load(target), origin, reverse.is_number(value)))
    reverse.put(tree.replace(place, ctx=gast.Store()), reverse.call('init_grad', old), origin)


def merged(reverse, op, gradient, origin):
    """The adjoint of `{**a, k: v}` and of `a | b`: each part has the gradients of what no later part replaces."""
    parts = list(zip(op.what, op.args))
    for k, (key, value) in enumerate(parts):
        later = parts[k + 1:]
        wholes = [v for other, v in later if other is None]
        keys = [other for other, _ in later if other is not None]
        if key is None:
            owners = wholes + ([gast.Tuple(elts=keys, ctx=gast.Load())] if keys else [])
            reverse.offer(value, Term(reverse.call('unmerged', gradient, value, *owners), origin, number=False))
        elif not any(quote.same(key, other) for other in keys):
            whole = gast.Dict(keys=[key], values=[value])
            found = reverse.call('unmerged', gradient, whole, *wholes) if wholes else gradient
            part = gast.Subscript(value=found, slice=key, ctx=gast.Load())
            reverse.offer(value, Term(part, origin, reverse.is_number(value)))
