"""`check_grads` names the statement with the wrong rule, and the operation in it."""
import inspect
import linecache
import re

import numpy as np
import pytest

import tangent
from tangent.errors import CheckError
from tangent.interfaces.debugging import blame
from tangent.templates.language import registry
from tests.interfaces.debugging import wrong_rules
from tests.interfaces.debugging.wrong_rules import BOTH, REVERSE, X

CASES = [(f, args, mode) for f, args in BOTH for mode in ('rev', 'fwd')] + [(f, args, 'rev') for f, args in REVERSE]


def complaint(function, args, **options):
    with pytest.raises(CheckError) as caught:
        tangent.check_grads(function, args, **options)
    return str(caught.value)


def named(message):
    """The line that is named, and the operation in it."""
    number = re.search(r'the statement whose derivative is wrong: wrong_rules.py:(\d+): ', message).group(1)
    return linecache.getline(inspect.getfile(wrong_rules), int(number)).rstrip()


@pytest.mark.parametrize(('function', 'args', 'mode'), CASES, ids=[f'{f.__name__}-{mode}' for f, _, mode in CASES])
def test_the_statement_is_named(function, args, mode):
    message = complaint(function, args, order=1, modes=mode)
    assert named(message).endswith('# here'), message
    assert re.search(r'\n +in (bad|swapped|sometimes|\[bad)\(.*[)\]]: the (gradient|tangent) of it', message), message
    first = message.splitlines()[0]
    assert re.search(r'by \w+(\[.*\])? is \S+, but finite differences give \S+ \(off by \S+, \S+ of it; the step is 6.1e-06\)', first)


@pytest.fixture
def wrong_sinc():
    before = [(table, dict(table)) for table in (registry.REVERSE, registry.FORWARD, registry.CUSTOM)]

    @tangent.grads.adjoint(np.sinc)
    def sinc(y, x):
        d[x] = d[y] * np.cos(x)  # noqa: F821
    yield
    for table, was in before:
        for key in [k for k in table if table[k] is not was.get(k)]:
            if key in was:
                table[key] = was[key]
            else:
                del table[key]


def test_in_what_numba_compiles(wrong_sinc):
    message = complaint(wrong_rules.compiled, (X,), order=1, modes='rev')
    assert named(message).endswith('return np.sinc(y)                                            # here'), message
    assert 'in np.sinc(y): the gradient of it by y' in message


def test_in_a_derivative_of_a_derivative():
    @tangent.primitive
    def cosine(x):
        return np.cos(x)

    @tangent.primitive
    def sine(x):
        return np.sin(x)
    tangent.defvjp(cosine, lambda ans, x: lambda g: g * np.sin(x))            # the sign is wrong
    tangent.defvjp(sine, lambda ans, x: lambda g: g * cosine(x))

    def f(x):
        y = x * 2
        return sine(y)
    message = complaint(f, (0.3,), order=2, modes='rev')
    assert 'the gradient of the gradient of f by x is' in message
    assert re.search(r'test_blame.py:\d+: tangent.defvjp\(sine, .*\n +in cosine\(x\): the gradient of it by x is ', message), message


def test_statements_that_are_all_right_by_themselves():
    said = blame.statement(wrong_rules.callee, (X, X), {}, lambda f, args: f(*args))
    assert 'each of its 6 statements by itself agrees with finite differences' in said


def test_statements_that_cannot_be_looked_at_alone_are_listed():
    def check(function, args):
        if len(args) == 2:
            raise RuntimeError
    said = blame.statement(wrong_rules.callee, (X, X), {}, check)
    assert re.search(r'4 of its 6 statements agree by themselves .*\n +wrong_rules.py:\d+: ', said), said
    assert 'by itself agrees' not in said


def test_right_derivatives_are_not_looked_at(monkeypatch):
    monkeypatch.setattr('tangent.interfaces.debugging.blame.statement', lambda *args: pytest.fail('looked'))
    tangent.check_grads(lambda x: np.sin(x) * x, (X,), order=2)


def test_a_function_that_cannot_be_run_once_more_is_reported_all_the_same():
    runs = []

    def f(x):
        runs.append(1)
        if len(runs) > 12:
            raise RuntimeError('no more')
        return wrong_rules.bad(x)
    message = complaint(f, (0.5,), order=1, modes='rev')
    assert message.startswith('the gradient of f by x is')
