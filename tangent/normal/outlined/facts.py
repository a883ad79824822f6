"""What a checkpointed loop takes from the function around it, and what it gives back."""
import gast

from tangent.analysis.alias import Aliases
from tangent.emit.signature import params, plain_arguments
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN, local_names
from tangent.frontend.scopes import DEFINITIONS, Bound, free, inside
from tangent.normal.desugar.loops import LOOPS, breaks


class Facts:
    """What a loop takes and gives.

    carried : names that go from one iteration to the next, or through a loop of no iterations
    outputs : names that every iteration binds and that are read behind the loop
    reads : names of the function that iterations read
    copied : the carried names into whose arrays or lists it may write
    sized : names of what it runs over that must not be iterators, since something else may take from them
    rebound : names that are bound to what the call gives; into the others that is written
    """

    def __init__(self, work, s, loop, around):
        self.work, self.s, self.loop = work, s, loop
        bound, inner = assigned(loop), Bound(loop.body, stored_names(loop.target))
        within = set(map(id, tree.walk(s)))
        outside = [n for n in tree.walk(work.function) if id(n) not in within]
        live = live_behind(s, work.function, around, outside)
        if around:
            live |= inner.first
        before = work.bound.before.get(id(s), frozenset())
        written = self.written(loop)
        self.carried = [n for n in bound if n in inner.first or n in live and (n not in inner.always or n in before)]
        self.carried += sorted(n for n in written if n not in bound and n in work.local)
        self.outputs = [n for n in bound if n in live and n not in self.carried]
        self.reads = sorted((free(function_of(loop)) & work.local) - set(self.carried) - set(bound))
        stores = {n.id for n in outside if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        maybe = [n for n in self.carried if n not in before]
        self.uncertain = [n for n in maybe if n in stores or around]
        self.unset = {n for n in maybe if n not in self.uncertain}
        updated = {n for t, n in work.aliases.updates if id(t) in self.own}
        self.copied = [n for n in self.carried if n in written | updated]
        self.breaks = breaks(loop.body)
        self.into, self.updated = written, updated
        self.elsewhere = {n.id for n in outside if isinstance(n, gast.Name)}
        self.elsewhere |= {n.id for t in loop.body for n in tree.walk(t) if isinstance(n, gast.Name)}
        self.place(written, updated, {n.id for n in outside if isinstance(n, gast.Name)})
        self.over()
        names = [*self.leading, *self.carried, *self.reads]
        self.wanted = tuple(k for k, n in enumerate(names) if n in work.varied)
        if not work.varied.isdisjoint(bound) or not work.varied.isdisjoint(written):
            return
        self.wanted = ()

    def written(self, loop):
        """Names into whose objects the loop writes, those of which an iteration takes a view included."""
        aliases = self.work.aliases
        self.own = {id(t) for t in tree.walk(loop)}
        found = {c.name for t, c in aliases.builders.changes.items() if id(t) in self.own}
        for t in tree.walk(loop):
            if isinstance(t, gast.stmt) and not isinstance(getattr(t, 'target', None), gast.Name):
                found.update(aliases.changed(t))
            elif isinstance(t, gast.Call):
                found |= aliases.surely_written(t)
        links = [(set(tree.names(t, gast.Store)), aliases.handed_on(n.value)) for n in tree.walk(loop)
                 if isinstance(n, gast.Assign) for t in n.targets if not isinstance(t, (gast.Subscript, gast.Attribute))]
        links += [(set(tree.names(n.target, gast.Store)), aliases.handed_on(n.iter)) for n in tree.walk(loop)
                  if isinstance(n, gast.For) and n.iter is not None]
        while True:
            more = {m for left, right in links if left & found for m in right} - found
            if not more:
                return found
            found |= more

    def place(self, written, updated, elsewhere):
        """Where the new values go: a name that alone holds an array may be bound anew; else it is written into."""
        work, own = self.work, set(assigned(self.loop))
        aliases = Aliases(without(work.function, self.s), work.resolver, work.effects)

        def alone(n):
            others = (aliases.family(n) - {n}) & elsewhere & work.local
            return not others and not (work.inner and n in params(work.function))

        self.rebound = {n for n in self.carried + self.outputs if n not in written or n in own or alone(n)}
        for n in self.carried:
            if n in written and n in own and not alone(n):
                raise subset.unsupported(self.s, work.source,
                                         'checkpointed loops that write into an array with other names and '
                                        'bind its name anew', 'give the loop a copy that is made before it')
        self.shared = tuple(k for k, n in enumerate(self.carried) if n in updated and not alone(n))
        self.guarded = tuple(k for k, n in enumerate(self.carried) if n in written | updated)

    def over(self):
        """What the loop runs over, and which parameters of its function say which part of it."""
        work, head = self.work, self.loop.iter
        found = work.resolver(head.func) if isinstance(head, gast.Call) and not head.keywords else UNKNOWN
        known = getattr(found, '__module__', None) == 'itertools' and found.__name__ == 'count'
        if head is None or known:
            args = head.args if known else []
            self.ranged, self.items = 2 if len(args) < 2 else 3, tree.call(work.library('unending'), *args)
        elif found is range:
            self.ranged, self.items = 2 if len(head.args) < 3 else 3, head
        else:
            self.ranged, self.items = 0, head
        sources = set(tree.names(head, gast.Load)) if not self.ranged else set()
        targets = stored_names(self.loop.target) if not self.ranged else set()
        if sources & self.into or targets & self.updated:
            raise subset.unsupported(self.s, work.source, 'checkpointed loops that write into what they run over',
                                    'run over the indices: range(len(...))')
        parts = [head] if found is UNKNOWN else head.args if found in (enumerate, zip, reversed, map, filter) else []
        self.sized = sorted({e.id for e in parts if isinstance(e, gast.Name) and e.id in work.local
                             and (self.breaks or e.id in self.elsewhere)})
        over = not self.ranged and not work.varied.isdisjoint(tree.names(head, gast.Load))
        self.leading = [None] * self.ranged if self.ranged else [sorted(work.varied)[0] if over else None]
        if over and isinstance(head, gast.Call):
            self.items = tree.call(work.library('list'), head)

    def plan(self, line):
        given = {'carried': len(self.carried), 'outputs': len(self.outputs), 'ranged': self.ranged, 'breaks': self.breaks,
                 'written': self.guarded, 'shared': self.shared, 'line': line}
        return {key: value for key, value in given.items() if value}


def without(function, s):
    """The function less a loop."""
    def block(stmts):
        return [tree.replace(t, **{f: block(b) for f, b in tree.blocks(t)}) for t in stmts if t is not s]
    return tree.replace(function, body=block(function.body))


def outermost(stmts):
    """The loops that stand in no other."""
    found = []
    for s in stmts:
        if isinstance(s, LOOPS):
            found.append(s)
        elif not isinstance(s, DEFINITIONS):
            found += [t for _, block in tree.blocks(s) for t in outermost(block)]
    return found


def function_of(loop):
    """The loop as the body of a function, less what it runs over."""
    loop = tree.replace(loop, iter=tree.constant(0))
    return gast.FunctionDef(name='', args=plain_arguments([]), body=[loop], decorator_list=[], returns=None,
                            type_comment=None, type_params=[])


def assigned(loop):
    """Names that the loop binds, in the order of the text."""
    found = local_names(function_of(loop))
    order = [n.id for n in inside([function_of(loop).body[0]]) if isinstance(n, gast.Name)]
    return list(dict.fromkeys([n for n in order if n in found] + sorted(found)))


def stored_names(target):
    return set(tree.names(target, gast.Store))


def live_behind(s, function, around, outside):
    """Names that may be read when the loop is over: behind it, in loops around it, and in functions inside."""
    end = getattr(s, 'end_lineno', None) or max(getattr(n, 'lineno', 0) or 0 for n in tree.walk(s))
    late = {id(n) for t in tree.walk(function) if isinstance(t, (*DEFINITIONS, gast.Lambda)) and t is not function
            for n in tree.walk(t)}
    late |= {id(n) for t in around for n in tree.walk(t)}
    found = set()
    for n in outside:
        if (getattr(n, 'lineno', None) or end + 1) > end or id(n) in late:
            if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load):
                found.add(n.id)
            elif isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Name):
                found.add(n.target.id)
    return found


def read_on_error(t, function, around):
    """Names that may be read after an exception in the body of a try statement."""
    within = set(map(id, tree.walk(t)))
    behind = live_behind(t, function, around, [n for n in tree.walk(function) if id(n) not in within])
    found = set(Bound(t.finalbody).first)
    for h in t.handlers:
        paths = Bound(h.body)
        found |= paths.first | (behind - paths.always if paths.goes_on else set())
    return found
