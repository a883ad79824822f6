"""What the tape took, line by line."""
import sys

import numpy as np
import pytest

import tangent
from tangent import errors
from tangent.checkpoint.memory_size import HEADER


def grow(x, w, n):
    t = 0.0
    for _ in range(n):
        x = x + 0.1 * np.sin(w * x)          # 6 lines into the file's function: see `row`
        t = t + np.sum(x * x)
    return t


def helper(x, w):
    y = np.sin(x * w)
    return y * y


def calling(x, w, n):
    for _ in range(n):
        x = helper(x, w)
    return np.sum(x)


def heat(u, n):
    for _ in range(n):
        u = u + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return np.sum(u)


def logged(x, n):
    y = np.zeros(n)
    for i in range(n):
        try:
            y[i] = np.sin(x) * y[i - 1]
        except ValueError:
            pass
    return y.sum()


def shared(x, n):
    y = x * 1.0
    for i in range(n):
        z = y[i:]
        y = y + z[0] * np.sin(z[0] * y)
    return np.sum(y)


def row(report, text):
    found = [line for line in report.lines if text in line.text]
    assert len(found) == 1
    return found[0]


def test_lines_of_a_loop():
    x = np.ones(1000)
    report = tangent.tape_report(tangent.grad(grow, wrt=(0, 1)), x, 2.0, 50)
    line = row(report, 'np.sin(w * x)')
    assert line.function == 'grow' and line.filename == __file__ and line.line == grow.__code__.co_firstlineno + 3
    array = 8000 + HEADER
    assert 50 * 2 * array <= line.bytes <= 50 * 3 * (array + 200)        # w * x, its sine, and perhaps x
    assert report.total >= sum(r.bytes for r in report.lines) - 1
    assert report.peak == pytest.approx(report.total, rel=0.02)
    assert 'np.sin(w * x)' in str(report) and 'in all' in str(report)


def test_it_grows_with_the_number_of_steps():
    df = tangent.grad(grow)
    few, many = (tangent.tape_report(df, np.ones(1000), 2.0, n) for n in (10, 100))
    assert many.total == pytest.approx(10 * few.total, rel=0.05)
    assert row(many, 'np.sin').times == 10 * row(few, 'np.sin').times


def test_callees_have_lines_of_their_own():
    report = tangent.tape_report(tangent.grad(calling), np.ones(1000), 2.0, 20)
    assert {line.function for line in report.lines} == {'calling', 'helper'}
    inside = row(report, 'y = np.sin(x * w)')
    assert inside.bytes >= 20 * 2 * 8000
    assert report.total < 20 * 4 * 8300                              # what goes through both tapes counts once


def test_a_linear_stencil_tapes_nothing():
    report = tangent.tape_report(tangent.grad(heat), np.ones(1000), 50)
    assert report.total == 0 and report.lines == [] and str(report) == 'no tape'


def test_the_log_form():
    report = tangent.tape_report(tangent.grad(logged), 0.5, 40)
    line = row(report, 'y[i] = np.sin(x)')
    assert line.times >= 40 and line.bytes > 0


def test_the_raw_form():
    raw, done = (tangent.tape_report(tangent.grad(grow, optimized=o), np.ones(1000), 2.0, 10) for o in (False, True))
    assert raw.total >= done.total > 0
    assert row(raw, 'np.sin(w * x)').times >= 20


def test_views_count_once():
    report = tangent.tape_report(tangent.grad(shared), np.ones(1000), 20)
    assert report.total < 20 * 3 * (8000 + 600)


def test_arguments_do_not_count():
    def f(x, n):
        t = 0.0
        for _ in range(n):
            t = np.sin(t + x[0])
        return t
    report = tangent.tape_report(tangent.grad(f), np.ones(100_000), 20)
    assert report.total < 20_000


def test_checkpointed_loops_tape_less_at_a_time():
    def f(x, n):
        for _ in tangent.checkpointed(range(n), budget=3, tape=1):
            x = np.sin(x) * 1.1
        return np.sum(x)
    x = np.ones(1000)
    report = tangent.tape_report(tangent.grad(f), x, 40)
    assert row(report, 'np.sin(x)').function == 'f'
    assert report.peak < 4 * 8200 < report.total


def test_derivatives_with_a_budget():
    report = tangent.tape_report(tangent.grad(grow, memory='60kB'), np.ones(1000), 2.0, 40)
    whole = tangent.tape_report(tangent.grad(grow), np.ones(1000), 2.0, 40)
    assert report.peak < whole.peak / 5


def test_other_interfaces():
    for df, args in ((tangent.value_and_grad(grow), ()), (tangent.vjp(grow), (1.0,)), (tangent.grad(grow, wrt='w'), ())):
        assert tangent.tape_report(df, np.ones(10), 2.0, 5, *args).total > 0


@pytest.mark.parametrize('what', [grow, 3, None, tangent.jvp(grow)])
def test_what_is_no_gradient_is_refused(what):
    with pytest.raises(errors.ArgumentTypeError, match='tangent.grad'):
        tangent.tape_report(what, 1.0)


# Of what Numba compiles

def compiled_cases():
    numba = pytest.importorskip('numba', reason='Numba is not installed')

    @numba.njit
    def newton(x, n):
        s = 0.0
        for i in range(n):
            r = x + i
            while abs(r * r - x) > 1e-9 * x:
                r = 0.5 * (r + x / r)
            s += r
        return s

    @numba.njit
    def waves(x, n):
        for _ in range(n):
            x = x + np.sin(x)
        return x.sum()

    @numba.njit
    def tree(x, n):
        return np.sin(x) if n == 0 else tree(0.5 * x, n - 1) * x + tree(0.7 * x, n - 1)

    @numba.njit(parallel=True)
    def sines(x):
        s = 0.0
        for i in numba.prange(x.shape[0]):
            if x[i] > 0.5:
                s += np.sin(x[i]) * x[i]
        return s
    return newton, waves, tree, sines


@pytest.mark.parametrize('which, args, total', [
    (0, (2.0, 10), 8 * (2 * 55 + 10)),                  # numerator and value of each round, and how many rounds
    (1, (np.ones(100), 5), 5 * 800),
    (3, (np.ones(10),), 10 * 8),
])
def test_machine_code_keeps_values_by_their_bits(which, args, total):
    function = compiled_cases()[which]
    rounds = 0
    if which == 0:
        for i in range(10):
            r = 2.0 + i
            while abs(r * r - 2.0) > 2e-9:
                r, rounds = 0.5 * (r + 2.0 / r), rounds + 1
        total = 8 * (2 * rounds + 10)
    gradient = tangent.grad(function)
    report = tangent.tape_report(gradient, *args)
    assert report.total == total and report.peak == (8 if which == 3 else total)        # each trip pops what it has pushed
    gradient(*args)
    assert tangent.tape_report(gradient, *args).total == total          # compiled or not yet


def test_what_recursive_machine_code_keeps():
    tree = compiled_cases()[2]
    report = tangent.tape_report(tangent.grad(tree), 0.7, 5)
    assert report.total >= 8 * 3 * 31 and all(line.function == 'tree' for line in report.lines)


# The picture

def grow_once(x, w, n):
    """In the text that is called at first the tape is emptied step by step; in that for known kinds it is let go as a whole."""
    for _ in range(n):
        x = x + 0.1 * np.sin(w * x)
    return np.sum(x * x)


def test_the_curve_rises_and_falls():
    report = tangent.tape_report(tangent.grad(grow_once, wrt='w'), np.ones(10), 2.0, 7)
    top = report.curve.index(max(report.curve))
    assert max(report.curve) == report.peak and report.curve[-1] == 0
    assert report.curve[:top + 1] == sorted(report.curve[:top + 1]) and report.curve[top:] == sorted(report.curve[top:])[::-1]


def test_the_curve_of_a_long_run_keeps_its_peak(monkeypatch):
    monkeypatch.setattr('tangent.interfaces.tools.tape_report.POINTS', 20)
    df = tangent.grad(grow, wrt='w')
    for call in range(3):                         # the text made for arguments that come again takes nothing from its tape
        long = tangent.tape_report(df, np.ones(10), 2.0, 300 + call)
        assert 20 <= len(long.curve) <= 41 and max(long.curve) == long.peak


def test_the_picture(tmp_path):
    pytest.importorskip('matplotlib')
    report = tangent.tape_report(tangent.grad(grow, wrt='w'), np.ones(10), 2.0, 7)
    figure = report.plot()
    run, lines = figure.axes
    assert [label.get_text() for label in lines.get_yticklabels()][-1].startswith(f'{max(report.lines, key=lambda r: r.bytes).line}: ')
    figure.savefig(tmp_path / 'tape.svg')
    assert (tmp_path / 'tape.svg').stat().st_size > 1000
    shown = report._repr_html_()
    assert shown.startswith('<svg') and 'times | x = x + 0.1 * np.sin(w * x)' in shown
    assert tangent.tape_report(tangent.grad(lambda x: x * x), 2.0)._repr_html_() == '<pre>no tape</pre>'


def test_without_matplotlib_there_is_the_table(monkeypatch):
    monkeypatch.setitem(sys.modules, 'matplotlib.figure', None)
    report = tangent.tape_report(tangent.grad(grow, wrt='w'), np.ones(10), 2.0, 7)
    assert report._repr_html_().startswith('<pre>grow')
    with pytest.raises(errors.ArgumentError, match='pip install matplotlib'):
        report.plot()


def carried(x):
    for _ in range(4):
        x = np.sin(x) * x
    return np.sum(x)


def test_what_a_loop_hands_on_is_of_the_line_that_keeps_it():
    """Its first value comes from before the loop, the others do not: `explain` says so, too."""
    line, = tangent.tape_report(tangent.grad(carried), np.ones(10)).lines
    assert line.text.strip() == 'x = np.sin(x) * x' and line.names[-1] == 'x' and line.times == 8
    kept = [line for line in tangent.explain(carried, show=False)[0].lines if line.kept]
    assert [k.number for k in kept] == [line.line]


class Scale:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return np.tanh(self.by * x)


def scaled(scale, x):
    return np.sum(scale(x) ** 2)


def written(x):
    y = np.zeros(3)
    try:
        y[1:] = x[:2] * 2
        np.add(y, x, out=y)
        y *= 2
    except ValueError:
        return x[0]
    return np.sum(y)


@pytest.mark.parametrize(('function', 'args'), [(scaled, (Scale(2.0), np.ones(3))), (written, (np.ones(3),))])
def test_lines_and_values_are_those_of_the_user(function, args):
    """Also of texts that are made while it runs, and of what the log is for."""
    lines = [line for line in tangent.tape_report(tangent.grad(function), *args).lines if line.function in ('scaled', 'written', 'call')]
    assert lines and all(line.filename == __file__ for line in lines), lines
    assert not [name for line in lines for name in line.names if any(word in name for word in ('kept', 'record', 'before', 'done'))]


def test_it_is_shown_as_its_table():
    report = tangent.tape_report(tangent.grad(carried), np.ones(10))
    assert repr(report) == str(report)
