"""Array expressions over slices and whole arrays, as loops over elements.

    B[1:-1] = 0.5 * (A[:-2] + A[2:])        ->        for i in range(1, B.shape[0] - 1):
                                                          B[i] = 0.5 * (A[i - 1] + A[i + 1])

What arrays have how many axes has to be known (`types`), and which elements a statement reads and writes
(`accesses`). Statements in a row share loops (`fuse`). Lengths that agree for all that can be seen need
no check; others are checked where the program runs, before the outermost loop in which they stay what they are. A statement
of which anything is not known stays as it is.
"""
import collections
import dataclasses
from collections.abc import Callable

import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.accesses import Reader
from tangent.numba.loops.affine import NotLowered
from tangent.numba.loops.fuse import Order, Writer, in_two_steps
from tangent.numba.loops.interchange import turned
from tangent.numba.loops.outer_products import column
from tangent.numba.loops.parted import parted
from tangent.numba.loops.prepared.memory import kept
from tangent.numba.loops.prepared.moved import moved, written_whole
from tangent.numba.loops.prepared.rename import versions, with_results, without_copies, without_views
from tangent.numba.loops.prepared.scaled import scaled, with_outer
from tangent.numba.loops.prepared.spread_first import meet, spread_first
from tangent.numba.loops.prepared.stored import stored
from tangent.numba.loops.prepared.sums import with_totals
from tangent.numba.loops.prepared.tape_views import with_parts
from tangent.numba.loops.products import has_products, into_new, products, summed
from tangent.numba.loops.raise_rows import raised
from tangent.numba.loops.scopes import Room, Scope, mentioned
from tangent.numba.loops.types import Kinds
from tangent.numba.loops.values import FLOAT
from tangent.runtime import facts

STEPS = 'ijkmpqrs'


@dataclasses.dataclass(frozen=True)
class Task:
    """What is to be lowered, the same in all attempts.

    function : FunctionDef
    given : name of a parameter -> its Kind, or None
    find : expression -> what it denotes outside of the function, or None
    helpers : name -> function of the run time
    divides : whether a division of numbers by 0 raises
    apart : whether arrays of the caller's may be taken for different memory, which is checked when running
    owned : name of a tape -> which of its values have memory of their own, see `tape_views`
    results : (an emitted function, Kinds of its arguments) -> the Kind of what it gives
    handed : names of what one function made for another, of whose shape nobody knows how it came about
    """
    function: gast.FunctionDef
    given: dict
    find: Callable
    helpers: dict
    divides: bool
    apart: bool
    owned: dict
    results: Callable
    handed: frozenset = frozenset()


@dataclasses.dataclass(frozen=True)
class Assumed:
    """What one attempt takes for granted of its own result: which loads go and whose shapes are asked for is known when loops
    have been made. So they are made again with what came out, until that is what was assumed.

    unread : name -> how many of its loads are known to go when statements become loops
    whole : names of arrays that have to be made as a whole
    waiting : statements with products of columns in loops that cannot be put inside
    trusting : whether loads that went in one attempt may be taken to go in the next
    """
    unread: dict = dataclasses.field(default_factory=dict)
    whole: frozenset = frozenset()
    waiting: frozenset = frozenset()
    trusting: bool = True

    def corrected(self, lowering, made):
        """What the next attempt has to assume; this where the result is as it was assumed to be."""
        asked = lowering.asked(made) - self.whole
        if lowering.waited:
            return dataclasses.replace(self, waiting=self.waiting | lowering.waited)
        if asked:
            return dataclasses.replace(self, whole=self.whole | asked)
        if any(lowering.looked[n] < count for n, count in self.unread.items()):
            return dataclasses.replace(self, unread={}, trusting=False)
        if self.trusting and lowering.looked and not self.unread:
            return dataclasses.replace(self, unread=dict(lowering.looked))
        return self


def lowered(task):
    """(the Lowering that was made last, the FunctionDef with loops); None where nothing can become loops."""
    assumed = Assumed()
    while True:
        lowering = Lowering(task, assumed)
        made = lowering.run()
        if not lowering.changed:
            return None
        corrected = assumed.corrected(lowering, made)
        if corrected is assumed:
            return lowering, made
        assumed = corrected


class Lowering:
    """One attempt.

    library : name -> object, for what the new text calls
    waited : statements that are found to belong to `Assumed.waiting`
    looked : how often a name was read for its shape alone
    padded : whether rows have more elements than are made
    shrunk : names of arrays of which a part is kept, or nothing
    results : names of arrays that the function calculates where it returns them
    begun : statement that writes all of an array -> the one before it that makes the array
    """

    def __init__(self, task, assumed):
        self.task, self.library, self.helpers, self.spread = task, {}, task.helpers, frozenset()
        self.handed = task.handed
        function, self.names = task.function, tree.Names({n.id for n in tree.walk(task.function) if isinstance(n, gast.Name)})
        kinds = self.known(function)
        arrays = [n for n, k in kinds.of.items() if (k is None or k.rank) and kinds.bound.get(n, 0) > 1]
        function = versions(function, arrays, self.names)
        function = without_copies(function, self.known(function))
        function = without_views(function, self.known(function))
        self.find, self.kinds = task.find, self.known(function)
        self.function, self.changed = products(function, self.kinds, self.helper, self.numpy)
        self.function = without_copies(self.function, self.known(self.function))        # what has no helper around it now
        self.kinds = self.known(self.function)
        if not meet(self.function, self.kinds):
            self.function, found = products(self.function, self.kinds, self.helper, self.numpy, lengths=True)
            self.changed = self.changed or found
            self.kinds = self.known(self.function)
        apart, products_made = scaled(self.function, self.kinds, self.names)
        if apart is not self.function:
            self.function, self.changed, self.handed = apart, True, self.handed | set(products_made)
        outer = with_outer(self.function, self.known(self.function))
        if outer is not self.function:
            self.function, self.changed = outer, True
        fewer = moved(self.function, self.known, self.names, self.numpy)
        less = stored(fewer, self.known)
        fewer = less if less is fewer else without_views(less, self.known(less))
        if fewer is not self.function:
            self.function, self.changed = fewer, True
        if self.helpers.get('empty_sum') is not None:
            self.function = with_totals(self.function, self.known(self.function), self.names, self.numpy)
        self.kinds = self.known(self.function)
        self.function, self.results = with_results(self.function, self.kinds, self.names)
        self.kinds = self.known(self.function)
        self.spread_first()
        parts = with_parts(self.function, self.kinds, self.names) if self.helpers.get('empty_sum') else self.function
        if parts is not self.function:
            self.function, self.changed = parts, True
            self.kinds = self.known(parts)
        self.notes, self.variables, self.rows, self.nested, self.begun = {}, {}, set(), {}, {}
        self.divides, self.whole, self.waiting = task.divides, assumed.whole, assumed.waiting
        self.looked: collections.Counter = collections.Counter()
        self.fresh, self.waited, self.shrunk, self.padded = set(), set(), set(), False
        self.loads = collections.Counter(tree.names(self.function, gast.Load))
        self.loads.subtract(assumed.unread)

    def spread_first(self):
        """Spread arguments over each other, see `spread_first`."""
        if self.helpers.get('spread') is None:
            return
        made, self.spread = spread_first(self.function, self.kinds, self.names, self.helper)
        if made is not self.function:
            self.function, self.changed = without_copies(made, self.known(made)), True
            self.kinds = self.known(self.function)

    def known(self, function):
        """The Kinds of a function."""
        given, find = self.task.given, self.task.find
        bound = set(given) | {n for s in tree.every(function.body) for n in tree.writes(s)}

        def known(expr):
            path = tree.dotted(expr) or ''
            return None if path.partition('.')[0] in bound else self.library.get(path) or find(expr)
        found = Kinds(function, given, known, self.task.owned, self.task.results, self.handed)
        found.spread = self.spread
        return found

    def run(self):
        """The FunctionDef with loops; the same object where there is nothing to lower."""
        scope = Scope(self, None, None)
        body = [t for s in self.block(self.function.body, scope) for t in into_new(s, self.kinds, self.numpy)]
        return tree.replace(self.function, body=body) if self.changed else self.function

    def asked(self, function):
        """Names of arrays that are not made, or not as a whole, and are asked for their shape, or read where a statement stays
        as it was; loops read what there is of them by nodes of their own."""
        nodes, before = list(tree.walk(function)), {id(n) for n in tree.walk(self.function)}
        names = [n for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) in before]
        names += [n.value for n in nodes if isinstance(n, gast.Attribute) and isinstance(n.value, gast.Name)]
        return self.shrunk & {n.id for n in names}

    def helper(self, name):
        """The name by which the text calls a function of the run time, or a module."""
        thing = self.helpers[name]
        there = next((known for known, other in self.library.items() if other is thing), None)
        if there is None:
            there = self.names.fresh(name)
            self.library[there] = thing
        return there

    def begin(self, name, dtype, stmt, origin):
        """The statement with which a sum begins that may be made in any order."""
        zero = '0.0' if dtype == 'float64' else f'{self.numpy()}.float32(0)'
        made = tree.assign(name, tree.call(self.helper('empty_sum'), tree.expression(zero)))
        return gast.copy_location(tree.place(made, origin), stmt)

    def numpy(self):
        for name in ('np', 'numpy'):
            if self.find(tree.load(name)) is np and name not in self.kinds.bound:
                return name
        return self.helper('numpy')

    def row_name(self, name):
        """A name for what is kept of an array: its own, unless that has been used."""
        used = name in self.rows or self.kinds.bound.get(name, 1) > 1
        self.rows.add(name)
        return self.names.fresh(name) if used else name

    def step(self, depth):
        """The name of the variable of a loop inside `depth` others."""
        while depth >= len(self.variables):
            free = next((c for c in STEPS if c not in self.names.taken), 'i')
            self.variables[len(self.variables)] = self.names.fresh(free)
        return self.variables[depth]

    # Blocks

    def block(self, stmts, scope):
        out, run = [], []
        empty = {after: s for s, after in zip(stmts, stmts[1:]) if begins(s, after, self.kinds)}
        self.begun.update(empty)
        for s in stmts:
            if any(s is made for made in empty.values()):
                continue
            in_columns = column(s, self, scope) is not None
            if has_products(s, self) and not in_columns:
                out += self.flush(run, scope)
                run = []
            if awaited(run) & {*tree.names(s, gast.Load), *tree.writes(s)}:
                out += self.flush(run, scope)
                run = []
            sums = summed(s, self, scope) if not in_columns else None
            if sums is not None:
                self.changed = True
                out += sums[:-1]
                s = sums[-1]
                scope.forget({n for part in tree.every(sums[:-1]) for n in tree.writes(part)})
                if isinstance(s, gast.For):
                    out.append(s)
                    continue
            if any(True for _ in tree.blocks(s)):
                out += self.flush(run, scope)
                run = []
            rows = raised(s, self, scope)
            if rows is not None:
                self.changed = True
                out += rows
                scope.forget({n for part in tree.every([s, *rows]) for n in tree.writes(part)})
                continue
            inner = {field: self.block(block, Scope(self, scope, s)) for field, block in tree.blocks(s)}
            room = Room(self, scope)
            try:
                if inner:
                    raise NotLowered
                found, room = self.read(s, room, scope)
                if s in empty:
                    found = dataclasses.replace(found, fresh=True, dtype=self.kinds.of[found.target.name].dtype)
            except NotLowered:
                if run and self.goes_before(s, run):
                    out.append(s)
                    scope.forget(tree.writes(s))
                    continue
                out += self.flush(run, scope)
                here = self.loop(tree.replace(s, **inner), scope) if inner else [*([empty[s]] if s in empty else ()), s]
                out += scope.taken() + here
                scope.forget({n for part in tree.every([s]) for n in tree.writes(part)})
                scope.inside(s)
                run = []
                continue
            done, run = self.joined(run, found, room, scope)
            out += done
            scope.inside(s)
        return out + self.flush(run, scope)

    def joined(self, run, found, room, scope):
        """(what is written of a row before a statement can join it, the row with it)."""
        out, written = [], {n for a, _ in run for n in self.kinds.family(a.target.name)} if room.values() else set()
        if room.values() & written or room.uses() & {a.target.name for a, _ in run if a.fresh}:
            out += self.flush(run, scope)
            run = []
        room.commit()
        if found.fresh:
            name = found.target.name
            if not self.kinds.is_once(name) and self.speaks(run, name, scope.facts):
                out += self.flush(run, scope)             # their shapes are told by what has the name before
                run = []
            scope.begin(name, found.target.spans)
        return out, [*run, (found, room)]

    def read(self, s, room, scope):
        """(the ArrayStmt that a statement is, the Room that it needs); raises NotLowered."""
        spreads = tree.target(s) in self.results
        try:
            return Reader(self.kinds, room, spreads).statement(s), room
        except NotLowered:
            if spreads or written_whole(s, added=True) is None or self.helpers.get('spread') is None:
                raise
            room = Room(self, scope)
            return Reader(self.kinds, room, spreads=True).statement(s), room

    def goes_before(self, s, run):
        """Whether a statement that gives a number a name has nothing to do with those of a row."""
        name, kind = tree.target(s), self.kinds.of.get(tree.target(s))
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Subscript):
            return self.adds_before(s, run)
        if name is None or kind != FLOAT or not is_quiet(s.value, self.kinds) \
                or not all(is_number_of(n, self.kinds) for n in tree.children(s.value)):
            return False
        read = tree.names(s.value, gast.Load)
        return not any(name in tree.names(a.stmt, gast.Load) or a.target.name in read for a, _ in run)

    def adds_before(self, s, run):
        """Whether a statement that adds a number to an element has nothing to do with those of a row."""
        kind = self.kinds.kind(s.target)
        if not isinstance(s.target.value, gast.Name) or kind != FLOAT or self.given(s.target.value.id) \
                or not isinstance(s.value, (gast.Name, gast.Constant)) or self.kinds.kind(s.value) != FLOAT \
                or any(isinstance(n, (gast.Call, gast.Subscript)) for n in tree.walk(s.target.slice)):
            return False
        family, read = self.kinds.family(s.target.value.id), set(tree.names(s, gast.Load))
        return not any(family & {*tree.names(a.stmt, gast.Load), a.target.name} or a.target.name in read for a, _ in run)

    @staticmethod
    def speaks(run, name, facts):
        """Whether statements read what has this name now, or run for as many steps as it has elements."""
        return any(name in tree.names(a.stmt, gast.Load) or name in mentioned([facts.settled(n) for n in a.lengths])
                   for a, _ in run)

    def loop(self, s, scope):
        """A compound statement, turned inside out where that is better."""
        nests = [self.nested.get(t) for t in s.body] if isinstance(s, gast.For) else []
        pairs: set = set()
        whole = s
        parts = parted(s, nests, self, scope, lambda a, b: self.are_apart(a, b, pairs)) if nests and None in nests else None
        before, s = parts or ([], s)
        nests = [n for n in nests if n] if parts else nests
        made = turned(s, nests, self, lambda a, b: self.are_apart(a, b, pairs)) if nests and None not in nests else None
        if made is None and parts:
            return [whole]
        if made is None:
            self.waited |= {gast.unparse(t.stmt) for n in nests if n for t in n.statements if t.sums and not t.target.spans}
            return [s]
        room = Room(self, scope)
        for a, b in sorted(pairs):
            room.apart(a, b)
        room.commit()
        self.notes[made] = [line for t in s.body for line in self.notes.get(t, ())]
        return [*before, made]

    def is_whole(self, name):
        """Whether a name stands for all of one array, in rows, that is made in a statement of the function's own block and
        has no other name."""
        made = [s for s in self.function.body if tree.target(s) == name]
        value = made[0].value if len(made) == 1 else None
        given = isinstance(value, gast.BinOp) and isinstance(value.op, gast.MatMult) \
            or isinstance(value, gast.Call) and facts.is_helper(self.kinds.find(value.func), 'array_copy')
        return len(made) == 1 == self.kinds.bound.get(name) and self.kinds.family(name) == {name} \
            and name not in self.kinds.augmented and (given or name in self.fresh - self.shrunk)

    def is_read_last(self, stmt, name):
        """Whether a statement of the function's own block reads an array once, nobody does after it, and all that is done
        before is arithmetic, the results of which have memory of their own."""
        body = self.function.body
        before = body[:next((k for k, s in enumerate(body) if s is stmt), 0)]
        loads = sum(operands(s).count(name) for s in before)
        return self.loads.get(name) == 1 + loads and name not in kept(self.function, self.kinds)

    def is_range(self, call):
        return isinstance(call, gast.Call) and self.kinds.find(call.func) is range

    def flush(self, run, scope):
        """The statements of a row of array statements, as loops; what has to be known before stands before."""
        if not run:
            return []
        room = Room(self, scope)
        for _, other in run:
            room.numbers.update(other.numbers)
        try:
            loops = self.nests([a for a, _ in run], scope, room)
        except NotLowered:
            if len(run) == 1:
                s = run[0][0].stmt
                return scope.taken() + ([self.begun[s]] if s in self.begun else []) + [s]
            middle = len(run) // 2
            return self.flush(run[:middle], scope) + self.flush(run[middle:], scope)
        self.changed = True
        self.looked.update(n for a, _ in run for n in a.looked)
        return loops

    def nests(self, stmts, scope, room):
        pairs: set = set()
        order = Order(scope.facts, lambda a, b: self.are_apart(a, b, pairs), self.kinds.family,
                      {s.target.name for s in stmts if s.fresh})
        ready: list = []
        for s in stmts:
            try:
                s.down = order.direct(s)
                ready.append(s)
            except NotLowered:
                name, kind = self.names.fresh('new'), self.kinds.of[s.target.name]
                ready += in_two_steps(s, name, kind.dtype)
                order.fresh.add(name)
                self.kinds.of[name] = kind._replace(rank=len(s.lengths), shape=(None,) * len(s.lengths))
        out = self.written(ready, order, pairs, room)
        return scope.taken() + out

    def written(self, ready, order, pairs, room):
        """The loops of array statements; what has to be known before stands in the scope."""
        writer = Writer(room, self.kinds, self, ready, self.divide())
        out = []
        for loop in writer.beside(order.loops(ready)):
            made = writer.nest(loop)
            self.nested[made[-1]] = loop
            self.shrunk |= {name for name, row in writer.rows.items() if row.depth or row.name != name}
            self.fresh |= {s.target.name for s in loop.statements if s.fresh}
            self.notes[made[0]] = list({id(s.stmt): s.stmt for s in loop.statements}.values())
            out += made
        self.padded = any(row.pad for row in writer.rows.values())
        for a, b in sorted(pairs):
            room.apart(a, b)
        room.commit()
        return out

    def divide(self):
        return f'{self.numpy()}.divide' if self.divides else None

    def are_apart(self, one, other, pairs):
        """Whether two arrays share no memory; where both come from outside it is checked when running."""
        mine, others = self.given(one), self.given(other)
        if not mine or not others:
            return True
        if self.task.apart and not mine & others:
            pairs |= {(a, b) for a in mine for b in others}
            return True
        return False

    def given(self, name):
        """The arrays from outside whose memory an array may be: parameters, or what came out of a parameter that holds some."""
        found = self.kinds.family(name) & self.task.given.keys()
        return {n if self.kinds.of[n] is not None and self.kinds.of[n].rank else name for n in found}


def begins(s, after, kinds):
    """Whether a statement makes the array of which the one after it writes all."""
    name, value = tree.target(s), getattr(s, 'value', None)
    return name is not None and isinstance(value, gast.Call) and kinds.find(value.func) is np.empty_like \
        and written_whole(after) == name and name not in tree.names(after.value, gast.Load) and kinds.bound.get(name) == 1


def operands(s):
    """The names with which a statement calculates, into which it writes, and of which it asks the shape; each as often."""
    found = []
    for n in tree.walk(s):
        if isinstance(n, gast.BinOp):
            found += [n.left, n.right]
        elif isinstance(n, gast.UnaryOp):
            found.append(n.operand)
        elif isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Store) or getattr(n, 'attr', None) == 'shape':
            found.append(n.value)
    return [n.id for n in found if isinstance(n, gast.Name)]


def awaited(run):
    """Names of the numbers to which array statements add up."""
    return {a.target.name for a, _ in run if not a.target.parts}


def is_quiet(expr, kinds):
    """Whether an expression is arithmetic on numbers, or looks at one."""
    if isinstance(expr, gast.Call):
        return facts.is_helper(kinds.find(expr.func), 'check_scalar') and not expr.keywords
    return isinstance(expr, (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp))


def is_number_of(node, kinds):
    """Whether a part of an expression is a name or a literal, of a number or of a function."""
    known = kinds.of.get(node.id) if isinstance(node, gast.Name) else None
    return isinstance(node, gast.Constant) or isinstance(node, gast.Name) and (
        known is not None and known.rank == 0 and known.parts is None or kinds.find(node) is not None)
