"""Where kinds are known, an array of one shape on every trip of a loop is not kept to be asked for that shape."""

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.shape_only import value_reads
from tangent.analysis.dataflow.statements import look
from tangent.analysis.kinds.values import is_exact
from tangent.frontend import tree
from tangent.optimize import rewrite


def lasting(func):
    """Ask the array that the forward pass made last, in place of one from the tape of which the shape alone is read.

        v = np.zeros(u.size + 2)                    v = np.zeros(u.size + 2)
        push(_stack, v, '_1')
        ...                                         ...
        v2 = pop(_stack, '_1')
        bv = np.zeros(v2.shape)                     bv = np.zeros(v.shape)

    There is one if the way back comes there, since it comes by where the forward pass was; its lengths are those of the others,
    as names of lengths say.
    """
    if func.known is None:
        return func
    effects = effects_of(func)
    tape, read = effects.tape, None
    found, gone = {}, set()
    for key in tape.pairs:
        kept, name = getattr(tape.push(tape.pushes[key])[1], 'id', None), getattr(tape.pop(tape.pops[key])[1], 'id', None)
        if kept is None or name is None or not effects.captured.isdisjoint((kept, name)) or effects.count[name] != 1:
            continue
        read = Reads(func, effects) if read is None else read
        if name not in read.values and read.is_lasting(kept):
            found[name] = kept
            gone |= {tape.pushes[key], tape.pops[key]}
    if not found:
        return func
    new = dict.fromkeys(gone)
    for s in tree.every(func.tree.body):
        if s not in gone and not found.keys().isdisjoint(look(s).loads):
            new[s] = rewrite.header(s, lambda e: tree.substitute(e, {n: tree.load(k) for n, k in found.items()}))
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new))


class Reads:
    """values : names of which elements are read, or written, somewhere."""

    def __init__(self, func, effects):
        self.func, self.effects = func, effects
        self.kinds = func.known.infer(func.tree)
        self.statements = list(tree.every(func.tree.body))
        self.values = {n for s in self.statements for n in [*look(s).mutated, *(n for n, _ in value_reads(s, effects.helper))]}

    def is_lasting(self, name):
        """Whether all that is ever bound to a name has one shape, without an axis whose length is not known by name."""
        bound = [s for s in self.statements if name in look(s).writes]
        if not bound or name in self.effects.params or not all(tree.target(s) == name for s in bound):
            return False
        kinds = [self.kinds.of(s.value) for s in bound]
        return is_exact(kinds[0]) and all(kind == kinds[0] for kind in kinds)
