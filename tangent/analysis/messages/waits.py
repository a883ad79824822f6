"""Where messages that were posted arrive: behind each wait of a function what it has posted is given to its buffers.

    request = comm.Irecv(v[-1:], source=left)      request = posted(v[-1:], comm, source=left)
    ...                                            ...
    request.Wait()                                 wait_for(request)
                                                   this = delivery()
                                                   v[-1:] = delivered(v[-1:], request, this)

A receive that may be posted several times before it is waited for, in a loop without the wait, keeps what it has posted in
lists, which are gone through behind the waits.
"""
from __future__ import annotations

from typing import NamedTuple

import gast

from tangent.frontend import subset, tree

LOOPS = gast.For, gast.While
WAITS = {'Wait': 'wait_for', 'Waitall': 'wait_for_all', 'wait': 'awaited', 'waitall': 'awaited_all'}
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
        self.inside, self.before = {}, {}
        self.scan(function.body, ())
        calls = [n for s in function.body for n in tree.walk(s) if isinstance(n, gast.Call)]
        self.waits = [n for n in calls if self.is_wait(n)]
        receives = [n for n in calls if getattr(n.func, 'attr', None) == 'Irecv' and work.meant(n) is not None]
        bound = [n.id for s in tree.every(function.body) for n in tree.walk(s) if isinstance(n, gast.Name)
                 and isinstance(n.ctx, gast.Store)]
        for call in receives:
            self.site(call, {n for n in bound if bound.count(n) > 1} | set(self.targets(function)))
        if self.sites:
            self.refuse(calls)

    def scan(self, stmts, loops):
        """Note for each call the loops around it."""
        for s in stmts:
            around = (*loops, s) if isinstance(s, LOOPS) else loops
            for part in tree.header(s):
                self.inside.update((n, around) for n in tree.walk(part) if isinstance(n, gast.Call))
                for n in tree.walk(part):
                    if isinstance(n, (gast.ListComp, gast.GeneratorExp)):
                        self.inside.update((c, (*around, n)) for c in tree.walk(n.elt) if isinstance(c, gast.Call))
            for _, block in tree.blocks(s):
                self.scan(block, around)

    @staticmethod
    def targets(function):
        loops = [s.target for s in tree.every(function.body) if isinstance(s, gast.For)]
        comprehensions = [n.target for s in function.body for n in tree.walk(s) if isinstance(n, gast.comprehension)]
        return [n for t in loops + comprehensions for n in tree.names(t, gast.Store)]

    def is_wait(self, call):
        return isinstance(call.func, gast.Attribute) and call.func.attr in WAITS \
            and (self.work.of_requests(call.func) or call.func.attr in ('Wait', 'wait') and not call.args and not call.keywords)

    def refuse(self, calls):
        """Refuse what may bring messages at other places than those that are known."""
        other = next((n for n in calls if isinstance(n.func, gast.Attribute) and n.func.attr in OTHERS
                      and (self.work.of_requests(n.func) or not n.args)), None)
        if other is not None:
            raise subset.unsupported(other, self.work.source, f'{other.func.attr} of requests', 'wait for them, or for all')
        if not self.waits:
            raise subset.unsupported(next(iter(self.sites)), self.work.source, 'messages that another function waits for',
                                     'wait for the request in the function that posts it')

    def site(self, call, changing):
        bound, _ = self.work.bound(call, self.work.meant(call))
        loops = self.inside.get(call, ())
        several = any(loops != self.inside.get(w, ()) for w in self.waits)
        names = self.work.names
        index = set(tree.names(bound['buf'], gast.Load)) - {tree.root_name(bound['buf'])}
        several = several and bool(loops) or not index.isdisjoint(changing) or not isinstance(bound['buf'], (
            gast.Name, gast.Subscript, gast.Attribute))
        self.sites[call] = Site(bound['buf'], names.fresh('message'), names.fresh('buffers') if several else None)

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

    def noted(self, s):
        """Statements in front of one that posts receives: their buffers are put aside."""
        calls = [n for part in tree.header(s) for n in tree.walk(part) if n in self.sites]
        return [gast.Expr(value=tree.method(tree.load(self.sites[c].buffers), 'append', tree.clone(self.sites[c].buffer)))
                for c in calls if self.sites[c].buffers]

    def behind(self, s):
        """Statements behind one that waits."""
        if not self.sites or not any(n in self.waits for part in tree.header(s) for n in tree.walk(part)):
            return []
        return [t for site in self.sites.values() for t in (self.each(site) if site.buffers else self.one(
            site.buffer, tree.load(site.name)))]

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

    def end(self):
        """Statements at the end of the function."""
        return [gast.Expr(value=tree.call(self.work.name('unfinished'), tree.load(site.name))) for site in self.sites.values()]
