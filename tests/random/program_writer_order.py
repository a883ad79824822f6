"""The part of the random programs where the order of evaluation shows: calls in tests, indices and operands that change
what stands beside them; default values; names of comprehensions that hide others; keys of dicts that are numbers."""

CHANGERS = '''

def grown(xs, x):
    xs.append(np.tanh(x))
    return len(xs)


def moved(v):
    v[0] = np.sin(v[0] + v[1])
    return v[2]


class Counter:
    def __init__(self, a):
        self.a = a
        self.n = 0

    def step(self):
        self.a = np.sin(self.a) + 0.5
        self.n += 1
        return self.a

'''


class Order:
    """Statements for :class:`tests.random.program_writer_python.PythonWriter`."""

    def write_order(self, env, depth, looping):
        form = self.pick('list', 'array', 'object', 'closure', 'defaults', 'hidden', 'keys', 'finally')
        getattr(self, 'order_' + form)(env, depth, self.expr(env, 's', 1), self.expr(env, 's', 1))

    def order_list(self, env, depth, s, t):
        xs, y, n = self.fresh('xs'), self.fresh('y'), self.fresh('n')
        self.put(depth, f'{xs} = [{s}, {t}, {s}]')
        self.put(depth, self.pick(
            f'{y} = {xs}[0] * {xs}.pop(0) + {xs}[0]', f'{y} = {s} if grown({xs}, {t}) > 2 else {t}',
            f'{xs}[0] += {xs}.pop(); {y} = sum({xs})', f'{y} = {xs}[grown({xs}, {s}) - 2]',
            f'{xs}[len({xs}) - 1] = {xs}.pop(0) * {t}; {xs}.append({s}); {y} = {xs}[-1] * {xs}[0]'
            .replace(f'{xs}[len({xs}) - 1] = {xs}.pop(0)', f'{xs}[0] = {xs}.pop()'),
            f'{n} = grown({xs}, {s}) + grown({xs}, {t}); {y} = sum({xs}) * {n}',
            f'{y} = sum([{xs}[k] * 0.5 for k in range(grown({xs}, {t}))])'))
        env[y] = 's'

    def order_array(self, env, depth, s, t):
        v, y = self.fresh('v'), self.fresh('y')
        self.put(depth, f'{v} = {self.expr(env, "v", 1)} * 1.0')
        self.put(depth, self.pick(
            f'{y} = {v}[0] * moved({v}) + {v}[0]', f'{v}[0] += moved({v}); {y} = {v}[0]', f'{y} = np.sum({v} * 2 + moved({v}) * {v})',
            f'{y} = {s} if moved({v}) > 0.5 else {t}; {y} = {y} * {v}[0]', f'{y} = {v}[int(moved({v}) > 9)] * {v}[0]'))
        env[y] = 's'

    def order_object(self, env, depth, s, t):
        c, y = self.fresh('c'), self.fresh('y')
        self.put(depth, f'{c} = Counter({s})')
        self.put(depth, self.pick(
            f'{y} = {t} if {c}.step() > 0.7 else {c}.a', f'{c}.a += {c}.step(); {y} = {c}.a', f'{y} = {c}.a * {c}.step() + {c}.a',
            f'while {c}.step() > 0 and {c}.n < 3: pass', f'assert {c}.step() == {c}.a', f'{y} = int({c}.step() > 9) + {c}.a'))
        self.put(depth, f'{y} = {c}.a * {t}')
        env[y] = 's'

    def order_closure(self, env, depth, s, t):
        a, f, y = self.fresh('state'), self.fresh('f'), self.fresh('y')
        if depth > 1 or self.deep:
            return self.order_list(env, depth, s, t)
        self.put(depth, f'{a} = {s}')
        self.put(depth, f'def {f}():')
        self.put(depth + 1, f'nonlocal {a}')
        self.put(depth + 1, f'{a} = np.tanh({a} + 0.3)')
        self.put(depth + 1, f'return {a}')
        self.put(depth, self.pick(
            f'{a} += {f}(); {y} = {a}', f'{y} = {a} * {f}() + {a}', f'{y} = {t} if {f}() > 0.5 else {a}; {y} = {y} * {a}',
            f'{y} = sum([{a}, {f}(), {a}])', f'{y} = ({a} < {f}() < {a} * 2 and {t} or {a}) * {a}'))
        env[y] = 's'

    def order_defaults(self, env, depth, s, t):
        y = self.fresh('y')
        self.put(depth, self.pick(
            f'{y} = [lambda q, w=w * {s}: q * w for w in (0.5, {t})][1]({t})', f'{y} = (lambda q, *, w={s}: np.sin(q) * w)({t})',
            f'{y} = sum(map(lambda q, w={t}: q * w, [{s}, 0.5]))', f'{y} = {{"f": lambda q, w={s}: q * w}}["f"]({t})'))
        env[y] = 's'

    def order_hidden(self, env, depth, s, t):
        y = self.fresh('y')
        self.put(depth, self.pick(
            f'{y} = sum([len(q) for len in (np.sin, np.cos) for q in ({s}, {t})])', f'{y} = sum(round * {s} for round in ({t}, 0.5))',
            f'{y} = sum(abs(np) for abs, np in [(math.sin, {s}), (math.cos, {t})])'))
        env[y] = 's'

    def order_keys(self, env, depth, s, t):
        d, y, k = self.fresh('d'), self.fresh('y'), self.fresh('k')
        self.put(depth, f'{d} = {{2: {s}, 1: {t}}}')
        if self.chance(0.5):
            self.put(depth, f'{y} = 0.5')
            self.put(depth, f'for {k} in {self.pick(d, f"sorted({d})", f"reversed({d})")}:')
            self.put(depth + 1, f'{y} = {y} * 0.5 + {d}[{k}] * {k}')
        else:
            self.put(depth, self.pick(f'{y} = max({d}) * {d}[min({d})] + sum({d}) * 0.1', f'{k}, {y} = {d}.popitem(); {y} = {y} * {k}',
                                      f'{y} = sum([e * {d}[e] for e in {d}])', f'{y} = list({d})[0] * {d}[1]'))
        env[y] = 's'

    def order_finally(self, env, depth, s, t):
        f, y = self.fresh('f'), self.fresh('y')
        if self.deep or depth > 1:
            return self.order_array(env, depth, s, t)
        self.put(depth, f'def {f}(q):')
        self.put(depth + 1, 'try:')
        self.put(depth + 2, f'return q * {s}')
        self.put(depth + 1, 'finally:')
        self.put(depth + 2, self.pick(f'return q + {t}', 'q = q * 2.0', 'if q > 0.1: return q * q'))
        self.put(depth, f'{y} = {f}({t})')
        env[y] = 's'
