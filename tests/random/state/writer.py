"""Writes random programs with state: objects whose methods write, closures, generators, contexts, exceptions, tables.

A name has a kind: 's' a number, 'v' a vector of three, 'L' a list, 'D' a dict (of "p", "q") and 'Q' a deque of numbers, 'F' a function
from number to number, 'i' an integer; or the name of a class, `C0`, with `C0[]` for a list and `C0{}` for a dict of such objects.
A *place* is a name or a part of one, `box.parts[0].sizes`: statements read and write places of a kind, whatever holds them.
The statements themselves are those of `forms`; the classes are written by `classes`.
"""
import ast
import random
import re

from tests.random.program_writer import Lines
from tests.random.state.classes import Classes, Lacking
from tests.random.state.forms import EXPRESSIONS, FEATURES, LEAVES, PRELUDE, STATEMENTS, TOOLS, TOTALS

STEPS: dict = {'v': ('[0]', '[1]', '[-1]'), 'L': ('[0]', '[-1]'), 'D': ('["p"]', '["q"]'), 'Q': ('[0]', '[-1]')}
HELD = ('[0]', '[-1]'), ('["m"]', '["n"]')           # the parts of a list, and of a dict, of objects
PARAMETERS = {'v': 'vec', 'L': 'xs', 'D': 'table'}     # of the functions of the module, by kind
SHARED = 'vLDQF'                                      # what two names may stand for, besides objects


class StateWriter(Classes, Lines):
    """One random program; the same seed writes the same program.

    features : of which a few are in each program
    """

    def __init__(self, seed, features=FEATURES):
        self.random = random.Random(seed)
        several = self.random.sample(features, min(len(features), self.pick(1, 2, 2, 3, 4)))
        self.features = ['plain', *(f for f in features if f in several)]
        self.lines, self.made, self.classes, self.tools, self.pending, self.value = [], 0, {}, {}, {}, 's'

    def program(self):
        """The text of the module."""
        for _ in range(self.pick(1, 2, 2, 3) if {'objects', 'operators', 'classes', 'tools'} & {*self.features} else self.pick(0, 1)):
            self.write_class()
        for _ in range(self.pick(1, 2, 3)):
            self.write_tool()
        kinds = [self.pick('s', 's', 'v') for _ in range(self.pick(1, 2, 2, 3))]
        params = dict(zip(self.random.sample(['x', 'y', 'u', 'w', 'value'], len(kinds)), kinds))
        self.put(0, '')
        self.put(0, '')
        self.put(0, f'def f({", ".join(params)}):')
        env = dict(params)
        self.block(env, 1, self.pick(4, 5, 7, 9))
        self.put(1, f'return {self.total(env)}')
        wrt = tuple(sorted(self.random.sample(range(len(kinds)), self.pick(1, len(kinds), len(kinds)))))
        head = ['import collections', 'import contextlib', 'import dataclasses', 'import functools', 'import itertools', 'import math', '',
                'import numpy as np', '', f'ARGS = ({", ".join(map(self.argument, kinds))},)', f'WRT = {wrt}',
                f'SECOND = {self.pick("rr", "fr", "rf")!r}']
        return '\n'.join(head) + PRELUDE + '\n'.join(self.lines) + '\n'

    def number(self):
        return f'{self.random.uniform(0.3, 1.7):.3f}'

    def argument(self, kind):
        row = [self.number() if self.chance(0.7) else '-' + self.number() for _ in range(3)]
        return row[0] if kind == 's' else f'np.array([{", ".join(row)}])'

    # Places

    def places(self, env, kind):
        """Every place of a kind that can be reached."""
        return [text for name, has in env.items() for text in self.parts(name, has, kind, 3)]

    def parts(self, text, has, kind, deep):
        if has == kind:
            yield text
        if deep:
            for step, of in self.steps(has):
                yield from self.parts(text + step, of, kind, deep - 1)

    def steps(self, has):
        if has in STEPS:
            return [(step, 's') for step in STEPS[has]]
        if has.endswith(('[]', '{}')):
            return [(step, has[:-2]) for step in HELD[has.endswith('{}')]]
        return [(f'.{name}', kind) for name, kind in self.classes[has].fields.items()] if has in self.classes else []

    def place(self, env, kind):
        found = self.places(env, kind)
        if not found:
            raise Lacking(kind)
        names = [text for text in found if text in env]
        return self.random.choice(names if names and self.chance(0.4) else found)

    def some(self, env, among):
        """A place of one of some kinds, and its kind."""
        found = [(text, kind) for kind in among for text in self.places(env, kind)]
        if not found:
            raise Lacking(among)
        return self.random.choice(found)

    def fresh(self, base):
        self.made += 1
        return f'{base}{self.made}'

    # Expressions

    def expr(self, env, kind, depth):
        """The text of an expression of a kind."""
        if depth <= 0 or kind not in LEAVES or self.chance(0.15):
            found = self.places(env, kind)
            if found and self.chance(0.85):
                return self.place(env, kind)
            if kind not in LEAVES:
                return self.held(env, kind, 0)
            return self.fill(LEAVES[kind], env, 0)
        forms = [form for feature in self.features for form in EXPRESSIONS.get(feature, {}).get(kind, ())]
        forms += EXPRESSIONS['plain'][kind] if self.chance(0.5) else []
        return self.attempt(lambda: self.fill(self.random.choice(forms), env, depth), lambda: self.expr(env, kind, 0))

    def attempt(self, write, otherwise=None):
        """What a writer gives that asks for what there may not be; nothing is written by those that fail."""
        for _ in range(20):
            lines = len(self.lines)
            try:
                return write()
            except Lacking:
                del self.lines[lines:]
        return otherwise() if otherwise else None

    def fill(self, form, env, depth, known=None):
        """The form with expressions, places and names where it says so: `{s}` a number, `{S}` a place of one, `{=s}` a new name."""
        known = {} if known is None else known

        def one(match):
            mark, word, number = match.groups()
            if number and word + number in known:
                return known[word + number]
            if mark:
                text = self.fresh({'v': 'v', 'L': 'xs', 'D': 'd', 'Q': 'queue', 'F': 'g', 'i': 'i'}.get(word, 'y'))
                self.pending[text] = word, mark
            elif len(word) == 1:
                text = self.expr(env, word, depth - 1) if word in 'sv' else self.place(env, {'S': 's', 'V': 'v'}.get(word, word))
            else:
                text = getattr(self, f'place_{word}')(env, depth - 1)
            known[word + number] = text
            return text if mark or word not in ('s', 'v') or re.fullmatch(r'[\w.]+(\[[-\w"]+\])?(\([\w.]*\))?', text) else f'({text})'
        return re.sub(r'\{([=~]?)([a-zA-Z]+)(\d*)\}', one, form)

    def place_k(self, env, depth):
        return self.pick('0', '1', '2', '-1', *(f'{i} % 3' for i in env if env[i] == 'i'))

    place_at = place_k

    def place_few(self, env, depth):
        return self.pick('1', '2', '2', '3', '3', '4')

    def place_num(self, env, depth):
        return self.number()

    def place_test(self, env, depth):
        loops = [n for n, k in env.items() if k == 'i']
        if loops and self.chance(0.4):
            return self.pick('{0} % 2 == 0', '{0} > 1', '{0} != 1').format(self.random.choice(loops))
        lists = self.places(env, 'L')
        if lists and self.chance(0.1):
            return f'len({self.random.choice(lists)}) > {self.pick(1, 2, 3)}'
        a = self.expr(env, 's', 1)
        return self.pick('{0} > {1}', '{0} < {1}', '{0} > {1} and {0} < 2.5', '-2 < {0} <= {1}', 'not {0} > {1}').format(f'({a})', self.number())

    def total(self, env):
        """A number made of what several names hold."""
        found = []
        for name, kind in self.random.sample(sorted(env.items()), min(4, len(env))):
            for of in ('s', *SHARED):
                texts = list(self.parts(name, kind, of, 2)) if kind != of else [name]
                found += [TOTALS[of].format(t) for t in self.random.sample(texts, min(2, len(texts)))]
        return ' + '.join(self.random.sample(found, min(5, len(found))) + [self.expr(env, 's', 1)])

    def place_total(self, env, depth):
        """What a function returns in the middle: a value of the kind that it returns at its end."""
        if self.value is None:
            raise Lacking('result')
        return self.total(env) if self.value == 's' else self.value if self.value == 'self' else self.expr(env, self.value, 1)

    # Statements

    def block(self, env, depth, size):
        start = len(self.lines)
        for _ in range(size):
            self.attempt(lambda: self.statement(env, depth))
        if len(self.lines) == start:
            self.put(depth, 'pass')

    def statement(self, env, depth):
        self.pending = {}
        feature = self.random.choice([*self.features, *self.features[1:]])
        forms = STATEMENTS[feature] if self.chance(0.85) else STATEMENTS['plain']
        form = self.random.choice([f for f in forms if depth < 4 or '{block}' not in f])
        if form.startswith('!'):
            return getattr(self, 'write_' + form[1:])(env, depth)
        self.template(form, env, depth)

    def template(self, form, env, depth):
        """A statement, or several, that a form tells of; `;` ends a line, and a name `{~s}` is there until the last of them."""
        known, brief = {}, []
        inner = dict(env)
        for line in form.split(';'):
            text = line.lstrip(' ')
            deeper = depth + (len(line) - len(text)) // 4
            if text == '{block}':
                self.block(dict(inner), deeper, self.pick(1, 1, 2))
                continue
            filled = self.fill(text, inner, self.pick(1, 2, 2), known)
            self.put(deeper, filled)
            for name, (kind, mark) in self.pending.items():
                inner[name] = kind
                brief += [name] if mark == '~' else []
            self.pending = {}
        for name, kind in inner.items():
            if name not in brief:
                env[name] = kind

    def write_alias(self, env, depth):
        """Another name for what a place holds."""
        text, kind = self.some(env, [*SHARED, *self.kinds_of_objects()])
        name = self.fresh('same')
        self.put(depth, f'{name} = {text}')
        env[name] = kind

    def write_share(self, env, depth):
        """What one place holds is put into another, or two are swapped."""
        text, kind = self.some(env, [*'vLDQ', *self.kinds_of_objects()])
        other = self.place(env, kind)
        if other == text:
            raise Lacking(kind)
        self.put(depth, f'{text}, {other} = {other}, {text}' if self.chance(0.4) else f'{text} = {other}')

    def kinds_of_objects(self):
        return [kind for name in self.classes for kind in (name, name + '[]', name + '{}')]

    # Functions inside of functions

    def nested(self, env, depth, params, result=None, size=None):
        """The body of a function inside of another; what it binds of the other is declared `nonlocal`."""
        start, inner = len(self.lines), {**env, **params}
        before, self.value = self.value, 's'
        self.block(inner, depth, self.pick(0, 1, 1, 2) if size is None else size)
        if result:
            self.put(depth, self.fill(result, inner, 2))
        self.value = before
        own = '\n'.join(line[4 * depth:] for line in self.lines[start:])
        bound = {node.id for node in ast.walk(ast.parse('def f():\n' + '\n'.join('    ' + line for line in own.split('\n')) + '\n'))
                 if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        outer = sorted(name for name in bound if name in env and name not in params)
        if outer:
            self.lines.insert(start, '    ' * depth + f'nonlocal {", ".join(outer)}')

    def write_closure(self, env, depth):
        if depth > 3:
            raise Lacking('depth')
        name = self.fresh('g')
        self.put(depth, f'def {name}(q):')
        self.nested(env, depth + 1, {'q': 's'}, 'return {s}')
        env[name] = 'F'

    def write_procedure(self, env, depth):
        """A function that only writes, called at once and again."""
        if depth > 3:
            raise Lacking('depth')
        name = self.fresh('act')
        self.put(depth, f'def {name}(q):')
        self.nested(env, depth + 1, {'q': 's'}, None, self.pick(1, 2))
        for _ in range(self.pick(1, 2, 2)):
            self.put(depth, self.fill(f'{name}({{s}})', env, 2))

    def write_pair(self, env, depth):
        """Two functions that share what they have captured."""
        put, get = self.fresh('put'), self.fresh('get')
        self.put(depth, f'{put}, {get} = {self.tool("pair", env, 1)}')
        for _ in range(self.pick(1, 2)):
            self.put(depth, f'{put}({self.expr(env, "s", 1)})')
        y = self.fresh('y')
        self.put(depth, f'{y} = {get}() * {get}()')
        env[y] = 's'

    def write_generator(self, env, depth):
        """A generator inside of the function; what it writes of the other's is there after each step."""
        if depth > 2:
            raise Lacking('depth')
        name = self.fresh('gen')
        self.put(depth, f'def {name}(q):')
        self.nested(env, depth + 1, {'q': 's'}, 'yield {s}')
        self.put(depth, f'for {name}_y in {name}({self.expr(env, "s", 1)}):')
        self.block({**env, name + '_y': 's'}, depth + 1, 1)

    def write_memo(self, env, depth):
        """A function that calls itself and keeps what it has found in a dict."""
        if depth > 2:
            raise Lacking('depth')
        name, table, y = self.fresh('rec'), self.fresh('known'), self.fresh('y')
        inner = {**env, 'q': 's'}
        self.put(depth, f'{table} = {{0: {self.expr(env, "s", 1)}, 1: {self.expr(env, "s", 1)}}}')
        self.put(depth, f'def {name}(n):')
        inner = dict(env)
        form = self.pick(f'if n not in {table}:', f'if n in {table}:', 'try:')
        again = f'np.tanh({name}(n - 1) * {self.expr(inner, "s", 1)} + {name}(n - 2))'
        self.put(depth + 1, form)
        if 'not' in form:
            self.put(depth + 2, f'{table}[n] = {again}')
            self.put(depth + 1, f'return {table}[n]')
        else:
            self.put(depth + 2, f'return {table}[n]')
            if form == 'try:':
                self.put(depth + 1, 'except KeyError:')
                self.put(depth + 2, 'pass')
            self.put(depth + 1, f'found = {table}[n] = {again}' if self.chance(0.4) else f'{table}[n] = {again}')
            self.put(depth + 1, f'return {table}[n]')
        self.put(depth, f'{y} = {name}({self.pick(2, 3, 4)}) * {self.pick("1.0", f"sum({table}.values())", f"{name}(3)")}')
        env[y] = 's'

    # Functions of the module: generators, contexts, makers of functions

    def write_tool(self):
        forms = TOOLS.get(self.random.choice(self.features))
        if not forms:
            return
        what, params, form = self.random.choice(forms)
        if 'o' in params and not self.classes:
            return
        kinds = {k: 's' if k in 'ab' else self.pick(*self.classes) if k == 'o' else k for k in params}
        name = self.fresh('tool')
        self.put(0, '')
        self.put(0, '')
        self.attempt(lambda: self.template(form.replace('{name}', name), {PARAMETERS.get(k, k): kind for k, kind in kinds.items()}, 0))
        self.tools.setdefault(what, []).append((name, [*kinds.values()]))

    def tool(self, what, env, depth):
        """A call of one of the functions of the module that give something."""
        if what not in self.tools:
            raise Lacking(what)
        name, kinds = self.random.choice(self.tools[what])
        return f'{name}({", ".join(self.held(env, kind, min(depth, 1)) for kind in kinds)})'

    def place_share(self, env, depth):
        text, kind = self.some(env, [*'vLDQ', *self.kinds_of_objects()])
        return f'{text} = {self.place(env, kind)}'

    def place_choice(self, env, depth):
        return self.pick('pass', 'continue', 'break')

    def place_helper(self, env, depth):
        return self.tool('helper', env, depth)

    def place_gen(self, env, depth):
        return self.tool('gen', env, depth)

    def place_sender(self, env, depth):
        return self.tool('sender', env, depth)

    def place_context(self, env, depth):
        return self.tool('context', env, depth)

    def place_maker(self, env, depth):
        return self.tool('maker', env, depth)

    def place_careful(self, env, depth):
        return self.tool('careful', env, depth)

    def place_memo(self, env, depth):
        return self.tool('memo', env, depth)
