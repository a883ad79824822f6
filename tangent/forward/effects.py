"""Calls that may write into something with a derivative become statements of their own, in the order of evaluation.

    if box.step() > 1:            t = box.step()              n = n + len(grown(xs, x))         t = grown(xs, x)
        y = box.a           ->    if t > 1:               ;                               ->    n = n + len(t)
                                      y = box.a

No derivative flows through a test, but what is called there may change the objects that it is given, and their tangents
have to change with them.
"""
import gast

from tangent.analysis.activity import Links, Sources, activity, each
from tangent.analysis.generators import LISTS, gone_through, is_generator_call
from tangent.forward.statements import VIEWS, loop_heads
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.lower import Lower
from tangent.templates.language import registry

NO_WRITERS = (*VIEWS, '__setattr__')


ACTING = gast.Call, *LISTS


def hoisted(function, names, resolver, library, aliases, wrt, temps, source):
    """The function with such calls in front of the statements that they stand in; `temps` gets the names for them."""
    flow = activity(function, wrt, Links(Sources(resolver), aliases, each, inner=True))
    hoist = Hoist(function, names, resolver, flow, library, False, source, aliases.effects)
    hoist.aliases = aliases
    if not any(hoist.acts(n) for n in tree.walk(function)):
        return function
    new = tree.replace(function, body=hoist.block(function.body))
    temps |= hoist.temps
    return new


class Hoist(Lower):
    """Moves nothing but calls; see the module.

    direct : the calls that stay in the statement at hand: one that is all of it, and those that the header of a loop goes
        through
    """

    aliases, direct = None, ()

    def acts(self, expr):
        """Whether a call, or a comprehension, may write into something with a derivative."""
        return isinstance(expr, ACTING) and not self.reaches(expr).isdisjoint(self.flow.varied)

    def reaches(self, call):
        """Names of what a call, or a comprehension, may write into."""
        taken = gone_through(call, self.resolver)
        through = [e for e in taken if isinstance(e, gast.Name) and e.id in self.generators]
        made = [e for e in taken if isinstance(e, gast.Call) and is_generator_call(e, self.resolver)]
        if made:                               # it runs while it is gone through, not where it is called
            return set().union(*(self.aliases.touched(e, False) for e in made), *map(self.aliases.handed_on, through))
        if through or not isinstance(call, gast.Call):
            return set().union(*map(self.aliases.handed_on, through))
        found = self.resolver(call.func)
        if found is next:
            return self.aliases.handed_on(call.args[0])
        if found is UNKNOWN and isinstance(call.func, gast.Attribute) and call.func.attr in NO_WRITERS \
                or found is not UNKNOWN and registry.lookup(found) is not None or is_generator_call(call, self.resolver):
            return set()
        called = {call.func.id} if found is UNKNOWN and isinstance(call.func, gast.Name) else set()
        return self.aliases.touched(call, found is UNKNOWN) | self.aliases.by_unknown(call) | called

    def touches(self, s):
        if isinstance(s, gast.For):
            heads = loop_heads(s.target, s.iter, self.resolver) if self.flow.flows(s.iter) else ()
            self.direct = [h.iter for h in heads if h.kind == 'each']
        else:
            whole = isinstance(s, (gast.Expr, gast.Return)) or tree.target(s) and isinstance(s, gast.Assign)
            self.direct = [s.value] if whole else []
        return any(self.moves(e, True) for e in tree.header(s))

    def is_direct(self, call):
        return any(call is e for e in self.direct)

    def moves(self, expr, flows):
        if isinstance(expr, (gast.Name, gast.Constant, gast.Lambda)):
            return False
        if not self.is_direct(expr) and self.acts(expr):
            return True
        return any(self.moves(e, flows) for e in tree.children(expr))

    def value(self, expr, flows):
        if expr is None or not self.moves(expr, flows):
            return expr
        if not self.is_direct(expr) and self.acts(expr):
            return self.hold(self.parts(expr, flows) if isinstance(expr, gast.Call) else expr)
        handler = getattr(self, 'of_' + type(expr).__name__, None)
        return handler(expr, flows) if handler is not None else self.parts(expr, flows)

    def may_wait(self, expr, stmts):
        calls = [n for s in stmts for n in tree.walk(s) if isinstance(n, ACTING)]
        written = set().union(*(self.aliases.family(n) for c in calls for n in self.reaches(c)))
        changed = not isinstance(expr, gast.Name) and not written.isdisjoint(tree.names(expr, gast.Load))
        return not changed and super().may_wait(expr, stmts)

    def Assign(self, s):
        value = self.value(s.value, True)
        self.out.append(tree.replace(s, targets=[self.place(t) for t in s.targets], value=value))

    def Expr(self, s):
        self.out.append(tree.replace(s, value=self.value(s.value, True)))

    def For(self, s):
        s = tree.replace(s, iter=self.value(s.iter, True))
        self.out.append(self.within(s))

    def AugAssign(self, s):
        """What stands there is read before the value is made, which may change it."""
        owner = tree.root(s.target) if not isinstance(s.target, gast.Name) else None
        written = set().union(*(self.reaches(c) for c in tree.walk(s.value) if isinstance(c, ACTING)))
        if not isinstance(owner, gast.Name) or self.aliases.family(owner.id).isdisjoint(written):
            self.out.append(tree.replace(s, target=self.place(s.target), value=self.value(s.value, True)))
            return
        place = self.place(s.target)
        old = self.hold(tree.as_read(place))
        value = self.value(s.value, True)
        self.put(gast.AugAssign(target=tree.store(old.id), op=s.op, value=value))
        self.put(gast.Assign(targets=[place], value=old, type_comment=None))

    def within(self, s):
        blocks = {field: self.block(block) for field, block in tree.blocks(s)}
        return tree.replace(s, **blocks)
