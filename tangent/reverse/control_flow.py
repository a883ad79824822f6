"""Branches, contexts and loops, backwards: accumulators where control flow needs them, gradients of what a loop carries."""
import gast

from tangent.analysis.liveness import TAPE, adjoint_of, in_front_of_guard, passes
from tangent.frontend import tree
from tangent.frontend.subset import STREAMS, is_place
from tangent.normal.loop_headers import backwards
from tangent.reverse import arrays, lists
from tangent.reverse.accumulate import Term, is_fresh
from tangent.runtime import facts

ZERO = tree.Origin('zero')         # a gradient that is zero on one path


# Branches

def branch(reverse, s):
    """Each path settles what is owed into one name for both."""
    origin = adjoint_of(s)
    arrays.settle_readers(reverse, s)
    outer = reverse.owed
    joined = [n for n in reverse.normal.bound(s) if n in outer]
    incoming = {n: Term(reverse.take(n), origin, n in reverse.normal.numbers) for n in joined}
    forward, adjoint, left = [], [], []
    for block in (s.body, s.orelse):
        reverse.owed = {n: [t] for n, t in incoming.items()}
        f, a = reverse.block(block)
        forward.append(f)
        adjoint.append(a)
        left.append({n: t for n, t in reverse.owed.items() if n not in joined})
    reverse.owed = outer
    for name in dict.fromkeys([*left[0], *left[1]]):
        if name in reverse.open:
            pour(reverse, name, [l.pop(name, []) for l in left], adjoint)
            continue
        join(reverse, name, [l.get(name, []) for l in left], adjoint, origin)
    if reverse.region:
        for k in (0, 1):
            forward[k], adjoint[k] = reverse.frame(forward[k], adjoint[k], [])
    if any(adjoint):
        body, orelse = (a or [] for a in adjoint)
        reverse.out.append(tree.place(gast.If(test=s.test, body=body or [passes()], orelse=orelse), origin))
    return [tree.replace(s, body=forward[0], orelse=forward[1])]


def pour(reverse, name, terms, blocks):
    """Add terms to the accumulator of a name from outside the loop, in the blocks where they arise."""
    for t, block in zip(terms, blocks):
        if t:
            outer, reverse.out = reverse.out, block
            reverse.accumulate(reverse.accumulator(name), t, owned=True)
            reverse.out = outer


def join(reverse, name, terms, adjoint, origin):
    """After an `if`, the gradient of an outer name: an accumulator where it exists already, else set on both paths."""
    before = reverse.owed.pop(name, None)
    target = reverse.gradient(name)
    owned = True
    if before:
        value = reverse.sum_of(target, name, before)
        owned = value is None or is_fresh(value)
    if all(owned if before else not t or reverse.makes_own(t) for t in terms):
        reverse.unshared.add(target)
    for t, block in zip(terms, adjoint):
        outer, reverse.out = reverse.out, block
        if before and t:
            reverse.accumulate(target, t, own(reverse, target, t, owned))
        elif t:
            reverse.settle(target, name, t)
        elif not before:
            reverse.put(target, reverse.call('init_grad', tree.load(name)), ZERO)
        reverse.out = outer
    reverse.give(name, Term(tree.load(target), origin, name in reverse.normal.numbers
                         or all(x.number and x.index is None for t in terms for x in t)))


def own(reverse, target, terms, owned):
    """Make an accumulator owned where terms must be written into it by index."""
    if not owned and any(t.index is not None for t in terms):
        reverse.put(target, reverse.call('copy', tree.load(target)), terms[0].origin)
        return True
    return False if not owned else any(t.index is not None for t in terms)


# Contexts

def context(reverse, s):
    """`with np.errstate(...):`, entered again for the adjoint of its block, in which all is settled that is owed by it.

    A stream is not: what waits for the stream in the function has waited for all that its adjoint reads, and nothing would wait
    for the adjoint.
    """
    origin, outer = adjoint_of(s), reverse.owed
    arrays.settle_readers(reverse, s)
    mine = reverse.normal.bound(s)
    reverse.owed = {n: outer.pop(n) for n in mine if n in outer}
    forward, adjoint = reverse.block(s.body)
    left, reverse.owed = {n: t for n, t in reverse.owed.items() if n not in mine}, outer
    before, reverse.out = reverse.out, adjoint
    settled = {}
    for name, terms in left.items():
        if name in reverse.open:
            reverse.accumulate(reverse.accumulator(name), terms, owned=True)
            continue
        settled[name] = reverse.gradient(name)
        if reverse.makes_own(terms):
            reverse.unshared.add(settled[name])
        reverse.settle(settled[name], name, terms)
    reverse.out = before
    if adjoint:
        lead = [t for t in s.body if isinstance(t, gast.Expr) and facts.home(reverse.normal.resolver(called(t))) == 'warnings']
        items = [i for i in s.items if not is_stream(reverse.normal.resolver, i.context_expr)]
        again = gast.With(items=items, body=lead + adjoint, type_comment=None)
        reverse.out += [tree.place(again, origin)] if items else adjoint
    for name, target in settled.items():
        number = name in reverse.normal.numbers or all(t.number and t.index is None for t in left[name])
        reverse.give(name, Term(tree.load(target), origin, number))
    return [tree.replace(s, body=forward)]


def is_stream(resolver, expr):
    """Whether a context is a stream of CuPy's."""
    found = resolver(getattr(expr, 'func', expr))
    kind = found if isinstance(found, type) else type(found)
    return is_place(kind) and kind.__name__ in STREAMS


def called(s):
    """What a statement calls that is nothing but a call."""
    return getattr(s.value, 'func', s.value)


# Loops

def loop(reverse, s):
    origin = adjoint_of(s)
    arrays.settle_readers(reverse, s)
    carried = [tree.target(u) for u in s.body if tree.role(u) == 'carry' and tree.target(u) in reverse.normal.active]
    before, outer = reverse.out, reverse.owed
    held = {}
    for c in carried:
        held[c] = reverse.gradient(c)
        terms = outer.pop(c, None)
        if terms:
            reverse.settle(held[c], c, terms)
        else:
            reverse.put(held[c], reverse.call('init_grad', tree.load(c)), origin)
    reverse.owed = {c: [Term(tree.load(b), origin, c in reverse.normal.numbers)] for c, b in held.items()}
    around = reverse.open
    mine = [n for n in reverse.normal.read_from_outside(s) if n not in around and n not in held]
    reverse.open = {**around, **{n: [] for n in mine}}
    region, reverse.region = reverse.region, True
    forward, adjoint = reverse.block(s.body)
    left, reverse.owed = reverse.owed, outer
    reverse.out = adjoint
    for n in [n for n in left if n in reverse.open]:
        reverse.accumulate(reverse.accumulator(n), left.pop(n), owned=True)
    hand_back(reverse, carried, held, left, origin)
    accumulators = {n: reverse.open[n][0] for n in mine if reverse.open[n]}
    reverse.open = around
    reverse.out = before
    starts(reverse, accumulators, origin)
    new, prelude, header = backwards(s, reverse.names, reverse.normal.resolver, reverse.library('range'))
    hidden = set(tree.names(header.target, gast.Store))
    forward, adjoint = reverse.frame(forward, adjoint, [n for n in reverse.normal.bound_by(s) if n not in hidden], hidden)
    reverse.region = region
    if adjoint:
        reverse.out.append(tree.place(tree.replace(header, body=adjoint), origin))
    for n, target in accumulators.items():
        reverse.give(n, Term(tree.load(target), origin, n in reverse.normal.numbers))
    for c in carried:
        reverse.give(c, Term(tree.load(held[c]), origin, c in reverse.normal.numbers))
    if not adjoint:
        return [tree.replace(s, body=forward)]
    prelude += [tree.assign(c, tree.constant(None), TAPE) for c in carried
                if c in reverse.looked_at and not reverse.normal.is_set_outside(c, s)]
    return prelude + [tree.replace(s, body=in_front_of_guard(forward, new))]


def hand_back(reverse, carried, held, left, origin):
    """At the start of an iteration, what is owed to a carried name belongs to the iteration before."""
    found = []
    for c in carried:
        terms = left.pop(c, [])
        if len(terms) == 1 and terms[0].index is None and getattr(terms[0].value, 'id', None) == held[c]:
            continue
        if not terms:
            changes = reverse.shapes.of.get(c) in reverse.shapes.marks.values()
            like = c if c in reverse.normal.lists or changes else held[c]        # it may have another length each time
            reverse.looked_at.add(like)
            found.append((held[c], reverse.call('init_grad', tree.load(like)), ZERO))
        elif len(carried) == 1 and all(t.index is None for t in terms):
            found.append((held[c], reverse.sum(terms), terms[-1].origin))
        else:
            new = reverse.gradient(c)
            reverse.settle(new, c, terms)
            found.append((held[c], tree.load(new), terms[-1].origin))
    for target, value, where in found:
        reverse.put(target, value, where)


def starts(reverse, accumulators, origin):
    """Set each accumulator before the loop; it is owned."""
    for n, target in accumulators.items():
        terms = reverse.owed.pop(n, None)
        if n in reverse.normal.builders or n in reverse.normal.buffers and terms:
            lists.owned(reverse, n, terms or [], origin, target)
        elif not terms:
            reverse.put(target, reverse.call('init_grad', tree.load(n)), origin)
            reverse.unshared.add(target)
        else:
            value, emitted = reverse.sum_of(target, n, terms), reverse.normal.emitted
            may_be_tuple = n in reverse.normal.listed or emitted and n not in reverse.normal.numbers
            if value is not None and not is_fresh(value):
                stmt = reverse.out.pop()
                owned = 'own_gradient' if emitted or may_be_tuple or n in reverse.normal.tuples else 'copy'
                reverse.put(target, reverse.call(owned, value), stmt.origin)
            elif value is not None and may_be_tuple:
                stmt = reverse.out.pop()                       # a tuple has one for a gradient
                reverse.put(target, reverse.call('writeable', value), stmt.origin)
