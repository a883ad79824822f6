"""Writes random programs: small numeric functions with branches, loops, helpers, arrays and containers.

A program is the text of a module with a function `f`, the arguments `ARGS` and the positions `WRT`. Every value has a
kind: 's' a float, 'v' a vector of three, 'm' a matrix of three by three, 'l' a list of three floats, 'd' a dict and
'p' a tuple, both of a float and a vector. Functions are used where they are smooth and bounded, so that a program has
a derivative at almost every point.
"""
import random

NAMES = 'a b c e g h k p q r s w z t t2 x2 by bx dx d y u v _stack push value total acc n2 state'.split()

SMOOTH = ['{0} + {1}', '{0} - {1}', '{0} * {1}', '{0} * {1}', '{0} / (1.5 + {1} * {1})', '{0} / (2.0 + np.sin({1}))',
          'np.sin({0})', 'np.cos({0})', 'np.tanh({0})', 'np.exp(np.tanh({0}))', 'np.sqrt(1.0 + {0} * {0})',
          'np.log(2.0 + np.sin({0}))', '-{0}', '+{0}', '{0} ** 2', '(1.5 + np.cos({0})) ** np.tanh({1})',
          'np.square({0})', 'np.add({0}, {1})', 'np.multiply({0}, {1})', '({0} - {1}) * 0.5', '2.0 * {0} - {1} / 3']
ROUGH = ['abs({0})', 'np.maximum({0}, {1})', 'np.minimum({0}, {1})', 'np.where({0} > 0.3, {0}, {1})',
         'np.abs({0})', 'np.arctan2({0}, 1.5 + {1} * {1})', 'np.clip({0}, -0.8, 1.1)']
SCALAR = ['math.sin({0})', 'math.cos({0})', 'math.tanh({0})', 'math.exp(math.tanh({0}))', 'max({0}, {1})',
          'min({0}, {1})', 'math.sqrt(1 + {0} ** 2)', 'math.atan({0})', 'pow({0}, 2)', 'float({0})',
          'math.hypot({0}, 1.0)']
FROM_ARRAYS = {
    's': ['np.sum({v})', '{v}.sum()', 'np.mean({v})', 'np.dot({v}, {v})', '{v}[{i}]', '{v}[-1]', '{m}[{i}, {i}]',
          'np.sum({m})', '{m}.mean()', '{v} @ {v}', 'np.prod({v})', '{l}[{i}]', 'sum({l})', 'np.var({v})',
          '{d}["a"]', '{p}[0]', 'np.sum({v} * {v})', 'np.linalg.norm({v} + 3.0)', '{m}[{i}][{i}]', 'np.einsum("i,i->", {v}, {v})'],
    'v': ['np.dot({m}, {v})', '{m} @ {v}', '{v} @ {m}', '{m}[{i}]', '{m}[:, {i}]', '{v}[::-1]', '{s} * {v}',
          '{v} + {s}', 'np.array([{s}, {s}, {s}])', 'np.concatenate(({v}[:1], {v}[1:]))', 'np.sum({m}, axis=0)',
          '{m}.mean(axis=1)', 'np.roll({v}, 1)', 'np.cumsum({v})', '{v}[[2, 0, 0]]', '{v} / (2.0 + np.sum({v} ** 2))',
          'np.stack([{s}, {s}, {s}])', 'np.append({v}[1:], {s})', 'np.hstack([{v}[:2], {s}])', 'np.array({l})',
          '{d}["b"]', '{p}[1]', 'np.sum({m}, axis=1, keepdims=True).reshape(3)', 'np.ones(3) * {s}', '{v} - np.zeros_like({v})'],
    'm': ['np.dot({m}, {m}) * 0.3', '{m}.T', 'np.outer({v}, {v})', '{m} * {v}', '{v}[:, None] * {m}', '{m} + {s}',
          'np.stack([{v}, {v}, {v}])', '{m} @ {m} / 3', '{v}[:, None] - {v}', 'np.transpose({m})', '{m}[::-1]',
          '{m} / (1.0 + np.sum({m} * {m}, axis=0, keepdims=True))', 'np.reshape({m}, (9,)).reshape(3, 3)'],
    'l': ['[{s}, {s}, {s}]', '[{s}, {s}] + [{s}]'],
    'd': ['{"a": {s}, "b": {v}}', '{"b": {d}["b"], "a": {s}}'],
    'p': ['({s}, {v})', '({p}[0], {v})'],
}
SCALARS = {'s': '{0}', 'v': 'np.sum({0})', 'm': 'np.sum({0})', 'l': 'sum({0})', 'd': '{0}["a"]', 'p': '{0}[0]',
           'i': '{0}'}
NOT_ANALYTIC = ('norm', 'var')  # of a complex vector they take absolute values


class Lines:
    """Text that is written line by line, by chance."""

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, p):
        return self.random.random() < p

    def put(self, depth, text):
        self.lines.append('    ' * depth + text)


class Writer(Lines):
    """One random program; the same seed writes the same program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.analytic = self.random.random() < 0.3
        self.lines, self.helpers, self.tables = [], [], FROM_ARRAYS

    def program(self):
        """The text of the module."""
        for k in range(self.pick(0, 0, 1, 1, 2)):
            self.helper(f'helper{k}', self.pick('s', 's', 'v', 'p', 'd', 'pair', 'recursive'))
        args = [self.pick('s', 's', 'v', 'v', 'm', 'l', 'd', 'p') for _ in range(self.pick(1, 2, 2, 3))]
        names = self.random.sample(['x', 'y', 'u', 'w', 'bx', 't', 'value'], len(args))
        self.function('f', dict(zip(names, args)), 's', self.pick(2, 3, 4, 6))
        positions = self.random.sample(range(len(args)), self.pick(1, len(args)))
        head = ['import math', '', 'import numpy as np', '', f'ARGS = ({", ".join(map(self.argument, args))},)',
                f'WRT = {tuple(positions)}', f'ANALYTIC = {self.analytic}']
        return '\n'.join(head + self.lines) + '\n'

    def number(self):
        return f'{self.random.uniform(0.3, 1.7) * self.pick(1, 1, -1):.3f}'

    def argument(self, kind):
        row = '[' + ', '.join(self.number() for _ in range(3)) + ']'
        if kind == 'm':
            rows = ', '.join('[' + ', '.join(self.number() for _ in range(3)) + ']' for _ in range(3))
            return f'np.array([{rows}])'
        forms = {'s': '{n}', 'v': 'np.array({r})', 'l': '{r}', 'p': '({n}, np.array({r}))',
                 'd': '{{"a": {n}, "b": np.array({r})}}'}
        return forms[kind].format(n=self.number(), r=row)

    def function(self, name, params, result, size):
        self.put(0, '')
        self.put(0, '')
        self.put(0, f'def {name}({", ".join(params)}):')
        self.result = result
        env = dict(params)
        self.block(env, 1, size, False)
        self.put(1, f'return {self.returned(env)}')

    def returned(self, env):
        if self.result == 'pair':
            return f'{self.expr(env, "s", 1)}, {self.expr(env, "s", 1)}'
        if self.result == 's' and any(k != 's' for k in env.values()):
            parts = [SCALARS[k].format(n) for n, k in self.random.sample(sorted(env.items()), min(4, len(env)))]
            return ' + '.join(parts + [self.expr(env, 's', 1)])
        return self.expr(env, self.result, 2)

    def helper(self, name, result):
        params = {p: self.pick('s', 's', 'v') for p in self.random.sample(['x', 'y', 'c', 'by'], self.pick(1, 2))}
        if result == 'recursive':
            self.recursive_helper(name)
            params, result = {'x': 's', 'n': 'i'}, 's'
        else:
            self.function(name, params, result, self.pick(0, 1, 2))
        self.helpers.append((name, params, result))

    def recursive_helper(self, name):
        env = {'x': 's'}
        self.put(0, '')
        self.put(0, '')
        self.put(0, f'def {name}(x, n):')
        self.put(1, 'if n <= 0:')
        self.put(2, f'return {self.expr(env, "s", 1)}')
        self.put(1, f'return {self.expr(env, "s", 1)} {self.pick("+", "*")} {name}({self.expr(env, "s", 1)}, n - 1)')

    # Expressions

    def expr(self, env, kind, depth):
        """The text of an expression of a kind, in parentheses where it needs them."""
        have = [n for n, k in env.items() if k == kind]
        if depth <= 0:
            return self.random.choice(have) if have and self.chance(0.85) else self.leaf(env, kind)
        forms = list(self.tables[kind])
        if kind in 'svm':
            forms = (SMOOTH if self.chance(0.6) else self.tables[kind]) + ([] if self.analytic else ROUGH[:3])
        if kind == 's' and not self.analytic:
            forms = forms + SCALAR
        elif kind in 'vm' and not self.analytic:
            forms = forms + ROUGH
        calls = [h for h in self.helpers if h[2] == kind]
        if calls and self.chance(0.25):
            name, params, _ = self.random.choice(calls)
            return self.called(name, params, env, depth)
        if kind == 's' and not self.analytic and self.chance(0.08):
            return f'({self.inner(env, "s", depth)} if {self.condition(env)} else {self.inner(env, "s", depth)})'
        form = self.random.choice([f for f in forms if not (self.analytic and any(w in f for w in NOT_ANALYTIC))])
        return self.fill(form, env, kind, depth)

    def called(self, name, params, env, depth):
        """A call of a helper; now and then the last argument goes by name."""
        texts = [self.inner(env, kind, depth) for kind in params.values()]
        if self.chance(0.3):
            texts[-1] = f'{list(params)[-1]}={texts[-1]}'
        return f'{name}({", ".join(texts)})'

    def inner(self, env, kind, depth):
        return str(self.pick(1, 2, 3)) if kind == 'i' else self.expr(env, kind, depth - self.pick(1, 1, 2))

    def fill(self, form, env, kind, depth):
        first, second = self.inner(env, kind, depth), self.inner(env, kind, depth)
        text = form.replace('{0}', self.closed(first)).replace('{1}', self.closed(second))
        for k in 'svmldpi':
            while '{' + k + '}' in text:
                new = self.index(env) if k == 'i' else self.closed(self.inner(env, k, depth))
                text = text.replace('{' + k + '}', new, 1)
        return text

    def closed(self, text):
        return text if text.replace('.', '').isalnum() or text.isidentifier() else f'({text})'

    def index(self, env):
        loops = [n for n, k in env.items() if k == 'i']
        return f'{self.random.choice(loops)} % 3' if loops and self.chance(0.6) else self.pick('0', '1', '2', '-1')

    def leaf(self, env, kind):
        if kind == 's':
            return self.number().lstrip('-')
        if kind == 'l':
            return f'[{self.expr(env, "s", 0)}, {self.number()}, {self.expr(env, "s", 0)}]'
        if kind in 'dp':
            parts = self.expr(env, 's', 0), self.expr(env, 'v', 0)
            return ('{{"a": {}, "b": {}}}' if kind == 'd' else '({}, {})').format(*parts)
        if kind == 'v':
            return f'np.array([{self.expr(env, "s", 0)}, {self.number()}, {self.expr(env, "s", 0)}])'
        return f'np.outer({self.expr(env, "v", 0)}, {self.expr(env, "v", 0)})'

    def condition(self, env):
        loops = [n for n, k in env.items() if k == 'i']
        if loops and (self.analytic or self.chance(0.4)):
            return self.pick('{0} % 2 == 0', '{0} > 1', '{0} != 1').format(self.random.choice(loops))
        if self.analytic:
            return self.pick('True', 'len("ab") == 2', '1 > 2')
        a, b = self.expr(env, 's', 1), self.number()
        return self.pick('{0} > {1}', '{0} < {1}', 'not {0} > {1}', '{0} > {1} and {0} < 2.5', '-2 < {0} <= {1}',
                         '{0} > {1} or {0} < -1').format(a, b)

    # Statements

    def name(self, env, kind, fixed):
        """A name to assign: a new one or one of this kind; inside a loop or branch a name keeps its kind."""
        mine = [n for n, k in env.items() if k == kind]
        if mine and self.chance(0.5):
            return self.random.choice(mine)
        free = [n for n in NAMES if n not in env] if fixed else [n for n in NAMES if env.get(n) != 'i']
        return self.random.choice(free or mine)

    def block(self, env, depth, size, looping):
        start = len(self.lines)
        for _ in range(size):
            self.statement(env, depth, looping)
        if len(self.lines) == start:
            self.put(depth, 'pass')

    def statement(self, env, depth, looping):
        kinds = ['assign'] * 5 + ['augment'] * 2 + ['unpack']
        if depth < 4:
            kinds += ['branch', 'for', 'while', 'over']
        if not self.analytic:
            kinds += ['leave']
        getattr(self, 'write_' + self.random.choice(kinds))(env, depth, looping)

    def write_assign(self, env, depth, looping):
        kind = self.pick('s', 's', 's', 's', 'v', 'v', 'v', 'm', 'l', 'd', 'p')
        text = self.expr(env, kind, self.pick(1, 2, 2, 3))
        name = self.name(env, kind, depth > 1)
        if looping and kind in 'svm':
            text = f'np.tanh({text})' if self.chance(0.5) else f'({text}) * 0.5'
        self.put(depth, f'{name} = {text}')
        env[name] = kind

    def write_augment(self, env, depth, looping):
        mine = [(n, k) for n, k in env.items() if k == 's' or k == 'v' and self.chance(0.2)]
        if mine:
            name, kind = self.random.choice(mine)
            op = self.pick('+', '-', '*') if not looping else '+'
            self.put(depth, f'{name} {op}= {self.expr(env, kind, 1)}')

    def write_unpack(self, env, depth, looping):
        pairs = [h for h in self.helpers if h[2] == 'pair']
        a, b = self.random.sample([n for n in NAMES if env.get(n, 's') == 's'], 2)
        if pairs:
            name, params, _ = self.random.choice(pairs)
            text = self.called(name, params, env, 1)
        else:
            text = f'{self.expr(env, "s", 1)}, {self.expr(env, "s", 1)}'
        self.put(depth, f'{a}, {b} = {text}')
        env[a] = env[b] = 's'

    def write_branch(self, env, depth, looping):
        self.put(depth, f'if {self.condition(env)}:')
        ends = [dict(env)]
        self.block(ends[0], depth + 1, self.pick(1, 2), looping)
        if self.chance(0.25):
            self.put(depth, f'elif {self.condition(env)}:')
            ends.append(dict(env))
            self.block(ends[-1], depth + 1, 1, looping)
        if self.chance(0.6):
            self.put(depth, 'else:')
            ends.append(dict(env))
            self.block(ends[-1], depth + 1, self.pick(1, 2), looping)
        else:
            ends.append(dict(env))
        for name, kind in ends[0].items():
            if all(e.get(name) == kind for e in ends):
                env[name] = kind

    def body(self, env, depth, extra):
        """The body of a loop: names that it defines first are gone after it."""
        inner = dict(env, **extra)
        self.block(inner, depth, self.pick(1, 2, 3), True)
        if self.chance(0.25):
            self.put(depth, f'if {self.condition(inner)}:')
            self.put(depth + 1, self.pick('break', 'continue'))
            self.block(inner, depth, 1, True)

    def loop_name(self, env):
        return next(n for n in ['i', 'j', 'k2', 'l2', 'i5', 'j6', 'i7', 'j8', 'i9'] if n not in env)


    def write_for(self, env, depth, looping):
        i = self.loop_name(env)
        steps = self.pick('range(3)', 'range(1, 4)', 'range(3, 0, -1)', 'range(0, 5, 2)', 'range(0)', 'range(2)')
        self.put(depth, f'for {i} in {steps}:')
        self.body(env, depth + 1, {i: 'i'})

    def write_while(self, env, depth, looping):
        i = self.loop_name(env)
        test = f'{i} < {self.pick(0, 1, 2, 3)}'
        if not self.analytic and self.chance(0.4):
            test += f' and {self.expr(env, "s", 0)} < {self.number()}'
        self.put(depth, f'{i} = 0')
        self.put(depth, f'while {test}:')
        self.put(depth + 1, f'{i} += 1')
        self.body(env, depth + 1, {i: 'i'})

    def write_over(self, env, depth, looping):
        i = self.loop_name(env)
        e = next(n for n in ('e1', 'e3', 'e4', 'e5', 'e6', 'e7') if n not in env)
        kind = self.pick('v', 'v', 'm', 'l')
        seq = self.expr(env, kind, self.pick(0, 0, 1))
        item = {e: 'v' if kind == 'm' else 's'}
        form = self.pick('for {e} in {seq}:', 'for {i}, {e} in enumerate({seq}):',
                         'for {e}, {i} in zip({seq}, range(2)):')
        self.put(depth, form.format(e=e, i=i, seq=seq))
        self.body(env, depth + 1, dict(item, **({i: 'i'} if '{i}' in form else {})))

    def write_leave(self, env, depth, looping):
        if self.chance(0.5):
            self.put(depth, f'if {self.condition(env)}:')
            self.put(depth + 1, f'return {self.returned(env)}')
