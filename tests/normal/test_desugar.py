"""Sugar written out: the corpus against differences, in every form, and what the text looks like."""
import copy

import numpy as np
import pytest

import tangent
from tests.corpora.programs.functions_desugar import CASES
from tests.tools.checking import assert_close, differences, numbers, random_like, seed_name, share_memory
from tests.tools.texts import define

NO_FORWARD = 'consumers repeated zips endless'.split()         # sorted, repeated lists, strict zips


def label(case):
    return case.label


def as_list(gradients, wrt):
    return [gradients] if len(wrt) == 1 else list(gradients)


def check(case, gradients, seed):
    def cost(*args):
        value = case.function(*args)
        return value[0] if isinstance(value, tuple) else value
    for found, right in zip(gradients, differences(cost, case.args, case.wrt, seed), strict=True):
        assert_close(found, right)


@pytest.mark.parametrize('k', range(len(CASES)), ids=map(label, CASES))
def test_corpus(k, in_turn):
    """Optimized in joint motion, with the value; and in one of the other ways each, in turn; all with `--all-samples`."""
    case = CASES[k]
    value = case.function(*copy.deepcopy(case.args))
    seed = random_like(value)
    for motion, optimized in [('joint', True), *in_turn([('split', True), ('joint', False), ('split', False)], k)]:
        is_kept = motion == 'joint' and optimized
        df = tangent.autodiff(case.function, wrt=case.wrt, motion=motion, optimized=optimized, preserve_result=is_kept)
        if motion == 'split' and '_grads' in tangent.source(df):
            motion = 'joint'                           # the log form has no split motion
        args = copy.deepcopy(case.args)
        found = df(*args, **{'init_grad' if motion == 'split' else seed_name(df): seed})
        *gradients, kept = found if is_kept else (*as_list(found, case.wrt), None)
        if is_kept:
            assert_close(kept, value, 1e-12)
        check(case, gradients, seed)
        np.testing.assert_equal(args, case.args)
        assert not share_memory([*args, seed, *gradients])


@pytest.mark.parametrize('case', CASES, ids=label)
def test_forward(case):
    value = case.function(*copy.deepcopy(case.args))
    seed = random_like(value)
    tangents = [random_like(case.args[p], seed=1) for p in case.wrt]
    try:
        found = tangent.jvp(case.function, wrt=case.wrt)(*copy.deepcopy(case.args), *tangents)
    except tangent.errors.TangentError:
        assert case.function.__name__ in NO_FORWARD
        return
    right = differences(case.function, case.args, case.wrt, seed)
    expected = sum(np.dot(numbers(g), numbers(t)) for g, t in zip(right, tangents))
    assert_close(float(np.dot(numbers(found), numbers(seed))), float(expected))


def emitted(text, **options):
    """The text of the derivative of the function `f` of a text."""
    return tangent.source(tangent.vjp(define(text).f, **options))


PRETTY = """
collected filtered sum_of_products rebound layers table_of_tables two_generators dict_comprehension dict_of_pairs consumers
arrays_of first_of witness flattened generator_kept fused recurrence read_while_growing in_branches of_a_callee returned
read_in_a_branch stack_machine by_key histogram fibonacci extended arrays_appended list_of_this_round nested_builders
in_a_while_test order_of_evaluation chained searched else_of_two_loops area parts_matched automaton starred_targets
starred_displays merged_dicts repeated rows_and_columns small_statements compared keys_read zips endless ranges
""".split()


@pytest.mark.parametrize('case', [c for c in CASES if c.function.__name__ in PRETTY], ids=label)
def test_no_log_is_kept(case):
    """The common patterns have the form that a person would write."""
    assert '_grads' not in tangent.source(tangent.vjp(case.function, wrt=case.wrt))


def test_sum_makes_no_list():
    text = emitted('def f(xs, w):\n    return sum(w * x for x in xs)')
    assert 'total = total + w * x' in text and 'append' not in text


def test_the_users_line_is_quoted():
    text = emitted('def f(xs, w):\n    ys = [w * x for x in xs]\n    return ys[0]')
    assert '# Grad of: ys = [w * x for x in xs]' in text
    assert 'ys.append(w * x)' in text


def test_passive_comprehensions_stay():
    text = emitted('def f(x, names):\n    n = sum(len(s) for s in names)\n    print([s for s in names if (x, s)])\n'
                   '    return x * n * len([x for _ in names])')
    assert 'sum(len(s) for s in names)' in text
    assert '[s for s in names if (x, s)]' in text
    assert 'len([x for _ in names])' in text


def test_targets_do_not_leak():
    """A global of the name of a target keeps its meaning."""
    text = 'k = 3.0\ndef f(x):\n    ys = [x * k for k in range(3)]\n    return ys[1] * k'
    f = define(text).f
    assert tangent.grad(f)(2.0) == 3.0


def test_order_of_effects():
    """What is evaluated first still is."""
    seen = []

    def note(name, value):
        seen.append(name)
        return value
    text = ('def f(x):\n    return note("a", x) * sum(note("b", x * i) for i in range(2)) + note("c", 1) * (y := note("d", x)) '
            '* [note("e", y), y][1]')
    f = define(text, note=note).f
    f(2.0)
    expected, seen[:] = list(seen), []
    tangent.grad(f)(2.0)
    assert seen == expected


def test_short_circuit():
    """What Python does not evaluate is not evaluated."""
    text = 'def f(x, d):\n    if d is not None and (v := d["k"]) > 0 or (w := x) > 100:\n        return v * x\n    return w * 2'
    f = define(text).f
    assert tangent.grad(f)(3.0, {'k': 5.0}) == 5.0
    assert tangent.grad(f)(3.0, None) == 2.0


@pytest.mark.parametrize('text, error', [
    ('def f(x):\n    a, *b, c = [x]\n    return a', ValueError),
    ('def f(x):\n    return sum(a * b for a, b in zip([x], [x, x], strict=True))', ValueError),
    ('def f(x):\n    return next(v for v in [x] if v > 5)', StopIteration),
    ('def f(x):\n    xs = [x]\n    return xs.pop() * xs.pop()', IndexError),
    ('def f(x):\n    d = {}\n    d["a"] = x\n    return d["b"]', KeyError),
])
def test_errors_stay_errors(text, error):
    f = define(text).f
    for function in (f, tangent.grad(f)):
        with pytest.raises(error):
            function(2.0)


@pytest.mark.parametrize('text', [
    'def g(xs):\n    return next(xs) * 2\ndef f(x):\n    return g(x * i for i in range(3))',
    'def f(x):\n    g = (x * i for i in range(3))\n    return sum(g) + sum(g)',
    'def f(x):\n    s = {x, 2 * x}\n    return sum(s)',
])
def test_right_or_refused(text):
    f = define(text).f
    try:
        found = tangent.grad(f)(2.0)
    except tangent.errors.TangentError:
        return
    right, = differences(f, (2.0,), (0,))
    assert_close(found, right)


def test_lists_with_another_name_are_not_taken_for_builders():
    """Every write is seen through every name, whichever form the derivative has."""
    texts = ['ys = xs\n    xs.append(x * x)\n    return ys[-1]', 'ys = [xs]\n    xs.append(x * x)\n    return ys[0][-1]',
             'd = {"l": xs}\n    d["l"].append(x * x)\n    return xs[-1]',
             'for v in xs:\n        if len(xs) < 4:\n            xs.append(v * x)\n    return sum(xs)',
             'xs.insert(0, x * x)\n    return xs[0] * xs[1]', 'grow(xs, x)\n    return xs[-1]',
             'ys = (lambda: xs)()\n    xs.append(x ** 3)\n    return ys[-1]']
    for text in texts:
        f = define('def grow(xs, x):\n    xs.append(x * x)\ndef f(x):\n    xs = [x]\n    ' + text).f
        try:
            found = tangent.grad(f)(1.3)
        except tangent.errors.TangentError:
            continue
        assert_close(found, differences(f, (1.3,), (0,))[0])


CALLEES = """
STORE = []
def handed(l): return l
def kept(l):
    STORE.append(l)
    return 1.0
def mean(l): return sum(l) / len(l)
def last(l): return l[-1]
"""


@pytest.mark.parametrize('body', [
    'm = handed(out)\n    out.append(x * x)\n    return m[-1]',
    'c = kept(out)\n    out.append(x * x)\n    return out[-1] * c',
    'for i in range(3):\n        out.append(mean(out) * x)\n    return out[-1]',
    'for i in range(3):\n        out.append(last(out) * x)\n    return out[-1]',
    'z = zip(out, [1.0, 2.0])\n    out.append(x * x)\n    return sum(a * b for a, b in z)',
    'for a, b in zip(out, reversed(out)):\n        x = x + a * b\n    out.append(x)\n    return out[-1] + sum(sorted(out))',
])
def test_what_callees_and_views_hold(body):
    f = define(CALLEES + 'def f(x):\n    out = [x]\n    ' + body).f
    try:
        found = tangent.grad(f)(1.3)
    except tangent.errors.TangentError:
        return
    assert_close(found, differences(f, (1.3,), (0,))[0])


def test_seeds_are_left_alone():
    f = define('def f(x, n):\n    out = []\n    for i in range(n):\n        out.append(x * i)\n    return out').f
    seed = [np.ones(2), np.ones(2)]
    tangent.vjp(f)(np.array([1.0, 2.0]), 2, seed)
    assert len(seed) == 2
    np.testing.assert_equal(seed, [np.ones(2), np.ones(2)])


def test_texts_in_displays_that_join_are_refused():
    """`np.r_['0,2', x]` makes a matrix: the text was taken for one of the parts."""
    def f(x):
        return np.sum(np.r_['0,2', x] ** 2)
    for mode in ('reverse', 'forward'):
        with pytest.raises(tangent.errors.TangentParseError, match='a text tells how to join'):
            tangent.autodiff(f, mode=mode)


def test_each_branch_of_many_is_looked_at_once():
    """Each `elif` doubled the time: one of 22 took minutes."""
    branches = [f'    {"elif" if k else "if"} n == {k}:\n        return {k + 1}.0 * x' for k in range(60)]
    f = define('\n'.join(['def f(x, n):', *branches, '    return x * x', ''])).f
    df = tangent.grad(f)
    assert [df(1.5, n) for n in (0, 30, 59, 60)] == [1.0, 31.0, 60.0, 3.0]
