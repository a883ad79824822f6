"""The tape as plain lists, one for each place where values are kept together."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.tape.versions import taken_names


def tape(func):
    """Keep the values of one place in one list of tuples; what cannot be paired stays on the Stack.

    >>> show(tape, 'for i in range(n):\\n push(_s, t, "1")\\n push(_s, y, "2")\\nfor i in range(n):\\n y = pop(_s, "2")\\n'
    ...     ' t = pop(_s, "1")')
    _stack = []
    for i in range(n):
        _stack.append((t, y))
    for i in range(n):
        t, y = _stack.pop()
    """
    return _Lists(func).lowered()


class _Lists:
    def __init__(self, func):
        self.func, self.effects = func, effects_of(func)
        self.tape, self.places = self.effects.tape, cfg.places(func)
        self.rank = {stmt: k for k, stmt in enumerate(self.places)}

    def lowered(self):
        groups = [part for block in cfg.blocks(self.func) for group in self.groups(block) for part in self.popped(group)]
        if not groups:
            return self.func
        groups.sort(key=lambda group: self.order(self.tape.pushes[group[0]]))
        done = {key for group in groups for key in group}
        stacks = self.idle(done)
        taken = tree.Names(taken_names(self.func) - set(stacks.values()))
        new, before = dict.fromkeys(stacks), {}
        for group in groups:
            name = taken.fresh('_stack')
            first = self.top(self.tape.pushes[group[0]])
            before.setdefault(first, []).append(tree.assign(name, gast.List(elts=[], ctx=gast.Load()), self.origin(group)))
            place, push = self.pushed(name, group)
            before.setdefault(place, []).append(push)
            new.update(self.popping(name, group))
        return rewrite.with_body(self.func, rewrite.with_statements(self.func.tree.body, new, before))

    def origin(self, group):
        known = tree.origin(self.tape.pushes[group[0]])
        return tree.Origin('tape', known.line if known else 0)

    def order(self, stmt):
        """The place of the statement in the text."""
        return self.rank[stmt]

    def top(self, stmt):
        return cfg.within(stmt, self.func.tree.body, self.places)

    def groups(self, block):
        """Lists of identifiers that are pushed in this block and can be pushed together, where the last one is."""
        keys, names = [], set()
        for stmt in block:
            push = self.tape.push(stmt)
            if push and push[2] in self.tape.pairs:
                keys.append(push[2])
                names.update(look(push[1]).loads)
            elif keys and (self.jumps(stmt) or self.changes(stmt) & names):
                yield keys
                keys, names = [], set()
        if keys:
            yield keys

    def popped(self, keys):
        """The parts of a group that are popped in one block and can be popped together, where the first one is."""
        by_block = {}
        for key in keys:
            by_block.setdefault(id(self.places[self.tape.pops[key]].block), []).append(key)
        for part in by_block.values():
            while part:
                here = self.together(part)
                yield here
                part = [key for key in part if key not in here]

    def together(self, keys):
        places = {key: self.places[self.tape.pops[key]] for key in keys}
        block = places[keys[0]].block
        start, stop = min(p.at for p in places.values()), max(p.at for p in places.values())
        by_stmt = {self.tape.pops[key]: key for key in keys}
        found, names, touched = [], set(), set()
        for stmt in block[start:stop + 1]:
            key = by_stmt.get(stmt)
            target = self.tape.pop(stmt)[1] if key else None
            if key and (not found or isinstance(target, gast.Name) and target.id not in names | touched):
                found.append(key)
                names.update(look(stmt).writes)
                if not isinstance(target, gast.Name):
                    break
            else:
                touched |= self.changes(stmt) | self.reads(stmt)
                if self.jumps(stmt):
                    break
        return [key for key in keys if key in found]

    def pushed(self, name, group):
        """(statement, append): where the values of the group are pushed, which is as early as they are there."""
        pushes = [self.tape.pushes[key] for key in group]
        values = [self.tape.push(stmt)[1] for stmt in pushes]
        names = {n for value in values for n in look(value).loads}
        last = max(pushes, key=self.order)
        block, index = self.places[last].block, self.places[last].at
        while index and (block[index - 1] in pushes or not (
                self.jumps(block[index - 1]) or self.changes(block[index - 1]) & names)):
            index -= 1
        value = values[0] if len(group) == 1 else gast.Tuple(elts=values, ctx=gast.Load())
        return block[index], tree.place(gast.Expr(value=tree.call(name + '.append', value)), tree.origin(last))

    def popping(self, name, group):
        """statement -> what takes its place, for the pushes and pops of a group."""
        pops = [self.tape.pops[key] for key in group]
        targets = [self.tape.pop(stmt)[1] for stmt in pops]
        target = targets[0] if len(group) == 1 else gast.Tuple(elts=targets, ctx=gast.Store())
        first = min(pops, key=self.order)
        new = dict.fromkeys(pops + [self.tape.pushes[key] for key in group])
        new[first] = tree.assign(target, tree.call(name + '.pop'), tree.origin(first))
        return new

    def idle(self, done):
        """statement -> name, for the tapes that are made here and no longer used."""
        makers = {name: stmt for stmt in self.places for name in [self.tape.makes(stmt)] if name}
        for stmt in self.places:
            on_tape = self.tape.push(stmt) or self.tape.pop(stmt)
            if not (on_tape and on_tape[2] in done):
                for name in look(stmt).loads:
                    makers.pop(name, None)
        return {stmt: name for name, stmt in makers.items() if self.effects.count[name] == 1}

    def walk(self, stmt):
        yield stmt
        for _, block in tree.blocks(stmt):
            for inner in block:
                yield from self.walk(inner)

    def jumps(self, stmt):
        return any(isinstance(s, (gast.Break, gast.Continue, gast.Return, *tree.TRIES)) for s in self.walk(stmt))

    def changes(self, stmt):
        return {name for s in self.walk(stmt) for name in look(s).writes | self.effects.changes(s)}

    def reads(self, stmt):
        return {name for s in self.walk(stmt) for name in look(s).loads}
