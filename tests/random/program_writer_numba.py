"""Random programs for Numba: what `njit` takes, with arrays that are written into, functions as values, lists and tuples."""
import re

from tests.random.program_writer import FROM_ARRAYS, Writer
from tests.random.program_writer_forms import HELPERS

LEFT_OUT = ('einsum', 'keepdims', 'axis', 'mean(', 'np.append', 'np.roll', '{d}', '[None', 'None]', 'np.stack', 'np.hstack')
TABLES = {kind: [form for form in forms if not any(word in form for word in LEFT_OUT)] for kind, forms in FROM_ARRAYS.items()}
TABLES['s'] += ['np.mean({v})', 'apply({f}, {s})', 'swapped({v}, {i})', '{q}.a', 'first({q})', 'of_list({l})', '{v}[{i}] * {s}']
TABLES['v'] += ['np.sum({m}, axis=0)', '{q}.b', 'scaled({v}, {s})']
TABLES['m'] += ['np.ascontiguousarray({m}.T)', 'np.outer({v}, {v}) + np.eye(3)']
FUNCTIONS = 'square', 'wave', 'bent'

PRELUDE = '''
import collections
import numba
from numba import njit

State = collections.namedtuple('State', 'a b')

''' + HELPERS


class NumbaWriter(Writer):
    """One random program for Numba; the same seed writes the same program."""

    def __init__(self, seed):
        super().__init__(seed)
        self.analytic, self.tables, self.made = False, TABLES, 0

    def pick(self, *choices):
        return self.random.choice([c for c in choices if c != 'd'])

    def program(self):
        head, _, body = super().program().partition('\nARGS')
        return head + PRELUDE + '\n\nARGS' + re.sub(r'^def ', '@njit\ndef ', body, flags=re.MULTILINE)

    def fill(self, form, env, kind, depth):
        form = form.replace('{f}', self.random.choice(FUNCTIONS))
        if '{q}' in form:
            form = form.replace('{q}', f'State({self.inner(env, "s", 1)}, {self.inner(env, "v", 1)})')
        return super().fill(form, env, kind, depth)

    def statement(self, env, depth, looping):
        if self.chance(0.35):
            self.write_array(env, depth, looping)
        else:
            super().statement(env, depth, looping)

    def write_array(self, env, depth, looping):
        """A statement with an array that is made and written into, or with a list that grows."""
        self.made += 1
        name, s, v = f'w{self.made}', self.expr(env, 's', 1), self.expr(env, 'v', 1)
        own = [n for n, k in env.items() if k == 'v' and re.fullmatch(r'w\d+', n)]
        if not own or self.chance(0.3):
            self.put(depth, f'{name} = ' + self.pick(f'({v}) * 0.5', f'np.zeros(3) + {s}', f'relax({v}, {self.pick(1, 2, 3)})',
                                                      f'scaled({v}, {s})', f'({v}).copy()'))
            env[name] = 'v'
            return
        w, i = self.random.choice(own), self.index(env)
        for line in self.pick(
                f'{w}[{i}] = {s}', f'{w}[{i}] += {s}', f'{w}[1:] = {w}[:-1] * 0.5', f'{w}[0], {w}[{i}] = {w}[{i}], {w}[0]',
                f'{w}[:] = {v}', f'{w}[1:] *= 0.7', f'add_into({w}, {v}, {s})', f'{w}[{w} > 0.4] = {s}',
                f'{w} += {v}', f'{w}[{w}[0] > 0.2] = {w}[1] * 0.5' if False else f'{w}[{i}] = {w}[{i}] * {w}[1]',
                f'{name} = [{s}]; {name}.append({w}[{i}]); {name}.append({s}); {w}[0] = of_list({name})',
                f'for k{name} in range(3):;     {w}[k{name}] = np.tanh({w}[k{name}] + {w}[0])',
                f'{name} = {s}; while {name} > 0.2:;     {name} = {name} * 0.4 - 0.1; {w}[{i}] -= {name}').split('; '):
            for part in line.split(':;'):
                self.put(depth + part.startswith('    '), part.strip() + ':' * (line != part and part != line.split(':;')[-1]))
