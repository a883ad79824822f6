"""Random programs that Numba compiles: each variable holds values of one type throughout.

A name says what it holds: `s1` a number, `v1` four numbers, `m1` a matrix of 4 x 4, `r1` one of 3 x 4, `i1` an integer,
`k1` four places, `c1` a complex number, `z1` four of them, `p1` a pair and `q1` a namedtuple of a number and a vector, `l1` a
list of numbers, `a1` a list of vectors. Loops run over places in arrays, so that `v1[i1 - 1]` is always one that is there.
"""
import random
import re

from tests.random.program_writer import Lines
from tests.random.program_writer_forms import (
    EXTRA,
    FEATURES,
    FLAGS,
    FORMS,
    FUNCTIONS,
    LEAVES,
    NEW,
    PRELUDE,
    SCALAR,
    SMOOTH,
    STATEMENTS,
)


class TypedWriter(Lines):
    """One random program that Numba compiles; the same seed writes the same program.

    features : which of FEATURES may be in it; a few of them are in each
    deepest : how deep expressions are
    """

    def __init__(self, seed, features=FEATURES, deepest=3):
        self.random, self.deepest = random.Random(seed), deepest
        chosen = [f for f in features if f not in ('float32', 'layouts', 'prange', 'complex')]
        self.features = self.random.sample(chosen, min(len(chosen), self.random.choice([1, 2, 3, 4])))
        self.features += [f for f in features if f not in chosen and (len(features) < 4 or self.random.random() < 0.1)]
        self.forms = {k: list(forms) for k, forms in FORMS.items()}
        for feature in self.features:
            for kind, forms in EXTRA.get(feature, {}).items():
                self.forms[kind] = self.forms.get(kind, []) + forms * 2
        self.lines, self.made, self.env, self.bounds = [], 0, [], {}

    def program(self):
        """The text of the module."""
        parallel = 'prange' in self.features
        kinds = [self.pick('s', 's', 'v', 'v', 'v', 'm', 'r', *'cz' * ('complex' in self.features), *'pq' * ('tuples' in self.features))
                 for _ in range(self.pick(0, 1, 1, 2))] + ['v', *self.pick('', 's', 'm')]
        self.env = [self.fresh(k) for k in kinds] + (['k0'] if self.chance(0.3) else [])
        params, flags = list(self.env), '(parallel=True)' if parallel else self.pick(*FLAGS)
        if self.chance(0.4):
            params.append('n0')
        self.block(1, self.pick(2, 3, 4, 6) if self.deepest > 1 else self.pick(1, 2, 3))
        self.put(1, f'return {self.place_o()}')
        return self.module(params, flags)

    def module(self, params, flags):
        """The text of a module whose function has these parameters, and the lines that there are."""
        params = params if any(p[0] not in 'kn' for p in params) else [*params, 's0']
        asked = [k for k, p in enumerate(params) if p[0] not in 'kn']
        wrt = tuple(sorted(self.random.sample(asked, self.pick(1, len(asked), len(asked)))))
        known = {'k': 'np.array([3, 1, 1, 0])', 'n': '3'}
        args = [known.get(p[0]) or self.argument(p[0]) for p in params]
        layouts = tuple(self.pick('C', 'F', 'A') if 'layouts' in self.features else 'C' for _ in params)
        head = ['import collections', 'import math', '', 'import numpy as np', 'from numba import njit, prange', '', "State = collections.namedtuple('State', 'a b')",
                f'ARGS = ({", ".join(args)},)', f'WRT = {wrt}', f'LAYOUTS = {layouts}', f'NARROW = {"float32" in self.features}']
        used = '\n'.join(self.lines)
        return '\n'.join([*head, *needed(used), '', '', f'@njit{flags}', f'def f({", ".join(params)}):', *self.lines]) + '\n'

    def alone(self, kind, form):
        """The text of a module with one statement, or one expression of a kind."""
        self.features, self.env, self.before = [], ['s0', 'v0', 'v1', 'm0', 'r0', 'k0', 'n0'], []
        self.env += [f'{k}0' for k in 'czpq' if f'{{{k}}}' in form or f'{{{k.upper()}}}' in form or k == kind]
        params = list(self.env)
        if kind is None:
            self.template(1, form)
        else:
            self.put(1, f'{kind}9 = {self.fill(form, 1, kind)}')
            self.env.append(f'{kind}9')
        words = set(re.findall(r'\w+', '\n'.join(self.lines)))
        self.env = [n for n in self.env if n in words]
        self.put(1, f'return {self.place_o(9, False)}')
        return self.module([p for p in params if p in words] or ['s0'], '(parallel=True)' if 'prange' in form else '')

    def argument(self, kind):
        n = [f'{self.random.uniform(0.3, 1.7) * self.pick(1, 1, -1):.3f}' for _ in range(16)]
        row = f'np.array([{", ".join(n[:4])}])'
        return {'s': n[0], 'v': row, 'm': f'np.array([{", ".join(n)}]).reshape(4, 4)', 'r': f'np.array([{", ".join(n[:12])}]).reshape(3, 4)', 'c': f'complex({n[0]}, {n[1]})',
                'z': f'{row} + 1j * np.array([{", ".join(n[4:8])}])', 'p': f'({n[5]}, {row})', 'q': f'State({n[5]}, {row})'}[kind]

    def fresh(self, kind):
        self.made += 1
        return f'{kind}{self.made}'

    def some(self, kind):
        """A name of something of this kind; made on the way where there is none."""
        have = [n for n in self.env if n[0] == kind]
        if not have or self.chance(0.1):
            have = [self.fresh(kind)]
            self.before.append(f'{have[0]} = {self.fill(NEW[kind], 1)}')
            self.env += have
        return self.random.choice(have)

    def place_o(self, most=4, more=True):
        parts = {'s': '{}', 'v': 'np.sum({})', 'm': 'np.sum({0} * {0})', 'r': 'np.sum({})', 'c': '{}.real', 'z': 'np.sum({}.imag)', 'p': '{}[0]', 'q': '{}.a', 'l': 'sum({})', 'a': '{}[0][0]'}
        own = [n for n in self.env if n[0] in parts]
        return ' + '.join([parts[n[0]].format(n) for n in self.random.sample(own, min(most, len(own)))] + [self.expr('s', 1) if more else '0.0'])

    # Expressions

    def expr(self, kind, depth):
        have = [n for n in self.env if n[0] == kind]
        if depth <= 0 or self.chance(0.15) and have:
            return self.random.choice(have) if have and (self.chance(0.85) or kind in 'kpqla') else self.fill(LEAVES.get(kind, '{n}'), 0)
        forms = self.forms.get(kind, [])
        if kind in 'svmr' and self.chance(0.55):
            forms = SMOOTH + (SCALAR if kind == 's' else [])
        return self.fill(self.random.choice(forms or [LEAVES.get(kind, '{n}')]), depth, kind)

    def fill(self, form, depth, kind='s'):
        """The form with expressions in its places."""
        def one(match):
            key, deeper = match.group(1), depth - self.pick(1, 1, 2)
            if key in '01':
                found = self.expr(kind, deeper)
            elif key == 'n':
                return f'{self.random.uniform(0.3, 1.7):.3f}' if form in LEAVES.values() or form == '{n}' else self.pick('2', '3', 'n0' if 'n0' in self.env else '1')
            elif key in 'xyibtfNeo':
                return getattr(self, f'place_{key}')()
            else:
                found = self.expr(key, deeper)
            return found if re.fullmatch(r'[\w.]+(\[[\w ]+\])?', found) else f'({found})'
        return re.sub(r'\{(\w)\}', one, form).replace('{{', '{').replace('}}', '}')

    def place_x(self, size=4):
        """A place in an axis of this size, as loops that go around here make it."""
        loops = [i for i in self.bounds if self.chance(0.7)]
        if not loops:
            return self.pick('0', '1', '2', '-1', '-2') if size > 2 else '0'
        i = self.random.choice(loops)
        low, high = self.bounds[i]
        forms = [i] * 3 * (low >= -size and high <= size) + [f'{i} - 1'] * (low > -size and high <= size) + [f'{i} + 1'] * (high < size and low >= -size) \
            + [f'({i} + 1) % {size}', f'{i} % {size}'] + [f'{size - 1} - {i}'] * (0 <= low and high <= size)
        return self.random.choice(forms)

    def place_y(self):
        return self.place_x(3)

    def place_i(self):
        return self.random.choice([*self.bounds, '2', '3'])

    def place_b(self):
        return self.pick('0', '1')

    def place_f(self):
        return self.pick(*FUNCTIONS)

    def place_N(self):
        known = [n for n in self.env if n[0] in 'vm']
        return self.pick('4', *(f'{n}.shape[0]' for n in known), *(f'len({n})' for n in known[:1]))

    def place_t(self):
        if self.bounds and self.chance(0.4):
            return self.pick('{0} % 2 == 0', '{0} > 1', '{0} != 1').format(self.random.choice([*self.bounds]))
        a, b = self.expr('s', 1), f'{self.random.uniform(-1, 1):.2f}'
        return self.pick('{0} > {1}', '{0} < {1}', 'not {0} > {1}', '{0} > {1} and {0} < 2.5', '-2 < {0} <= {1}', '{0} > {1} or {0} < -1').format(f'({a})', b)

    def place_e(self):
        """A number made of elements."""
        return self.fill(self.pick('{v}[{x}]', '{v}[{x}] * {v}[{x}]', 'np.tanh({v}[{x}] * {s})', '{m}[{x}, {x}]', '{v}[{x}] + {s}', 'np.sin({s} * {v}[{x}])', '({v}[{x}] if {v}[{x}] > 0.2 else {s})',
                                   'max({v}[{x}], {s})', '{v}[{k}[{x}]]', '{m}[{x}][{x}]', '{r}[{y}, {x}] * {s}'), 0)

    # Statements

    def block(self, depth, size):
        for _ in range(size):
            self.statement(depth)

    def statement(self, depth):
        rolled = self.random.random()
        self.before: list = []
        if rolled < 0.25:
            self.assign(depth)
        elif rolled < 0.4 and depth < 4:
            self.branch(depth)
        elif rolled < 0.55 and depth < 4:
            self.loop(depth)
        else:
            kinds = [f for f in self.features if f in STATEMENTS] or ['writes', 'loops']
            self.template(depth, self.random.choice(STATEMENTS[self.random.choice(kinds)]))

    def assign(self, depth):
        kind = self.pick('s', 's', 's', 'v', 'v', 'm', 'r', *(k for f in self.features for k in EXTRA.get(f, ()) if k not in 'svm'))
        have = [n for n in self.env if n[0] == kind]
        text = self.expr(kind, min(self.pick(1, 2, 2, 3), self.deepest))
        name = self.random.choice(have) if have and self.chance(0.5) else self.fresh(kind)
        if self.bounds and kind in 'svmr':
            text = f'np.tanh({text})' if self.chance(0.5) else f'({text}) * 0.5'
        elif self.bounds and kind in 'cz':
            text = f'({text}) * 0.3'
        self.put(depth, f'{name} = {text}' if name not in self.env or self.chance(0.7) or kind not in 'svmr' else f'{name} {self.pick("+", "-")}= {text}')
        self.env.append(name) if name not in self.env else None

    def scope(self, depth, size, **bounds):
        """A block; what it defines first is gone after it."""
        env, before = list(self.env), dict(self.bounds)
        self.bounds.update(bounds)
        self.block(depth, size)
        if bounds and self.chance(0.25):
            self.before = []
            self.put(depth, f'if {self.place_t()}:')
            self.put(depth + 1, self.pick('break', 'continue', 'continue'))
            self.block(depth, 1)
        self.env, self.bounds = env, before

    def branch(self, depth):
        self.put(depth, f'if {self.place_t()}:')
        self.scope(depth + 1, self.pick(1, 2))
        if self.chance(0.25):
            self.put(depth, f'elif {self.place_t()}:')
            self.scope(depth + 1, 1)
        if self.chance(0.6):
            self.put(depth, 'else:')
            self.scope(depth + 1, self.pick(1, 2))

    def loop(self, depth):
        i = self.fresh('i')
        low, high, text = self.pick((0, 4, f'range({self.place_N()})'), (0, 4, 'range(4)'), (1, 4, f'range(1, {self.place_N()})'), (0, 3, f'range({self.place_N()} - 1)'), (1, 4, 'range(3, 0, -1)'),
                                    (0, 3, 'range(0, 4, 2)'), (0, 0, 'range(0)'), (1, 3, f'range(1, {self.place_N()} - 1)'), (0, 2, 'range(2)'), (0, 4, f'range({self.place_N()} - 1, -1, -1)'))
        if self.chance(0.15):
            self.put(depth, f'{i} = -1')
            self.put(depth, f'while {i} < {self.pick(0, 1, 2)}' + (f' and {self.expr("s", 0)} < 1.3:' if self.chance(0.5) else ':'))
            self.put(depth + 1, f'{i} += 1')
            low, high = 0, 3
        else:
            self.put(depth, f'for {i} in {text}:')
        self.scope(depth + 1, self.pick(1, 2, 3), **{i: (low, high)})

    def template(self, depth, form):
        """A statement, or several, with names and expressions in their places."""
        names: dict = {}
        bounds = dict(self.bounds)
        number = self.made = self.made + 1

        def named(match):
            key = match.group(1)
            if key in 'IJ' and key not in names:
                names[key] = self.fresh('i')
            elif key not in names:
                names[key] = f'{key.lower()}{number}_' if key in 'ETUWLAD' else self.some('s' if key == 'T0' else key.lower())
            return names[key]
        found = []
        for line in form.replace('{#}', str(number)).split(';'):
            self.bounds = {i: b for i, b in self.bounds.items() if i in bounds or line.startswith(' ')}
            text = self.fill(re.sub(r'\{([A-MO-Z]0?)\}', named, line), min(2, self.deepest))
            found.append(text)
            for key, of in re.findall(r'for \{(\w)\}.* in (?:p?range\((.*)\)|.*):', line):
                if key in 'IJ':
                    self.bounds[names[key]] = ranges(of)
            if line.startswith('{I} = 0'):
                bounds[names['I']] = self.bounds[names['I']] = (0, 4)
        for line in self.before + found:
            self.put(depth, line)
        self.bounds = {i: b for i, b in bounds.items() if i not in names.values()}


def ranges(text):
    """(lowest, one more than the highest) of the numbers of a range in a template."""
    if text.startswith('{I}'):
        return 0, 4
    return {'1, {N}': (1, 4), '1, 3': (1, 3), '1, {N} - 1': (1, 3), '{N} - 1': (0, 3), '{N} - 2, -1, -1': (0, 3), '3, 3': (0, 1), '-1, -4, -1': (-3, 0), '0, {N}, 2': (0, 3), '3': (0, 3),
            '20': (0, 20)}.get(text, (0, 4))


def needed(text):
    """The functions of the prelude that a text calls, with those that they call, in order."""
    parts = re.split(r'\n\n\n', PRELUDE.strip())
    by_name = {re.search(r'def (\w+)', part).group(1): part for part in parts}
    wanted, todo = set(), [text]
    while todo:
        found = {n for n in re.findall(r'\w+', todo.pop()) if n in by_name} - wanted
        wanted |= found
        todo += [by_name[n] for n in found]
    return [line for n, part in by_name.items() if n in wanted for line in ('', '', *part.splitlines())]
