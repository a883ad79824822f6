"""Control flow of every kind."""
import contextlib
import math

import numpy as np

from tests.tools.registry import program


@program('for else', [0.3, 0.8, 1.1])
def for_else(xs):
    for x in xs:
        if x > 5:
            break
    else:
        return sum(xs) * 2
    return x


@program('for else', [0.3, 0.8, 1.1])
def for_else_broken(xs):
    total = 0.0
    for x in xs:
        total += x * x
        if total > 0.5:
            break
    else:
        total = total * 100
    return total


@program('while else', 0.3)
def while_else(x):
    n = 0
    while n < 3:
        x = x * 1.5
        n += 1
    else:
        x = x + 1.0
    return x * x


@program('while else', 0.3)
def while_else_broken(x):
    while x < 10:
        x = x * 2
        if x > 2:
            break
    else:
        x = 0.0 * x
    return x


@program('break', [[0.3, 0.8], [1.1, 0.2], [3.0, 1.0]])
def nested_breaks(rows):
    total = 0.0
    for row in rows:
        for v in row:
            if v > 1:
                break
            total += v * v
        else:
            continue
        break
    return total


@program('continue', [0.3, -0.8, 1.1])
def continues(xs):
    total = 1.0
    for x in xs:
        if x < 0:
            continue
        total *= x
    return total


@program('return in loop', [0.3, 0.8, 1.1])
def return_in_loop(xs):
    acc = 0.0
    for k, x in enumerate(xs):
        acc += x
        if acc > 1.0:
            return acc * k
    return -acc


@program('return in nested loop', [[0.3, 0.8], [1.1, 0.2]])
def return_in_nested_loop(rows):
    for row in rows:
        for v in row:
            if v > 1:
                return v ** 2 + row[1]
    return 0.0


@program('while True', 2.0)
def newton_sqrt(a):
    x = a
    while True:
        y = 0.5 * (x + a / x)
        if abs(y - x) < 1e-13:
            return y
        x = y


class Scope:
    def __init__(self):
        self.entered = 0

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, *exc):
        return False


@program('with', 0.7)
def with_block(x):
    with Scope() as scope:
        y = x * x
    return y * scope.entered


@program('with', 0.7)
def with_return_inside(x):
    with Scope(), contextlib.nullcontext():
        for k in range(5):
            x = x * 1.5
            if k == 2:
                return x * x
    return x


@program('with', 0.7)
def with_suppress(x):
    y = x
    with contextlib.suppress(ValueError):
        y = y * 3
        raise ValueError('no')
        y = y * 100
    return y * x


@program('with', 0.7)
def with_nullcontext_value(x):
    with contextlib.nullcontext(x * 2) as y:
        z = y * y
    return z


@contextlib.contextmanager
def scaled_by(v):
    yield v * 2.0


@program('with', 0.7)
def with_contextmanager(x):
    with scaled_by(x) as y:
        return y * x


@program('with', np.array([0.7, -0.2]))
def with_errstate(x):
    with np.errstate(divide='ignore'):
        y = np.where(x > 0, x * x, 0.0)
    return np.sum(y)


@program('try except', 0.7)
def try_untouched(x):
    try:
        y = x * x
    except ZeroDivisionError:
        y = 0.0
    return y + x


@program('try except', 0.7)
def try_except(x):
    try:
        y = x / 0
    except ZeroDivisionError:
        y = x ** 2
    return y * x


@program('try except', 0.7)
def exception_in_mid_block(x):
    y = x
    try:
        y = y * 3
        z = y + 1
        y = y * int('no number')
    except ValueError:
        y = y + z
    return y * x


@program('try else finally', 0.7)
def try_else_finally(x):
    log = []
    try:
        y = x * 2
    except ValueError:
        y = 0.0
    else:
        y = y * x
    finally:
        log.append('done')
    return y * len(log)


@program('try finally', 0.7)
def finally_rebinds(x):
    try:
        y = x * x
    finally:
        x = x * 3
    return y * x


@program('try return', 0.7)
def return_from_try(x):
    try:
        return x * 3
    finally:
        x = x * 100


@program('raise', 0.7)
def raise_and_catch(x):
    def checked(v):
        if v > 1:
            raise ValueError('too large')
        return v * v
    total = 0.0
    for k in range(4):
        try:
            total += checked(x * k)
        except ValueError as error:
            total += x * len(error.args)
    return total


@program('raise', 0.7)
def exception_carries_value(x):
    class_of = KeyError
    try:
        raise class_of(x * 2)
    except class_of as error:
        y = error.args[0]
    return y * y


@program('try in loop', [1.2, 0.0, 0.5])
def divisions(xs):
    total = 0.0
    for x in xs:
        try:
            total += 1.0 / (x if x > 0.1 else 0)
        except ZeroDivisionError:
            total += 3 * x
            continue
        total *= 1.5
    return total


@program('nested try', 0.7)
def nested_try(x):
    y = 0.0
    try:
        try:
            y = x * 2
            raise KeyError('a')
        except ValueError:
            y = -1.0
        finally:
            y = y * x
    except KeyError:
        y = y + 1.0
    return y


@program('match', 0.7, 'square', wrt=(0,))
def match_strings(x, kind):
    match kind:
        case 'cube':
            return x ** 3
        case 'square':
            return x ** 2
        case _:
            return x


@program('match', ('add', 0.7, ('mul', 2.0, 0.3)))
def match_expression_tree(expr):
    def value(e):
        match e:
            case ('add', a, b):
                return value(a) + value(b)
            case ('mul', a, b):
                return value(a) * value(b)
            case _:
                return e
    return value(expr) ** 2


@program('match', [0.7, 0.3, 2.0])
def match_sequence(xs):
    match xs:
        case [first, *rest] if len(rest) > 1:
            return first * sum(rest)
        case [only]:
            return only
    return 0.0


@program('match', {'kind': 'disc', 'radius': 0.7})
def match_mapping(shape):
    match shape:
        case {'kind': 'square', 'side': side}:
            return side ** 2
        case {'kind': 'disc', 'radius': r}:
            return math.pi * r ** 2
    return 0.0


@program('walrus', [0.3, 0.8, 1.1])
def walrus_in_if(xs):
    if (n := len(xs)) > 2 and (y := xs[0] * xs[1]) > 0:
        return y * n
    return xs[2]


@program('walrus', 1.3)
def walrus_in_while(x):
    while (x := x * 0.7) > 0.3:
        pass
    return x * x


@program('walrus', [0.3, 0.8, 1.1])
def walrus_in_comprehension(xs):
    return sum(y * y for x in xs if (y := math.sin(x)) > 0.3)


@program('del', 0.7)
def delete_name(x):
    y = x * x
    z = y * 2
    del y
    return z * x


@program('del', [0.3, 0.8, 1.1])
def delete_item(xs):
    ys = [x * x for x in xs]
    del ys[0]
    return sum(ys)


FACTOR = 2.5
CALLS = 0


@program('global', 0.7)
def global_written(x):
    global CALLS
    CALLS += 1
    return x * FACTOR


@program('pass and docstring', 0.7)
def odd_statements(x):
    """Nothing here."""
    pass
    'a string in the middle'
    ...
    if x > 0: pass  # noqa: E701
    y = x; z = y * 2  # noqa: E702
    return (z) * (x)


@program('range', 0.7)
def ranges(x):
    total = 0.0
    for k in range(6, 0, -2):
        total = total * x + k
    for k in reversed(range(3)):
        total += x ** k
    return total


@program('loop variable after the loop', [0.3, 0.8])
def loop_variable_after(xs):
    for x in xs:
        y = x * 2
    return x * y


@program('enumerate zip reversed', [0.3, 0.8, 1.1], [1.0, 2.0, 0.5])
def enumerate_zip(xs, ys):
    total = 0.0
    for k, (x, y) in enumerate(zip(xs, reversed(ys)), 1):
        total += k * x * y
    return total


@program('loop over an array', np.array([[0.3, 0.8], [1.1, 0.2]]))
def rows_and_elements(a):
    total = 0.0
    for row in a:
        for v in row:
            total = total * 0.9 + v * row[0]
    return total


@program('loop over a dict', {'a': 0.3, 'b': 0.8})
def dict_items(d):
    total = 0.0
    for key, value in d.items():
        total += value ** (2 if key == 'a' else 3)
    for key in d:
        total *= d[key]
    return total


@program('loop over a string', 0.3)
def loop_over_text(x):
    y = 1.0
    for c in 'abca':
        y = y * x if c == 'a' else y + x
    return y


@program('early exits', 0.8, 3, wrt=(0,))
def guards(x, n):
    if n < 0:
        return 0.0
    if n == 0:
        return x
    if x < 0:
        return -x
    return x ** n


@program('state machine', [0.3, 0.8, 1.1, 0.2])
def state_machine(xs):
    state, out = 'low', 0.0
    for x in xs:
        if state == 'low':
            out += x
            if x > 0.5:
                state = 'high'
        elif state == 'high':
            out *= x
            if x < 0.5:
                state = 'low'
    return out


@program('loop with changing shapes', np.array([0.3, 0.8, 1.1, 0.2]))
def shrinking(x):
    while len(x) > 1:
        x = x[1:] * x[:-1]
    return x[0]


@program('loop with changing shapes', np.array([0.3, 0.8]))
def growing(x):
    for _ in range(3):
        x = np.concatenate([x, x[:1] * 2])
    return np.sum(x ** 2)


@program('loop with changing types', 0.4)
def number_then_array(x):
    y = x
    for k in range(3):
        y = y * np.ones(2) if k == 1 else y * x
    return np.sum(y)


@program('bisection', 2.0)
def secant(a):
    lo, hi = 1.0, a
    for _ in range(6):
        lo, hi = hi, hi - (hi ** 2 - a) * (hi - lo) / (hi ** 2 - lo ** 2) if hi != lo else hi
    return hi


def or_none(v):
    if v < 1:
        return None
    return v


@program('None for a value', 1.3)
def what_may_be_none_is_left_out(x):
    t = 0.0
    for k in range(4):
        r = or_none(x * k)
        if r is not None:
            t += r * x
    return t


@program('None for a value', 1.3)
def what_is_none_counts_otherwise(x):
    t = 0.0
    for k in range(4):
        if or_none(x * k) is None:
            t += x * x
        else:
            t += x
    return t


def first_or_none(v):
    if v < 1:
        return None, v
    return v, v * v


@program('None for a value', 1.3)
def a_part_that_may_be_none(x):
    a, b = first_or_none(x * 0.5)
    if a is None:
        return b * x
    return a * b
