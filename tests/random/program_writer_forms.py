"""What the random programs of `program_writer_typed` are made of: expressions and statements with places for others."""


def tables(text):
    """Name -> forms, of a text in which names stand behind `===`, and forms between bars."""
    found, forms = {}, None
    for line in text.strip().splitlines():
        if line.startswith('==='):
            forms = found[line[4:]] = []
        else:
            forms += line.split(' | ')
    return found


SMOOTH, SCALAR = tables('''
=== smooth
{0} + {1} | {0} - {1} | {0} * {1} | {0} * {1} | {0} / (1.5 + {1} * {1}) | {0} / (2.0 + np.sin({1})) | np.sin({0})
np.cos({0}) | np.tanh({0}) | np.exp(np.tanh({0})) | np.sqrt(1.0 + {0} * {0}) | np.log(2.0 + np.sin({0})) | -{0} | {0} ** 2
(1.5 + np.cos({0})) ** np.tanh({1}) | ({0} - {1}) * 0.5 | 2.0 * {0} - {1} / 3 | np.maximum({0}, {1})
np.minimum({0}, {1}) | np.abs({0}) | np.arctan2({0}, 1.5 + {1} * {1}) | np.square({0}) | {0} * {0} * {0}
=== scalar
math.sin({0}) | math.exp(-{0} * {0}) | max({0}, {1}) | min({0}, {1}) | math.sqrt(1 + {0} ** 2) | math.atan({0}) | abs({0})
math.hypot({0}, 1.0) | math.erf({0}) | {0} * {i} | {0} ** 3 | ({0} if {t} else {1}) | {0} - math.floor({1})
math.tanh({0}) | {0} % 2.5 | {0} // 0.7 + {1} | float({i}) + {0} | math.log1p({0} * {0}) | {0} / ({i} + 5)
''').values()
FORMS = tables('''
=== s
{v}[{x}] | {v}[{x}] | {m}[{x}, {x}] | {v}[{x}] * {v}[{x}] | np.sum({v}) | {v}.sum() | {m}[{x}][{x}] | np.dot({v}, {v})
{v} @ {v} | np.max({v}) | np.min({m}) | {v}.mean() | np.prod({v}) | np.linalg.norm({v} + 3.0) | np.sum({v}[1:] * {v}[:-1])
np.sum({r}) | {r}[{y}, {x}] | {v}[{k}[{x}]] | np.var({v}) | np.sum({v}[{v} > 0.3]) | np.sum({m}[{x}])
np.sum({m}[:, {x}]) | np.trace({m}) | np.linalg.det({m} * 0.3 + np.eye(4)) | {v}[np.argmax({v})] | np.sum({v}[{x}:])
np.sum({v}[:{x}] ** 2) | np.std({v} + np.arange(4.0)) | {m}.T[{x}, {x}] | np.max(np.abs({v})) | {v}.flat[{x}]
{m}[{x}].sum() | np.mean({r}) | np.median({v}) | {v}.dot({v}) | np.sum(np.where({v} > 0.2, {v}, {s}))
np.cumsum({v})[{x}] | np.ptp({v})
=== v
{m}[{x}] | {m}[:, {x}] | {m} @ {v} | np.dot({v}, {m}) | {r}[{y}] | {v}[::-1] | {v}[{k}] | np.cumsum({v}) | {v} * {s}
{v} + {s} | np.concatenate(({v}[1:], {v}[:1])) | np.array([{s}, {s}, {s}, {s}]) | np.sum({m}, axis=0)
np.sum({m}, axis=1) | np.where({v} > 0.3, {v}, {v}) | np.sort({v}) | np.zeros(4) + {s} | np.full(4, {s})
np.ones(4) * {s} | np.diag({m}) | np.roll({v}, 1) | np.append({v}[1:], {s}) | {m}.ravel()[4:8] | {m}.reshape(16)[::4]
{s} / (2.0 + {v} ** 2) | {r}[1:, {x}].sum() * {v} | np.linalg.solve({m} * 0.2 + 3.0 * np.eye(4), {v}) | {v} @ {m}
{r}.T @ np.ones(3) | np.outer({v}, {v})[{x}] | {m}[{x}, ::-1] | np.clip({v}, -0.8, 1.1) | {v}.copy() | np.sum({r}, axis=0)
np.arange(4) * {s} | np.linspace(0.0, 1.0, 4) * {v} | np.flip({v}) | np.hstack(({v}[:2], {v}[2:]))
np.sum({m} * {v}, axis=1) | np.repeat({v}[:2], 2)
=== m
{m} @ {m} * 0.3 | {m}.T | np.outer({v}, {v}) | {m} * {v} | {m} + {s} | np.ascontiguousarray({m}.T) | {r}.T @ {r} * 0.3
{m}[::-1] | {m}[{k}] | np.eye(4) * {s} | {v}.reshape(4, 1) * {m} | {v}.reshape((4, 1)) - {v}
np.where({m} > 0.2, {m}, {s}) | {m}[:, ::-1] | np.linalg.inv({m} * 0.2 + 3.0 * np.eye(4)) | np.diag({v})
np.vstack(({r}, {m}[:1])) | np.concatenate(({m}[1:], {m}[:1]))
=== r
{r} * {v} | {r} @ {m} * 0.4 | {m}[1:] | {m}[:3] + {r} | {r} + {s} | np.tanh({r}) * {s} | {m}[1:] - {m}[:-1]
''')
EXTRA = {
    'complex': tables('''
=== s
{c}.real | {c}.imag * {s} | abs({c} + 3.0) | np.sum({z}.imag) | ({c} * {c}).real | ({c} * {c}.conjugate()).real
np.sum(np.abs({z} + 2.0)) | abs({z}[{x}] * {c} + 2.5) | np.angle({c} + 3.0)
=== v
{z}.real | np.abs({z} + 2.0) | ({z} * {c}).imag | np.imag(np.exp({z} * 0.3))
=== c
{c} * {c} | {c} + {s} | np.exp({c} * 0.3) | {z}[{x}] | np.sum({z}) | complex({s}, {s}) | {c} / (3.0 + {c} * 0.2)
{s} * 1j | {c}.conjugate() | np.sqrt({c} + 4.0) | np.sum({z} * {v}) | np.vdot({z}, {z}) * {c}
=== z
{z} * {c} | {z} + {v} | np.exp({z} * 0.3) | {z} * {z} | {v} * 1j | np.conj({z}) | {z}[::-1] | {v} + 1j * {v}
'''),
    'tuples': tables('''
=== s
{p}[0] | {p}[1][{x}] | {q}.a | {q}.b[{x}] | first({q}) | {p}[0] * {q}.a
=== v
{p}[1] | {q}.b | {q}.a * {q}.b
=== p
({s}, {v}) | ({p}[0], {v})
=== q
State({s}, {v}) | State({q}.a, {v}) | advanced({q}, {s})
'''),
    'lists': tables('''
=== s
{l}[{y}] | sum({l}) | of_list({l}) | {l}[-1] | np.sum(np.array({l})) | np.sum({a}[{y}]) | {a}[{y}][{x}] | of_arrays({a})
{l}[len({l}) - 1]
=== v
{a}[{y}] | {a}[0] + {a}[1]
=== l
[{s}, {s}, {s}] | [e0 * 0.5 for e0 in {v}[:3]] | [{v}[j0] * {s} for j0 in range(3)] | {l} + [{s}]
=== a
[{v}.copy(), {v} + 0.0, {v} * 1.0] | [{v} * j0 for j0 in range(3)]
'''),
    'calls': tables('''
=== s
apply({f}, {s}) | {f}({s}) | swapped({v}, {x}) | power(abs({s}) + 0.5, {n}) | search({s}) | minmax({v})[{b}]
leaving({v}, {s}) | deep({s}, {n}) | even({s}, {n}) | total({v}) | defaults({s}) | defaults({s}, scale={s})
=== v
scaled({v}, {s}) | relax({v}, {n}) | picked({v}, {v}, {t}) | mapped({f}, {v}) | minmax({m}[1])[0] * {v}
=== m
filled({v}, {s})
'''),
}
FUNCTIONS = 'square', 'wave', 'bent'
FLAGS = ['', '', '', '', '(error_model="numpy")', '(boundscheck=True)', '(fastmath=True)', '(nogil=True)']

HELPERS = '''
@njit
def square(x):
    return x * x


@njit
def wave(x):
    return math.sin(x) * 0.5


@njit
def bent(x):
    if x > 0.4:
        return x * 0.5
    return -x


@njit
def apply(f, x):
    return f(x) + 0.5 * f(0.3 * x)


@njit
def swapped(v, i):
    w = v.copy()
    w[0], w[i] = w[i], w[0]
    w[1] *= w[2]
    return w[0] * 0.5 + w[1]


@njit
def scaled(v, s):
    out = np.empty_like(v)
    for i in range(v.shape[0]):
        out[i] = v[i] * s
    return out


@njit
def first(q):
    return q.a + q.b[0]


@njit
def of_list(xs):
    s = 0.0
    for x in xs:
        s += np.tanh(x)
    return s


@njit
def relax(u, n):
    a = u.copy()
    b = u.copy()
    for _ in range(n):
        for i in range(1, a.shape[0] - 1):
            b[i] = 0.5 * (a[i - 1] + a[i + 1] * a[i])
        a, b = b, a
    return a


@njit
def add_into(out, v, s):
    for i in range(out.shape[0]):
        out[i] += v[i] * s
'''
PRELUDE = HELPERS + '''

@njit
def mapped(f, v):
    out = np.zeros(v.shape[0])
    for i in range(v.shape[0]):
        out[i] = f(v[i])
    return out


@njit
def picked(v, w, test):
    return v if test else w


@njit
def filled(v, s):
    n = len(v)
    out = np.empty((n, n))
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = v[i] * v[j] + s
            out[j, i] = out[i, j]
    return out


@njit
def power(x, n):
    y = 1.0
    while n > 0:
        if n % 2 == 1:
            y *= x
        x = np.tanh(x * x)
        n //= 2
    return y


@njit
def search(x):
    low, high = -3.0, 3.0
    for _ in range(3):
        middle = 0.5 * (low + high)
        if middle * 1.7 > x:
            high = middle * 0.9 + 0.01 * x
        else:
            low = middle
    return low * 0.5 + high * x


@njit
def minmax(v):
    low = high = v[0]
    for e in v:
        if e < low:
            low = e
        elif e > high:
            high = e
    return low, high


@njit
def leaving(v, s):
    total = s
    for e in v:
        if e < -0.9:
            continue
        total += e * s
        if total > 2.0:
            return total * 0.5
        if total < -2.0:
            break
    return total


@njit
def deep(x, n):
    if n <= 0:
        return math.sin(x)
    return 0.5 * deep(x * 0.7, n - 1) + x * deep(math.cos(x), n - 2)


@njit
def even(x, n):
    if n <= 0:
        return x * x
    y = math.sin(x)
    return y * even(y * 0.5 + x, n - 1)


@njit
def total(v):
    if v.shape[0] == 0:
        return 0.0
    return v[0] * v[0] + 0.5 * total(v[1:])


@njit
def defaults(x, scale=0.5, shift=1):
    return x * scale + shift


@njit
def advanced(q, s):
    return State(q.a * s, q.b + q.a)


@njit
def of_arrays(arrays):
    s = 0.0
    for k, a in enumerate(arrays):
        s += (k + 1) * np.sum(a * a)
    return s


@njit
def halve(out):
    out *= 0.5
    out[0] += out[1] * out[1]


@njit
def sweep(m, v):
    for i in range(1, m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = np.tanh(m[i - 1, j] * v[j] + m[i, j])
'''
NEW = {'s': '{s}', 'v': '{v} * 1.0', 'm': '{m} * 1.0', 'r': '{r} * 1.0', 'c': '{c}', 'z': '{z} * 1.0', 'p': '({s}, {v})', 'q': 'State({s}, {v})',
       'l': '[{s}, {s}, {s}]', 'a': '[{v}.copy(), {v} + 0.0, {v} * 1.0]'}
LEAVES = {'c': 'complex({n}, 0.5)', 'z': '(np.ones(4) * {c})', 'm': 'np.outer({v}, {v})', 'r': 'np.outer({v}[1:], {v})', 'v': 'np.array([{s}, {n}, {s}, {n}])',
          'k': 'np.array([2, 0, 3, 0])', **{k: NEW[k] for k in 'pqla'}}
FEATURES = 'calls', 'writes', 'loops', 'leaving', 'complex', 'tuples', 'lists', 'inner', 'views', 'prange', 'raising', 'float32', 'layouts'
STATEMENTS = tables('''
=== writes
{V}[{x}] = {s} | {V}[{x}] += {s} | {V}[{x}] *= {s} | {V}[1:] = {V}[:-1] * 0.5 | {V}[:] = {v} | {V}[1:] *= 0.7
{V}[{V} > 0.4] = {s} | {V} += {v} | {V}[0], {V}[{x}] = {V}[{x}], {V}[0] | add_into({V}, {v}, {s}) | halve({V})
sweep({M}, {v}) | {V}[::2] = {v}[:2] | {V}[{k}] = {v} | {V}[::-1] = {v} * 0.5 | {M}[{x}] = {v} | {M}[:, {x}] += {v}
{M}[{x}, {x}] = {s} | {M}[1:-1, 1:-1] = 0.25 * ({M}[:-2, 1:-1] + {M}[2:, 1:-1] + {s}) | {M}[1:] -= {M}[:-1] * 0.5
{M}[0] += {M}[1] * {M}[2] | {M}[:] = {m} | {M} *= 0.5 | {M}[{x}, 1:] = {M}[{x}, :-1] | {V}[:2] += {V}[2:]
{V}[1:3] = {v}[{x}] | {V}[...] = {s} | {V}.fill({s}) | {M}.T[{x}] = {v} | {M}[{M} > 0.5] *= 0.3 | {M}[{x}, {k}] = {v}
add_into({M}[{x}], {v}, {s}) | halve({V}[1:]) | {V}[-1] = {V}[0] * {V}[1] | halve({M}[:, 1])
=== loops
for {I} in range({N}):;    {V}[{I}] = {e} | for {I} in range(1, {N}):;    {V}[{I}] = {V}[{I} - 1] * 0.5 + {e}
for {I} in range({N}):;    {S} += {e} | for {I} in range({N} - 2, -1, -1):;    {V}[{I}] += {V}[{I} + 1] * {e} * 0.3
for {I} in range(0, {N}, 2):;    {V}[{I}] = np.tanh({V}[{I}] * {e})
for {I} in range({N}):;    for {J} in range({N}):;        {M}[{I}, {J}] += {e} * 0.5
for {I} in range({N}):;    for {J} in range({I}):;        {S} += {e} * 0.2
for {I} in range({N}):;    for {J} in range({I} + 1):;        {V}[{I}] += {m}[{I}, {J}] * {v}[{J}]
for {I} in range({n}):;    {V}[1:-1] = 0.5 * ({V}[:-2] + {V}[2:]) * {s}
for {I} in range({n}):;    {M}[1:-1, 1:-1] = 0.2 * ({M}[1:-1, :-2] + {M}[1:-1, 2:] + {M}[2:, 1:-1])
for {I} in range({N}):;    {T} = {e};    {T} = {T} * {T} + {e};    {V}[{I}] = {T}
for {I} in range({N}):;    {V}[{k}[{I}]] += {e} | for {I} in range({n}):;    {S} = np.tanh({S} * 0.7 + {s})
for {E} in {v}:;    {S} += {E} * {s} * 0.3 | for {I}, {E} in enumerate({v}):;    {V}[{I}] -= {E} * 0.5
for {E}, {T} in zip({v}, {v}):;    {S} += {E} * {T} | for {W} in {m}:;    {S} += np.sum({W} * {v}) * 0.2
for {I} in range({N}):;    {W} = {m}[{I}] * {v};    {S} += np.sum({W} * {W}) * 0.1
{I} = 0;while {I} < 4 and {v}[{I}] < 1.2:;    {S} += {e};    {I} += 1
{T} = {s};while abs({T}) > 0.2:;    {T} = {T} * 0.4;    {V}[{x}] += {T}
{T} = {s};for {I} in range(20):;    if {T} * {T} < 0.1:;        break;    {T} = {T} * 0.5;    {S} += {T}
for {I} in range({N}):;    if {v}[{I}] < 0.0:;        continue;    {S} += {e};    if {S} > 1.5:;        break
for {I} in range(3, 3):;    {S} *= {e} | for {I} in range(-1, -4, -1):;    {S} += {v}[{I}] * {s}
for {I} in range(1, 3):;    for {J} in range(1, 3):;        {M}[{I}, {J}] = 0.25 * ({M}[{I} - 1, {J}] + {M}[{I} + 1, {J}] * {M}[{I}, {J} - 1])
{S} = {v}[0];for {I} in range(1, {N}):;    if {v}[{I}] > {S}:;        {S} = {v}[{I}]
for {I} in range({N}):;    {T} = 0.0;    for {J} in range({N}):;        {T} += {m}[{I}, {J}] * {e};    {V}[{I}] = {T} / (2.0 + {T} * {T})
for {I} in range({N}):;    {V}[{I}] /= 1.5 + {v}[{I}] ** 2
for {I} in range({n}):;    {U} = {V}.copy();    for {J} in range(1, 3):;        {V}[{J}] = {U}[{J} - 1] * {U}[{J} + 1] + {s}
for {I} in range({n}):;    for {J} in range({N}):;        {V}[{J}] = np.tanh({V}[{J}] + {e});    {S} += {V}[0]
for {I} in range({N} - 1):;    {V}[{I}], {V}[{I} + 1] = {V}[{I} + 1], {V}[{I}] * {e}
{U} = {v} * 1.0;for {I} in range({n}):;    for {J} in range(1, 3):;        {U}[{J}] = {V}[{J} - 1] + {V}[{J} + 1] * {s};    {U}, {V} = {V}, {U}
=== leaving
if {t}:;    return {o} | if {t}:;    {S} = {s};    return {S} * {o}
for {I} in range({N}):;    if {v}[{I}] > 1.1:;        return {e};    {S} += {e} * 0.5
while True:;    {S} = {S} * 0.5;    if {S} < 0.3:;        break;    if {t}:;        return {o}
=== inner
def g{#}(a, b):;    return a * b + {s};{S} = g{#}({s}, {s}) | def g{#}(a):;    return a * {v};{V} = g{#}({s})
{T} = (lambda a: a * {s} + np.sin(a))({s});{S} += {T} | h{#} = lambda a: a * {s};{S} = h{#}({s}) + h{#}(0.5)
def g{#}(a):;    if a > 0.3:;        return a * 0.5;    return {s} - a;for {I} in range(3):;    {S} += g{#}({v}[{I}])
=== views
{W} = {V}[1:];{W}[0] = {s} | {W} = {M}[{x}];{W}[1] *= {s} | {W} = {V};{W}[{x}] += {s} | {W} = {M}[:, {x}];{W}[:] = {v}
{W} = {V}[::-1];{W}[0] = {s};{S} += {V}[-1] | {W} = {M}.ravel();{S} += {W}[5] | {W} = {M}.reshape(2, 8);{W}[1, 3] = {s}
{W} = {V};{V} = {v} * 1.0;{W}[1] = {s};{V}[0] += {W}[1] | {W} = {M}.T;{W}[1, 2] = {s} | for {W} in {M}:;    {W}[0] += {s}
for {I} in range({N}):;    {W} = {M}[{I}];    {W}[1:] = {W}[:-1] * {e}
{U}, {W} = {V}[:2], {V}[2:];{U}[0] = {s};{W}[:] = {U}
=== tuples
{S}, {V} = {p} | {S}, {T} = {s}, {s} | {P} = ({s}, {v}) | {Q} = State({Q}.a * {s}, {Q}.b + {v})
({S}, {T}), {V} = ({s}, {s}), {v} | {S}, {T} = {T0}, {S}
{T} = ({v}, {m}, {s});{S} = {T}[2] + np.sum({T}[1][{x}] * {T}[0]) | {V}[0], {S} = {s}, {V}[0]
for {T} in ({s}, {s}):;    {S} += {T} * {T} | {S} += sum(({s}, {s}, {s}))
=== lists
{L} = [{s}];for {I} in range({N}):;    {L}.append({e});{S} += of_list({L})
{L} = [{s}, {s}];{L}.append({s});{L}[0] = {L}[1] * {s};{S} = {L}.pop() * {L}[0]
{A} = [{v}, {v}];{S} += np.sum({A}[0] * {A}[1])
{A} = [np.zeros(4) for {J} in range(3)];{A}[1][{x}] = {s};{S} += of_arrays({A})
{L} = [0.0] * 4;for {I} in range({N}):;    {L}[{I}] = {e};{V}[0] = sum({L}) | for {T} in {l}:;    {S} += {T} * {s}
{D} = {{1: {s}, 2: {s}}};{D}[1] += {s};{S} = {D}[1] * {D}[2]
{D} = {{"a": {v}}};{D}["b"] = {v};{S} += np.sum({D}["a"] * {D}["b"]) | for {J}, {T} in enumerate({l}):;    {V}[{J}] += {T}
{L} = [{s} for {J} in range(3) if {v}[{J}] > 0.0];{S} += sum({L})
=== raising
if {s} > 1000.0:;    raise ValueError("too large") | assert {s} < 1000.0
for {I} in range({N}):;    if {v}[{I}] > 50.0:;        raise ValueError("far");    {S} += {e} * 0.1
=== complex
{C} = {c} | {Z}[{x}] = {c} | for {I} in range({N}):;    {Z}[{I}] *= {c} * 0.3 | {Z}[1:] += {Z}[:-1] * 0.5
{C} = 0j;for {I} in range({N}):;    {C} = {C} * 0.5 + {z}[{I}];{S} = {C}.real
{S} = 0.0;for {E} in {z}:;    {S} += abs({E} + 2.0)
{C} = {c};for {I} in range({n}):;    if abs({C}) > 1.5:;        break;    {C} = {C} * {C} * 0.5 + {c} * 0.2;{S} += {C}.imag
=== calls
{S} = apply({f}, {s}) | {V} = relax({V}, {n}) | add_into({V}, {V}, {s}) | add_into({V}[1:], {V}[:-1], {s})
sweep({M}, {M}[0]) | {S}, {T} = minmax({v}) | halve({V});{S} += {V}[0]
=== prange
{W} = np.empty({N});for {I} in prange({N}):;    {W}[{I}] = {e} * {s};{S} += np.sum({W})
{T} = 0.0;for {I} in prange({N}):;    {T} += {e} * {e};{S} += {T}
{W} = {v} * 0.5;for {I} in prange(1, {N} - 1):;    {W}[{I}] = {v}[{I} - 1] * {v}[{I} + 1];{V} = {W}
{W} = {m} * 0.5;for {I} in prange(4):;    for {J} in range(4):;        {W}[{I}, {J}] = {v}[{J}] * {e};{M} = {W} * 1.0
{W} = np.zeros((4, 4));for {I} in prange({N}):;    {W}[{I}] = {v} * {e};{S} += {W}[1, 2]
{T} = {s};{W} = {v} * 1.0;for {I} in prange({N}):;    if {v}[{I}] > 0.1:;        {T} += {e};    else:;        {W}[{I}] *= {s};{S} = {T} + {W}[1]
{W} = {v} * 1.0;for {I} in prange({N}):;    {L} = 0.0;    for {J} in range(3):;        {L} = np.tanh({L} + {e});    {W}[{I}] += {L};{S} += np.sum({W} * {W})
{W} = np.zeros(4);for {I} in prange({N}):;    {W} += {v} * {e};{S} += np.sum({W} * {v})
''')
