"""The part of the random programs that writes: overlapping slices, views of views, writes across calls, shared arrays."""

WRITERS = '''

def blend(a, b, out):
    out[...] = a * 0.5 + np.sin(b)


def swap_ends(v):
    v[0], v[-1] = v[-1], v[0]


def gather_up(src, dst, k):
    for i in range(k):
        dst[i] += src[i] * 0.5
    return dst[k - 1]


def choose(a, b, flag):
    return a if flag else b


def smooth(u, w, n):
    for _ in range(n):
        w[1:-1] = (u[2:] + u[:-2]) * 0.5 * u[1:-1]
        u, w = w, u
    return u


def apply_to(f, v):
    f(v)


def inwards(v, n):
    if n:
        inwards(v[1:], n - 1)
        v[0] = v[0] * 0.5 + np.sin(v[-1])


def lower(m, v):
    for i in range(len(v)):
        v[i] = (v[i] - m[i, :i] @ v[:i]) * 0.5
        m[i, i:] *= 0.5


class Grid:
    def __init__(self, cells):
        self.cells = cells
        self.last = np.zeros(3)

    def put(self, k, x):
        self.cells[k] = x
        self.last[k % 3] += 1.0

    def relax(self):
        self.last[:] = self.cells
        self.cells[1:] += self.last[:-1] * 0.5
        return self.cells[1:]
'''


class Writes:
    """Statements for :class:`tests.random.program_writer_python.PythonWriter`."""

    def write_writes(self, env, depth, looping):
        v, u, m, s = self.some(env, 'v'), self.some(env, 'v'), self.some(env, 'm'), self.expr(env, 's', 1)
        if not v or self.chance(0.1):
            w = self.fresh('w')
            self.put(depth, f'{w} = {self.expr(env, "v", 1)} * 1.0')
            env[w] = 'v'
            return
        forms = self.of_vectors(env, v, u, s)
        if m:
            forms += self.of_matrices(env, v, m, s)
        if m and self.chance(0.15):
            row = self.fresh('row')
            self.put(depth, f'for {row} in {self.pick(m, m + ".T", m + "[::-1]", m + "[1:]")}:')
            self.put(depth + 1, self.pick(f'gather_up({row}, {v}, 2)', f'blend({row}, {v}, {row})', f'swap_ends({row})',
                                          f'{row}[1:] *= {row}[:-1]', f'{v}[0] += {row}[1] * 0.3; {row}[0] = {v}[1]'))
        elif self.chance(0.25):
            self.more_names(env, depth, v, u, m, s)
        else:
            for line in self.random.choice(forms).split('; '):
                self.put(depth, line)

    def of_vectors(self, env, v, u, s):
        w, i = self.expr(env, 'v', 1), self.index(env)
        return [f'blend({v}, {u}, {v})', f'blend({v}[::-1], {v}, {u})', f'blend({v}[1:], {v}[:-1], {u}[1:])',
                f'gather_up({v}, {u}, 2)', f'gather_up({v}, {v}, 3)', f'gather_up({v}[1:], {v}[:-1], 2)',
                f'choose({v}, {u}, {self.condition(env)})[{i}] = {s}', f'apply_to(swap_ends, {v})',
                f'apply_to(lambda q: gather_up(q, q[::-1], 2), {v})', f'inwards({v}, 2)', f'inwards({v}[::-1], 1)',
                f'np.multiply({v}, {u}, out={v})', f'np.sin({v}[1:], out={v}[:-1])', f'np.cumsum({v}, out={v})',
                f'{v}[::2] = {v}[1]', f'{v}[:2], {v}[2] = {v}[1:] * 0.5, {s}', f'{v}[1:] -= {u}[:-1]', f'{v}[::-1] += {v}',
                f'{v}[...] = {w}', f'{v}[[0, 0, 1]] += {u}', f'{v}[[2, 1]] = {u}[:2]', f'{v}.fill({s})', f'{v} -= {u}',
                f'{v} **= 2', f'np.add.at({v}, [0, 0, 2], {u})', f'np.subtract.at({v}, 1, {s})', f'np.copyto({v}[1:], {u}[:2])',
                f'np.put({v}, [0, 0], {u}[1:])', f'{v}.flat[1:] = {u}[:2]', f'swap_ends({v}[{self.pick("1:", ":2", "::2")}])',
                f'({v}, {u}) [1][0] = {s}', f'[{v}, {u}][0][1] += {s}', f'{v}.sort()', f'{v}[{v} > 0.2] *= 0.5']

    def of_matrices(self, env, v, m, s):
        return [f'blend({m}[0], {m}[:, 1], {m}[2])', f'blend({m}, {m}.T, {m})', f'gather_up({m}[:, 0], {m}[1], 3)',
                f'{m}[1:, 1:] = {m}[:-1, :-1] * {s}', f'{m}[::-1] += {m}', f'{m}.T[...] = {m} * 0.5', f'{m}[[0, 2]] += {m}[1]',
                f'np.add.at({m}, ([0, 0], [1, 1]), {v}[:2])', f'{m}.flat[::2] = {s}', f'{m}[:, 1:] *= {v}[:, None]',
                f'lower({m}, {v})', f'np.dot({m}, {m}[0] * 1.0, out={m}[1])', f'{m}[1] = {m}[0]; {m}[0] = {m}[1] * {v}',
                f'{m}[0], {m}[1] = {m}[1], {m}[0]', f'{m}[0], {m}[1] = {m}[1].copy(), {m}[0].copy()', f'inwards({m}[:, 2], 2)',
                f'inwards({m}, 1)', f'np.fill_diagonal({m}, {v})', f'{m}.reshape(-1)[1::3] *= {v}', f'{m}[...] = {v}',
                f'apply_to(lambda q: blend(q, {v}, q[0]), {m})', f'smooth({m}[0], {m}[1], 3)', f'{v}[:] = {m}[:, 1]',
                f'np.sum({m}, axis=0, out={v})', f'{m} *= {m}[0]', f'{m}[1, :] = {m}[:, 1]']

    def more_names(self, env, depth, v, u, m, s):
        """Another name for an array, or for a part of it, in one way or another."""
        w = self.fresh('w')
        grid = self.some(env, 'G')
        forms = {f'{w} = {v}': 'v', f'{w} = {v}[::-1]': 'v', f'{w} = choose({v}, {u}, {self.condition(env)})': 'v',
                 f'{w} = smooth({v}, {u}, 2)': 'v', f'{w} = [{v}, {u}][1]': 'v', f'{w} = {{"a": {v}}}["a"]': 'v',
                 f'{w} = {v}[None][0]': 'v', f'{w} = np.asarray({v})': 'v', f'{w} = Grid({v})': 'G', f'{w} = np.array({v})': 'v',
                 f'{w} = {v}[1:][::-1]': 'N', f'{v}, {u} = {u}, {v}': None}
        if m:
            forms.update({f'{w} = {m}[1]': 'v', f'{w} = {m}[:, 2]': 'v', f'{w} = {m}.T': 'm', f'{w} = {m}[::-1]': 'm',
                          f'{w} = np.diagonal({m}).copy()': 'v', f'{w} = {m}.T[::-1, 1]': 'v'})
        if grid:
            forms.update({f'{w} = {grid}.cells': 'v', f'{w} = {grid}.relax()': 'N', f'{grid}.put(1, {s})': None,
                          f'{grid}.cells[0] = {s}': None, f'{grid}.cells = {grid}.cells * {s}': None,
                          f'{grid}.cells += {v}': None, f'apply_to({grid}.cells.__imul__, 0.5)': None})
        text, kind = self.random.choice(sorted(forms.items(), key=str))
        self.put(depth, text)
        if kind:
            env[w] = kind
