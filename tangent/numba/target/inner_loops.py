"""Innermost adjoint loops in the form that compilers make the most of.

What every trip adds to one element is summed up first, and what goes into different arrays goes there in loops of its own,
which run forwards: such a loop is a sum, or can be vectorised.

    for j in range(n - 1, -1, -1):                   for j in range(n):
        bb[k, j] += bc[i, j] * a[i, k]       ->          bb[k, j] += bc[i, j] * a[i, k]
        ba[i, k] += bc[i, j] * b[k, j]               total = init_grad(ba[i, k])
                                                     for j in range(n):
                                                         total += bc[i, j] * b[k, j]
                                                     ba[i, k] += total

Only additions are put in another order, so results differ by rounding alone.
"""
import gast

from tangent.analysis.dataflow.ranges import forwards
from tangent.frontend import tree

FRESH = frozenset(['copy', 'pop', 'sum', 'astype'])        # methods whose results share no memory
CHEAP = frozenset(['unbroadcast', 'copy'])        # helpers that may be called once more
MOST = 4                                          # operations that may be made once more


def faster(function, names):
    """The FunctionDef with its innermost adjoint loops changed where that is right."""
    read_before = exposed(function.body, set(), set())
    return tree.replace(function, body=_block(function.body, _Loops(read_before, names, families(function))))


def exposed(stmts, made, found):
    """Names that are read where no statement before, in that block or one around it, has just given them a value."""
    for s in stmts:
        found.update(n for part in tree.header(s) for n in tree.names(part, gast.Load) if n not in made)
        if isinstance(s, gast.AugAssign):
            found.update(n for n in tree.names(s.target, gast.Store) if n not in made)
        own = set(tree.names(s.target, gast.Store)) if isinstance(s, gast.For) else set()
        for _, block in tree.blocks(s):
            exposed(block, made | own, found)
        if isinstance(s, gast.Assign):
            made = made | {n for t in s.targets for n in tree.names(t, gast.Store)}
    return found


def families(function):
    """Name -> the other names that may stand for the same memory: a part of it, or what it is a part of."""
    found: dict = {}
    for s in tree.walk(function):
        if isinstance(s, gast.Assign):
            roots = set(filter(None, map(root, s.value.elts if isinstance(s.value, gast.Tuple) else [s.value])))
            if roots:
                family = roots | set(tree.names(s.targets[0], gast.Store))
                family = family.union(*(found.get(n, ()) for n in family))
                found.update(dict.fromkeys(family, family))
    return found


def root(expr):
    """The name of what an expression may be a part of, or a view."""
    while isinstance(expr, (gast.Attribute, gast.Subscript, gast.Call)):
        if isinstance(expr, gast.Call) and (not isinstance(expr.func, gast.Attribute) or expr.func.attr in FRESH):
            return None
        expr = expr.func if isinstance(expr, gast.Call) else expr.value
    return expr.id if isinstance(expr, gast.Name) else None


def _block(stmts, loops):
    out = []
    for s in stmts:
        inner = {field: _block(block, loops) for field, block in tree.blocks(s)}
        if inner:
            s = tree.replace(s, **inner)
        known = tree.origin(s)
        out += loops.of(s) if isinstance(s, gast.For) and known and known.role == 'adjoint' else [s]
    return out


class _Loops:
    """
    exposed : names whose value comes from elsewhere where some statement reads them
    names : gives names to what the target brings
    families : name -> names that may stand for the same memory
    """

    def __init__(self, exposed, names, families):
        self.exposed, self.names, self.families = exposed, names, families

    def of(self, loop):
        """The loops in place of this one."""
        if not isinstance(loop.target, gast.Name) or not all(isinstance(s, (gast.Assign, gast.AugAssign)) for s in loop.body):
            header = forwards(loop.iter)
            return [tree.replace(loop, iter=header) if header is not None and self.only_adds(loop) else loop]
        parts = self.parts(loop) or [loop]
        return [s for part in parts for s in self.summed(part)]

    def parts(self, loop):
        """A loop for each addition, or one for all of them where what they are made of is dear; forwards, which a machine is
        better at. None where the trips or the additions depend on each other."""
        header = forwards(loop.iter)
        sums = [s for s in loop.body if isinstance(s, gast.AugAssign)]
        temps = {tree.target(s): s for s in loop.body if isinstance(s, gast.Assign)}
        if header is None or not sums or None in temps or len(sums) + len(temps) != len(loop.body):
            return None
        if not all(is_sum(s) and self.apart(s, loop.body) for s in sums):
            return None
        if not self.exposed.isdisjoint([*temps, loop.target.id]):         # what the last trip left may be read
            return None
        inside = {n for s in loop.body for n in reads(s)}
        if inside & {written(s) for s in sums} or not self.in_order(loop.body, temps):
            return None
        if not all(self.is_pure(s.value) for s in loop.body):
            return None
        made = []
        for s in sums:
            body = [*needed(s, temps, loop.body), s]
            if len(sums) > 1 and not all(self.is_cheap(t.value) for t in body[:-1]):
                return [tree.replace(loop, iter=header)]
            made.append(tree.replace(loop, iter=header, body=body))
        return made

    def only_adds(self, loop):
        """Whether all that its trips do is to add to arrays that they do not read: so their order does not matter.

        A loop that runs forwards is better for the loops in it, see `machine.passes.ranges`.
        """
        inside = list(tree.every(loop.body))
        simple = [s for s in inside if not isinstance(s, gast.For)]
        sums = [s for s in simple if isinstance(s, gast.AugAssign)]
        if not all(tree.target(s) if isinstance(s, gast.Assign) else is_sum(s) for s in simple) \
                or not all(isinstance(s.target, gast.Name) and not s.orelse and isinstance(s.iter, gast.Call)
                           and tree.dotted(s.iter.func) == 'range' for s in inside if isinstance(s, gast.For)):
            return False
        made = {loop.target.id} | {n for s in inside for n in tree.names(s, gast.Store)}
        made |= {n for s in inside if isinstance(s, gast.For) for n in tree.names(s.target, gast.Store)}
        arrays = {written(s) for s in sums if isinstance(s.target, gast.Subscript)}
        looked = {n for s in simple for n in reads(s) if not self.is_start(s)}
        looked |= {n for s in inside if isinstance(s, gast.For) for n in tree.names(s.iter, gast.Load)}
        numbers = {written(s) for s in sums} - arrays
        carried = exposed(loop.body, {loop.target.id}, set()) & made - arrays          # from trip to trip
        return self.exposed.isdisjoint(made - arrays) and not carried and not looked & arrays \
            and numbers <= {tree.target(s) for s in simple if self.is_start(s)} \
            and all(self.apart(s, inside) for s in sums) and all(self.is_pure(s.value) or self.is_start(s) for s in simple)

    def is_start(self, s):
        """Whether a sum begins there, which looks at types alone."""
        return isinstance(s, gast.Assign) and isinstance(s.value, gast.Call) and self.helper(s.value) == 'init_grad'

    @staticmethod
    def in_order(body, temps):
        """Whether each name made in the body is made before it is read."""
        known: set = set()
        for s in body:
            if any(n in temps and n not in known for n in reads(s)):
                return False
            if isinstance(s, gast.Assign):
                known.add(tree.target(s))
        return True

    def helper(self, call):
        found = self.names.shared.get(call.func.id) if isinstance(call.func, gast.Name) else None
        return getattr(found, '__name__', None)

    def is_pure(self, expr):
        """Whether all calls are of functions of a module, or of helpers that only look at their arguments."""
        return all(isinstance(n.func, gast.Attribute) and tree.dotted(n.func) and '.' in tree.dotted(n.func)
                   and tree.dotted(n.func).partition('.')[0] not in self.names.locals or self.helper(n) in CHEAP
                   for n in tree.walk(expr) if isinstance(n, gast.Call))

    def is_cheap(self, expr):
        """Whether an expression may be calculated in two loops rather than in one."""
        parts = tree.walk(expr)
        return all(self.helper(n) in CHEAP for n in parts if isinstance(n, gast.Call)) \
            and sum(isinstance(n, gast.BinOp) for n in parts) <= MOST

    def summed(self, loop):
        """The loop, with additions to one and the same element summed up before."""
        changing = {loop.target.id} | {n for s in loop.body for n in tree.names(s, gast.Store)}
        before, body, after = [], [], []
        for s in loop.body:
            if is_sum(s) and isinstance(s.target, gast.Subscript) and self.apart(s, loop.body) and self.alone(s, loop.body) \
                    and not changing & set(tree.names(s.target.slice, gast.Load)):
                total, origin = self.names.taken.fresh('total'), tree.origin(s)
                element = tree.replace(s.target, ctx=gast.Load())
                start = tree.assign(total, tree.call(self.names('init_grad'), element), origin)
                before.append(gast.copy_location(start, s))
                body.append(tree.replace(s, target=tree.store(total)))
                after.append(tree.replace(s, op=gast.Add(), value=tree.load(total)))
                if isinstance(s.op, gast.Sub):
                    body[-1] = tree.replace(body[-1], op=gast.Sub())
            else:
                body.append(s)
        return [*before, tree.replace(loop, body=body), *after] if before else [loop]

    def apart(self, s, body):
        """Whether no other name in the body may stand for the memory that the statement adds to."""
        others = self.families.get(written(s), frozenset()) - {written(s)}
        return others.isdisjoint(n.id for other in body for n in tree.walk(other) if isinstance(n, gast.Name))

    @staticmethod
    def alone(s, body):
        """Whether nothing else in the body has to do with the array that the statement adds to."""
        return all(other is s or written(s) not in tree.all_names(other)
                   for other in body) and written(s) not in reads(s)


def is_sum(s):
    """Whether it adds to a number or to an element of an array with a name."""
    return isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub)) and written(s) is not None


def written(s):
    """The name of the array, or the number, that an addition goes to."""
    target = s.target
    if isinstance(target, gast.Subscript):
        target = target.value
    return target.id if isinstance(target, gast.Name) else None


def reads(s):
    """The names that a statement reads, but for the array that it adds to."""
    found = set(tree.names(s.value, gast.Load))
    if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Subscript):
        found |= set(tree.names(s.target.slice, gast.Load))
    return found


def needed(s, temps, body):
    """The statements of the body that make what this one reads, in order."""
    wanted, pending = set(), [s]
    while pending:
        for n in reads(pending.pop()) & temps.keys() - wanted:
            wanted.add(n)
            pending.append(temps[n])
    return [t for t in body if tree.target(t) in wanted]
