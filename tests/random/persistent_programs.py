"""Random programs that write into persistent arrays: through several names, copies and versions, in loops and branches."""
import random

HEAD = 'import numpy as np\n\n\ndef f(a, v):\n'
SLICES = '0:2 1:3 2:4 ::2 1::2 [0,3] [1,1] -2:'.split()          # two elements each, of four
INDICES = '0 1 2 3 -1 -2'.split()


class Writer:
    """Writes a function of an array `a` of four numbers and a number `v`; the same one for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pick = self.random.choice
        self.lines, self.count = [], 0
        self.arrays, self.numbers, self.pairs = ['a'], ['v'], []

    def program(self):
        for _ in range(self.random.randint(5, 11)):
            self.statement('    ', 0)
        result = f'np.sum({self.array()} * {self.array()}) + {self.number()} + {self.number()}'
        return HEAD + '\n'.join(self.lines) + f'\n    return {result}\n'

    # Expressions

    def array(self):
        return self.pick(self.arrays)

    def number(self, depth=0):
        kinds = ['{a}[{i}]'] * 4 + ['{n}'] * 3 + ['np.tanh({x})', 'np.sum({a})', '0.5 * {x}', '({x} + {y})', '({x} * {y})',
                                                  '({x} - {y})'] * (depth < 3) + ['{p}[1]'] * bool(self.pairs)
        kind = self.pick(kinds)
        inner = (self.number(depth + 1), self.number(depth + 1)) if '{x}' in kind else ('', '')
        return kind.format(a=self.array(), i=self.pick(INDICES), n=self.pick(self.numbers), x=inner[0], y=inner[1],
                           p=self.pick(self.pairs or ['']))

    def pair(self):
        kinds = ['{a}[{s}]', '{a}[{s}] * {x}', 'np.tanh({a}[{s}] + {b}[{t}])', 'np.stack([{x}, {y}])'] + ['{p}'] * bool(self.pairs)
        return self.pick(kinds).format(a=self.array(), b=self.array(), s=self.pick(SLICES), t=self.pick(SLICES),
                                       x=self.number(2), y=self.number(2), p=self.pick(self.pairs or ['']))

    # Statements

    def statement(self, indent, depth):
        kinds = [self.write, self.write_piece, self.update, self.update_piece, self.version, self.version_piece, self.rows]
        kinds += [self.name] * 3 * (depth == 0) + [self.loop, self.branch] * (depth < 2)
        self.pick(kinds)(indent, depth)

    def line(self, indent, text):
        self.lines.append(indent + text)

    def write(self, indent, depth):
        self.line(indent, f'{self.array()}[{self.pick(INDICES)}] = {self.number()}')

    def write_piece(self, indent, depth):
        self.line(indent, f'{self.array()}[{self.pick(SLICES)}] = {self.pick([self.pair, self.number])()}')

    def update(self, indent, depth):
        self.line(indent, f'{self.array()}[{self.pick(INDICES)}] {self.pick(["+=", "-=", "*="])} {self.number()}')

    def update_piece(self, indent, depth):
        self.line(indent, f'{self.array()}[{self.pick(SLICES)}] {self.pick(["+=", "*="])} {self.pair()}')

    def version(self, indent, depth):
        self.line(indent, f'{self.array()} = {self.array()}.setitem({self.pick(INDICES)}, {self.number()})')

    def version_piece(self, indent, depth):
        index = self.pick(['slice(0, 2)', 'slice(1, 3)', '[2, 0]', '[1, 1]'])
        self.line(indent, f'{self.array()} = {self.array()}.setitem({index}, {self.pair()})')

    def rows(self, indent, depth):
        name = self.array()
        self.line(indent, f'{name}.append({self.number()})')
        self.line(indent, f'{name}[0] = {name}.pop() * {self.number(2)}')

    def name(self, indent, depth):
        self.count += 1
        kind, names = self.pick([('{a}.copy()', self.arrays), ('{a}', self.arrays), ('{x}', self.numbers), ('{p}', self.pairs)])
        self.line(indent, f't{self.count} = ' + kind.format(a=self.array(), x=self.number(), p=self.pair()))
        names.append(f't{self.count}')

    def loop(self, indent, depth):
        self.line(indent, f'for i{depth} in range({self.pick("23")}):')
        self.statement(indent + '    ', depth + 1)
        self.line(indent + '    ', f'{self.array()}[i{depth}] = {self.number()}')

    def branch(self, indent, depth):
        self.line(indent, f'if {self.number()} > 0.1:')
        self.statement(indent + '    ', depth + 1)
        self.line(indent, 'else:')
        self.statement(indent + '    ', depth + 1)
