"""A loop over the places of an array that looks up what stands there goes over the array, as the user's loop did."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.analysis.kinds.values import Array, Parts
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.coalesce import kept


def elements(func):
    """Go over arrays, lists and tuples where the user did, if a trip asks for their elements before anything else happens.

        for i in range(len(xs)):                       for x in xs:
            x = xs[i]                                      _stack.append(s)
            _stack.append(s)                               s = s * x
            s = s * x

        for k in range(min(len(xs), len(ys))):         for k, (x, y) in enumerate(zip(xs, ys)):
            x = xs[k]                                      s = s * x + y ** k
            y = ys[k]
            s = s * x + y ** k
    """
    if func.known is None:
        return func
    loops = [s for s in cfg.places(func) if isinstance(s, gast.For) and places_of(s)]
    if not loops:
        return func
    finder = _Elements(func)
    new = {loop: over for loop in reversed(loops) if (over := finder.over(loop)) is not None}
    return rewrite.with_body(func, changed(func.tree.body, new)) if new else func


def changed(block, new):
    """The block with the heads of loops replaced, and without the statements in them that the heads now say."""
    out = []
    for s in block:
        if s in new:
            head, said = new[s]
            s = tree.replace(s, target=head[0], iter=head[1], body=[b for b in s.body if b not in said] or [gast.Pass()])
        out.append(rewrite.with_blocks(s, lambda inner: changed(inner, new)))
    return rewrite.same(out, block)


def places_of(loop):
    """The names whose elements a loop over `range(len(x))` or `range(min(len(x), len(y)))` may ask for, in order."""
    over_range = tree.is_call(loop.iter, 'range') and len(loop.iter.args) == 1
    if not over_range or not isinstance(loop.target, gast.Name) or loop.orelse:
        return []
    end = loop.iter.args[0]
    lengths = end.args if tree.is_call(end, 'min') and not end.keywords else [end]
    names = [e.args[0].id for e in lengths if tree.is_call(e, 'len') and isinstance(e.args[0], gast.Name)]
    return names if len(names) == len(lengths) == len(set(names)) else []


def line(stmt):
    """The line of the user's for which a statement stands, 0 where there is none."""
    found = tree.origin(stmt)
    return found.line if found else 0


class _Elements:
    def __init__(self, func):
        self.func, self.effects, self.places = func, effects_of(func), cfg.places(func)
        self.kinds, self.library = func.known.infer(func.tree), func.known.library

    def over(self, loop):
        """((target, iter) of the loop over what it asks elements of, the statements that ask), or None."""
        names, index = places_of(loop), loop.target.id
        said = self.asked(loop, names, index)
        inside = list(tree.every(loop.body))
        if said is None or not all(map(self.lasts, names)) or any(not look(s).writes.isdisjoint(names) for s in inside):
            return None
        elsewhere = [s for s in self.places if index in look(s).loads and not self.counted(s, index)]
        if elsewhere:
            return None
        counts = any(index in look(s).loads for s in inside if s not in said.values())
        targets = [said[name].targets[0] for name in names]
        target = targets[0] if len(targets) == 1 else gast.Tuple(elts=targets, ctx=gast.Store())
        over = tree.load(names[0]) if len(names) == 1 else tree.call(self.library('zip'), *map(tree.load, names))
        if counts:
            target = gast.Tuple(elts=[loop.target, target], ctx=gast.Store())
            over = tree.call(self.library('enumerate'), over)
        return (target, over), set(said.values())

    def asked(self, loop, names, index):
        """name -> the statement `v = name[index]` of the user's loop, before which a trip only keeps other values; or None."""
        found, waiting = {}, set()
        for s in loop.body:
            value = getattr(s, 'value', None)
            if isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(value, gast.Subscript) \
                    and isinstance(value.value, gast.Name) and value.value.id in names and value.value.id not in found \
                    and isinstance(value.slice, gast.Name) and value.slice.id == index \
                    and line(s) == line(loop) and waiting.isdisjoint(look(s).writes):
                found[value.value.id] = s
            elif kept(s, 'append')[0] is None:
                break
            else:
                waiting |= set(look(s).loads)
        bound = [n for s in found.values() for n in look(s).writes]
        again = any(not set(bound).isdisjoint(look(s).writes) for s in tree.every(loop.body) if s not in found.values())
        return None if again or len(found) < len(names) or len(set(bound)) < len(bound) else found

    def lasts(self, name):
        """Whether going over the value gives what its places hold: no list has a kind whose length may change."""
        kind = self.kinds.names.get(name)
        whole = isinstance(kind, Array) and kind.axes or isinstance(kind, Parts) and kind.form in (list, tuple)
        return whole and name not in self.effects.captured

    def counted(self, stmt, index):
        """Whether the statement stands in a loop that counts with the name."""
        return any(isinstance(loop, gast.For) and index in look(loop).writes for loop in self.places[stmt].loops)
