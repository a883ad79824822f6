"""Arrays that are written into, in reverse: what a write destroyed comes back, and the gradient goes where it came from.

    y[i] = v               y[i] = old; bv = by[i]; by[i] = 0
    y[i] += v              y[i] = old; bv = by[i]
    t = y[i]               by[i] += bt

The gradient of the array is one array, changed in place: the one at the end becomes the one at the beginning.
"""
import gast

from tangent.analysis.dataflow.shape_only import value_reads
from tangent.analysis.liveness import exposed
from tangent.analysis.mutated_arrays import names_slice
from tangent.frontend import tree
from tangent.reverse.accumulate import Term
from tangent.runtime import facts
from tangent.templates.language import registry


def given(reverse, name):
    """Open the gradient of an array that belongs to the caller."""
    gradient = reverse.gradient(name)
    reverse.open[name] = [gradient]
    reverse.unshared.add(gradient)
    reverse.arrays[gradient] = reverse.arrays.get(name)


def changed(reverse, s, op, origin):
    """The adjoint of a statement that writes into an array."""
    name, index, value, old = op.args
    settle_readers(reverse, s)
    gradient = reverse.open[name][0]
    place = gast.Subscript(value=tree.load(gradient), slice=index, ctx=gast.Load())
    back = gast.Subscript(value=tree.load(name), slice=index, ctx=gast.Store())
    zero = reverse.call('init_grad', tree.load(old)) if of_list(reverse, tree.load(name), index) else tree.constant(0)
    element = reverse.shapes.is_element(tree.load(name), index)
    if element and op.kind == 'write' and reverse.region and reverse.is_active(value) and not reverse.library.in_complex:
        # it holds the value by now (where arrays of complex numbers may hold real ones, the value has another type)
        reverse.put(value.id, tree.replace(back, ctx=gast.Load()), origin)
    needed = reverse.restored and name in reverse.normal.buffers.given      # by the caller
    reverse.put(back, tree.load(old), origin._replace(role='adjoint' if needed else 'restore'))
    if reverse.is_active(value):
        target = reverse.gradient(value.id)
        if reverse.shapes.is_basic(index) or isinstance(s, gast.Expr):          # a call that adds up what is named twice
            found = place if element else reverse.call('copy', place)
        else:
            found = reverse.call('last_at', tree.load(gradient), tree.as_value(index, reverse.library))
        reverse.put(target, found, origin)
        if op.kind == 'write':
            clear(reverse, place, origin, zero)
        found = tree.load(target)
        fits = element or value.id in reverse.shapes.received or not reverse.may_broadcast(value, None)
        if not fits or reverse.library.in_complex:
            found = unbroadcast(reverse, found, value, True)
        if isinstance(op.what, gast.Sub):
            found = gast.UnaryOp(op=gast.USub(), operand=found)
        reverse.offer(value, Term(found, origin, True))
    elif op.kind == 'write':
        clear(reverse, place, origin, zero)


def settle_readers(reverse, s):
    """Write down what is owed in terms of names that the adjoint of a loop in the statement will set back."""
    bound = memory(reverse, s)
    if any(isinstance(n, (gast.For, gast.While)) for n in tree.walk(s)):
        bound |= set(reverse.normal.bound(s))
    if not bound:
        return
    for name, terms in list(reverse.owed.items()):
        reads = {n for t in terms for part in (t.value, t.index) if part is not None
                 for n in tree.names(part, gast.Load)}
        if not reads.isdisjoint(bound) and name in reverse.open:
            reverse.accumulate(reverse.accumulator(name), reverse.owed.pop(name), owned=True)
        elif not reads.isdisjoint(bound):
            target = reverse.gradient(name)
            reverse.settle(target, name, reverse.owed.pop(name))
            reverse.owed[name] = [Term(tree.load(target), terms[-1].origin, name in reverse.normal.numbers or all(
                t.number and t.index is None for t in terms))]


def written_by_call(reverse, s, bound):
    """Parameter -> name, for the arrays whose gradients the function called changes."""
    names = reverse.normal.effects.get(s, ())
    return {p: e.id for p, e in bound.items() if isinstance(e, gast.Name) and e.id in names}


def may_lack_axes(reverse, name):
    """Whether what a callee may write into may be a number here: its gradient is one, too, into which nobody can add."""
    buffers = reverse.normal.buffers
    made = [value for _, value in buffers.makes.get(name, ())]
    known = made and all(isinstance(v, gast.Call) and facts.of(tree.dotted(v.func) or '').fills for v in made)
    return not (buffers.typed or buffers.ranks.get(name) or name in buffers.given or known)


def twin_of(reverse, callee, wanted, s, written):
    """The twin for a call; one that puts back old elements of the arrays it writes into only where an adjoint reads them."""
    if not written:
        return reverse.callees.twin(callee, wanted, s)
    ranks = as_written(reverse, written)
    twin = reverse.callees.twin(callee, wanted, s, ranks, False)
    names = set().union(*(reverse.uses.family(n) for n in reverse.normal.effects[s] if n in reverse.normal.buffers))
    if reverse.restored and not names.isdisjoint(reverse.normal.buffers.given) \
            or reverse.region and reverse.callees.reads(twin) \
            or any(reads_elements(reverse, t, names) for t in earlier(reverse, s)):
        twin = reverse.callees.twin(callee, wanted, s, ranks, True)
        reverse.put_back |= names
    return twin


def call_reads(reverse, s, op):
    """Whether the adjoint of a call that writes into arrays may read elements of them."""
    if registry.custom(op.what) is not None:
        return True
    wanted, written = reverse.active_arguments(s, op)[1:]
    return reverse.callees.reads(reverse.callees.twin(op.what, wanted, s, as_written(reverse, written), False))


def as_written(reverse, written):
    """What the twins of a callee are told of what it writes into: axes of arrays, kinds of builders."""
    normal = reverse.normal
    return tuple([(p, normal.builders.get(n) or normal.buffers.ranks.get(n)) for p, n in written.items()])


def earlier(reverse, s):
    """Statements whose adjoint comes after that of `s`, whole loops around it among them."""
    found = []
    for t in reverse.normal.tree.body:
        inside = list(tree.every([t]))
        if s in inside:
            at = inside.index(s)
            return found + (inside if any(isinstance(u, (gast.For, gast.While)) for u in inside[:at]) else inside[:at])
        found += inside
    return found


def reads_elements(reverse, s, names):
    """Whether the adjoint of a statement reads elements of arrays that go by these names."""
    op, result = reverse.ops.get(s), tree.target(s)
    if op is None or names.isdisjoint([result, *tree.names(s, gast.Load)]) or op.kind in ('write', 'update'):
        return False
    if op.kind == 'index':
        return any(reads_elements(reverse, t, {result}) for t in tree.every(reverse.normal.tree.body)
                   if t is not s and result in tree.names(t, gast.Load))
    if op.kind == 'call' and s in reverse.normal.effects:
        return call_reads(reverse, s, op)
    if op.kind != 'rule':
        return op.kind not in ('copy', 'display')
    active = {p for p, e in op.args.items() if reverse.is_active(e)}
    _, terms = op.what.terms(op.args, tree.load(result or 'y'), tree.load('by'), active, lambda name: name)
    for value in terms.values():
        for part in value if isinstance(value, list) else [value]:
            stmt = tree.place(gast.Expr(value=part), None)
            if any(name in names for name, _ in value_reads(stmt, lambda name: name)):
                return True
    return False


def of_list(reverse, owner, index):
    """Whether an index takes a slice of what may be a list: neither a number nor a sum is stored there as in an array."""
    name = getattr(owner, 'id', None)
    return name in reverse.normal.buffers and reverse.normal.buffers.may_be_list(name) and (
        isinstance(index, gast.Slice) or isinstance(index, gast.Name) and names_slice(
            (n for s in reverse.normal.tree.body for n in tree.walk(s)), reverse.normal.resolver))


def clear(reverse, place, origin, zero):
    reverse.put(tree.replace(place, ctx=gast.Store()), zero, origin)


def memory(reverse, s):
    """Names that may share memory with the arrays that the statement, or one in its blocks, writes into."""
    buffers = reverse.normal.buffers
    return {m for n in reverse.normal.changed(s) if n in buffers for m in reverse.uses.family(n)}


def handed_out(reverse, result):
    """The result as it is kept for the user: a copy, where it may be memory in which the adjoint puts back what was there."""
    written = set().union(*(memory(reverse, s) for s in reverse.normal.tree.body))
    return copied(reverse, result) if result.id in written else result


def copied(reverse, result):
    """A copy of a result, in which parts that are one thing still are."""
    return reverse.call('copy_alike' if reverse.normal.twice else 'copy', result)


def read_again(reverse, start, elements, done, origin):
    """Read elements again in front of the adjoint that begins at `start`, where they need not be kept that way."""
    if not elements:
        return
    found = exposed(reverse.out[start:])
    again = [n for n in elements if n in found and n not in done]
    done.update(again)
    reverse.out[start:start] = [tree.assign(n, elements[n].value, origin) for n in again]


def elements_read(reverse, stmts):
    """name -> statement, for the elements and slices of buffers that the block reads and that stay as they are until then."""
    found = {}
    for s in stmts if reverse.normal.buffers.names else ():
        op = reverse.ops.get(s)
        if op is not None and op.kind == 'index' and op.args[0].id in reverse.normal.buffers \
                and reverse.normal.buffers.lasts(tree.target(s), op.args[0].id):
            found[tree.target(s)] = s
    return found


DOTS = ('numpy.dot', 'numpy.inner', 'numpy.matmul', 'x @ y')


def dot_of_vectors(reverse, rule, bound, gradient):
    """(no statements, terms) for the product of two arrays that surely have one axis; None for anything else."""
    operands = [(p, e) for p, e in bound.items() if p in rule.parameters[:2]]
    vectors = all(isinstance(e, gast.Name) and e.id in reverse.shapes.vectors for _, e in operands)
    if reverse.library.in_complex or rule.name not in DOTS or not vectors:
        return None
    (p, a), (q, b) = operands
    pairs = {p: b, q: a}
    return [], {p: gast.BinOp(left=gradient, op=gast.Mult(), right=other) for p, other in pairs.items()
                if reverse.is_active(bound[p])}


def unbroadcast(reverse, gradient, operand, wide):
    """The gradient in the shape of an operand.

    What only goes into formulas of the same statement, element by element, need not be kept for its shape: its gradient
    stays as broad as it is (`wide`), and only those of the operands behind it are summed.
    """
    found = like(reverse, operand) if isinstance(operand, gast.Name) else operand
    if wide and found is operand and isinstance(operand, gast.Name) and passes_through(reverse, operand.id):
        reverse.wide.add(operand.id)
        return gradient
    return reverse.call('unbroadcast', gradient, found)


def passes_through(reverse, name):
    """Whether the name is a part of a formula, computed element by element and read once."""
    if not (reverse.region or reverse.inner) or name not in reverse.temps or reverse.library.in_complex:
        return False
    op = reverse.uses.made_by.get(name)
    return reverse.uses.reads[name] == 1 and op is not None and op.kind == 'rule' and op.what.kind == 'elementwise' \
        and op.what.shape == 'elementwise'


def like(reverse, operand):
    """A name of the shape of the operand, which need not be kept for that."""
    shape = reverse.shapes.of.get(operand.id)
    if operand.id in reverse.elements or not shape:
        return operand
    return next((tree.load(n) for n in reverse.elements if reverse.shapes.of.get(n) == shape), operand)
