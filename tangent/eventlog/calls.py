"""Calls in the log form: statements that note the call in the log before it is made."""
import gast

from tangent.analysis.liveness import exposed
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, pushed, with_pushed


class Calls:
    """The part of `Steps` that writes calls of functions that are looked at when running."""

    def call(self, expr, target):
        """`target = expr` for a call whose callee and its effects are found out when running."""
        if target is None and self.appends(expr):
            self.appended(expr)
            return
        func, atoms, flags, args, keywords = self.parts_of_call(expr)
        self.flush_all()
        record, g = self.names.fresh('record'), None
        adjoint = []
        if target is not None:
            g = self.names.fresh('b' + target)
            cell = self.cell.get(target)
            taken, of = (g, cell) if cell else (tree.targets(g, self.b(target)), self.b(target))
            take = attribute(record, 'take_cell' if cell else 'take')
            adjoint.append(tree.assign(taken, gast.Call(func=take, args=[tree.load(self.grads), tree.load(of)],
                                                        keywords=[]), None))
        back = gast.Call(func=attribute(record, 'back'), args=[tree.load(self.grads)] + ([tree.load(g)] if g else []),
                         keywords=[])
        parts = [self.names.fresh('b' + a.id) for a in atoms]
        if parts:
            left = gast.Tuple(elts=[tree.store(p) for p in parts], ctx=gast.Store())
            adjoint.append(tree.assign(left, back, None))
            for a, p in zip(atoms, parts):
                adjoint += self.give(a, tree.load(p))
        else:
            adjoint.append(tree.place(gast.Expr(value=back), None))
        own = [n for n in sorted(exposed(adjoint)) if n in self.local | self.temps | set(self.cell.values())]
        helper = 'complex_call' if self.library.in_complex else 'call'
        note = self.note([record] + own, adjoint, helper, record)
        saved = gast.Tuple(elts=[tree.load(n) for n in own], ctx=gast.Load())
        value = gast.Call(func=tree.load(self.library(helper)), args=[
            tree.load(self.log), gast.Tuple(elts=[tree.constant(note.number), *saved.elts], ctx=gast.Load()),
            gast.Tuple(elts=[tree.constant(f) for f in flags], ctx=gast.Load()), func, *args], keywords=keywords)
        self.notes[value] = note
        if target is None:
            self.emit(tree.place(gast.Expr(value=value), tree.origin(self.s)))
        else:
            self.put(target, value)

    def appends(self, expr):
        """Whether it is `xs.append(v)` of what surely is a list."""
        func = expr.func
        return isinstance(func, gast.Attribute) and func.attr == 'append' and isinstance(func.value, gast.Name) \
            and func.value.id not in self.cell and func.value.id not in self.rebound and self.is_display(func.value) \
            and len(expr.args) == 1 and not expr.keywords and not tree.is_starred(expr)

    def appended(self, expr):
        owner, value = expr.func.value, self.stored(expr.args[0])
        then = [tree.place(gast.Expr(value=tree.replace(expr, args=[value])), tree.origin(self.s))]
        self.step(self.method('undo_append', owner, value), value, then=then)

    def parts_of_call(self, expr):
        """(callee, atoms with a derivative, their flags, arguments, keywords) of a call, everything evaluated."""
        atoms, flags = [], []

        def note(atom, flag):
            if isinstance(atom, gast.Name) and self.varied_or_made(atom):
                atoms.append(atom)
                flags.append(f'?{flag}' if atom.id in self.untouched and str(flag)[0] != '*' and flag != 'self' else flag)
            return atom

        func = expr.func
        if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Call) and tree.dotted(func.value.func) == 'super':
            above = func.value
            owner = self.thing(above.args[-1])
            func = tree.replace(func, value=tree.replace(above, args=[*above.args[:-1], note(owner, 'self')]))
        elif isinstance(func, gast.Attribute) and self.resolver(func) is UNKNOWN and self.flows(func.value):
            owner = self.value(func.value)
            self.flush(owner)
            func = tree.replace(func, value=note(owner, 'self'))
        elif self.flows(func):
            func = self.value(func)
            self.flush(func)
            note(func, 'self')
        args = []
        for n, a in enumerate(expr.args):
            method = pushed(expr, self.resolver) if n == 0 else None
            if isinstance(method, gast.Attribute) and self.flows(method.value):
                owner = self.value(method.value)         # the gradient of a method is that of its owner
                self.flush(owner)
                args.append(with_pushed(a, tree.replace(method, value=note(owner, 0)), self.resolver))
                continue
            starred = isinstance(a, gast.Starred)
            atom = self.thing(a.value if starred else a)
            note(atom, f'*{n}' if starred else n)
            args.append(tree.replace(a, value=atom) if starred else atom)
        keywords = []
        for kw in expr.keywords:
            atom = self.thing(kw.value)
            note(atom, '=self' if kw.arg == 'self' else kw.arg or '**')
            keywords.append(tree.replace(kw, value=atom))
        return func, atoms, flags, args, keywords


def attribute(name, attr):
    return gast.Attribute(value=tree.load(name), attr=attr, ctx=gast.Load())
