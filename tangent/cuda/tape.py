"""Tapes of adjoint kernels: each thread has its own, in local memory where a constant says how long it gets.

    _stack.append((t, r))               slot = _top; _top += 1
                                        _stack[slot, 0, thread] = t
                                        _stack[slot, 1, thread] = r
"""
import gast

from tangent.analysis.dataflow.ranges import number as literal
from tangent.frontend import tree

LOCAL = 64                       # numbers, at most, that a tape in local memory holds
THREAD = ('(({c}.blockIdx.z * {c}.gridDim.y + {c}.blockIdx.y) * {c}.gridDim.x + {c}.blockIdx.x) * ({c}.blockDim.x * '
          '{c}.blockDim.y * {c}.blockDim.z) + ({c}.threadIdx.z * {c}.blockDim.y + {c}.threadIdx.y) * {c}.blockDim.x + '
          '{c}.threadIdx.x')
FLAT = '{c}.grid(1)'
TAPE = tree.Origin('tape')


class Tapes:
    """The tapes of a function.

    Attributes
    ----------
    given : list of (name, fields, slots or None)
        Those that the kernel is given, and how many slots each needs where that is known.
    axes : int
        Axes of the launch along which the kernel tells its threads apart.
    """

    def __init__(self, function, prefix, axes):
        self.prefix, self.axes = prefix, axes
        self.names = tree.Names(tree.all_names(function))
        self.tapes = [tree.target(s) for s in tree.every(function.body) if tree.target(s)
                      and isinstance(s.value, gast.List) and not s.value.elts]
        self.fields: dict = {}
        self.bounds: dict = dict.fromkeys(self.tapes, 0)
        self.ints = integers(function)
        self.count(function.body, 1)
        self.tapes = [t for t in self.tapes if self.fields.get(t)]
        self.local = [t for t in self.tapes if self.bounds[t] is not None and self.bounds[t] * self.fields[t] <= LOCAL]
        self.given = [(t, self.fields[t], self.bounds[t]) for t in self.tapes if t not in self.local]
        self.tops = {t: self.names.fresh('_top') for t in self.tapes}
        self.thread = self.names.fresh('thread') if self.given else None
        self.last = self.names.fresh('slot')
        self.full = self.names.fresh('_full') if any(bound is None for *_, bound in self.given) else None

    def count(self, stmts, times):
        """Add up how often each tape is pushed on, where constants say it."""
        for s in stmts:
            call = getattr(s, 'value', None)
            owner, method = of_tape(call)
            if method == 'append' and owner in self.bounds:
                value = call.args[0]
                self.fields[owner] = len(value.elts) if isinstance(value, gast.Tuple) else 1
                known = self.bounds[owner]
                self.bounds[owner] = None if times is None or known is None else known + times
            inner = times
            if isinstance(s, (gast.For, gast.While)):
                trips = trip_count(s)
                inner = None if trips is None or times is None else times * trips
            for _, block in tree.blocks(s):
                self.count(block, inner)

    def function(self, function):
        first = []
        for t in self.local:
            shape = tree.expression(f'({self.bounds[t]}, {self.fields[t]})')
            first.append(tree.assign(t, tree.call(f'{self.prefix}.local.array', shape, tree.load('float64')), TAPE))
        if self.given:
            number = (FLAT if self.axes < 2 else THREAD).format(c=self.prefix)
            first.append(tree.assign(self.thread, tree.expression(number), TAPE))
        first += [tree.assign(self.tops[t], tree.constant(0), TAPE) for t in self.tapes]
        return tree.replace(function, body=first + self.block(function.body))

    def block(self, stmts):
        out = []
        for s in stmts:
            s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
            owner, method = of_tape(getattr(s, 'value', None))
            if tree.target(s) and isinstance(s.value, gast.List) and not s.value.elts:
                continue
            if method == 'append':
                value = s.value.args[0]
                out += self.push(owner, value.elts if isinstance(value, gast.Tuple) else [value])
            elif method == 'pop':
                target, = s.targets
                out += self.pop(owner, target.elts if isinstance(target, gast.Tuple) else [target])
            elif isinstance(s, gast.While) and isinstance(s.test, gast.Name) and s.test.id in self.tops:
                out.append(tree.replace(s, test=tree.expression(f'{self.tops[s.test.id]} > 0')))
            else:
                out.append(s)
        return out

    def slot(self, tape):
        """Statements that find the slot at hand: the last one of a tape that is too short, which is noted."""
        if self.bounds[tape] is not None:
            return []
        return [tree.assign(self.last, tree.expression(f'min({self.tops[tape]}, {tape}.shape[0] - 1)'), TAPE)]

    def element(self, tape, field):
        thread = '' if tape in self.local else f', {self.thread}'
        return tree.expression(f'{tape}[{self.tops[tape] if self.bounds[tape] is not None else self.last}, {field}{thread}]')

    def push(self, tape, values):
        out = self.slot(tape)
        out += [tree.assign(tree.replace(self.element(tape, k), ctx=gast.Store()), v, TAPE) for k, v in enumerate(values)]
        if self.bounds[tape] is None:
            text = f'if {self.tops[tape]} == {tape}.shape[0]:\n    {self.full}[0] = 1'
            out.append(placed(tree.statements(text)[0]))
        return [*out, placed(tree.statements(f'{self.tops[tape]} += 1')[0])]

    def pop(self, tape, names):
        out = [placed(tree.statements(f'{self.tops[tape]} -= 1')[0]), *self.slot(tape)]
        for k, n in enumerate(names):
            value = self.element(tape, k)
            out.append(tree.assign(n.id, tree.call('int', value) if n.id in self.ints else value, TAPE))
        return out


def placed(s):
    for t in tree.every([s]):
        tree.place(t, TAPE)
    return s


def of_tape(call):
    """(name of the tape, 'append' or 'pop') of what is done to one."""
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and isinstance(call.func.value, gast.Name) \
            and call.func.attr in ('append', 'pop'):
        return call.func.value.id, call.func.attr
    return None, None


def trip_count(loop):
    """How many trips a loop over constants makes; None for others."""
    if not isinstance(loop, gast.For) or not isinstance(loop.iter, gast.Call) or tree.dotted(loop.iter.func) != 'range':
        return None
    bounds = [literal(a) for a in loop.iter.args]
    return None if None in bounds else len(range(*bounds))


def integers(function):
    """Names that have to be integers: those in indices and ranges, and what these are made from."""
    found: set = set()
    for n in tree.walk(function):
        if isinstance(n, gast.Subscript):
            found |= set(tree.names(n.slice, gast.Load))
        if isinstance(n, gast.Call) and tree.dotted(n.func) == 'range':
            found |= {m for a in n.args for m in tree.names(a, gast.Load)}
        if isinstance(n, gast.For):
            found |= set(tree.names(n.target, gast.Store))
    while True:
        more = {m for s in tree.every(function.body) if tree.target(s) in found and not isinstance(s.value, gast.Subscript)
                for m in tree.names(s.value, gast.Load)}
        if more <= found:
            return found
        found |= more
