"""The optimizer: each pass by its own first words, what must not change, and random programs before and after."""
import ast
import cProfile
import doctest
import importlib
import pkgutil
import pstats
import random
import re

import gast
import numpy as np
import pytest

from tangent import optimize
from tangent.frontend import tree

PURE = frozenset('np.sin np.cos np.tanh np.exp np.dot np.zeros_like np.sum np.reshape unbroadcast unreduce_like range len'.split())
MODULES = [m.name for m in pkgutil.iter_modules(optimize.__path__)]


def function(text, base=None, role='adjoint', params=None, seed=None, arrays=(), independent=False):
    """A record for a program given as text; what it reads and does not bind becomes its parameters."""
    body = gast.parse(text).body
    nodes = [n for stmt in body for n in gast.walk(stmt)]
    called = {n.func.id for n in nodes if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)}
    bound = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    read = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)}
    params = sorted(read - bound - called - {'np', seed}) if params is None else params
    params = params + [seed] if seed else params
    definition = gast.parse(f'def f({", ".join(params)}): pass').body[0]
    definition.body = body
    for node in nodes:
        if isinstance(node, (gast.stmt, gast.ExceptHandler)):
            tree.place(node, tree.Origin(role))
    temps = frozenset(n for n in bound if re.fullmatch(r'b?[tuvc]\d*', n))
    return tree.Func(definition, base or {}, temps, PURE, {}, dict.fromkeys(arrays), independent=independent)


def text(func):
    lines = [ast.unparse(gast.gast_to_ast(stmt)) for stmt in func.tree.body]
    whole = '\n'.join(lines) if any('\n' in line for line in lines) else '; '.join(lines)
    return re.sub(r'(?m)^( *)\((\w+(?:, \w+)+)\) = ', r'\1\2 = ', whole)        # as Python 3.10 writes it


def show(step, program, **known):
    """Print what a pass makes of a program."""
    print(text(step(function(program, **known))))


@pytest.mark.parametrize('name', MODULES)
def test_first_words(name):
    module = importlib.import_module(f'tangent.optimize.{name}')
    failed, _ = doctest.testmod(module, extraglobs={'show': show})
    assert not failed


class Programs:
    """Random programs in the form that reverse mode emits: tapes, loops, branches, in-place writes, aliases, effects."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.keys, self.depth = [], 0, 0
        self.scalars, self.arrays = ['a', 'b'], ['x', 'w']

    def program(self):
        self.line(0, 's = Stack()')
        self.block(0, 7)
        if self.random.random() < 0.7:
            self.mirrored(0)
        self.block(0, 5)
        names = self.random.sample(self.scalars + self.arrays, k=min(3, len(self.scalars + self.arrays)))
        self.line(0, f'return {", ".join(names)},')
        return '\n'.join(self.lines)

    def line(self, indent, text):
        self.lines.append(' ' * indent + text)

    def pick(self, *choices):
        return self.random.choice(choices)

    def scalar(self):
        return self.pick(*self.scalars[-6:], *self.scalars[-3:], '2.0', '0.5')

    def array(self):
        return self.pick(*self.arrays)

    def new(self, kind, *bases):
        """A name to bind: mostly a new one, sometimes another value for an old one."""
        if self.names(kind) and self.random.random() < 0.2:
            return self.pick(*self.names(kind))
        base = self.pick(*bases)
        self.keys += 1
        return f'{base}{self.keys}'

    def names(self, kind=None):
        """The names that may be bound again."""
        return [n for n in (kind or self.scalars)[2:] if n not in ('i', 'w[i]', 'x[i]', 'g')]

    def expression(self):
        a, b, z = self.scalar(), self.scalar(), self.array()
        return self.pick(f'{a} + {b}', f'{a} - {b}', f'{a} * {b}', f'{a} * 1', f'{a} + -{b}', f'-{a}', a, f'np.sin({a})',
                         f'np.tanh({a})', f'{z}[0]', f'{z}[n - 1]', f'np.sum({z})', f'{a} + {a}', f'np.sin({a}) * {b}')

    def statement(self, indent):
        kind = self.random.random()
        if kind < 0.5:
            value = self.expression()
            name = self.new(self.scalars, 't', 't', 'y', 'by')
            self.line(indent, f'{name} = {value}')
            self.scalars += [name] * (name not in self.scalars)
        elif kind < 0.6:
            value = self.pick('{0} * {1}', '{0}', '{0}[::-1]', 'np.reshape({0}, (-1,))', '{0} + {1}').format(
                self.array(), self.pick(self.scalar(), self.array()))
            name = self.new(self.arrays, 't', 'z')
            self.line(indent, f'{name} = {value}')
            self.arrays += [name] * (name not in self.arrays)
        elif kind < 0.68:
            self.line(indent, f'{self.array()}[{self.pick("0", "1")}] {self.pick("=", "+=", "+=")} {self.scalar()}')
        elif kind < 0.72:
            self.line(indent, f'{self.array()} += {self.pick(self.scalar(), self.array())}')
        elif kind < 0.76 and self.names():
            self.line(indent, f'{self.pick(*self.names())} += {self.scalar()}')
        elif kind < 0.80:
            self.line(indent, f'log({self.scalar()})')
        elif kind < 0.84:
            value, name = self.pick(f'noisy({self.scalar()})', f'bump({self.array()})'), self.new(self.scalars, 't', 'y')
            self.line(indent, f'{name} = {value}')
            self.scalars += [name] * (name not in self.scalars)
        elif self.depth < 3:
            self.compound(indent)

    def compound(self, indent):
        self.depth += 1
        scalars, arrays = list(self.scalars), list(self.arrays)
        if self.random.random() < 0.5:
            test = self.pick(f'{self.scalar()} > {self.scalar()}', f'np.sum({self.array()}) > 1')
            if self.random.random() < 0.5:
                self.keys += 1
                self.line(indent, f'c{self.keys} = {test}')
                test = f'c{self.keys}'
            self.line(indent, f'if {test}:')
            self.block(indent + 1, 4)
            after = self.scalars, self.arrays
            self.scalars, self.arrays = list(scalars), list(arrays)
            if self.random.random() < 0.5:
                self.line(indent, 'else:')
                self.block(indent + 1, 4)
                scalars = [n for n in after[0] if n in self.scalars]
                arrays = [n for n in after[1] if n in self.arrays]
        else:
            self.keys += 1
            self.line(indent, f'for i{self.keys} in range(n):')
            self.block(indent + 1, 5)
            if self.random.random() < 0.3:
                self.line(indent + 1, f'if {self.scalar()} > {self.scalar()}:')
                self.line(indent + 2, 'break')
        self.scalars, self.arrays = scalars, arrays
        self.depth -= 1

    def block(self, indent, most):
        self.line(indent, 'pass')
        for _ in range(self.random.randint(1, most)):
            self.statement(indent)

    def mirrored(self, indent):
        """A loop that pushes, statements in between, and the loop that pops."""
        scalars, arrays, keys = list(self.scalars), list(self.arrays), []
        self.depth += 2
        self.line(indent, 'g = np.zeros_like(w)')
        self.line(indent, 'for i in range(n):')
        self.scalars += ['i', 'w[i]', 'x[i]']
        for _ in range(self.random.randint(1, 4)):
            self.block(indent + 1, 2)
            self.keys += 1
            keys.append((f'_{self.keys}', self.pick(*self.scalars[-5:], self.scalar())))
            self.line(indent + 1, f'push(s, {keys[-1][1]}, "{keys[-1][0]}")')
        self.block(indent + 1, 2)
        self.scalars, self.arrays = list(scalars), list(arrays)
        self.block(indent, 2)
        outer = list(self.scalars), list(self.arrays)
        self.line(indent, 'for i in range(n - 1, -1, -1):')
        self.scalars += ['i', 'w[i]']
        for key, value in keys[::-1]:
            self.keys += 1
            name = value if value in self.names() and value in scalars else f'y{self.keys}'
            self.line(indent + 1, f'{name} = pop(s, "{key}")')
            self.scalars += [name] * (name not in self.scalars)
            if self.random.random() < 0.2:
                self.block(indent + 1, 1)
        self.block(indent + 1, 4)
        self.line(indent + 1, f'g[i] += {self.scalar()} + {self.scalars[-1]}')
        self.depth -= 2
        self.scalars, self.arrays = outer
        self.arrays += ['g']


def outcome(func):
    """All that can be seen of a run: results, effects in order, arguments after it."""
    definition = gast.gast_to_ast(gast.Module(body=[func.tree], type_ignores=[]))
    log, tape = [], []
    x, w = np.array([0.5, -1.0, 2.0]), np.array([1.5, 0.25, -0.75])

    def noisy(v):
        log.append(float(v))
        return 2 * v

    def bump(z):
        z[0] += 1
        return z[0] * 1.0

    def push(stack, value, key):
        stack.append((key, value))

    def pop(stack, key):
        found, value = stack.pop()
        assert found == key
        return value
    space = {'np': np, 'log': lambda v: log.append(float(v)), 'noisy': noisy, 'bump': bump, 'push': push, 'pop': pop,
             'Stack': list, 'tape': tape}
    with np.errstate(all='ignore'):
        exec(compile(ast.fix_missing_locations(definition), '<program>', 'exec'), space)
        result = space['f'](0.75, 1.25, x, w, 3)
    return [np.array(r) for r in result] + [np.array(log), x, w]


def random_function(seed):
    program = Programs(seed).program()
    names = set(re.findall(r'\b[a-z]+\d+\b', program))
    base = {n: re.match(r'[a-z]+', n)[0] for n in names if not n.startswith('t')}
    return function(program, base=base, params=['a', 'b', 'x', 'w', 'n'])


@pytest.mark.parametrize('start', range(0, 300, 50))
def test_random_programs_mean_the_same(start):
    for seed in range(start, start + 50):
        func = random_function(seed)
        new = optimize.optimize(func)
        for before, after in zip(outcome(func), outcome(new), strict=True):
            np.testing.assert_array_equal(before, after, err_msg=f'seed {seed}\n{text(func)}\n-----\n{text(new)}')


UNCHANGED = [
    (optimize.dead, 'print(x); x[0] = 1; y = f(x); return y'),
    (optimize.dead, 'push(_s, x, "1"); return x'),                    # popped by another function
    (optimize.dead, 'while f(x):\n x = x + 1\nreturn 1'),
    (optimize.dead, 'for x in y:\n print(x)\nreturn 1'),
    (optimize.copies, 'y = x; x += 1; z = y'),
    (optimize.copies, 'for i in range(n):\n y = x\n x = i\n z = y'),
    (optimize.copies, 'y = x\nfor i in range(n):\n z = y\n x = i'),
    (optimize.constants, 'bx = 0 * by; bz = by / 3; bw = x + 0.0; bu = by ** 2'),
    (optimize.constants, 'bx = f(x) + f(x)'),                         # two calls with effects are not one
    (optimize.constants, 'bx = by * 1; bx += 2'),                     # a fresh array is not replaced by a borrowed one
    (optimize.constants, 'bx = unreduce_like(b, x) * (x + w)'),       # may be wider than x
    (optimize.constants, 'bx = 1.0 * n'),                             # n may be an integer
    (optimize.cse, 'y = x * 2; x[0] = 1; bx = by * (x * 2); return y, bx'),
    (optimize.cse, 'y = f(x); bx = by * f(x); return y, bx'),
    (optimize.cse, 'y = np.sin(x); bx = np.sin(x); bx += by; return y, bx'),
    (optimize.cse, 'if c:\n y = np.sin(x)\nbx = by * np.sin(x)'),
    (optimize.fold, 't = x * 2; x += 1; return t'),
    (optimize.fold, 't = x * 2\nfor i in range(n):\n y = t + y'),
    (optimize.fold, 't = x * 2; y = t + t; return y, y'),
    (optimize.fold, 't = f(x); y = x[0]; z = t + y; return z, z, y'),
    (optimize.fold, 't = f(x); print(y); z = t + y; return z, z'),
    (optimize.fold, 't = f(x); z = y if x else t; return z, z'),
    (optimize.fold, 'u = add_at(bx, 0, by); return u'),
    (optimize.hoist, 'for i in range(n):\n t = x / w\n y += t'),       # may fail where the loop does not run
    (optimize.hoist, 'for i in range(n):\n x = x + 1\n t = x * 2\n y += t'),
    (optimize.recompute, 'for i in range(n):\n t = x / w\n push(_s, t, "1")\nfor i in range(n):\n t2 = pop(_s, "1")'),
    (optimize.recompute, 'for i in range(n):\n t = x[i] * w\n push(_s, t, "1")\n x[i] = t\n'
                         'for j in range(n):\n t2 = pop(_s, "1")'),
    (optimize.tape, 'push(_s, x, "1"); return x'),
    (optimize.coalesce, 'y2 = y * 2; return y2 + y'),
    (optimize.owned, 'bx = copy(x); bx += 1; return bx, x'),
    (optimize.sink, 'by2 = by * x; x += by; return by2'),
    (optimize.versions, 'y = 1\nfor i in range(n):\n y = y + 1\nreturn y'),
    (optimize.flags, 'if x > 0:\n c = True\nelse:\n c = False\nreturn c'),
]


@pytest.mark.parametrize('step, program', UNCHANGED, ids=lambda value: getattr(value, '__name__', value))
def test_what_must_not_change(step, program):
    func = function(program, base={'y2': 'y', 'by2': 'by'})
    assert step(func) is func


PASSES = optimize.FIRST + optimize.REPEATED + optimize.FINAL


@pytest.mark.parametrize('step', PASSES, ids=lambda step: step.__name__)
def test_a_pass_that_is_done_returns_the_same_object(step):
    for seed in range(20):
        func = random_function(seed)
        for _ in range(8):
            func, before = step(func), func
        assert func is before, text(func)


def test_trees_are_not_changed_in_place():
    for seed in range(20):
        func = random_function(seed)
        before = gast.dump(func.tree)
        optimize.optimize(func)
        assert gast.dump(func.tree) == before


def test_log_gets_each_pass_that_changed_something():
    seen = []
    optimize.optimize(function('t = x; y = t * 1; return y', base={}), lambda name, func: seen.append((name, text(func))))
    assert ('copies', 't = x; y = x * 1; return y') in seen
    assert seen[-1][1] == 'return x'


def tangled(loops):
    """A long program: loops that push, their mirror images, straight lines between them."""
    forward, backward = ['s = Stack()', 'bx = np.zeros_like(x)'], []
    for k in range(loops):
        forward += ['for i in range(n):', f' t{k} = np.exp(x[i])', f' y{k} = t{k} * a', f' push(s, t{k}, "{k}")',
                    f'u{k} = np.sin(b)', f'v{k} = u{k} * a', f'z{k} = v{k} + 1']
        backward = ['for i in range(n - 1, -1, -1):', f' t{k} = pop(s, "{k}")', f' bt{k} = t{k} * z{k}',
                    f' bx[i] += bt{k}'] + backward
    return function('\n'.join(forward + backward + ['return bx']), params=['a', 'b', 'x', 'n'])


def test_work_grows_with_the_length_of_the_function():
    def calls(func):                                        # counted, not timed: the same number on any machine
        profile = cProfile.Profile()
        profile.runcall(optimize.optimize, func)
        return pstats.Stats(profile).total_calls
    short, long = calls(tangled(20)), calls(tangled(160))
    assert long < 8 * 2 * short
