"""`debug_nans` names the line that makes the first nan or infinity, wherever it stands, and disturbs nothing else."""
import inspect
import linecache
import re
import sys
import warnings

import numpy as np
import pytest

import tangent
from tangent import errors
from tests.interfaces.debugging import nan_programs
from tests.interfaces.debugging.nan_programs import ONES, PROGRAMS

FORWARD = [p for p in PROGRAMS[:8] if p[0] is not nan_programs.both_branches]          # which is right in forward mode


def line_of(error):
    """The line that an error names, and the pass."""
    file, number = re.match(r'([\w.]+):(\d+): ', str(error)).groups()
    assert file == 'nan_programs.py'
    way = re.search(r'in the (\w+) pass', str(error)).group(1)
    return linecache.getline(inspect.getfile(nan_programs), int(number)).strip(), way


@pytest.mark.parametrize(('function', 'args', 'wrt', 'way'), PROGRAMS, ids=[p[0].__name__ for p in PROGRAMS])
def test_the_line_is_named(function, args, wrt, way):
    df = tangent.grad(function, wrt)
    for _ in range(2):                     # the text for all, then the one for kinds that are known
        with pytest.raises(errors.NotFiniteError) as caught, tangent.debug_nans():
            df(*args)
        text, found = line_of(caught.value)
        assert (text if 'lambda' not in text else text + '# ' + way).endswith('# ' + way) and found == way, str(caught.value)


@pytest.mark.parametrize(('function', 'args', 'wrt', 'way'), FORWARD, ids=[p[0].__name__ for p in FORWARD])
def test_the_line_is_named_in_forward_mode(function, args, wrt, way):
    df = tangent.jvp(function, wrt)
    with pytest.raises(errors.NotFiniteError) as caught, tangent.debug_nans():
        df(*args, *args[:1 if wrt == 0 else 2])
    text, found = line_of(caught.value)
    assert re.search('# (forward|backward)$', text) and found == 'forward', str(caught.value)


@pytest.mark.parametrize('second', [
    lambda f: tangent.hessian(f)(np.zeros(3)), lambda f: tangent.hvp(f)(np.zeros(3), np.ones(3)),
    lambda f: tangent.jacobian(tangent.grad(f))(np.zeros(3)),
    lambda f: tangent.grad(lambda x: np.sum(tangent.grad(f)(x)))(np.zeros(3))], ids=['hessian', 'hvp', 'jacobian', 'grad'])
@pytest.mark.parametrize('function', nan_programs.SECOND)
def test_the_line_is_named_in_second_derivatives(function, second):
    """A line of the first derivative stands for several lines of the user's: what was folded into it has its own."""
    for _ in range(2):
        with pytest.raises(errors.NotFiniteError) as caught, tangent.debug_nans():
            second(function)
        assert line_of(caught.value)[0].endswith('# second'), str(caught.value)


def test_the_message_shows_values_shapes_and_the_trip():
    df = tangent.grad(nan_programs.element)
    with pytest.raises(FloatingPointError) as caught, tangent.debug_nans():
        df(ONES)
    message = str(caught.value)
    for shown in ('the first infinity (division by zero), in the forward pass', 'y[i] = x[i] / (i - 2.0)', 'in delementdx, line ',
                  'made x[i] / (i - 2.0) = inf', 'of x: float64 (4,), from 1 to 1', 'of i = 2'):
        assert shown in message, message


def test_derivatives_that_only_numba_runs_are_run_as_they_are():
    ds = tangent.autodiff(nan_programs.compiled_root, motion='split')
    with tangent.debug_nans():
        assert np.array_equal(ds(ONES + 1), ds(ONES + 1)) and np.all(ds(ONES + 1) == 0.5)


def test_overflow_is_called_so():
    with pytest.raises(errors.NotFiniteError, match=r'infinity \(overflow\)'), tangent.debug_nans():
        tangent.grad(nan_programs.updated)(ONES)


def test_ranges_leave_out_what_is_not_finite():
    def f(x):
        return np.sum(np.log(x))
    with pytest.raises(errors.NotFiniteError, match=r'1 of 3 inf, the first at \[1\], the others from 0 to 1.09861'), \
            tangent.debug_nans():
        tangent.value_and_grad(f)(np.array([1.0, 0.0, 3.0]))


def test_infinities_may_be_left_out():
    def f(x):
        y = 1 / (x - 1.0)
        return np.sum(y - y)
    df = tangent.grad(f)
    with pytest.raises(errors.NotFiniteError, match='1 / '), tangent.debug_nans(nan=False):
        df(ONES)
    with pytest.raises(errors.NotFiniteError, match=r'return np.sum\(y - y\)'), tangent.debug_nans(inf=False):
        tangent.value_and_grad(f)(ONES)


def test_what_is_finite_passes():
    def f(x, best=np.inf):
        buffer = np.empty(3)
        holes = np.full(3, np.nan)
        for k in range(3):
            buffer[k] = x[k] * 2
            best = min(best, buffer[k])
        holes[:] = buffer
        return best + np.sum(holes)
    df = tangent.grad(f)
    expected = df(ONES[:3])
    with tangent.debug_nans():
        assert np.array_equal(df(ONES[:3]), expected)


def test_numbers_that_were_there_before_are_told_apart():
    with pytest.raises(errors.NotFiniteError, match=r'x holds a nan when dfndx is called\n +x: float64 \(2,\), 1 of 2 nan'), \
            tangent.debug_nans():
        tangent.grad(lambda x: np.sum(x * x))(np.array([1.0, np.nan]))

    def f(x):
        return x * SCALE
    with pytest.raises(errors.NotFiniteError, match='meets the first nan'), tangent.debug_nans():
        tangent.value_and_grad(f)(2.0)


SCALE = float('nan')


def test_as_a_decorator_around_a_derivative_and_around_a_function():
    df = tangent.debug_nans(tangent.grad(nan_programs.root_of_zero))

    @tangent.debug_nans
    def step(x):
        return tangent.grad(nan_programs.root_of_zero)(x)

    @tangent.debug_nans(inf=False)
    def later(x):
        return tangent.grad(nan_programs.method)(x)
    for watched, x in ((df, ONES), (step, ONES), (later, 1.5)):
        for _ in range(2):
            with pytest.raises(errors.NotFiniteError):
                watched(x)
    assert np.all(np.isfinite(df(ONES * 2)))


def test_a_function_that_catches_it_does_not_hide_it():
    def f(x):
        try:
            return tangent.grad(nan_programs.method)(x)
        except FloatingPointError:
            return 0.0
    with pytest.raises(errors.NotFiniteError), tangent.debug_nans():
        f(1.5)


def test_everything_is_as_before_afterwards():
    before, state = sys.gettrace(), np.geterr()
    df = tangent.grad(nan_programs.root_of_zero)
    with pytest.raises(errors.NotFiniteError), tangent.debug_nans():
        df(ONES)
    assert sys.gettrace() is before and np.geterr() == state
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        assert np.all(np.isnan(df(ONES)))


def test_what_makes_no_sense_is_refused():
    with pytest.raises(errors.ArgumentError, match='looks for nothing'):
        tangent.debug_nans(nan=False, inf=False)
    with pytest.raises(errors.ArgumentTypeError, match='it was given a bool'):
        tangent.debug_nans(True)
