"""What a write destroyed is put back only where it is read again."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.regions import header_of, intervals, may_meet
from tangent.analysis.dataflow.shape_only import value_reads
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite


def restores(func):
    """Leave out statements that put back old elements of an array that nobody reads any more.

    Those that are put back in the adjoint are marked as such; others are never left out here. An array that each trip of
    a loop makes anew is read in that trip alone: the trips before it, to which the way back leads, had others.
    """
    marked = [s for s in cfg.statements(func) if tree.role(s) == 'restore']
    if not marked:
        return func
    found = _Restores(func, marked)
    new = {s: None for s in marked if not found.is_read(s)}
    return rewrite.with_body(func, filled(rewrite.with_statements(func.tree.body, new))) if new else func


class _Restores:
    def __init__(self, func, marked):
        self.effects, self.places = effects_of(func), cfg.places(func)
        self.rank = {stmt: k for k, stmt in enumerate(self.places)}
        self.headers, self.made = {}, {}
        self.bound = {}
        for stmt in self.places:
            for name in look(stmt).writes:
                self.bound.setdefault(name, []).append(stmt)
        self.reads = {}                   # name -> [(statement, index or None)]
        views = {tree.target(s): s for s in self.places if tree.target(s) and self.is_view(s)}
        silent = {*marked, *views.values()}           # a view is no read until it is read itself
        for stmt in self.places:
            for name, index in value_reads(stmt, self.effects.helper) if stmt not in silent else ():
                made = views.get(name)
                if made is not None and self.loops(stmt)[:len(self.loops(made))] == self.loops(made):
                    name, index = made.value.value.id, made.value.slice      # the same elements, as they are by now
                self.reads.setdefault(name, []).append((stmt, index))

    def is_view(self, stmt):
        """Whether the statement is `t = x[i]` for an array, and the only one that binds the name."""
        value = stmt.value
        return isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) \
            and value.value.id in self.effects.func.arrays and not self.effects.is_element(value) \
            and self.effects.count[tree.target(stmt)] == 1

    def loops(self, stmt):
        return self.places[stmt].loops

    def is_read(self, stmt):
        """Whether what the statement puts back may be read after it."""
        target = stmt.targets[0]
        name = target.value.id
        if name not in self.made:
            self.made[name] = self.made_in(name)
        return any(self.reaches(stmt, target.slice, other, index if other_name == name else None, self.made[name])
                   for other_name in self.effects.alias.get(name, (name,))
                   for other, index in self.reads.get(other_name, ()))

    def made_in(self, name):
        """The loops of the backward pass, outer ones first, in each trip of which the array is one that this trip made."""
        tape, alias = self.effects.tape, self.effects.alias.get(name, (name,))
        key = next((tape.pop(s)[2] for s in self.bound.get(name, ()) if tape.pop(s)), None)
        if key not in tape.pairs or len(self.bound[name]) != 1 or not self.effects.captured.isdisjoint(alias):
            return ()
        back, there = self.loops(self.bound[name][0]), self.loops(tape.pushes[key])
        kept = getattr(tape.push(tape.pushes[key])[1], 'id', None)
        made = self.bound.get(kept, ())
        if len(made) != 1 or len(back) != len(there) or self.loops(made[0]) != there or not self.is_made(made[0]):
            return ()
        inside = all(self.loops(s)[:len(back)] in (back, there) for n in alias for s in self.bound.get(n, ()))
        return back if inside and self.effects.params.isdisjoint(alias) else ()

    def is_made(self, stmt):
        """Whether the statement makes an array, or another object, that shares no memory with others."""
        value = getattr(stmt, 'value', None)
        return isinstance(stmt, gast.Assign) and isinstance(value, (gast.Call, gast.BinOp)) and self.effects.pure(value) \
            and not self.effects.shares(value)

    def reaches(self, stmt, index, other, read, made):
        mine, its = self.places[stmt].loops, self.places[other].loops
        if isinstance(other, (gast.For, gast.While)):
            its = its + (other,) if isinstance(other, gast.While) else its
        common = [a for a, b in zip(mine, its) if a is b]
        if made and tuple(its[:len(made)]) == tuple(made):
            common = common[len(made):]
        follows = self.rank[other] > self.rank[stmt]
        if not follows and not common:
            return False
        if read is None:
            return True
        first, then = intervals(index), intervals(read)
        if any(part is None for part in first + then):
            return True
        loops = [[self.header(loop) for loop in part] for part in (common, mine[len(common):], its[len(common):])]
        return may_meet(first, then, loops, follows)

    def header(self, loop):
        """The Header of a loop whose variable means one thing in it."""
        if loop not in self.headers:
            found = header_of(loop)
            if found is not None and any(found.name in look(s).writes for s in self.within(loop)):
                found = None
            self.headers[loop] = found
        return self.headers[loop]

    def within(self, loop):
        return [s for s, place in self.places.items() if any(inner is loop for inner in place.loops)]


def filled(block):
    """The block without compound statements that became empty."""
    out = []
    for stmt in block:
        if isinstance(stmt, (gast.If, gast.For, gast.While)):
            stmt = rewrite.with_blocks(stmt, filled)
            if not stmt.body:
                stmt = tree.replace(stmt, body=[gast.Pass()])
        out.append(stmt)
    return rewrite.same(out, block)
