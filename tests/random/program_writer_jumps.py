"""Writes random programs of jumps: loops left, begun again and returned from, exceptions on the way, and writes among all that.

What each statement computes is plain, and what it writes into has one of a few forms; where the program goes next is what is tried:
which blocks the backward pass enters, how often, and what it finds on the tape there.
"""
import random

PRELUDE = '''
import numpy as np

ARGS = ({x!r},)
WRT = (0,)
ANALYTIC = False


class Held:
    def __init__(self, v):
        self.v = v

    def add(self, t):
        self.v = self.v + t
        if self.v > 1.5:
            raise KeyError('much')

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.v = self.v * 0.9
        return False


def {helper}(s, x, k):
{inside}
    s[0] = s[0] * 0.5 + x
    if k % 3 == 1:
        return s[1] * x
    for y in s:
        if y > 0.8:
            break
        s[1] = s[1] + y * 0.1
    if s[1] > 2.5:
        raise KeyError('more')
    return s[1] * 0.5


def f(x):
    s = [x, x * 0.5, 0.3]
    o = Held(x * 0.8)
    a = x * 0.9
    b = 0.4 * x
    k = 0
{body}
    return a * 0.7 + b * s[0] + s[1] * o.v
'''
VALUES = '''x * 0.7|a + x * 0.3|a * 0.5|b * x|a * b * 0.3|np.sin(a)|s[0] * 0.6|s[1] + a * 0.2|o.v * 0.5|x * x * 0.2|o.v * a * 0.1|
    s[k % 3] * 0.4'''.split('|')
PLACES = '0', '1', '2', 'k % 3'


class JumpsWriter:
    """The program of a seed; `program()` is its text."""

    def __init__(self, seed):
        self.random, self.loops = random.Random(seed), 0
        self.x = 0.63 + 0.1 * (seed % 7)

    def program(self):
        body = [line for _ in range(self.random.randrange(3, 7)) for line in self.statement(1, 3, False)]
        inside = [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(1, 2, False)]
        for old, new in (('o.v', 's[0]'), ('o.add', 's.append'), ('with o:', 'if k < 3:'), ('helper(s, ', 'max(k, ')):
            inside = [line.replace(old, new) for line in inside]
        start = ['    a, b = x * 0.3, s[0] * 0.2']
        return PRELUDE.format(x=self.x, helper='helper', inside='\n'.join(start + inside), body='\n'.join(body)).lstrip()

    def value(self):
        return self.random.choice(VALUES).strip()

    def condition(self):
        pick, number = self.random.choice, self.random.uniform(0, 1.2)
        return pick([f'k % {pick((2, 3))} == {pick((0, 1))}', f'a > {number:.2f}', f'b < {number:.2f}',
                     f's[{pick((0, 1, 2))}] > {number:.2f}', f'k > {pick((1, 2, 3, 4))}', f'o.v > {number:.2f}'])

    def block(self, indent, depth, loop, most=4):
        return [line for _ in range(self.random.randint(1, most)) for line in self.statement(indent, depth, loop)]

    def statement(self, indent, depth, loop):
        """The lines of one statement; `loop`: a loop is around it, which it may leave."""
        p, pick = '    ' * indent, self.random.choice
        plain = [lambda: [f'a = {self.value()}'], lambda: [f'b = {self.value()}'], lambda: [f'o.v = {self.value()}'],
                 lambda: [f's[{pick(PLACES)}] = {self.value()}'], lambda: [f's[{pick(PLACES)}] {pick("+*-")}= {self.value()}'],
                 lambda: [f'o.add({self.value()})'], lambda: [f's.append({self.value()})', 'a = s.pop()'],
                 lambda: [f's = s if {self.condition()} else list(s)'], lambda: [f'a = helper(s, {self.value()}, k)'],
                 lambda: ['k += 1']]
        if depth <= 0 or self.random.random() < 0.55:
            return [p + line for line in pick(plain)()]
        return [p + line for line in pick([self.branch, self.loop, self.loop, self.jump, self.jump, self.attempt, self.context])(
            depth - 1, loop)]

    def branch(self, depth, loop):
        orelse = ['else:', *self.block(1, depth, loop)] if self.random.random() < 0.5 else []
        return [f'if {self.condition()}:', *self.block(1, depth, loop), *orelse]

    def loop(self, depth, loop):
        self.loops += 1
        n, times = self.loops, self.random.randint(1, 3)
        head = self.random.choice([[f'for i{n} in range({times}):', f'    k += i{n}'],
                                   [f'for y{n} in s[:]:', f'    a = a * 0.5 + y{n} * 0.3'],
                                   [f'w{n} = 0', f'while w{n} < {times}:', f'    w{n} += 1']])
        return [*head, *self.block(1, depth, True)]

    def jump(self, depth, loop):
        way = self.random.choice(['break', 'continue', f'return {self.value()}'] if loop else [f'return {self.value()}'])
        return [f'if {self.condition()}:', *self.block(1, 0, loop, 2), f'    {way}']

    def attempt(self, depth, loop):
        return ['try:', *self.block(1, depth, loop), f'    if {self.condition()}:', '        raise KeyError(k)',
                *self.block(1, 0, loop, 2), 'except KeyError:', *self.block(1, 0, loop, 2)]

    def context(self, depth, loop):
        return ['with o:', *self.block(1, depth, loop)]
