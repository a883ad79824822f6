"""Writes random programs about views of arrays: what is written through one name is read through another.

A program is written by running it: each statement is tried behind those in front of it, with the shapes that these leave, and kept
if it runs. Names hold arrays, lists and dicts of views, and boxes, whose method writes into one; functions beside write into what
they are given, and hand parts of it back.
"""
import random
import re

import numpy as np

GIVEN = np.array([0.7, 1.3, 0.4, -0.9, 0.55, -0.2]), 0.8
PRELUDE = '''import numpy as np

WEIGHTS = np.cos(np.arange(64.0))


class Box:
    def __init__(self, u, w):
        self.u = u
        self.w = w

    def put(self, q):
        self.u[0] = q
        self.w = self.u[::-1]


def total(a):
    return np.sum(a * WEIGHTS[:np.size(a)].reshape(np.shape(a)))

'''
SHAPES = (2, 3), (3, 2), (2, 2), (3, 1), (1, 6), (2, 1)
VIEWS = '''{p}.T | {p}.reshape(-1) | {p}.ravel() | {p}[None] | {p}[..., None] | {p}[::-1] | np.asarray({p}) | np.atleast_2d({p}) | np.squeeze({p})
np.expand_dims({p}, 0) | np.flip({p}) | np.transpose({p}) | {p}[...] | {p}[:] | np.ravel({p}) | {p}.flatten() | {p}.real | np.array({p}) | {p}.copy()
np.ascontiguousarray({p}) | np.asarray({p}, dtype=float) | {p} | {p}.conj() | np.broadcast_to({p}, (2,) + {p}.shape)'''
OF_MATRICES = '''np.diagonal({p}) | {p}.diagonal() | np.swapaxes({p}, 0, 1) | np.moveaxis({p}, 0, 1) | np.rot90({p}) | np.fliplr({p})
np.einsum("ij->ji", {p})'''
WRITES = '''np.add({p}, {e}, out={p}) | np.multiply({p}, {e}, out={p}) | np.sin({e}, out={p}) | {p}.fill({s}) | np.copyto({p}, {e}) | {p}.sort()
{p}.flat[{k}] = {s} | {p}[[0, -1]] = {p}[[-1, 0]] | {p}[0], {p}[-1] = {p}[-1].copy(), {p}[0].copy() | np.add.at({p}, [0, 0, -1], {s})
np.put({p}, [0, {k}], {s}) | {p}[1:] += {p}[:-1] | {p}[:-1] = {p}[1:] * {s} | np.clip({p}, -1.5, 1.5, out={p}) | {p} *= {p} | {p}[...] = {e}
np.putmask({p}, {p} > 0.4, {s}) | np.tanh({p}, {p}) | {p}.T[...] = {p}.T * {s} | {p}.reshape(-1)[0] += {s} | np.cos({s}, out={p})
np.multiply({p}, {s}, out={p}, where={p} > 0.2) | {p}[{p} > 0.3] += {s}'''
HEADS = '''for {i} in range({n}): | for {i} in {p}: | for {i}, {j} in zip({p}, {q}): | for {j}, {i} in enumerate({p}): | if {s} > {t}:'''


def forms(text):
    return text.replace('\n', ' | ').split(' | ')


class ViewWriter:
    """One random program; the same seed writes the same program."""

    def __init__(self, seed):
        self.random, self.made, self.beside, self.given = random.Random(seed), 0, [], 'given, x'
        self.names = []                                        # of the functions beside

    def program(self):
        """The text of the module."""
        for k in range(self.pick(0, 1, 2)):
            self.function(f'part{k}')
        lines = self.block(['v = given * 1.0', 'b0 = ' + self.pick('v.copy()', 'v * x', 'np.outer(v[:2], v[:3])', 'np.zeros((3, 3))')],
                           self.pick(4, 6, 8, 10), 0)
        places = [p for p in self.places(self.run(lines)) if is_sure(lines, re.split(r'\W', p)[0])]
        result = ' + '.join(f'{1 + 0.3 * k:.1f} * total({p})' for k, p in enumerate(places))
        body = '\n'.join(f'    {line}' for line in [*lines, f'return {result}'])
        args = f'ARGS = (np.array({GIVEN[0].tolist()}), {GIVEN[1]})\nWRT = (0, 1)\nANALYTIC = False\nSECOND = {self.pick("rf", "fr", "rr", "ff")!r}\n'
        return '\n'.join([PRELUDE, *self.beside, f'\ndef f(given, x):\n{body}\n', '', args])

    def function(self, name):
        first = self.pick('p = given.copy()', 'p = np.outer(given[:2], given[:3])')
        lines = self.block([first, 'q = given[::-1]'], self.pick(1, 2, 3), 1)[2:]
        if lines:
            back = self.pick('return p', 'return ' + self.pick(*self.places(self.run([first, 'q = given[::-1]', *lines]))))
            if 'given' not in ''.join(lines) + back:
                self.beside.append(f'\ndef {name}(p, q, x):\n' + '\n'.join(f'    {line}' for line in [*lines, back]) + '\n')
                self.names.append(name)

    # What there is to choose from

    def pick(self, *several):
        return self.random.choice(several)

    def fresh(self):
        self.made += 1
        return f'{self.pick("a", "b", "m", "u", "w")}{self.made}'

    def run(self, lines):
        """The names that the lines leave; raises what they raise, and ValueError where an array becomes too large."""
        there: dict = {}
        with np.errstate(all='raise'):
            exec(PRELUDE + '\n'.join(self.beside), there)
            exec('def f(given, x):\n' + '\n'.join(f'    {line}' for line in lines) + '\n    return dict(locals())', there)
            found = there['f'](GIVEN[0].copy(), GIVEN[1])
        for p in self.places(found):
            a = value(found, p)
            if not isinstance(a, np.ndarray) or not np.all(np.isfinite(a)) or np.abs(a).max() > 50 or a.ndim > 2 or a.size > 24:
                raise ValueError(p)
        return found

    def places(self, there):
        """Texts of what is an array, or holds one."""
        found = []
        for name, thing in there.items():
            if isinstance(thing, np.ndarray) and thing.dtype == float and thing.size and name != 'given':
                found.append(name)
            elif type(thing).__name__ == 'Box':
                found += [f'{name}.u', f'{name}.w']
            elif isinstance(thing, (list, dict)):
                found += [f'{name}[{k!r}]' for k in (thing if isinstance(thing, dict) else range(len(thing)))]
        return found

    # Expressions

    def number(self, there):
        p, chance = self.pick(*self.places(there)), self.random.random()
        a = value(there, p)
        if chance < 0.35 or not a.ndim:
            return self.pick('x', f'{self.random.uniform(0.3, 1.4):.2f}')
        if chance < 0.8:
            return f'{p}[{", ".join(str(self.random.randrange(-n, n)) for n in a.shape)}]'
        return self.pick(f'np.tanh(np.sum({p}))', f'np.max({p})', f'{p}.mean()')

    def like(self, there, shape, depth=0):
        """An expression of this shape, or one that is spread to it."""
        fit = [p for p in self.places(there) if spreads(value(there, p).shape, shape)]
        chance = self.random.random()
        if fit and chance < 0.4:
            return self.pick(*fit)
        if chance < 0.55 or depth > 1:
            return self.number(there)
        if chance < 0.8:
            return f'({self.like(there, shape, depth + 1)} {self.pick("+", "*", "-")} {self.like(there, shape, depth + 1)})'
        return f'np.{self.pick("sin", "tanh", "cos")}({self.like(there, shape, depth + 1)})'

    def index(self, shape):
        parts = [self.pick(str(self.random.randrange(-n, n)), ':', '1:', ':-1', '::-1', '::2', '-2:', '1::-1', '[0, -1]') for n in shape]
        return ', '.join(parts[:self.random.randrange(1, len(parts) + 1)])

    def view(self, there):
        p = self.pick(*(p for p in self.places(there) if value(there, p).ndim))
        a = value(there, p)
        found = [f'{p}[{self.index(a.shape)}]'] * 6 + forms(VIEWS) + (forms(OF_MATRICES) if a.ndim == 2 else [])
        found += [f'{{p}}.reshape({s})' for s in SHAPES if s[0] * s[1] == a.size]
        return self.pick(*found).replace('{p}', p)

    # Statements

    def statement(self, there, depth):
        """The lines of one statement; a header for what has a block."""
        writable = [p for p in self.places(there) if p != 'x' and value(there, p).flags.writeable and value(there, p).ndim]
        return self.pick(self.binding, self.binding, self.write, self.write, self.write, self.call, self.head)(there, writable, depth)

    def binding(self, there, writable, depth):
        p, q = self.pick(*self.places(there)), self.pick(*self.places(there))
        simple = p.isidentifier() and q.isidentifier() and 'v' not in (p, q)
        return [self.pick(
            *[f'{self.fresh()} = {self.view(there)}'] * 5, f'{self.fresh()} = {self.like(there, value(there, p).shape)}',
            f'{self.fresh()} = np.zeros({self.pick("3", "(2, 3)", "(2, 2)", "6")})', f'{self.fresh()}, {self.fresh()} = np.split({p}, 2)',
            f'{self.fresh()} = [{self.view(there)}, {self.view(there)}]', f'{self.fresh()} = list({p})',
            f'{self.fresh()} = {{"p": {self.view(there)}, "q": {self.view(there)}}}', f'{self.fresh()} = Box({self.view(there)}, {self.view(there)})',
            *[f'{p}, {q} = {q}, {p}', f'{p} = {q}', f'{self.fresh()} = {p} if {self.number(there)} > 0.5 else {q}'] * simple)]

    def write(self, there, writable, depth):
        p = self.pick(*writable)
        a, target = value(there, p), f'{p}[{self.index(value(there, p).shape)}]'
        if self.random.random() < 0.5:
            e = self.like(there, np.shape(value(there, target)))
            return [f'{target} {self.pick("=", "=", "+=", "*=", "-=")} {e}']
        form = self.pick(*forms(WRITES)).replace('{p}', p).replace('{k}', str(self.random.randrange(a.size)))
        return [form.replace('{e}', self.like(there, a.shape)).replace('{s}', self.number(there))]

    def call(self, there, writable, depth):
        boxes, p = [n for n, thing in there.items() if type(thing).__name__ == 'Box'], self.pick(*writable)
        if boxes and self.random.random() < 0.5:
            b = self.pick(*boxes)
            return [self.pick(f'{b}.put({self.number(there)})', f'{b}.u = {self.view(there)}', f'{b}.u, {b}.w = {b}.w, {b}.u')]
        called = f'{self.pick(*self.names)}({p}, {self.pick(*self.places(there))}, {self.number(there)})'
        return [self.pick(called, f'{self.fresh()} = {called}')]

    def head(self, there, writable, depth):
        if depth:
            raise LookupError('no block in a block')
        given = {'i': self.fresh(), 'j': self.fresh(), 'n': self.pick('1', '2', '3'), 'p': self.pick(*writable), 'q': self.pick(*writable),
                 's': self.number(there), 't': f'{self.random.uniform(-0.2, 1):.2f}'}
        return [self.pick(*forms(HEADS)).format(**given)]

    def block(self, before, size, depth):
        """The lines, and as many statements behind them as there is luck."""
        lines = list(before)
        for _ in range(6 * size):
            if len(lines) >= len(before) + size:
                break
            try:
                found = self.statement(self.run(lines), depth)
                if found[0].endswith(':'):
                    found += self.inner(lines, found[0])
                self.run(lines + found)
            except Exception:                              # it does not run: another is tried
                continue
            lines += found
        return lines

    def inner(self, before, head):
        found: list = []
        for _ in range(12):
            if len(found) >= 2:
                break
            try:
                there = self.run([*before, head, *found, '    break'] if head.startswith('for') else [*before, *(f[4:] for f in found)])
                more = [f'    {line}' for line in self.statement(there, 1)]
                self.run([*before, head, *found, *more])
            except Exception:                              # the same
                continue
            found += more
        return found


def value(there, place):
    return eval(place, {}, dict(there))


def spreads(shape, to):
    try:
        return np.broadcast_shapes(shape, to) == to
    except ValueError:
        return False


def is_sure(lines, name):
    """Whether a name is bound on the way through the function, not in a block alone."""
    return any(re.match(rf'(\w+, )*{name}(, \w+)* =', line) for line in lines)
