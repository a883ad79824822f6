"""Dead code: what nobody needs is left out."""
import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.shape_only import needs
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite

LOOPS = (gast.For, gast.While)
JUMPS = (gast.Break, gast.Continue)


def dead(func):
    """Leave out what nobody needs; a value that is not popped is not pushed either.

    >>> show(dead, 'y = x * 2; z = x + 1; return y')
    y = x * 2; return y
    >>> show(dead, '_s = Stack(); y = x * x; push(_s, y, "1"); y = pop(_s, "1"); return by')
    return by
    >>> show(dead, 'z = f(x); return x')
    f(x); return x
    """
    needed = _Needed(func)
    needed.sweep()
    return rewrite.with_body(func, needed.block(func.tree.body))


class _Needed:
    """Marks statements from the ones with effects back to all that these read."""

    def __init__(self, func):
        self.effects, self.quiet, self.tried = effects_of(func), func.quiet, func.tried
        self.asked: set = set()                 # names that somebody wants, when all is marked
        self.tape = self.effects.tape
        self.marked, self.wanted, self.shaped, self.todo = {}, set(), set(), []      # statement -> whether its value is needed
        self.parent, self.jumps, self.gives, self.binds = {}, {}, {}, {}
        self.roots = list(self.place(func.tree.body, None, None))

    def place(self, block, parent, loop):
        """Note where each statement stands and what it gives; yields the ones that are needed for their effects."""
        for stmt in block:
            self.parent[stmt] = parent
            on_tape = self.on_tape(stmt)
            for name in look(stmt).writes if on_tape else look(stmt).writes | self.effects.changes(stmt):
                self.gives.setdefault(name, []).append(stmt)
            for name in look(stmt).writes:
                self.binds.setdefault(name, []).append(stmt)
            if isinstance(stmt, JUMPS):
                self.jumps.setdefault(loop, []).append(stmt)
            elif on_tape[-1] not in self.tape.pairs if on_tape else self.essential(stmt):
                yield stmt
            inner = stmt if isinstance(stmt, LOOPS) else loop
            if not isinstance(stmt, (gast.FunctionDef, gast.ClassDef)):
                for field, block in tree.blocks(stmt):
                    yield from self.place(block, stmt, loop if field == 'orelse' else inner)

    def on_tape(self, stmt):
        """The parts of a push or a pop, else None."""
        return (self.tape.push(stmt) or self.tape.pop(stmt)) if self.effects.impure(stmt) else None

    def essential(self, stmt):
        """Whether the statement has an effect that shows outside the function, or may have one."""
        if isinstance(stmt, gast.For) and self.effects.runs(stmt.iter) or self.tried and self.may_raise(stmt):
            return True
        if isinstance(stmt, (gast.If, gast.For, gast.Expr)):
            return not self.effects.pure(stmt) or bool(look(stmt).writes & self.effects.captured)
        if isinstance(stmt, gast.Pass) or isinstance(stmt, gast.With) and self.quiet:
            return False
        if not isinstance(stmt, (gast.Assign, gast.AugAssign)):
            return True
        return (not self.effects.local(stmt) or bool(look(stmt).writes & self.effects.captured)
                or any(self.shows(name) for name in self.effects.changes(stmt)))

    @staticmethod
    def may_raise(stmt):
        """Whether it may be seen that a statement of the user's is run: it does more than to hand a value on under a name."""
        origin = tree.origin(stmt)
        if origin is None or origin.role != 'primal' or isinstance(stmt, (gast.Pass, gast.FunctionDef, gast.ClassDef)):
            return False
        if isinstance(stmt, gast.Assign) and all(isinstance(t, gast.Name) for t in stmt.targets):
            return not isinstance(stmt.value, (gast.Name, gast.Constant))
        if isinstance(stmt, gast.If):
            return not isinstance(stmt.test, (gast.Name, gast.Constant))
        return isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Expr, gast.For))

    def shows(self, name):
        """Whether a change of the object that the name holds can be seen outside: a parameter's, a global's."""
        return name in self.effects.params or name not in self.effects.count and not name.startswith('tape ')

    def sweep(self):
        for stmt in self.roots:
            self.mark(stmt)
        while self.todo:
            stmt = self.todo.pop()
            on_tape = self.on_tape(stmt)
            if on_tape and on_tape[-1] in self.tape.pairs:
                self.mark(self.tape.pushes[on_tape[-1]])
                self.mark(self.tape.pops[on_tape[-1]])
            for jump in self.jumps.get(stmt, ()):
                self.mark(jump)
            values, shapes = self.needs(stmt, self.marked[stmt])
            for name in values:
                self.want(name)
            for name in shapes:
                self.want_shape(name)
            if isinstance(stmt, tree.TRIES) or isinstance(stmt, gast.With) and not self.quiet:
                for inner in tree.every([block for _, part in tree.blocks(stmt) for block in part]):
                    if self.parent[inner] is stmt or self.may_raise(inner):
                        self.mark(inner)
        self.asked = self.wanted | self.shaped | self.effects.captured

    def needs(self, stmt, value):
        known = self.effects.memo.needed
        if (stmt, value) not in known:
            known[stmt, value] = needs(stmt, self.effects.helper, value)
        return known[stmt, value]

    def want(self, name):
        if name not in self.wanted:
            self.wanted.add(name)
            for stmt in self.gives.get(name, ()):
                self.mark(stmt)

    def want_shape(self, name):
        """Somebody looks at the shape of what the name holds: it has to be made, not to be written into, but for a dict."""
        if any(is_table(getattr(stmt, 'value', None)) for stmt in self.binds.get(name, ())):
            self.want(name)
        elif name not in self.wanted and name not in self.shaped:
            self.shaped.add(name)
            for stmt in self.binds.get(name, ()):
                self.mark(stmt, value=tree.target(stmt) is None)

    def mark(self, stmt, value=True):
        while stmt is not None and not (self.marked.get(stmt) or stmt in self.marked and not value):
            self.marked[stmt] = value
            self.todo.append(stmt)
            stmt, value = self.parent[stmt], True

    def block(self, block):
        return rewrite.same([kept for stmt in block for kept in self.keep(stmt)], block)

    def keep(self, stmt):
        """What remains of a statement."""
        if stmt not in self.marked:
            return []
        if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call) and self.idle(stmt):
            return [tree.place(gast.Expr(value=stmt.value), tree.origin(stmt))]
        if isinstance(stmt, (gast.FunctionDef, gast.ClassDef)):
            return [stmt]
        new = rewrite.with_blocks(stmt, self.block)
        if new is stmt or not isinstance(stmt, gast.If) and empty(stmt.body) and not new.body:
            return [stmt]
        return filled(new)

    def idle(self, stmt):
        """Whether only the effect of the call is needed, not the names that it is assigned to."""
        found = look(stmt)
        return (all(isinstance(t, gast.Name) for t in stmt.targets) and not found.mutated
                and found.writes.isdisjoint(self.asked))


def empty(block):
    return len(block) == 1 and isinstance(block[0], gast.Pass)


def filled(stmt):
    """A compound statement that lost statements, without empty blocks."""
    if isinstance(stmt, gast.If):
        if not stmt.body and not stmt.orelse:
            return [tree.place(gast.Expr(value=stmt.test), tree.origin(stmt))]
        if not stmt.body:
            return [tree.replace(stmt, test=negated(stmt.test), body=stmt.orelse, orelse=[])]
        return [stmt]
    return [stmt if stmt.body else tree.replace(stmt, body=[gast.Pass()])]


OPPOSITE = {gast.Eq: gast.NotEq, gast.NotEq: gast.Eq, gast.Is: gast.IsNot, gast.IsNot: gast.Is, gast.In: gast.NotIn,
            gast.NotIn: gast.In}


def negated(test):
    """`not test`, as people write it."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITE:
        return tree.replace(test, ops=[OPPOSITE[type(test.ops[0])]()])
    return tree.negation(test)


def is_table(expr):
    """Whether it makes a dict, which is as long as what is stored in it says."""
    called = (tree.dotted(expr.func) or '').rpartition('.')[2] if isinstance(expr, gast.Call) else None
    return isinstance(expr, (gast.Dict, gast.DictComp)) or called in ('dict', 'defaultdict', 'OrderedDict', 'Counter')
