"""The statements and expressions of the random programs with state, by feature; see `writer`.

`{s}` `{v}` are expressions, `{S}` `{V}` `{L}` `{D}` `{Q}` `{F}` places, `{=s}` a new name, `{~s}` one that is gone after the statement; a number
behind the letter says that two of them are the same. `;` ends a line, four blanks indent it, `!alias` is written by `write_alias`.
"""

FEATURES = ('objects', 'operators', 'arrays', 'containers', 'aliases', 'closures', 'generators', 'contexts', 'exceptions', 'memo')

LEAVES = {'s': '{num}', 'v': 'np.array([{s}, {num}, {s}])'}

TOTALS = {'s': '{0}', 'v': 'np.sum({0} * WEIGHTS)', 'L': 'sum({0})', 'D': 'sum({0}.values())', 'Q': 'sum({0})', 'F': '{0}(0.7)'}

PRELUDE = '''

WEIGHTS = np.array([0.5, 1.0, 1.7])


class Stop(Exception):
    def __init__(self, value, count=1):
        super().__init__(value)
        self.value = value
        self.count = count
'''


def forms(text):
    """The forms that bars, and the ends of lines, part."""
    return text.replace('\n', ' | ').split(' | ')


EXPRESSIONS = {
    'plain': {
        's': forms('{s} + {s} | {s} * {s} | {s} * {s} | {s} - {s} | {s} / (1.5 + {s} ** 2) | np.sin({s}) | np.cos({s}) | np.tanh({s}) | math.sin({s}) | math.exp(np.tanh({s})) | {s} ** 2 | max({s}, {s}) | '
                   '{s} if {test} else {s} | np.sum({v}) | {V}[{k}] | {v} @ {v} | np.sum({v} * WEIGHTS) | abs({s}) | -{s} | 0.5 * {s}'),
        'v': forms('{v} + {v} | {v} * {s} | {v} * {v} | np.sin({v}) | np.tanh({v}) | {v}[::-1] | np.array([{s}, {s}, {s}]) | {v} - 0.3 | np.concatenate(({v}[1:], {v}[:1])) | np.cumsum({v}) | {v} * WEIGHTS | np.roll({v}, 1)')},
    'arrays': {
        's': forms('{V}[{k}] | {V} @ {V} | np.sum({V}[1:] * {V}[:-1]) | np.dot({V}, WEIGHTS) | {V}.sum() | np.max({V}) | float({V}[{k}])'),
        'v': forms('{V}.copy() | {V}[[2, 0, 0]] | {V}[::-1] | np.where({V} > 0.3, {V}, {v}) | {V} * {V}')},
    'containers': {
        's': forms('sum({L}) | {L}[0] | {L}[-1] | max({L}) | sum([q * {s} for q in {L}]) | sum(q * q for q in {L}) | {D}["p"] | {D}.get("q", {s}) | sum({D}.values()) | sum({Q}) | {Q}[0] | len({L}) * {s} | '
                   'sum(q * w for q, w in zip({L}, {Q})) | {L}.pop() + {L}.append({s}) if False else {L}[0] | sorted({L})[0] | sum(w for k, w in {D}.items() if k != "q")'),
        'v': forms('np.array(({L} * 3)[:3]) | np.array([{L}[0], {D}["p"], {Q}[-1]])')},
    'objects': {'s': forms('{call} | {call} | {call} | {read} | {read} | {getattr}'), 'v': forms('{callv} | {v} * {call}')},
    'operators': {'s': forms('{op} | {op} | {op} | {call}')},
    'closures': {'s': forms('{F}({s}) | {F}({s}) | {F}({F}({s})) | sum(map({F}, [{s}, 0.4])) | (lambda q: q * {s})({s}) | sum([{F}(q) for q in (0.3, {s})]) | functools.reduce(lambda p, q: p * 0.5 + {F}(q), [{s}, 0.3], 1.0)'),
                 'v': forms('np.array([{F}(q) for q in {v}]) | np.array([{F}({s}), {F}({s}), 0.3])')},
    'generators': {'s': forms('sum({gen}) | max({gen}) | sum(q * w for q, w in zip({gen}, {gen})) | list({gen})[0] | sum(itertools.islice({gen}, 2)) | next({gen}) | sum(sorted({gen})[:2]) | sum(q * {s} for q in {gen})'),
                   'v': forms('np.array((list({gen}) * 3)[:3]) | np.array([q for q in {gen}][:1] * 3)')},
    'exceptions': {'s': forms('{careful}')},
    'memo': {'s': forms('{memo}')},
}

STATEMENTS: dict = {
    'plain': [*forms('''{=s} = {s} | {=s} = np.tanh({s}) | {S} = np.tanh({s}) | {S} += {s} | {S} *= {s} | {S} -= {s} * 0.5 | {S}, {S} = {s}, {s} | {=v} = {v} * 1.0 | {=s} = {s} if {test} else {s}
if {test}:;    {block} | if {test}:;    {block};else:;    {block} | for {~i} in range({few}):;    {block}
for {~i} in range({few}):;    {block};    if {test}:;        break;    {block} | for {~i} in range({few}):;    if {test}:;        continue;    {block}
{~i1} = 0;while {~i1} < {few}:;    {~i1} += 1;    {block} | if {test}:;    return {total} | for {~s} in ({s}, {s}):;    {block} | {=s}, {=s} = {s}, {s}
for {~s} in {v}:;    {block} | {=s1} = 0.0;for {~i}, {~s2} in enumerate({v}):;    {=s1} += {~s2} * {s};    {block} | {=s} = {=s} = {s}
for {~i} in range({few}):;    {S} = np.tanh({s});    {S} += {s} | for {~i} in range({few}):;    for {~i} in range({few}):;        {block}
for {~i} in range({few}):;    {block};else:;    {block}'''), '!alias', '!share'],
    'arrays': [*forms('''{V}[{k}] = {s} | {V}[{k}] += {s} | {V}[1:] += {V}[:-1] * 0.5 | {V} += {v} | {V} *= {s} | {V}[:] = {v} | {V} = {v} * 0.5 | {V}[1:] = {V}[:-1] | {V}[::-1] += {V} * 0.5 | {V}[0], {V}[2] = {V}[2], {V}[0]
np.add({V}, {v}, out={V}) | {V} -= {V} * 0.5 | {=v} = {V} | {=v} = {V}[::-1] | {=v} = {V}.copy() | {=v} = np.zeros(3) | {V1}, {V2} = {V2}, {V1} | {V}[{V} > 0.3] *= 0.5 | {V}.fill({s})
for {~i1} in range(3):;    {V}[{~i1}] = {s} | for {~i} in range({few}):;    {V1}[1:] = np.tanh({V2}[:-1] + {s});    {V1}, {V2} = {V2}, {V1} | for {~i1} in range(1, 3):;    {V1}[{~i1}] = {V1}[{~i1} - 1] * {s}
{=v1} = np.zeros(3);for {~i1} in range(3):;    {=v1}[{~i1}] = {s};    {block} | np.copyto({V}, {v}) | {V}[...] = {V} * {s}'''), '!alias', '!share'],
    'containers': [*forms('''{=L} = [{s}, {s}] | {=L} = [{s} * k for k in range(1, 4)] | {L}.append({s}) | {L}.append({s}) | {L}.extend([{s}, {s}]) | {L}.insert(0, {s}) | {L}[0] = {s} | {L}[-1] += {s} | {L}.append({L}.pop() * {s}) | {L}.append({L}.pop(0))
{L}.reverse() | {L}.sort() | {L} += [{s}] | {L}[1:] = [{s}] | {L}[0], {L}[-1] = {L}[-1], {L}[0] | {=L} = {L}[:] | {=L} = list({L}) | {=L} = {L} | {L}[:] = [q * 0.5 for q in {L}] | {=s1} = {L1}.pop();{L1}.append({=s1} * {s})
for {~s1} in {L}:;    {S} += {~s1} * {s} | for {~s} in {L}[:3]:;    {block} | for {~i1} in range(len({L1})):;    {L1}[{~i1}] *= {s} | while len({L1}) < 4:;    {L1}.append({s} * 0.5)
{=D} = {"p": {s}, "q": {s}} | {=D} = dict(p={s}, q={s}) | {D}["p"] = {s} | {D}["p"] += {s} | {D}["q"] *= {s} | {D}.update(q={s}) | {D}["p"] = {D}.pop("q") | {D}["q"] = {s} | {D}.setdefault("r", {s}) | {=D} = dict({D}) | {=D} = {D}
{=D} = {**{D}, "p": {s}} | for {~k}, {~s1} in {D}.items():;    {S} += {~s1} * {s} | for {~k1} in {D1}:;    {D1}[{~k1}] *= {s} | {=D} = {k: w * {s} for k, w in {D}.items()} | {D} |= {"q": {s}}
{=Q} = collections.deque([{s}, {s}], maxlen=3) | {=Q} = collections.deque([{s}]) | {Q}.append({s}) | {Q}.appendleft({s}) | {Q}.rotate(1) | {Q}.append({Q}.popleft() * {s}) | {Q}[0] = {s} | for {~i} in range({few}):;    {Q}.append({s});    {block}
{=s}, *{~rest1}, {=s} = [{s}, {s}, {s}, {s}];{S} += sum({~rest1}) | {=L}, {=D} = [{s}], {"p": {s}, "q": {s}} | {=s} = {L}[0] if len({L}) > 2 else {s}'''), '!alias', '!share'],
    'objects': ['!make', '!make', '!make', '!set', '!set', '!group', '!each', '!alias', '!share',
                *forms('{act} | {act} | {act} | {act} | {=s} = {call} | {S} += {call} | for {~i} in range({few}):;    {act};    {block} | {act};{act} | {setattr}'), '!bound'],
    'operators': ['!make', '!make', '!binary', '!binary', '!binary', '!set', '!alias', '!share',
                  *forms('{=s} = {op} | {S} += {op} | {act} | for {~i} in range({few}):;    {binary};    {block}')],
    'aliases': ['!alias', '!alias', '!alias', '!share', '!share', '!share', '!make', '!group',
                *forms('{=L} = [{s}, {s}] | {=v} = {v} * 1.0 | {=D} = {"p": {s}, "q": {s}} | {S} = {s} | {S} *= {s} | {V} *= {s} | {L}.append({s}) | {V}[{k}] = {s} | {act} | '
                       'for {~i} in range({few}):;    {share};    {block}')],
    'closures': ['!closure', '!closure', '!closure', '!procedure', '!procedure', '!pair', '!alias',
                 *forms('{=F} = lambda q: np.tanh(q * {s}) | {=F} = {maker} | {=F} = {maker} | {=F} = functools.partial(pow, {s} + 2.0) if False else {F} | {=L} = [{s}] | {S} = {F}({s}) | for {~i} in range({few}):;    {S} += {F}({s}) | '
                        '{=F} = (lambda w: lambda q: q * w + {s})({s}) | {F} = {F}')],
    'generators': ['!generator', '!generator', *forms('for {~s} in {gen}:;    {block} | for {~i}, {~s} in enumerate({gen}):;    {block} | {=L} = list({gen}) | {S} += sum({gen}) | '
                   '{~g1} = {gen};{=s} = next({~g1}) * {s};{S} += sum({~g1}) | {~g1} = {sender};next({~g1});for {~s1} in ({s}, {s}):;    {S} += {~g1}.send({~s1}) | for {~s}, {~s} in zip({gen}, {gen}):;    {block} | '
                   '{~g1} = {gen};for {~s1} in {~g1}:;    {S} += {~s1};    if {test}:;        break | {=L} = [q * {s} for q in {gen}] | {~g1} = {gen};{S} = {s};{V} *= {s};{=s} = sum({~g1})')],
    'contexts': ['!make', *forms('with {context}:;    {block} | with {context} as {~s}:;    {block} | with {context}, {context}:;    {block} | with {manager}:;    {block} | with {manager} as {~s}:;    {block};    {block} | '
                 'for {~i} in range({few}):;    with {context}:;        {block} | with {manager}:;    if {test}:;        return {total};    {block} | with np.errstate(all="ignore"):;    {block} | '
                 'with contextlib.suppress(Stop):;    {block};    if {test}:;        raise Stop({s});    {block}')],
    'exceptions': forms('try:;    {block};    if {test}:;        raise Stop({s});    {block};except Stop as {~e1}:;    {S} += {~e1}.value | try:;    {S} = {careful};    {block};except Stop as {~e1}:;    {S} += {~e1}.value * {s} | '
                        'try:;    {block};    if {test}:;        raise ValueError({s});    {block};except ValueError as {~e1}:;    {S} = {~e1}.args[0] * 0.5;    {block};finally:;    {block} | '
                        'try:;    {S} = {s};    {S} += [][0];except IndexError:;    {block};else:;    {block} | for {~i} in range({few}):;    try:;        {block};        if {test}:;            raise Stop({s}, 2);    except Stop as {~e1}:;        {S} += {~e1}.value;        {choice};    {block} | '
                        'try:;    try:;        {block};        if {test}:;            raise Stop({s});    except Stop as {~e1}:;        {S} = {~e1}.value;        raise ValueError({s}) from {~e1};except (ValueError, KeyError) as {~e2}:;    {S} += {~e2}.args[0] | '
                        'try:;    {block};    if {test}:;        return {total};finally:;    {S} *= {s} | {=s1} = {s};try:;    {=s1} = {careful};except Exception:;    {=s1} = {=s1} * {s}'),
    'memo': ['!memo', '!memo', '!memo', *forms('{=s} = {memo} | {S} += {memo} | {=D} = {"p": {s}, "q": {s}}')],
}

# Functions of the module: what they give, their parameters by kind ('o' is an object of some class), their text
TOOLS = {
    'closures': [
        ('maker', 'ab', 'def {name}(a, b):;    {block};    def inner(q):;        nonlocal a;        a = np.tanh(a + q);        return a * b;    return inner'),
        ('maker', 'ab', 'def {name}(a, b):;    held = [a, b];    def inner(q):;        held[0] = held[0] * 0.5 + q;        return held[0] * held[1];    return inner'),
        ('maker', 'a', 'def {name}(a):;    return lambda q: np.sin(q) * {s} + a'),
        ('maker', 'ao', 'def {name}(a, o):;    def inner(q):;        {block};        return {s} * q;    return inner'),
        ('maker', 'L', 'def {name}(xs):;    def inner(q):;        xs.append(q);        return sum(xs) * 0.3;    return inner'),
        ('maker', 'v', 'def {name}(vec):;    def inner(q):;        vec[1] = q * 0.5;        return np.sum(vec * WEIGHTS);    return inner'),
        ('pair', 'a', 'def {name}(a):;    def put(q):;        nonlocal a;        a = a * 0.5 + q;    def get():;        return a * {s};    return put, get'),
        ('pair', 'L', 'def {name}(xs):;    def put(q):;        xs.append(q * 0.5);    def get():;        return sum(xs) * {s};    return put, get')],
    'generators': [
        ('gen', 'ab', 'def {name}(a, b):;    for k in range(3):;        yield a;        a = a * b + {s} * 0.1'),
        ('gen', 'ab', 'def {name}(a, b):;    while a < 3.0:;        a = a + 0.8;        yield a * b'),
        ('gen', 'a', 'def {name}(a):;    {block};    yield a;    {block};    yield {s}'),
        ('gen', 'ao', 'def {name}(a, o):;    for k in range(2):;        {block};        yield {s}'),
        ('gen', 'L', 'def {name}(xs):;    acc = 0.0;    for q in xs[:3]:;        acc = acc + q;        yield acc'),
        ('gen', 'av', 'def {name}(a, vec):;    for k in range(3):;        vec[k] = vec[k] * a;        yield vec[k]'),
        ('gen', 'ab', 'def {name}(a, b):;    def part(q):;        yield q;        yield q * b;    yield from part(a);    yield a * b'),
        ('sender', 'a', 'def {name}(a):;    total = a;    while True:;        q = yield total;        total = np.tanh(total + q * {s})'),
        ('sender', 'L', 'def {name}(xs):;    while True:;        q = yield sum(xs);        xs.append(q)')],
    'contexts': [
        ('context', 'ao', '@contextlib.contextmanager;def {name}(a, o):;    {block};    yield {s};    {block}'),
        ('context', 'ao', '@contextlib.contextmanager;def {name}(a, o):;    {block};    try:;        yield a;    finally:;        {block}'),
        ('context', 'aL', '@contextlib.contextmanager;def {name}(a, xs):;    xs.append(a);    yield sum(xs);    xs.append(xs.pop() * a)'),
        ('context', 'av', '@contextlib.contextmanager;def {name}(a, vec):;    old = vec.copy();    vec *= a;    yield np.sum(vec);    vec[:] = old * 0.5 + vec'),
        ('context', 'aD', '@contextlib.contextmanager;def {name}(a, table):;    before = table["p"];    table["p"] = a;    yield table["p"] * before;    table["p"] = before + table["p"]')],
    'exceptions': [
        ('careful', 'ab', 'def {name}(a, b):;    if a > 0.9:;        raise Stop(a * b);    return a * {s}'),
        ('careful', 'aL', 'def {name}(a, xs):;    xs.append(a * 0.5);    if len(xs) > 3:;        raise Stop(sum(xs));    return sum(xs)'),
        ('careful', 'ao', 'def {name}(a, o):;    {block};    if {test}:;        raise Stop({s});    {block};    return {s}'),
        ('careful', 'ab', 'def {name}(a, b):;    try:;        if a < b:;            raise Stop(b);        return a * b;    except Stop as error:;        return error.value * a;    finally:;        a = a * 2.0')],
    'memo': [
        ('memo', 'a', 'def {name}(a, table=None):;    table = {} if table is None else table;    if "k" not in table:;        table["k"] = a * {s};    return table["k"] * a')],
    'plain': [('helper', 'ab', 'def {name}(a, b):;    {block};    return {s}'), ('helper', 'av', 'def {name}(a, vec):;    {block};    return {s}'),
              ('helper', 'aL', 'def {name}(a, xs):;    {block};    return {s}')],
    'objects': [('helper', 'ao', 'def {name}(a, o):;    {block};    return {s}'), ('helper', 'o', 'def {name}(o):;    {block};    return {s}')],
}
