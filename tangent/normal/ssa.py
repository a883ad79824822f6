"""One name per definition on straight lines.

    x = x * 2                 x2 = x * 2
    if c: y = x               if c: y = x2; y3 = y
    else: y = -x        ->    else: y2 = -x2; y3 = y2
    for i in r: y = y * i     y4 = y3
                              for i in r: y5 = y4 * i; y4 = y5

Nothing is overwritten but what a loop carries from one iteration to the next: the last statements of its body say so.
Where paths join, each ends with a copy to the common name. The optimizer merges the names again where it can.
"""
import copy
import types

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES
from tangent.frontend.subset import inserts

CARRY = tree.Origin('carry')     # the updates of carried names that end a loop body


def single_names(function, names, made=frozenset(), anew=types.MappingProxyType({}), kept=types.MappingProxyType({})):
    """(the FunctionDef with one name per definition, {version: name in the user's text}, {new: old} of updates `x += v`).

    made : names that `structure` made
    anew : name -> the parameter of which it is another version, see `effects.bound_anew`
    kept : name -> name of the user's, for those that have one version, since they are read wherever an error arises
    """
    ssa = _Ssa(names, made, anew, kept)
    params = [a.id for a in ordered_params(function.args)]
    env = {p: p for p in params}
    ssa.defined |= set(params)
    live_after(function.body, frozenset(), ssa.live)
    return tree.replace(function, body=ssa.block(function.body, env)), ssa.base, ssa.updated


def ordered_params(args):
    """The parameters (gast Names) in the order of the signature."""
    found = args.posonlyargs + args.args + ([args.vararg] if args.vararg else []) + args.kwonlyargs
    return found + ([args.kwarg] if args.kwarg else [])


def live_after(stmts, after, live):
    """Fill `live` with the names live after each statement (and at the header of each loop); the names live before."""
    for s in reversed(stmts):
        live[s] = after
        if isinstance(s, gast.If):
            after = live_after(s.body, after, live) | live_after(s.orelse, after, live) | tree.reads(s)
        elif isinstance(s, (gast.For, gast.While)):
            head = after | tree.reads(s)
            while True:
                new = head | live_after(s.body, head, live) - (tree.writes(s) if isinstance(s, gast.For) else set())
                if new == head:
                    break
                head = new
            live[s, 'head'] = head
            after = head
        else:
            inner = frozenset().union(*(live_after(b, after, live) for _, b in tree.blocks(s)))
            after = (after - (tree.writes(s) if isinstance(s, gast.Assign) else set())) | tree.reads(s) | inner
    return frozenset(after)


def assigned(stmts):
    """Names bound anywhere in the statements, in order of appearance."""
    found = {}
    for s in stmts:
        for node in walk_but_scopes(s):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
                found[node.id] = None
            elif isinstance(node, (gast.Import, gast.ImportFrom)):
                found.update(((a.asname or a.name).partition('.')[0], None) for a in node.names)
    return list(found)


def walk_but_scopes(node):
    """The node and all below it in the order of the text; what comprehensions and lambdas bind is theirs."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, SCOPES):
            pending += tree.children(node)[::-1]


class Rename(gast.NodeTransformer):
    """Rename loads by `env`; the names that a comprehension or a lambda binds itself stay."""

    def __init__(self, env, stores=None):
        self.env, self.stores = env, stores or {}

    def visit_Name(self, node):
        table = self.env if isinstance(node.ctx, gast.Load) else self.stores
        new = table.get(node.id, node.id)
        return node if new == node.id else tree.replace(node, id=new)

    def scope(self, node):
        own = {n.id for n in gast.walk(node) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        inner = Rename({k: v for k, v in self.env.items() if k not in own}, {})
        return inner.generic_visit(node)

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = scope


class _Ssa:
    def __init__(self, names, made, anew, kept):
        self.kept = kept
        self.made = made                 # names that no text of the user's reads: a value nobody looks at will do
        self.names, self.live, self.base, self.defined = names, {}, {**anew, **kept}, set()
        self.updated = {}                # new name -> old name of each `x += v`

    def unset(self, name):
        """The value of a name on a path that leaves it unbound: a number, for the sake of types, where nobody reads it."""
        return tree.constant(0.0 if name in self.made else None)

    def assigned(self, stmts):
        return [n for n in assigned(stmts) if n not in self.kept]

    def define(self, name):
        if name not in self.defined:
            self.defined.add(name)
            self.names.taken.add(name)
            return name
        new = self.names.fresh(self.base.get(name, name))
        self.base[new] = self.base.get(name, name)
        return new

    def block(self, stmts, env):
        out = []
        for s in stmts:
            if isinstance(s, gast.If):
                out += self.branch(s, env)
            elif isinstance(s, gast.For):
                out += self.loop(s, env, self.for_header)
            elif isinstance(s, gast.While):
                out += self.loop(s, env, self.while_header)
            elif isinstance(s, gast.Assign):
                out += self.assignment(s, env)
            elif isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
                out.append(self.augmented(s, env))
            elif isinstance(s, gast.AnnAssign):
                if s.value is not None:
                    out += self.assignment(tree.like(s, s.target, s.value), env)
            else:
                out += self.other(s, env)
        return out

    def expr(self, node, env):
        return Rename(env).visit(tree.clone(node))

    def assignment(self, s, env):
        """One statement per target; a display unpacked on the spot becomes plain copies."""
        out = []
        first, *more = s.targets
        if isinstance(first, (gast.Tuple, gast.List)) and isinstance(s.value, (gast.Tuple, gast.List)) and not more \
                and len(first.elts) == len(s.value.elts) and not tree.starred(first.elts + s.value.elts):
            values = [self.expr(v, env) for v in s.value.elts]
            plain = [isinstance(t, gast.Name) for t in first.elts]
            if all(plain):
                for t, v in zip(first.elts, values):
                    out.append(self.store(s, t, v, env))
                return out
        value = self.expr(s.value, env)
        if isinstance(first, gast.Name) or not more:
            out.append(self.store(s, first, value, env))
        else:
            held = tree.store(self.names.fresh('t'))
            out.append(tree.replace(s, targets=[held], value=value))
            out.append(self.store(s, first, tree.load(held.id), env))
        source = out[-1].targets[0].id if isinstance(first, gast.Name) else out[0].targets[0].id if more else None
        for t in more:
            out.append(self.store(s, t, tree.load(source), env))
        return out

    def store(self, s, target, value, env):
        if isinstance(target, gast.Name):
            if target.id in self.kept:
                return tree.replace(s, targets=[target], value=value)
            new = self.define(target.id)
            env[target.id] = new
            return tree.replace(s, targets=[tree.replace(target, id=new)], value=value)
        stores = {}
        for name in assigned([target]):
            stores[name] = self.define(name)
        new_target = Rename(env, stores).visit(tree.clone(target))
        env.update(stores)
        return tree.replace(s, targets=[new_target], value=value)

    def augmented(self, s, env):
        """`x += v` on a name: an operation on the old value (arrays that have another name are looked at by `alias`)."""
        left = tree.replace(s.target, id=env.get(s.target.id, s.target.id), ctx=gast.Load())
        value = gast.BinOp(left=left, op=s.op, right=self.expr(s.value, env))
        new = self.define(s.target.id)
        env[s.target.id] = new
        self.updated[new] = left.id
        return tree.like(s, tree.store(new), gast.copy_location(value, s))

    def other(self, s, env):
        """A statement that the rooms do not look into: loads and bindings get their names."""
        stores = {n: self.define(n) for part in tree.header(s) for n in assigned([part])}
        new = copy.copy(s)
        skip = {field for field, _ in tree.blocks(s)}
        for field, value in gast.iter_fields(s):
            if field not in skip:
                renamer = Rename(env, stores)
                setattr(new, field, [renamer.visit(tree.clone(v)) if isinstance(v, gast.AST) else v for v in value]
                        if isinstance(value, list) else
                        renamer.visit(tree.clone(value)) if isinstance(value, gast.AST) else value)
        if isinstance(s, (gast.Import, gast.ImportFrom)):
            for alias in new.names:
                name = (alias.asname or alias.name).partition('.')[0]
                self.defined.add(name)
                stores[name] = name
        if inserts(s):
            return self.insertion(new, s, env)
        env.update(stores)
        for field, block in tree.blocks(s):
            setattr(new, field, self.block(block, env))
        return [new]

    def insertion(self, new, old, env):
        """`with insert_grad_of(x) as dx:`  ->  the call names x before and after: insert_grad_of(x, x2)."""
        item = new.items[0]
        before = item.context_expr.args[0]
        user = old.items[0].context_expr.args[0].id
        after = self.define(user)
        call = tree.replace(item.context_expr, args=[before, tree.store(after)])
        inner = dict(env)
        body = []
        for s in old.body:
            body += [self.rename_inserted(s, inner)]
        env[user] = after
        return [tree.replace(new, items=[tree.replace(item, context_expr=call, optional_vars=old.items[0].optional_vars)],
                             body=body)]

    def rename_inserted(self, s, env):
        """Inserted code keeps its own names: only what it reads of the function is renamed."""
        own = set(assigned([s]))
        return Rename({k: v for k, v in env.items() if k not in own}).visit(tree.clone(s))

    def branch(self, s, env):
        test = self.expr(s.test, env)
        paths = dict(env), dict(env)
        blocks = [self.block(b, e) for b, e in zip((s.body, s.orelse), paths)]
        for name in self.assigned(s.body + s.orelse):
            versions = [e.get(name) for e in paths]
            if name not in self.live[s]:
                env.pop(name, None)
            elif versions[0] == versions[1]:
                env[name] = versions[0]
            else:
                env[name] = join = self.define(name)
                for block, version in zip(blocks, versions):        # None on a path that leaves it unbound
                    value = self.unset(name) if version is None else tree.load(version)
                    block.append(tree.assign(join, value, tree.JOINED))
        body, orelse = blocks
        return [tree.replace(s, test=test, body=body, orelse=orelse)]

    def for_header(self, s, env, inner):
        stores = {n: self.define(n) for n in assigned([s.target])}
        inner.update(stores)
        return dict(iter=self.expr(s.iter, env), target=Rename({}, stores).visit(tree.clone(s.target)))

    def while_header(self, s, env, inner):
        return dict(test=self.expr(s.test, inner))

    def loop(self, s, env, header):
        """Carried names get one name for the loop: set before it, and again by the last statements of its body."""
        head = self.live[s, 'head']
        bound = self.assigned([s])
        carried = {n: self.define(n) for n in bound if n in head or n in self.live[s]}
        before = [tree.assign(new, tree.load(env[n]), tree.JOINED) for n, new in carried.items() if n in env]
        inner = {**env, **carried}
        fields = header(s, env, inner)
        body = self.block(s.body, inner)
        guard = [body.pop()] if body and tree.is_guard(body[-1]) else []
        updates = [tree.assign(new, tree.load(inner[n]), CARRY) for n, new in carried.items() if inner.get(n) != new]
        read = {n for t in body for n in tree.names(t, gast.Load)}
        before += [tree.assign(new, self.unset(n), tree.JOINED) for n, new in carried.items()
                   if n not in env and new in read]       # a path of the first iteration passes it on, unbound
        for n in bound:
            env.pop(n, None)
        env.update(carried)
        return before + [tree.replace(s, body=body + updates + guard, **fields)]
