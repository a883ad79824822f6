"""Where messages that were posted arrive: behind each wait of a function what it has posted is given to its buffers.

    request = comm.Irecv(v[-1:], source=left)      request = posted(v[-1:], comm, source=left)
    ...                                            ...
    request.Wait()                                 wait_for(request)
                                                   this = delivery()
                                                   v[-1:] = delivered(v[-1:], request, this)

A wait for what names are known to hold delivers that alone. A receive that may be posted several times before it is waited
for, or whose buffer may be another by then, keeps what it has posted in lists, which are gone through behind the waits.
"""
import collections
import types
from typing import NamedTuple

import gast

from tangent.frontend import subset, tree

LOOPS = gast.For, gast.While
WAITS = {'Wait': 'wait_for', 'Waitall': 'wait_for_all', 'wait': 'awaited', 'waitall': 'awaited_all'}
SENDS = {**WAITS, 'Wait': 'wait_for_sends', 'Waitall': 'wait_for_all_sends'}        # where no receive of an array is posted
OTHERS = frozenset('''Waitany Waitsome Test Testall Testany Testsome waitany waitsome test testall testany testsome
    Cancel'''.split())


class Site(NamedTuple):
    """A place where a receive is posted.

    buffer : the tree of the buffer
    name : that of the request, or of the list of requests
    buffers : the name of the list of buffers where it may be posted several times, else None
    """
    buffer: gast.AST
    name: str
    buffers: str | None


class Waits:
    """The receives of one function, and the statements behind its waits.

    function : the FunctionDef as the user wrote it
    work : the `Messages` that rewrites it
    """

    def __init__(self, function, work):
        self.work, self.sites = work, {}
        self.inside, self.path, self.sure = {}, {}, {}
        self.scan(function.body, (), ())
        self.every = [n for s in function.body for n in tree.walk(s)]
        calls = [n for n in self.every if isinstance(n, gast.Call)]
        self.waits = [n for n in calls if self.is_wait(n)]
        self.note_names(function)
        self.taken = {w: self.calls_of(w) for w in self.waits}
        posts = {n: n.func.attr for n in calls if getattr(n.func, 'attr', None) in ('Irecv', 'irecv') and work.meant(n)}
        for call in [n for n in posts if posts[n] == 'Irecv']:
            self.site(call, [w for w in self.waits if self.taken[w] is None or call in self.taken[w]])
        if posts:
            self.refuse(calls)

    def note_names(self, function):
        """What names are bound to: how often, which of them in loops, and by which assignments."""
        self.bound = collections.Counter(n.id for n in tree.walk(function) if isinstance(n, gast.Name)
                                         and isinstance(n.ctx, (gast.Store, gast.Param)))
        loops = [s for s in tree.every(function.body) if isinstance(s, LOOPS)]
        loops += [n for n in self.every if isinstance(n, gast.comprehension)]
        self.moving = {n.id for s in loops for n in gast.walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
        self.assigned = [(stmts, s) for stmts in tree.every_block(function.body) for s in stmts if isinstance(s, gast.Assign)
                         and len(s.targets) == 1 and isinstance(s.targets[0], gast.Name)]

    def scan(self, stmts, loops, path):
        """Note for each call the loops around it, and the statements around it with the lists in which they stand."""
        for s in stmts:
            around, here = (*loops, s) if isinstance(s, LOOPS) else loops, (*path, (stmts, s))
            for part in tree.header(s):
                self.inside.update((n, around) for n in tree.walk(part) if isinstance(n, gast.Call))
                self.path.update((n, here) for n in tree.walk(part) if isinstance(n, gast.Call))
                for n in tree.walk(part):
                    if isinstance(n, (gast.ListComp, gast.GeneratorExp)):
                        self.inside.update((c, (*around, n)) for c in tree.walk(n.elt) if isinstance(c, gast.Call))
            for _, block in tree.blocks(s):
                self.scan(block, around, here)

    def is_wait(self, call):
        if not isinstance(call.func, gast.Attribute) or call.func.attr not in WAITS:
            return False
        status = [*call.args, *(k.value for k in call.keywords)]
        return self.work.of_requests(call.func) or call.func.attr in ('Wait', 'wait') and len(status) < 2 and not any(
            isinstance(a, gast.Constant) for a in status) and all(k.arg == 'status' for k in call.keywords)

    def helper(self, call):
        """The name of what stands for a wait."""
        return (WAITS if self.sites else SENDS)[call.func.attr]

    def refuse(self, calls):
        """Refuse what may bring messages at other places than those that are known."""
        other = next((n for n in calls if isinstance(n.func, gast.Attribute) and n.func.attr in OTHERS
                      and (self.work.of_requests(n.func) or not n.args)), None)
        if other is not None:
            raise subset.unsupported(other, self.work.source, f'{other.func.attr} of requests', 'wait for them, or for all')
        known = [c for w in self.waits for c in (self.sites if self.taken[w] is None else self.taken[w])]
        given = next((n for n in self.sites if n not in known), None) or self.given(calls)
        if given is not None:
            raise subset.unsupported(given, self.work.source, 'messages that another function waits for',
                                     'wait for the request in the function that posts it')

    def given(self, calls):
        """A call of a function of the user's that is given requests, or None."""
        names, more = set(), {None}
        while more:
            more = {s.targets[0].id for _, s in self.assigned if any(n in self.sites or getattr(n, 'id', None) in names
                                                                     for n in tree.walk(s.value))} - names
            names |= more
        return next((n for n in calls if isinstance(self.work.resolver(n.func), types.FunctionType) and any(
            m in self.sites or getattr(m, 'id', None) in names for a in n.args for m in tree.walk(a))), None)

    # What a wait is for

    def calls_of(self, wait):
        """The calls that may have made what a wait is for; None where that is not known.

        A wait is sure where it is for what they have made just before, in the same block.
        """
        self.sure[wait] = True
        expr = wait.args[0] if self.work.of_requests(wait.func) and wait.args else wait.func.value
        return self.made(expr, self.path[wait][-1], wait)

    def made(self, expr, place, wait):
        if isinstance(expr, gast.Call):
            return [expr] if self.work.meant(expr) is not None else None
        if isinstance(expr, (gast.List, gast.Tuple)):
            return together(self.made(e, place, wait) for e in expr.elts)
        if isinstance(expr, gast.Constant) and expr.value is None:
            return []
        found = self.bindings(expr.id, place) if isinstance(expr, gast.Name) else []
        self.sure[wait] &= len(found) == 1 and found[0][0] is place[0]
        if not found or any(isinstance(s.value, gast.List) for _, s in found) and self.changes(expr.id):
            return None
        return together(self.made(s.value, (stmts, s), wait) for stmts, s in found if not refers(s.value, expr.id))

    def bindings(self, name, place):
        """[(statements, statement)] of what a name may be bound by at a place; nothing where not by itself alone."""
        found = [(stmts, s) for stmts, s in self.assigned if s.targets[0].id == name]
        if len(found) != self.bound[name]:
            return []
        stmts, s = place
        before = [each for each in found if each[0] is stmts and stmts.index(each[1]) < stmts.index(s)][-1:]
        between = stmts[stmts.index(before[0][1]) + 1:stmts.index(s)] if before else []
        return found if any(stores(t, {name}) for t in between) else before or found

    def changes(self, name):
        """Whether a list is used otherwise than by what waits for it: it may be another then."""
        allowed = [part for w in self.waits for part in (*w.args, w.func.value)]
        return any(isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load) and n not in allowed
                   for n in self.every)

    # Which buffer a message is given to

    def site(self, call, waits):
        bound, _ = self.work.bound(call, self.work.meant(call))
        loops = self.inside.get(call, ())
        several = bool(loops) and any(loops != self.inside.get(w, ()) or self.taken[w] and not self.sure[w] for w in waits)
        several = several or not self.steady(bound['buf'], call, waits)
        names = self.work.names
        self.sites[call] = Site(bound['buf'], names.fresh('message'), names.fresh('buffers') if several else None)

    def steady(self, buffer, call, waits):
        """Whether the buffer is surely the same one where it is waited for."""
        if not isinstance(buffer, (gast.Name, gast.Subscript, gast.Attribute)) or tree.acts(buffer):
            return False
        names = set(tree.names(buffer, gast.Load))
        if all(self.bound[n] < 2 and n not in self.moving for n in names) and not any(
                isinstance(n, gast.Attribute) for n in tree.walk(buffer)):
            return True
        return all(self.sure[w] and self.taken[w] and self.still(names, call, w) for w in waits)

    def still(self, names, call, wait):
        """Whether no statement from a post to a wait behind it, which stand in one block, binds one of the names."""
        for (stmts, s), (block, t) in zip(self.path[call], self.path[wait]):
            if s is not t:
                between = stmts[stmts.index(s):stmts.index(t) + 1] if stmts is block else []
                return bool(between) and not any(stores(u, names) for u in between)
        return True

    # Statements

    def start(self):
        """Statements at the start of the function."""
        return [(name, gast.List(elts=[], ctx=gast.Load()) if site.buffers else tree.constant(None))
                for site in self.sites.values() for name in ([site.name, site.buffers] if site.buffers else [site.name])]

    def in_place(self, call, value):
        """What stands for a receive that is posted: `value` with its name."""
        site = self.sites[call]
        if site.buffers is None:
            return gast.NamedExpr(target=tree.store(site.name), value=value)
        return tree.call(self.work.name('among'), tree.load(site.name), value)

    def noted(self, call):
        """(statements in front of a receive, its buffer then): one that may be another later is put aside."""
        site = self.sites[call]
        if site.buffers is None:
            return [], site.buffer
        last = gast.Subscript(value=tree.load(site.buffers), slice=tree.constant(-1), ctx=gast.Load())
        return [gast.Expr(value=tree.method(tree.load(site.buffers), 'append', tree.clone(site.buffer)))], last

    def behind(self, s):
        """Statements behind one that waits."""
        waits = [n for part in tree.header(s) for n in tree.walk(part) if n in self.taken]
        own = [site for call, site in self.sites.items() if any(self.taken[w] is None or call in self.taken[w] for w in waits)]
        return [t for site in own for t in (self.each(site) if site.buffers else self.one(site.buffer, tree.load(site.name)))]

    def one(self, buffer, request):
        this = self.work.names.fresh('this')
        value = tree.call(self.work.name('delivered'), tree.clone(buffer), request, tree.load(this))
        return [tree.assign(this, tree.call(self.work.name('delivery'))),
                gast.Assign(targets=[self.work.written(buffer)], value=value, type_comment=None)]

    def each(self, site):
        k = self.work.names.fresh('k')
        buffer, request = (gast.Subscript(value=tree.load(n), slice=tree.load(k), ctx=gast.Load())
                           for n in (site.buffers, site.name))
        loop = gast.For(target=tree.store(k), iter=tree.call('range', tree.call('len', tree.load(site.name))),
                        body=self.one(buffer, request), orelse=[], type_comment=None)
        empty = [tree.assign(n, gast.List(elts=[], ctx=gast.Load())) for n in (site.buffers, site.name)]
        done = tree.call(self.work.name('all_taken'), tree.load(site.name))
        return [loop, gast.If(test=done, body=empty, orelse=[])]


def together(found):
    """The calls of several values; None where those of one are not known."""
    found = list(found)
    return None if None in found else [c for each in found for c in each]


def stores(s, names):
    """Whether a statement binds one of the names, in its blocks too."""
    return any(isinstance(n, gast.Name) and n.id in names and not isinstance(n.ctx, gast.Load) for n in gast.walk(s))


def refers(expr, name):
    """Whether it is a name itself, which is then bound to what it is bound to."""
    return isinstance(expr, gast.Name) and expr.id == name
