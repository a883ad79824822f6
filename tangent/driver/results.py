"""The two ends of a derivative: the seed as it is checked, and gradients as they are handed out, in the dtype, structure and
memory that callers expect."""
import os
import textwrap

import gast

from tangent.analysis.attributes import attributes_alone
from tangent.analysis.dataflow.shape_only import value_reads
from tangent.analysis.dtypes import Dtypes
from tangent.analysis.kinds.values import described
from tangent.analysis.shapes import NUMBER, scalar
from tangent.emit.signature import params
from tangent.frontend import tree
from tangent.normal.ops import subscript

SEED = tree.Origin('seed')


def seed_check(reverse, target, seed, options):
    """The check of the seed against the result; a result known to be a number need not be computed for it.

    It stands for the line that returns, if there is one such.
    """
    ends = [s.lineno for s in tree.every(reverse.normal.source.tree.body) if isinstance(s, gast.Return)]
    where = SEED._replace(line=ends[0]) if len(ends) == 1 else SEED
    if reverse.library.in_complex and not options.ones:
        helper = 'check_real' if options.scalar else 'conjugated'
        return [tree.assign(seed, reverse.call(helper, target, tree.load(seed)), where)]
    if isinstance(target, gast.Name) and reverse.shapes.of.get(target.id) == NUMBER:
        return [tree.assign(seed, reverse.call('check_scalar', tree.load(seed)), where)]
    if options.ones:
        return [tree.assign(seed, reverse.call('check_ones', target, tree.load(seed)), where)]
    normal = reverse.normal
    leaves = normal.leaves(scalar(normal.tree, normal.ops, normal.shapes, options.scalar, elements=False))
    if leaves is None:
        check = reverse.call('check_number', target, tree.load(seed))
        if getattr(options.target, 'independent', False):
            reverse.library('check_scalar')        # the pass of that name may need it
    else:
        check = reverse.call('check_dims', target, tree.load(seed), *map(tree.load, leaves))
    return [tree.assign(seed, check, where)]


def gradients_of(reverse, wrt, stmts, shares_seed, inner=False):
    """(a tree for the gradient of each parameter, the facts about dtype and memory).

    shares_seed : adjoint twin -> for each gradient that it returns whether it may share the memory of the seed
    """
    names = []
    for p in wrt:
        terms = reverse.owed.pop(p, None)
        if p in reverse.normal.buffers.given or p in reverse.normal.lent:     # its gradient is the caller's, changed in place
            if terms:
                reverse.accumulate(reverse.open[p][0], terms, owned=True)
            continue
        names.append(reverse.gradient(p))
        if terms:
            reverse.settle(names[-1], p, terms)
        else:
            read = attributes_alone(reverse.normal.source.tree, p)
            known = p in reverse.normal.numbers and not read
            zero = reverse.call('init_grad' if known or inner else 'zero_gradient', tree.load(p))
            if zero.func.id == 'zero_gradient':
                zero.args += map(tree.constant, read)
            reverse.put(names[-1], zero, tree.Origin('zero'))
    facts = Dtypes(stmts + reverse.out, params(reverse.normal.source.tree), reverse.normal.resolver,
                   reverse.library, {**shares_seed, **dict.fromkeys(reverse.backs)})
    return [tree.load(n) for n in names], facts


def fitted(reverse, wrt, gradients, facts, options):
    """The gradients in the dtype and structure of their arguments, in memory of their own."""
    found, roots = [], set()
    for p, value in zip(wrt, gradients):
        root, own = facts.root(value)
        if options.nan_safe:
            found.append(reverse.call('copy', reverse.call('astype', reverse.call('zeros_forgotten', value), tree.load(p))))
            continue
        if reverse.library.in_complex:
            value = reverse.call('as_gradient', value, tree.load(p))
            if not own or root in roots:
                value = reverse.call('copy', value)
        elif reverse.library.later:
            value = reverse.call('astype', value, tree.load(p))
        elif p not in reverse.scalars or p in reverse.normal.indexed - reverse.normal.numbers:
            zero = any(tree.target(s) == value.id and tree.origin(s).role == 'zero' for s in reverse.out)
            uncertain = p not in reverse.normal.numbers and not zero           # it may be a list
            if uncertain or options.target is not None or not facts.of.get(value.id, frozenset()) <= {p}:
                value = reverse.call('astype', value, tree.load(p))
            if not own or root in roots:
                value = reverse.call('copy', value)
        elif options.target is not None:              # Numba computes with float32 and numbers in float64
            value = reverse.call('astype', value, tree.load(p))
        roots.add(root)
        found.append(value)
    return found


def shared_memory(gradients, facts):
    """For each gradient of a twin, whether the caller may find its memory elsewhere."""
    roots = [facts.root(g) for g in gradients]
    return [not own or [r for r, _ in roots].count(root) > 1 for root, own in roots]


def returned(gradients, result, options, picks, aux=None):
    """What a derivative returns.

    picks : for each gradient asked for its parameter and which element of that; None where each parameter has one
    """
    if picks is not None:
        gradients = [gradients[k] if key is None else subscript(gradients[k], tree.constant(key)) for k, key in picks]
    if options.values == 'after':
        gradients = gradients + [result]
    value = gradients[0] if len(gradients) == 1 and options.bare else gast.Tuple(elts=gradients, ctx=gast.Load())
    if options.values == 'before':
        value = gast.Tuple(elts=[result, value], ctx=gast.Load())
    elif aux is not None:
        value = gast.Tuple(elts=[value, aux], ctx=gast.Load())
    return value


def arrays_read(adjoint, reverse, names):
    """Those of the parameters of a function whose elements its adjoint reads."""
    given = {new: name for name, new in reverse.library.given.items()}
    found = set()
    for s in tree.every(adjoint.body):
        if not isinstance(s, gast.Assign) or not isinstance(s.value, gast.Name):
            found |= {name for name, _ in value_reads(s, lambda name: given.get(name, name))}
    return {p for p in names if not found.isdisjoint(reverse.uses.family(p))}


def documented(function, source, wrt, kinds):
    """The function with a docstring that says of what it is the gradient, and for which arguments it was made."""
    if not kinds:
        return function
    place = f'{os.path.basename(source.filename)}:{source.first}'
    said = f'Gradient of {source.name} ({place}) with respect to {", ".join(wrt)}, made for'
    lines = [*textwrap.wrap(said, 93, break_long_words=False, break_on_hyphens=False), '']
    lines += [wrapped(f'{name} : {described(kind)}') for name, kind in kinds if name in params(source.tree)]
    others = [wrapped(f'{name} = {described(kind)}') for name, kind in kinds if name not in params(function)]
    text = '\n'.join([*lines, *(['', 'and what is outside:', '', *others] if others else []), ''])
    doc = tree.place(gast.Expr(value=tree.constant(text)), tree.Origin('doc'))
    return tree.replace(function, body=[doc, *function.body])


def wrapped(line):
    """A line of at most 90 characters, cut where that says enough."""
    return line if len(line) <= 90 else f'{line[:87]}...'
