"""Frames: what runs in order is undone in the reverse order, block by block, with one tape.

    for y in ys:                  count = 0                          for _ in range(count):
        t = y * y                 for y in ys:                           way = _stack.pop()
        # note: y, t      ->          count += 1                ;        y, t = _stack.pop()
        if t > 2:                     t = y * y                          if way != 1:
            break                     if t > 2:                              ... (the adjoint of z = t * t)
        z = t * t                         _stack.append((y, t))          ... (the adjoint of t = y * y)
        # note: t, z                      _stack.append(1)
                                          break
                                      z = t * t
                                      _stack.append((y, t))
                                      _stack.append(0)

Enters: statements with *notes* of what the adjoint of each reads. A value that nothing binds anew before its block ends is put
on the tape when that is left, once for all its readers; what is bound anew goes there at its last note before that. A jump says
which one it was (its *way*), so that the block goes back from there. Of the lines of a `try`, how many were done is counted:

    done = raised = 0                                if raised:
    try:                                                 ... (the adjoint of the handler)
        t = y * y                             ->     if done >= 1:
        _stack.append((y, t))                            y, t = _stack.pop()
        done = 1                                         ...
    except KeyError:
        raised = 1
        ...

What else may be left in the middle by an exception, or runs a generator, is a *region*: it keeps a record of its own of what it
did, with a number for each note.
"""
import collections
import dataclasses
import itertools
import math

import gast

from tangent.frontend import tree
from tangent.normal.structure import JUMPS, leaves

LOOPS = gast.For, gast.While
ATTEMPTS = gast.Try, gast.With
DEFINITIONS = gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef
EXACT = {                            # a call that notes itself -> one that gives the note, and what makes that before the call
    'call': ('recorded', 'begun'), 'complex_call': ('complex_recorded', 'complex_begun')}
TAPE = tree.Origin('tape')
FRAME = tree.Origin('frame')         # what counts trips, and takes from the tape


@dataclasses.dataclass(frozen=True)
class Note:
    """What the adjoint of a statement reads, and what it does.

    number : of the note, in a record
    saved : names
    adjoint : statements
    origin : Origin of the user's statement
    call : for one that a call makes of itself, the library name of that; what it holds is bound to the name `record`
    """
    number: int
    saved: list
    adjoint: list
    origin: object
    call: str = ''
    record: str = ''


class Block:
    """Statements that run from the first to the last, or to a jump.

    frame : the body of the loop or function that it belongs to
    rest : whether it is what stands behind a jump in its parent, and ends with it
    kept : names that go on the tape when it is left
    partial : whether an exception may leave it, so that nothing is kept till its end
    made_again : the name that a loop binds, forwards and backwards
    done : the name of how many lines of an attempt were done, where it is that
    falls, noted, jumped : whether its end is reached, a note stands in it, a jump leaves it early (where it is a frame)
    """

    def __init__(self, parent, is_frame=False, rest=False, partial=False):
        self.parent, self.rest, self.partial, self.items, self.kept = parent, rest, partial, [], {}
        self.frame = self if is_frame else parent.frame
        self.codes, self.made_again, self.done = itertools.count(1), None, None
        self.falls = self.noted = self.jumped = False

    def keep(self, name):
        """Have a name kept; whether that can be."""
        if name != self.made_again and not self.partial:
            self.kept[name] = True
        return not self.partial

    def around(self):
        """The block and those around it."""
        block = self
        while block is not None:
            yield block
            block = block.parent


@dataclasses.dataclass
class Item:
    """A statement, with the blocks in it.

    kind : 'plain', 'note', 'branch', 'loop', 'attempt', 'region' or 'jump'
    note : the Note of it, or None
    codes : frame -> numbers of the jumps in it that leave the block it stands in
    body, orelse : Blocks
    rest : the Block of the statements behind it, where jumps in it may leave these out
    handlers, final : Blocks of an attempt
    made : the name of the number of trips, or of what a branch was decided by, where that is kept; of how many lines of an
        attempt were done, and by which handler it was ended
    over : what a loop runs over backwards, where that is known
    """
    s: object
    at: int
    kind: str = 'plain'
    note: object = None
    codes: dict = dataclasses.field(default_factory=dict)
    body: object = None
    orelse: object = None
    handlers: tuple = ()
    final: object = None
    rest: object = None
    made: object = None
    over: object = None


    def blocks(self):
        return [b for b in (self.body, self.orelse, *self.handlers, self.final) if b is not None]

    def falls(self):
        """Whether what stands behind it may be reached."""
        if self.kind == 'attempt':                          # a context may let an exception go no further
            through = self.body.falls and (self.orelse is None or self.orelse.falls)
            return isinstance(self.s, gast.With) or through or any(h.falls for h in self.handlers)
        if self.kind == 'branch':
            return self.body.falls or self.orelse.falls
        return self.kind != 'jump' and not isinstance(self.s, gast.Raise)


def is_cut(body, notes):
    """Whether all of the function has to be a region: because a `return`, or a `yield`, stands in one."""
    if any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in tree.walk_scope(body)):
        return True
    return any(is_region(s, notes) and any(isinstance(n, gast.Return) for n in tree.walk_scope([s]))
               for s in tree.walk_scope(body) if isinstance(s, gast.stmt))


def is_region(s, notes):
    """Whether a statement may be left in the middle, and gone back through."""
    if isinstance(s, (*tree.TRIES, gast.With)):
        return (has_notes(s, notes) or leaves(s)) and not is_attempt(s, notes)
    if not isinstance(s, LOOPS):
        return False
    return bool(steps(s, notes)) or bool(s.orelse) and has_notes(s, notes) \
        or any(is_region(t, notes) and leaves(t) for t in own(s.body))


def is_attempt(s, notes):
    """Whether of the lines of a `try` or `with` it need only be counted how many were done."""
    if not isinstance(s, ATTEMPTS) or getattr(s, 'finalbody', ()) and leaves(s):
        return False
    return not any(leaves(t) for t in s.body if any(True for _ in tree.blocks(t)))


def own(stmts):
    """The statements in a block whose jumps are for the loop around it."""
    for s in stmts:
        yield s
        if not isinstance(s, (*LOOPS, *DEFINITIONS)):
            for _, block in tree.blocks(s):
                yield from own(block)


def note_of(s, notes):
    return notes.get(s) or notes.get(getattr(s, 'value', None))


def steps(s, notes):
    """The notes that a loop makes as it goes on."""
    return [notes[n] for n in tree.walk(s.iter) if n in notes] if isinstance(s, gast.For) else []


def every_note(s, notes):
    for t in tree.every([s]):
        yield from [note_of(t, notes)] if note_of(t, notes) is not None else steps(t, notes)


def has_notes(s, notes):
    return any(True for _ in every_note(s, notes))


class Reader:
    """Reads statements into Blocks, and where each name is bound.

    notes : statement, or value of one, -> Note
    unsure : names that others may bind
    """

    def __init__(self, notes, params, unsure):
        self.notes, self.unsure = notes, unsure
        self.clock = itertools.count()
        self.bound = collections.defaultdict(list)       # name -> (block, time, whether it is surely bound from there on)
        self.function = Block(None, is_frame=True)
        for p in params:
            self.bound[p].append((self.function, -1, True))

    def bind(self, names, block, sure=True):
        for name in names:
            self.bound[name].append((block, next(self.clock), sure))

    def look(self, s, block):
        """Note what a statement binds by itself."""
        if isinstance(s, DEFINITIONS):
            self.bind([s.name], block)
            return
        nodes = [n for part in tree.header(s) for n in tree.walk(part)]
        doubtful = {n.target.id for n in nodes if isinstance(n, gast.NamedExpr)}
        doubtful |= {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Del)}
        self.bind(tree.writes(s) - doubtful, block)
        self.bind(doubtful, Block(block), sure=False)

    def hide(self, s, block):
        """Note what a statement binds that is not looked into."""
        hidden = Block(block)
        for t in tree.every([s]):
            self.look(t, hidden)
            if isinstance(t, gast.ExceptHandler) and t.name is not None:
                self.bind([getattr(t.name, 'id', t.name)], Block(block), sure=False)

    def block(self, stmts, block):
        for k, s in enumerate(stmts):
            item = self.item(s, block)
            block.items.append(item)
            block.noted = block.noted or item.note is not None or item.kind == 'region' \
                or any(part.noted for part in item.blocks())
            if not item.falls():
                return block
            if item.codes and stmts[k + 1:]:
                item.rest = self.block(stmts[k + 1:], Block(block, rest=True))
                block.falls, block.noted = item.rest.falls, block.noted or item.rest.noted
                return block
        block.falls = True
        return block

    def item(self, s, block):
        note, at = note_of(s, self.notes), next(self.clock)
        if s in self.notes:
            return Item(s, at, 'note', note)
        if isinstance(s, JUMPS):
            return self.jump(s, at, block)
        parted = block.partial and any(True for _ in tree.blocks(s)) and has_notes(s, self.notes)
        if parted or is_region(s, self.notes):
            self.hide(s, block)
            return Item(s, at, 'region')
        if isinstance(s, (gast.If, *LOOPS, *ATTEMPTS)) and (has_notes(s, self.notes) or leaves(s)):
            return (self.attempt if isinstance(s, ATTEMPTS) else self.compound)(s, at, block)
        simple = isinstance(s, DEFINITIONS) or not any(True for _ in tree.blocks(s))
        (self.look if simple else self.hide)(s, block)
        return Item(s, at, 'plain', note)               # a call is noted as it is made

    def compound(self, s, at, block):
        loop = isinstance(s, LOOPS)
        item = Item(s, at, 'loop' if loop else 'branch', body=Block(block, is_frame=loop))
        self.bind(tree.writes(s), item.body if isinstance(s, gast.For) else Block(block), isinstance(s, gast.For))
        self.block(s.body, item.body)
        if not loop:
            item.orelse = self.block(s.orelse, Block(block))
        return self.with_codes(item)

    def attempt(self, s, at, block):
        self.bind(tree.writes(s), block)
        item = Item(s, at, 'attempt', body=self.block(s.body, Block(block, partial=True)))
        item.orelse = self.block(s.orelse, Block(block)) if getattr(s, 'orelse', ()) else None
        for handler in getattr(s, 'handlers', ()):
            inner = Block(block)
            self.bind([getattr(handler.name, 'id', handler.name)] if handler.name is not None else (), Block(block), sure=False)
            item.handlers += (self.block(handler.body, inner),)
        item.final = self.block(s.finalbody, Block(block)) if getattr(s, 'finalbody', ()) else None
        return self.with_codes(item)

    @staticmethod
    def with_codes(item):
        for inner in item.blocks():
            for part in parts(inner):
                for frame, codes in part.codes.items():
                    if frame is not item.body:
                        item.codes.setdefault(frame, set()).update(codes)
        return item

    def jump(self, s, at, block):
        frames = [block.frame]
        while isinstance(s, gast.Return) and frames[-1].parent is not None:
            frames.append(frames[-1].parent.frame)
        while block.rest:
            block = block.parent
        last = block is self.function                       # how the function ends if nothing ends it before
        for f in frames if not last else ():
            f.jumped = True
        return Item(s, at, 'jump', codes={f: {0 if last else next(f.codes)} for f in frames})

    def holds(self, name, start, end):
        """Whether nobody binds a name anew between two times."""
        return name not in self.unsure and not any(start < t < end for _, t, _ in self.bound[name])

    def home(self, name, block, time):
        """The block at whose end a name still holds what it holds at this time in a block, or None."""
        if name in self.unsure:
            return None
        around = set(block.around())
        found = [(b, t) for b, t, sure in self.bound[name] if sure and t < time and b in around]
        if not found:
            return None
        home, at = max(found, key=lambda pair: pair[1])
        return None if any(t != at and home in b.around() for b, t, _ in self.bound[name]) else home


def parts(block):
    """The items of a block, those behind jumps among them."""
    for item in block.items:
        yield item
        if item.rest is not None:
            yield from parts(item.rest)


class Frames:
    """Writes the forward pass with its tape, and the backward pass.

    names : gives names that are free
    library : gives names of library objects
    log : the name under which regions keep their record
    """

    def __init__(self, body, reader, names, library, log):
        self.reader, self.notes, self.names, self.library, self.log = reader, reader.notes, names, library, log
        self.stack = names.fresh('_stack')
        self.ways = {}                                    # frame -> the name of the number of the jump that ended it
        self.function = reader.block(body, reader.function)
        self.loose = {}                                   # Note -> names that go on the tape where it stands
        self.settle(self.function)

    # What goes on the tape, and where

    def settle(self, block):
        for item in block.items:
            if item.note is not None:
                self.loose[item.note.number] = [n for n in item.note.saved if not self.keeps(n, block, item)]
            if item.kind == 'branch' and self.decided(item, block) == 'test':
                item.made = self.names.fresh('c')
                block.keep(item.made)
            if item.kind == 'attempt':
                item.made = item.body.done, _ = self.names.fresh('done'), self.names.fresh('raised')
                for name in self.counters(item):
                    block.keep(name)
            if item.kind == 'loop' and item.body.noted:
                item.over = self.known_range(item, block)
                if item.over is None:
                    item.made = self.names.fresh('count')
                    block.keep(item.made)
            for inner in filter(None, (*item.blocks(), item.rest)):
                self.settle(inner)
        if not block.partial:                             # (all lines of any other block are done, if its end is reached)
            self.thin_out(block)

    def thin_out(self, block):
        """Leave out what a note puts on the tape where one behind it in the block does that, too."""
        ahead: dict = {}                                  # name -> the item behind
        for item in reversed([item for item in block.items if item.note is not None]):
            names = self.loose[item.note.number]
            held = {n for n in names if n in ahead and self.reader.holds(n, item.at, ahead[n].at)}
            self.loose[item.note.number] = [n for n in names if n not in held]
            ahead.update(dict.fromkeys(names, item))

    def keeps(self, name, block, item):
        """Whether a value is on the tape from the end of a block on, or made again by a loop."""
        home = block if name == item.note.record else self.reader.home(name, block, item.at)
        return home is not None and home.keep(name)

    def known_range(self, item, block):
        """`range(n)` where the loop surely goes through all of it, and it can be made again."""
        s, home = item.s, self.reader.home
        if not isinstance(s, gast.For) or not isinstance(s.target, gast.Name) or not isinstance(s.iter, gast.Call) \
                or self.library.resolver(s.iter.func) is not range or s.iter.keywords \
                or item.codes or any(isinstance(t, gast.Break) for t in own(s.body)):
            return None
        nodes = [n for a in s.iter.args for n in tree.walk(a)]
        homes = {n.id: home(n.id, block, item.at) for n in nodes if isinstance(n, gast.Name)}
        again = all(isinstance(n, (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp)) for n in nodes)
        if not again or None in homes.values() or home(s.target.id, item.body, math.inf) is not item.body:
            return None
        for name, place in homes.items():
            place.keep(name)
        item.body.made_again = s.target.id
        return s.iter

    # The forward pass

    def forward(self):
        return self.written(self.function) or [tree.place(gast.Pass(), None)]

    def written(self, block):
        out = []
        for item in block.items:
            out += self.one(item, block)
        if block.falls and not any(item.rest for item in block.items):
            out += self.ended(block)
        return out

    def one(self, item, block):
        s, loose = item.s, self.pushed(self.loose[item.note.number]) if item.note is not None else []
        if item.kind == 'region':                         # its record is on the tape before anything is in it
            loose = [tree.assign(self.log, gast.List(elts=[], ctx=gast.Load()), FRAME), *self.pushed([self.log])]
        if block.partial and counts(item):
            loose.append(tree.assign(block.done, tree.constant(counted(item, block)), FRAME))
        if item.kind == 'note':
            return loose
        if item.kind == 'plain':
            return self.called(s, item.note, block, loose) if item.note is not None else [s]
        if item.kind == 'jump':
            return [*self.left(item, block), s]
        if item.kind == 'region':
            return [*loose, s]
        before, body = [], self.written(item.body)
        if item.kind == 'attempt':
            before, s = self.attempted(item, body)
        elif item.kind == 'branch':
            if item.made is not None:
                before.append(tree.assign(item.made, self.truth(s.test), tree.origin(s)))
                s = tree.replace(s, test=tree.load(item.made))
            s = tree.replace(s, body=body or nothing(), orelse=self.written(item.orelse))
        else:
            if item.made is not None:
                before.append(tree.assign(item.made, tree.constant(0), FRAME))
                one = gast.AugAssign(target=tree.store(item.made), op=gast.Add(), value=tree.constant(1))
                body = [tree.place(one, FRAME), *body]
            s = tree.replace(s, body=body or nothing())
        return [*before, s, *(self.written(item.rest) if item.rest is not None else ())]

    def truth(self, test):
        """What is tested, as something that will say the same later."""
        sure = isinstance(test, (gast.Compare, gast.Constant)) or isinstance(getattr(test, 'op', None), gast.Not)
        return test if sure else tree.call(self.library('bool'), test)

    def attempted(self, item, body):
        """The statements before a `try`, and that."""
        names = [tree.store(n) for n in self.counters(item)]
        start = [tree.place(gast.Assign(targets=names, value=tree.constant(0), type_comment=None), FRAME)] if names else []
        s = tree.replace(item.s, body=body or nothing())
        if item.handlers:
            s.handlers = [tree.replace(h, body=[tree.assign(item.made[1], tree.constant(k), FRAME), *self.written(inner)])
                          for k, (h, inner) in enumerate(zip(s.handlers, item.handlers), 1)]
        if item.orelse is not None:
            s.orelse = self.written(item.orelse) or nothing()
        if item.final is not None:
            s.finalbody = self.written(item.final) or nothing()
        return start, s

    @staticmethod
    def counters(item):
        """Names of how many lines of an attempt were done, and of the handler that ended it, where these are asked for."""
        return [name for name, asked in zip(item.made, (item.body.noted, item.handlers)) if asked]

    def called(self, s, note, block, loose):
        """`y = call(_log, (4, x), flags, f, x)` as `y, record = recorded(flags, f, x)`; in two where it may raise."""
        value = s.value
        new = tree.replace(value, func=tree.load(self.library(EXACT[note.call][block.partial])), args=value.args[2:])
        if block.partial:
            run = tree.replace(s, value=tree.method(tree.load(note.record), 'run'))
            return [tree.assign(note.record, new, tree.origin(s)), *loose, run]
        if isinstance(s, gast.Expr):
            new = gast.Subscript(value=new, slice=tree.constant(1), ctx=gast.Load())
            return [*loose, tree.assign(note.record, new, tree.origin(s))]
        pair = gast.Tuple(elts=[*s.targets, tree.store(note.record)], ctx=gast.Store())
        return [*loose, tree.replace(s, targets=[pair], value=new)]

    def pushed(self, names):
        if not names:
            return []
        value = tree.load(names[0]) if len(names) == 1 else gast.Tuple(elts=[*map(tree.load, names)], ctx=gast.Load())
        return [self.push(value)]

    def push(self, value):
        return tree.place(gast.Expr(value=tree.method(tree.load(self.stack), 'append', value)), TAPE)

    def ended(self, block):
        """What is put on the tape at the end of a block, of those that end with it, and how that came."""
        out = self.pushed(list(block.kept))
        if block.rest:
            return out + self.ended(block.parent)
        return out + ([self.push(tree.constant(0))] if block.frame is block and block.jumped and block.noted else [])

    def left(self, item, block):
        """The same before a jump."""
        out, outermost = [], list(item.codes)[-1]
        for b in block.around():
            out += self.pushed(list(b.kept))
            if b.frame is b and b.jumped and b.noted:
                code, = item.codes[b]
                out.append(self.push(tree.constant(code)))
            if b is outermost:
                return out

    # The backward pass

    def backward(self):
        return [*self.popped_way(self.function), *self.undone(self.function)]

    def undone(self, block):
        out = self.popped(list(block.kept))
        for item in reversed(block.items):
            out += self.undo(item, block)
        return out

    def undo(self, item, block):
        if item.note is not None:
            back = [*unpacked(self.loose[item.note.number], self.pop()), *item.note.adjoint]
            return self.if_done(item, block, [adjoint_of(s, item.note.origin) for s in back])
        if item.kind == 'region':
            notes = every_note(item.s, self.notes)
            return self.if_done(item, block, gone_through(notes, self.pop(), self.names, self.library))
        rest = self.undone(item.rest) if item.rest is not None and item.rest.noted else []
        codes = item.codes.get(block.frame, set())
        if item.kind == 'loop':
            return [*self.unless(codes, rest, block.frame), *self.trips(item)]
        if item.kind == 'attempt':
            last = self.undone(item.final) if item.final is not None and item.final.noted else []
            return [*self.unless(codes, rest, block.frame), *last, *self.ended_by(item), *self.undone(item.body)]
        return self.sides(item, block, codes, rest) if item.kind == 'branch' else []

    def trips(self, item):
        if not item.body.noted:
            return []
        over = item.over if item.over is not None else tree.call('range', tree.load(item.made))
        over = tree.replace(over, func=tree.load(self.library('range')))
        over = tree.call(self.library('reversed'), over) if item.over is not None else over
        target = item.s.target if item.over is not None else tree.store(self.names.fresh('_'))
        body = [*self.popped_way(item.body), *self.undone(item.body)]
        return [tree.place(gast.For(target=target, iter=over, body=body, orelse=[], type_comment=None), FRAME)]

    def if_done(self, item, block, stmts):
        if not block.partial:
            return stmts
        test = gast.Compare(left=tree.load(block.done), ops=[gast.GtE()], comparators=[tree.constant(counted(item, block))])
        return chosen(test, stmts, [])

    def ended_by(self, item):
        """The adjoint of the handler by which an attempt was ended, or of what came behind it if it was not."""
        raised = tree.load(item.made[1])
        out = self.undone(item.orelse) if item.orelse is not None and item.orelse.noted else []
        for k, handler in reversed(list(enumerate(item.handlers, 1))):
            one = gast.Compare(left=raised, ops=[gast.Eq()], comparators=[tree.constant(k)])
            out = chosen(raised if len(item.handlers) == 1 else one, self.undone(handler) if handler.noted else [], out)
        return out

    def decided(self, item, block):
        """What says which side of a branch was taken: 'way', 'test', 'body' or 'orelse', None where nothing has to."""
        frame, body, orelse = block.frame, item.body, item.orelse
        if not (body.noted or orelse.noted):
            return None
        if not body.falls:
            return 'way' if codes_of(body, frame) else 'orelse'
        if not orelse.falls:
            return 'other way' if codes_of(orelse, frame) else 'body'
        return 'test'

    def sides(self, item, block, codes, rest):
        """The adjoint of a branch, and of what stands behind it where a jump may have left that out."""
        frame, how = block.frame, self.decided(item, block)
        body, orelse = (self.undone(b) if b.noted else [] for b in (item.body, item.orelse))
        if how in ('body', 'orelse'):
            return [*rest, *(body if how == 'body' else orelse)]
        if how == 'way':
            if codes == codes_of(item.body, frame):
                return self.unless(codes, [*rest, *orelse], frame, body)
            return [*self.unless(codes, rest, frame), *self.unless(codes_of(item.body, frame), orelse, frame, body)]
        if how == 'other way':
            if codes == codes_of(item.orelse, frame):
                return self.unless(codes, [*rest, *body], frame, orelse)
            return [*self.unless(codes, rest, frame), *self.unless(codes_of(item.orelse, frame), body, frame, orelse)]
        out = self.unless(codes, rest, frame)
        return out + chosen(tree.load(item.made), body, orelse) if how == 'test' else out

    def unless(self, codes, stmts, frame, otherwise=()):
        """The statements, unless a jump with one of these numbers ended the frame."""
        if not codes:
            return stmts
        single = len(codes) == 1
        given = tree.constant(*codes) if single else gast.Tuple(elts=[tree.constant(c) for c in sorted(codes)], ctx=gast.Load())
        op = (gast.Eq() if otherwise else gast.NotEq()) if single else gast.In() if otherwise else gast.NotIn()
        test = gast.Compare(left=tree.load(self.way(frame)), ops=[op], comparators=[given])
        return chosen(test, *((list(otherwise), stmts) if otherwise else (stmts, [])))

    def way(self, frame):
        if frame not in self.ways:
            self.ways[frame] = self.names.fresh('way')
        return self.ways[frame]

    def popped_way(self, frame):
        return [tree.assign(self.way(frame), self.pop(), FRAME)] if frame.jumped and frame.noted else []

    def popped(self, names):
        return [tree.place(s, FRAME) for s in unpacked(names, self.pop())]

    def pop(self):
        return tree.method(tree.load(self.stack), 'pop')


def counted(item, block):
    """How many lines of an attempt are done with this one."""
    return [i for i in block.items if counts(i)].index(item) + 1


def counts(item):
    return item.note is not None or item.kind == 'region'


def codes_of(block, frame):
    return set().union(*(part.codes.get(frame, ()) for part in parts(block)))


def chosen(test, body, orelse):
    if not body and not orelse:
        return []
    if not body:
        test, body, orelse = tree.negation(test), orelse, []
    return [tree.place(gast.If(test=test, body=body, orelse=orelse), FRAME)]


def nothing():
    return [tree.place(gast.Pass(), None)]


def unpacked(names, value):
    """`a, b = value`"""
    return [tree.assign(tree.targets(*names), value, None)] if names else []


def gone_through(notes, record, names, library):
    """The backward pass of a region: through its record from the end, the adjoint of each note in it.

    Of what a function is left in the middle of, only its record tells how far that came.
    """
    step, saved = names.fresh('step'), names.fresh('saved')
    chain = []
    for note in sorted(notes, key=lambda note: -note.number):
        test = gast.Compare(left=tree.load(step), ops=[gast.Eq()], comparators=[tree.constant(note.number)])
        body = [*unpacked(note.saved, tree.load(saved)), *note.adjoint]
        chain = [tree.place(gast.If(test=test, body=[adjoint_of(s, note.origin) for s in body], orelse=chain), None)]
    if not chain:
        return []
    return [tree.place(gast.For(target=tree.targets(step, saved), body=chain, orelse=[], type_comment=None,
                                iter=tree.call(library('reversed'), record)), FRAME)]


def adjoint_of(s, place):
    """The statement with its blocks, said to be the adjoint of the user's line."""
    for _, block in tree.blocks(s):
        for t in block:
            adjoint_of(t, place)
    return tree.place(s, place._replace(role='adjoint') if place else None)
