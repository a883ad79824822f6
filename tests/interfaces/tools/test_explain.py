"""`tangent.explain` says line by line what is active, kept and dispatched, and which parameters are written."""
import inspect
import math

import numpy as np
import pytest

import tangent


def lines(f, wrt=(0,), part=0):
    """Line number within the function -> Line."""
    explained = tangent.explain(f, wrt, show=False)[part]
    first = explained.lines[0].number
    return {line.number - first: line for line in explained.lines}


def straight(x, w):
    y = np.tanh(w * x)
    print('y', y)
    n = len(str(y))
    return y * n


def test_only_what_a_derivative_flows_through_is_active():
    assert [k for k, line in lines(straight).items() if line.active] == [1, 4]
    assert not any(line.kept or line.dispatched for line in lines(straight).values())


def test_another_argument_has_other_active_lines():
    def f(x, y):
        a = x * x
        b = y * y
        return a + b
    assert [k for k, line in lines(f, 0).items() if line.active] == [1, 3]
    assert [k for k, line in lines(f, 'y').items() if line.active] == [2, 3]


def loops(x):
    y = x
    for _ in range(3):
        y = y * math.sin(y)
    for _ in range(3):
        y = y + x
    return y


def test_what_a_loop_overwrites_is_kept_if_an_adjoint_reads_it():
    found = lines(loops)
    assert 'y' in found[3].kept
    assert found[5].active and not found[5].kept


def apply(f, x):
    return f(x) * 2


def test_calls_of_parameters_are_dispatched_and_why():
    found = lines(apply, 1)
    assert found[1].dispatched == ('f is a parameter',)
    assert not lines(calls_known)[1].dispatched


def helper(v):
    return v * v


def calls_known(x):
    return helper(x) + helper(2 * x)


def test_callees_have_a_part_of_their_own():
    parts = tangent.explain(calls_known, show=False)
    assert [p.name for p in parts] == ['calls_known', 'helper']
    assert parts[1].wrt == ('v',)
    assert [line.active for line in parts[1].lines] == [False, True]


def writes(x, out):
    out[0] = x[0] * 2
    x += 1.0
    return np.sum(out)


def test_written_parameters():
    explained, = tangent.explain(writes, show=False)
    assert 'out' in explained.writes
    assert 'x' in explained.updates + explained.writes
    assert explained.parameters == ('x', 'out')


def small(x):
    if x > 9.0:
        raise ValueError
    return x


def caught(x):
    y = [x]
    try:
        y.append(x * x)
        y.append(small(x))
    except ValueError:
        y[0] = y[0] * 0.0
    return y[0] * y[-1]


def test_the_log_form_says_why():
    explained, = tangent.explain(caught, show=False)
    assert explained.form == 'log'
    assert 'try' in explained.why
    assert [line.active for line in explained.lines] == [False, True, False, True, True, False, True, True]
    assert 'x' in explained.lines[0].kept and 'x * x' in explained.lines[3].kept
    assert tangent.explain(straight, show=False)[0].form == 'plain'


def filled(x):
    y = np.zeros(3)
    with np.errstate(all='ignore'):
        y[0] = x[0] ** 2
    return np.sum(y)


def test_names_of_ours_are_shown_as_what_they_stand_for():
    kept = [text for line in lines(filled).values() for text in line.kept]
    assert not any(text.startswith('t') and text[1:].isdigit() or 'before(' in text or 'old' in text for text in kept)


def test_the_page(capsys):
    explanation = tangent.explain(loops)
    printed = capsys.readouterr().out
    assert printed == str(explanation) + '\n'
    shown = printed.splitlines()
    assert shown[0] == f'loops(x) with respect to x (test_explain.py:{inspect.getsourcelines(loops)[1]})'
    assert shown[1] == '      x : float'
    line = next(text for text in shown if 'y = y * math.sin(y)' in text)
    assert line.endswith('|AT |         y = y * math.sin(y)                       # keeps ' + ', '.join(lines(loops)[3].kept))
    assert 'A active' in shown[-1]
    assert repr(explanation) == '<explanation of loops>'


def test_methods_and_lambdas():
    class Model:
        def loss(self, x):
            return x * x
    assert lines(Model().loss)[1].active
    assert tangent.explain(lambda x: x * x, show=False)[0].lines[0].active


def test_what_has_no_derivative_is_refused_as_grad_refuses_it():
    with pytest.raises(tangent.TangentError):
        tangent.explain(len, show=False)
    with pytest.raises(tangent.errors.ArgumentError, match='position 3'):
        tangent.explain(straight, 3)


def add_into(total, x):
    total[:] += x


def accumulates(x, n):
    total = np.zeros(3)
    for _ in range(n):
        add_into(total, x)
    return np.sum(total * total)


def test_functions_that_write_into_their_arguments():
    """What a callee may write into is said, and a linear update keeps nothing of the array."""
    caller, callee = tangent.explain(accumulates, show=False)
    assert callee.writes == ('total',) and callee.wrt == ('total', 'x')
    assert not any('total' in name for line in callee.lines for name in line.kept)


def test_kinds_of_variables_for_arguments():
    def f(x, w):
        y = np.tanh(x @ w)
        n = len(y)
        return np.sum(y) / n
    part, = tangent.explain(f, wrt='w', show=False, args=(np.ones((7, 3)), np.ones((3, 2))))
    assert dict(part.kinds) == {'x': 'array (n0, 3)', 'w': 'array (3, 2)', 'y': 'array (n0, 2)', 'n': 'int'}
    assert 'y : array (n0, 2)' in str(part)
    expected, = tangent.explain(f, show=False)                           # what the text lets one expect
    assert dict(expected.kinds) == {'x': 'array (n0, n1)', 'w': 'array (n1,)', 'y': 'array (n0,)', 'n': 'int'}
    with pytest.raises(tangent.errors.ArgumentTypeError, match='too many'):
        tangent.explain(f, args=(1.0, 2.0, 3.0, 4.0), show=False)


def test_the_form_is_that_of_the_text_that_is_shown():
    def f(u, n):
        for _ in range(n):
            u = u + 0.1 * np.sin(u)
            u[0] = 1.0
        return np.sum(u * u)
    assert tangent.explain(f, show=False)[0].form == 'plain' and '_grads' not in tangent.source(tangent.grad(f))


def test_an_argument_is_no_position():
    with pytest.raises(tangent.TangentError, match='takes positions and names'):
        tangent.explain(straight, np.ones(3), show=False)


def written(x):
    y = np.zeros(3)
    try:
        y[1:] = x[:2] * 2
        np.add(y, x, out=y)
        y *= 2
        if y[0] < 0:
            raise ValueError
    except ValueError:
        return x[0]
    return np.sum(y)


def test_what_is_kept_is_said_in_words_of_the_user():
    """The log keeps records, cells and what has been done, too: of these it says nothing, or what they are for."""
    lines = tangent.explain(written, show=False)[0].lines
    kept = {text for line in lines for text in line.kept}
    assert {'y', 'how np.add was called', 'y[slice(1, None)] as it was'} <= kept
    assert not [text for text in kept if any(word in text for word in ('kept', 'record', 'begun', 'cell', 'done')) or text in ('1', '[]', '')]


def made_anew(x):
    for _ in range(3):
        A = x * 2
        for _ in range(4):
            A = np.linalg.inv(A + np.eye(2) * 9.0)
    return np.sum(A)


def test_what_is_unset_before_a_loop_is_kept_in_it():
    """Nothing stands under the name before the first trip: the text says `A = None`, which is no tape."""
    line, = [line for line in tangent.explain(made_anew, show=False)[0].lines if 'linalg' in line.text]
    assert line.kept == ('A',)
