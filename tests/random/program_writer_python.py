"""Writes random programs with more of Python: closures, recursion, containers, objects, exceptions, aliases, generators.

A :class:`PythonWriter` writes what :class:`tests.random.program_writer.Writer` writes, and of the features asked for. It knows more
kinds of values: 'L' a list of floats that is changed, 'D' a dict of floats that is changed, 'O' an object with a float `a`
and a vector `b`, 'F' a function from float to float, 'N' a vector whose length changes, 'G' an object that writes into
the vector it was given.
"""
from tests.random.program_writer import SCALARS, Writer
from tests.random.program_writer_order import CHANGERS, Order
from tests.random.program_writer_writes import WRITERS, Writes

MORE_SCALARS = {**SCALARS, 'L': 'sum({0})', 'D': 'sum({0}.values())', 'O': '({0}.a + np.sum({0}.b))', 'F': '{0}(0.7)',
                'N': 'np.sum({0})', 'G': 'np.sum({0}.cells)'}

PRELUDE = '''
from functools import partial, reduce


class Box:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def scaled(self, x):
        return self.a * x + np.sum(self.b) * 0.1

    def step(self, x):
        self.a = np.tanh(self.a + x) * 0.5

    def put(self, k, x):
        self.b[k] = x * 0.5

    @property
    def mixed(self):
        return self.a * self.b[0]

    def __call__(self, x):
        return np.sin(self.a) * x

    def __add__(self, other):
        return Box(self.a + other.a, self.b * 0.5 + other.b)


class Heavy(Box):
    def __init__(self, a, b):
        super().__init__(a * 0.5, b)
        self.extra = a

    def scaled(self, x):
        return super().scaled(x) + self.extra * 0.3


def apply(f, x):
    return f(x) + 0.5 * f(0.3)


def compose(f, g):
    return lambda x: np.tanh(f(g(x)))


def write_square(src, dst):
    for k in range(len(src)):
        dst[k] = src[k] ** 2


def halve(v):
    v *= 0.5


def tail(v):
    v[0] = v[1] * 0.5
    return v[1:]


def fill(out, x):
    out.append(x * 0.5)
    return len(out)


def countdown(x, n):
    while n > 0:
        yield x * n
        n -= 1
'''

FEATURES = ('closures', 'recursion', 'exits', 'containers', 'objects', 'exceptions', 'aliases', 'shapes', 'generators',
            'syntax', 'writes', 'order')


class PythonWriter(Order, Writes, Writer):
    """One random program with some features; the same seed and features write the same program."""

    def __init__(self, seed, features=FEATURES):
        super().__init__(seed)
        self.analytic = False
        self.features = [f for f in features if len(features) == 1 or self.chance(0.5)] or list(features)
        self.used = 0
        self.deep = 0                     # inside a nested function: names of the outer one are only read there

    def program(self):
        head, _, body = super().program().partition('\nARGS')
        return head + PRELUDE + WRITERS * ('writes' in self.features) + CHANGERS * ('order' in self.features) + '\n\nARGS' + body

    # Names and expressions

    def fresh(self, base):
        self.used += 1
        return f'{base}{self.used}'

    def some(self, env, kind):
        have = [n for n, k in env.items() if k == kind]
        return self.random.choice(have) if have else None

    def returned(self, env):
        if self.result == 's' and any(k != 's' for k in env.values()):
            parts = [MORE_SCALARS[k].format(n) for n, k in self.random.sample(sorted(env.items()), min(4, len(env)))]
            return ' + '.join(parts + [self.expr(env, 's', 1)])
        return super().returned(env)

    def expr(self, env, kind, depth):
        if depth > 0 and kind in 'svl' and self.chance(0.3):
            forms = self.special(env, kind, depth)
            if forms:
                return self.random.choice(forms)
        return super().expr(env, kind, depth)

    def special(self, env, kind, depth):
        """Expressions that use the values of the kinds of this class."""
        f, obj, seq, table, any_length = (self.some(env, k) for k in 'FOLDN')
        s = self.inner(env, 's', depth)
        found = []
        if kind == 's':
            if f:
                found += [f'{f}({s})', f'apply({f}, {s})', f'compose({f}, np.sin)({s})', f'sum(map({f}, [{s}, 0.4]))',
                          f'reduce(lambda p, q: p * 0.5 + {f}(q), [{s}, 0.3, 0.2], 1.0)']
            if 'closures' in self.features:
                found += [f'(lambda q: q * {s})({s})', f'partial(pow, {s})(2)', f'apply(lambda q: np.sin(q) + {s}, {s})']
            if obj:
                found += [f'{obj}.a', f'{obj}.scaled({s})', f'{obj}.mixed', f'{obj}({s})', f'np.sum({obj}.b)',
                          f'({obj} + {obj}).a', f'getattr({obj}, "a")']
            if seq:
                found += [f'{seq}[0]', f'{seq}[-1]', f'sum({seq})', f'max({seq})', f'sum(q * q for q in {seq})',
                          f'sum([q * {s} for q in {seq}])', f'sorted({seq})[0]', f'sum({seq}[1:])', f'len({seq}) * {s}']
            if table:
                found += [f'{table}["p"]', f'{table}.get("q", {s})', f'sum({table}.values())',
                          f'sum(e * 0.5 for e in {table}.values())', f'max({table}.values())']
            if any_length:
                found += [f'np.sum({any_length})', f'{any_length}[0]', f'{any_length}[-1]', f'np.mean({any_length} ** 2)']
            if 'generators' in self.features:
                found += [f'sum(countdown({s}, 3))', f'max(countdown({s}, 2))']
        elif kind == 'v':
            if obj:
                found += [f'{obj}.b', f'{obj}.b * {s}']
            if seq:
                found += [f'np.array(({seq} * 3)[:3])']
        elif seq:
            found += [f'[q * 0.5 for q in ({seq} + [0.3, 0.2])[:3]]', f'({seq} + [0.1, 0.2])[:3]']
        return found

    # Statements

    def statement(self, env, depth, looping):
        if self.chance(0.45) or not self.features:
            feature = self.random.choice(self.features)
            getattr(self, 'write_' + feature)(env, depth, looping)
        else:
            super().statement(env, depth, looping)

    def write_closures(self, env, depth, looping):
        name = self.fresh('f')
        form = self.pick('def', 'def', 'lambda', 'nonlocal', 'alias', 'list')
        inner = dict(env, q='s')
        if form == 'lambda':
            self.put(depth, f'{name} = lambda q: np.tanh({self.expr(inner, "s", 2)})')
        elif form == 'nonlocal' and depth == 1 and self.some(env, 's') and not self.deep:
            state = self.fresh('state')
            self.put(depth, f'{state} = {self.expr(env, "s", 1)}')
            env[state] = 's'
            self.put(depth, f'def {name}(q):')
            self.put(depth + 1, f'nonlocal {state}')
            self.put(depth + 1, f'{state} = np.tanh({state} + {self.expr(inner, "s", 1)})')
            self.put(depth + 1, f'return {state}')
        elif form == 'alias' and self.some(env, 'F'):
            self.put(depth, f'{name} = {self.some(env, "F")}')
        elif form == 'list':
            self.put(depth, f'{name} = [np.sin, lambda q: q * {self.expr(env, "s", 1)}][{self.pick(0, 1)}]')
        else:
            self.put(depth, f'def {name}(q):')
            self.nested(inner, depth + 1)
        env[name] = 'F'

    def nested(self, env, depth):
        """The body of a nested function: it binds names of its own, and returns a float."""
        outer, self.result, self.deep = self.result, 's', self.deep + 1
        r = self.fresh('r')
        self.put(depth, f'{r} = {self.expr(env, "s", 2)}')
        env[r] = 's'
        if self.chance(0.3):
            self.put(depth, f'if {self.condition(env)}:')
            self.put(depth + 1, f'return {self.expr(env, "s", 1)}')
        if self.chance(0.3):
            self.put(depth, f'for _ in range({self.pick(1, 2, 3)}):')
            self.put(depth + 1, f'{r} = np.tanh({self.expr(env, "s", 1)})')
        self.put(depth, f'return {self.expr(env, "s", 2)}')
        self.result, self.deep = outer, self.deep - 1

    def write_recursion(self, env, depth, looping):
        name, s = self.fresh('rec'), self.fresh('r')
        form = self.pick('number', 'list', 'tree')
        inner = dict(env, q='s')
        if form == 'number':
            self.put(depth, f'def {name}(q, n):')
            self.put(depth + 1, 'if n == 0:')
            self.put(depth + 2, f'return {self.expr(inner, "s", 1)}')
            self.put(depth + 1, f'return np.sin({self.expr(inner, "s", 1)}) * {name}({self.expr(inner, "s", 1)}, n - 1)')
            self.put(depth, f'{s} = {name}({self.expr(env, "s", 1)}, {self.pick(0, 1, 3)})')
        elif form == 'list':
            self.put(depth, f'def {name}(rest):')
            self.put(depth + 1, 'if not rest:')
            self.put(depth + 2, f'return {self.expr(env, "s", 0)}')
            self.put(depth + 1, f'return {self.expr(env, "s", 0)} * rest[0] + 0.5 * {name}(rest[1:])')
            self.put(depth, f'{s} = {name}({self.expr(env, "l", 1)})')
        else:
            self.put(depth, f'def {name}(node):')
            self.put(depth + 1, 'if isinstance(node, tuple):')
            self.put(depth + 2, f'return np.tanh({name}(node[0]) * {self.expr(env, "s", 0)} + {name}(node[1]))')
            self.put(depth + 1, 'return node * 0.5')
            a, b, c = (self.expr(env, 's', 1) for _ in range(3))
            self.put(depth, f'{s} = {name}((({a}, {b}), {c}))')
        env[s] = 's'

    def write_exits(self, env, depth, looping):
        if depth > 3:
            return self.write_assign(env, depth, looping)
        i = self.loop_name(env)
        inner = dict(env)
        inner[i] = 'i'
        self.put(depth, f'for {i} in range({self.pick(1, 2, 3)}):')
        self.block(inner, depth + 1, self.pick(1, 2), True)
        self.put(depth + 1, f'if {self.condition(inner)}:')
        self.put(depth + 2, self.pick('break', 'break', 'continue', f'return {self.returned(dict(inner))}'))
        self.block(inner, depth + 1, 1, True)
        if self.chance(0.7):
            self.put(depth, 'else:')
            self.block(dict(env), depth + 1, 1, looping)

    def write_containers(self, env, depth, looping):
        seq, table = self.some(env, 'L'), self.some(env, 'D')
        s, t = self.expr(env, 's', 1), self.expr(env, 's', 1)
        if seq and self.chance(0.6):
            q = self.fresh('q')
            line = self.pick(
                f'{seq}.append({s})', f'{seq}.append({s})', f'{seq}.extend([{s}, {t}])', f'{seq}.insert(0, {s})',
                f'{seq}[0] = {s}', f'{seq}[-1] += {s}', f'{seq}[0] *= 0.5', f'{seq}.reverse()', f'{seq}.sort()',
                f'{seq} += [{s}]', f'{seq}[1:] = [{s}]', f'{seq}[0], {seq}[-1] = {seq}[-1], {seq}[0]',
                f'fill({seq}, {s})', f'{seq}[:] = [{q} * 0.5 for {q} in {seq}]', f'{seq}[:1] = []; {seq}.append({s})',
                f'{seq}.append({seq}.pop() * {s})', f'{seq}.append({seq}.pop(0))')
            self.put(depth, line)
        elif table and self.chance(0.6):
            self.put(depth, self.pick(
                f'{table}["p"] = {s}', f'{table}["q"] = {s}', f'{table}["p"] += {s}', f'{table}.update(r={s})',
                f'{table}.setdefault("q", {s})', f'{table}["p"] = {table}.pop("q", {s})', f'{table} = dict({table})',
                f'{table} = {{k: e * 0.5 for k, e in {table}.items()}}', f'{table} = {{**{table}, "s": {s}}}'))
        else:
            self.container(env, depth, s, t)

    def container(self, env, depth, s, t):
        """A new list or dict, or another name for one."""
        seq, table = self.some(env, 'L'), self.some(env, 'D')
        if self.chance(0.5):
            name = self.fresh('xs')
            forms = [f'[{s}, {t}]', f'[{s}]', f'list({self.expr(env, "l", 1)})', f'[q * {s} for q in {self.expr(env, "l", 0)}]',
                     f'[{s}] * 3', f'[q for q in ({s}, {t}, 0.3) if q > 0.1] + [0.2]']
            forms += [seq, seq, f'list({seq})', f'{seq}[:]', f'sorted({seq})', f'{seq} + [{s}]'] if seq else []
            self.put(depth, f'{name} = {self.random.choice(forms)}')
            env[name] = 'L'
        else:
            name = self.fresh('d')
            forms = [f'{{"p": {s}}}', f'{{"p": {s}, "q": {t}}}', f'dict(p={s})', f'{{k: {s} * 0.5 for k in "pq"}}']
            forms += [table, table, f'{table}.copy()'] if table else []
            self.put(depth, f'{name} = {self.random.choice(forms)}')
            env[name] = 'D'

    def write_objects(self, env, depth, looping):
        obj, s = self.some(env, 'O'), self.expr(env, 's', 1)
        if obj and self.chance(0.65):
            v = self.expr(env, 'v', 1)
            self.put(depth, self.pick(
                f'{obj}.a = np.tanh({s})', f'{obj}.a *= 0.5', f'{obj}.a += {s}', f'{obj}.step({s})', f'{obj}.put(1, {s})',
                f'{obj}.b = {v} * 0.5', f'{obj}.b[0] = {s}', f'{obj}.b *= 0.5', f'{obj}.b = {obj}.b + {v}',
                f'setattr({obj}, "a", {s})', f'{obj}.a, {obj}.b[2] = {obj}.b[2], {obj}.a'))
        else:
            name = self.fresh('box')
            forms = [f'Box({s}, {self.expr(env, "v", 1)} * 1.0)', f'Heavy({s}, np.zeros(3))', f'Box(a={s}, b=np.ones(3))']
            forms += [obj, f'{obj} + {obj}', f'[{obj}][0]'] if obj else []
            self.put(depth, f'{name} = {self.random.choice(forms)}')
            env[name] = 'O'

    def write_exceptions(self, env, depth, looping):
        if depth > 3:
            return self.write_assign(env, depth, looping)
        x = self.fresh('y')
        self.put(depth, f'{x} = {self.expr(env, "s", 1)}')
        env[x] = 's'
        self.put(depth, 'try:')
        inner = dict(env)
        self.block(inner, depth + 1, 1, looping)
        self.put(depth + 1, f'{x} = {self.expr(env, "s", 1)}')
        self.put(depth + 1, f'if {self.condition(env)}:')
        self.put(depth + 2, self.pick('raise ValueError("no")', 'raise KeyError(1)', f'{x} = {x} / 0 if type({x}) is float else 0.5',
                                      '[][1]', f'return {self.returned(dict(env))}'))
        self.put(depth + 1, f'{x} = {x} * {self.expr(env, "s", 1)}')
        self.put(depth, self.pick('except (ValueError, KeyError, IndexError, ZeroDivisionError):', 'except Exception as error:'))
        self.put(depth + 1, f'{x} = {x} + {self.expr(env, "s", 1)}')
        if self.chance(0.3):
            self.put(depth, 'else:')
            self.put(depth + 1, f'{x} = {x} * 0.5')
        if self.chance(0.4):
            self.put(depth, 'finally:')
            self.put(depth + 1, f'{x} = {self.expr(env, "s", 1)} - {x}')

    def write_aliases(self, env, depth, looping):
        v, m, n = self.some(env, 'v'), self.some(env, 'm'), self.some(env, 'N')
        s = self.expr(env, 's', 1)
        forms = []
        if v:
            w = self.fresh('w')
            forms += [f'{v}[0] = {s}', f'{v}[{self.index(env)}] += {s}', f'{v}[1:] = {v}[:-1]', f'{v}[1:] += {v}[:-1]',
                      f'{v}[:] = {self.expr(env, "v", 1)}', f'{v} *= 0.5', f'{v} += {self.expr(env, "v", 1)}', f'halve({v})',
                      f'{v}[[0, 2]] = {v}[[2, 0]]', f'{v}[0], {v}[1] = {v}[1], {v}[0]', f'{v}[{v} > 0.5] = {s}',
                      f'np.add({v}, {self.expr(env, "v", 0)}, out={v})', f'np.add.at({v}, [0, 0, 1], {s})',
                      f'{v}[1] = {v}[0] * {v}[2]']
            views = {f'{w} = {v}': 'v', f'{w} = {v}[1:]': 'N', f'{w} = {v}[::-1]': 'v', f'{w} = tail({v})': 'N',
                     f'{w} = {v}.reshape(3, 1)[:, 0]': 'v', f'{w} = np.empty(3); write_square({v}, {w})': 'v',
                     f'{w} = {v}.copy()': 'v', f'{w} = [{v}, 1.0][0]': 'v'}
            if self.chance(0.4):
                text, kind = self.random.choice(sorted(views.items()))
                self.put(depth, text)
                env[w] = kind
                return
        if m:
            forms += [f'{m}[0] = {self.expr(env, "v", 1)}', f'{m}[1, 2] = {s}', f'{m}[:, 1] *= 0.5', f'{m}.T[0] = {m}[1]',
                      f'{m}[1:, 1:] += {m}[:-1, :-1]', f'halve({m}[1])', f'{m}.reshape(-1)[4] = {s}', f'halve({m})',
                      f'write_square({m}[0], {m}[2])', f'np.fill_diagonal({m}, {s})', f'{m}[[0, 1]] = {m}[[1, 0]]']
        if n:
            forms += [f'{n}[0] = {s}', f'{n} *= 0.5', f'{n}[:] = {s}', f'{n}[-1] += {s}']
        if not forms:
            w = self.fresh('w')
            self.put(depth, f'{w} = {self.pick("np.zeros(3)", "np.empty(3)", "np.ones(3)")}; {w}[:] = {self.expr(env, "v", 1)}')
            env[w] = 'v'
        elif m and self.chance(0.15):
            row = self.fresh('row')
            self.put(depth, f'for {row} in {m}:')
            self.put(depth + 1, self.pick(f'{row}[0] = {row}[1] * 0.5', f'{row} *= 0.5', f'{row}[:] = {row}[::-1] * {s}'))
        else:
            self.put(depth, self.random.choice(forms))

    def write_shapes(self, env, depth, looping):
        n = self.some(env, 'N')
        if not n:
            n = self.fresh('n')
            self.put(depth, f'{n} = {self.expr(env, "v", 1)} * {self.expr(env, "s", 0)}')
            env[n] = 'N'
            return
        s = self.expr(env, 's', 0)
        line = self.pick(f'{n} = np.concatenate([{n}, {self.expr(env, "v", 0)}])', f'{n} = np.append({n}, {s})',
                         f'{n} = {n}[1:] if len({n}) > 1 else {n}', f'{n} = np.tanh({n} * {s})',
                         f'{n} = np.array([q * {s} for q in {n}])', f'{n} = ({n}[1:] * {n}[:-1] if len({n}) > 1 else {n})',
                         f'{n} = {n}[{n} > -0.5] if np.any({n} > -0.5) else {n}')
        if self.chance(0.3) and depth < 3:
            self.put(depth, f'for _ in range({self.pick(2, 3)}):')
            depth += 1
        self.put(depth, line)

    def write_generators(self, env, depth, looping):
        name, s = self.fresh('gen'), self.fresh('y')
        form = self.pick('nested', 'expression', 'loop')
        if form == 'nested':
            self.put(depth, f'def {name}(n):')
            self.put(depth + 1, 'for k in range(n):')
            self.put(depth + 2, f'yield {self.expr(env, "s", 1)} * k')
            self.put(depth, f'{s} = {self.pick(f"sum({name}(3))", f"max({name}(2))", f"list({name}(3))[1]")}')
        elif form == 'expression':
            self.put(depth, f'{name} = (q * {self.expr(env, "s", 1)} for q in {self.expr(env, "l", 1)})')
            self.put(depth, f'{s} = {self.pick(f"sum({name})", f"next({name})", f"min({name})")}')
        else:
            e = self.fresh('e')
            self.put(depth, f'{s} = 1.0')
            self.put(depth, f'for {e} in countdown({self.expr(env, "s", 1)}, {self.pick(0, 2, 3)}):')
            self.put(depth + 1, f'{s} = np.tanh({s} * {e} + {self.expr(env, "s", 0)})')
        env[s] = 's'

    def write_syntax(self, env, depth, looping):
        a, b = self.fresh('y'), self.fresh('z')
        s, t = self.expr(env, 's', 1), self.expr(env, 's', 1)
        form = self.pick('walrus', 'match', 'starred', 'del', 'chain', 'with', 'assert')
        if form == 'walrus':
            self.put(depth, f'{b} = ({a} := {s}) * {a} + {t}')
        elif form == 'match':
            self.put(depth, f'match ({s}, {t}):')
            self.put(depth + 1, f'case ({a}, {b}) if {a} > {self.number()}:')
            self.put(depth + 2, f'{b} = {b} * {a}')
            self.put(depth + 1, f'case ({a}, {b}):')
            self.put(depth + 2, f'{b} = {a} - {b}')
        elif form == 'starred':
            self.put(depth, f'{a}, *rest, {b} = {s}, {t}, 0.5, *{self.expr(env, "l", 0)}')
            self.put(depth, f'{a} = {a} * sum(rest)')
        elif form == 'del':
            self.put(depth, f'{a} = {s}; {b} = {a} * 0.5; tmp = {t}; {a} = {a} + tmp; del tmp')
        elif form == 'chain':
            self.put(depth, f'{a} = {b} = {s}')
            self.put(depth, f'{a} += {t}')
        elif form == 'with':
            self.put(depth, 'with np.errstate(all="ignore"):')
            self.put(depth + 1, f'{a} = {s}')
            self.put(depth + 1, f'{b} = {a} * {t}')
        else:
            self.put(depth, f'{a} = {s}; {b} = {a} or {t}')
            self.put(depth, f'assert {b} == {b}, f"no number: {{{b}:.3f}}"')
        env[a] = env[b] = 's'
