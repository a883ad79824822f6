"""Every form of call that people write, one by one: right, or refused with an error of our own.

`numpy_calls.txt` holds one expression a line in s (a number), v (3), m (2, 3), q (3, 3) and t (2, 3, 4). Each becomes a
function of a module that is written to a file. Those that fail to run at all are not calls; there may be none but the
ones that a release of NumPy lacks.
"""
import copy
import importlib.util
import pathlib
import re
import warnings

import numpy as np
import pytest

import tangent
from tests.tools.checking import NotSmooth, assert_close, differences, numbers, random_like, seed_name

HERE = pathlib.Path(__file__).parent
EXPRESSIONS = (HERE / 'numpy_calls.txt').read_text().splitlines()
HEAD = 'import functools\nimport math\nimport operator\n\nimport numpy as np\n'
VALUES = {'s': 0.7, 'v': np.array([0.3, 1.2, -0.8]), 'm': np.array([[0.35, 1.25, -0.7], [0.5, -0.45, 0.9]]),
          'q': np.array([[2.0, 0.3, 0.1], [0.2, 1.5, -0.4], [0.35, 0.15, 1.8]]),
          't': np.sin(np.arange(24.0)).reshape(2, 3, 4)}


def names(expression):
    """The variables that an expression reads."""
    without_texts = re.sub(r"'[^']*'", '', expression)
    return [n for n in VALUES if re.search(rf'(?<![\w.]){n}(?!\w|=[^=])', without_texts)]


@pytest.fixture(scope='module')
def functions(tmp_path_factory):
    """Function number k returns expression number k."""
    lines = [HEAD + ('import scipy.linalg\nimport scipy.special\n' if importlib.util.find_spec('scipy') else '')]
    for k, expression in enumerate(EXPRESSIONS):
        lines.append(f'\n\ndef f{k}({", ".join(names(expression))}):\n    return {expression}\n')
    path = tmp_path_factory.mktemp('calls') / 'calls.py'
    path.write_text(''.join(lines))
    spec = importlib.util.spec_from_file_location('calls', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f'f{k}') for k in range(len(EXPRESSIONS))]


@pytest.mark.parametrize('k', range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_call(k, functions):
    f, args = functions[k], tuple(VALUES[n] for n in names(EXPRESSIONS[k]))
    wrt = tuple(range(len(args)))
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        try:
            value = f(*copy.deepcopy(args))
        except (AttributeError, NameError) as error:
            pytest.skip(f'not in this release: {error}')
        seed = random_like(value)
        try:
            right = differences(f, args, wrt, seed, strict=True)
        except NotSmooth as reason:
            pytest.skip(f'no derivative: {reason}')
        for optimized in (True, False):
            try:
                df = tangent.vjp(f, wrt=wrt, optimized=optimized)
                gradients = df(*copy.deepcopy(args), **{seed_name(df): seed})
            except tangent.errors.TangentError as error:
                if not np.any(numbers(right)):       # a value without a derivative: comparisons, booleans
                    return
                pytest.xfail(f'refused: {error}')
            for actual, expected in zip([gradients] if len(wrt) == 1 else gradients, right, strict=True):
                assert_close(actual, expected)


def single(value):
    """The value with its numbers in single precision."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(single, value))
    if isinstance(value, dict):
        return {k: single(v) for k, v in value.items()}
    return np.asarray(value).astype(np.float32)[()] if np.asarray(value).dtype.kind == 'f' else value


@pytest.mark.parametrize('k', range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_single_precision_is_kept(k, functions):
    """Gradients have the dtype of their argument, and the numbers that double precision gives."""
    f, args = functions[k], tuple(single(VALUES[n]) for n in names(EXPRESSIONS[k]))
    wrt = tuple(range(len(args)))
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        try:
            value = f(*copy.deepcopy(args))
            seed = single(random_like(value))
            df = tangent.vjp(f, wrt=wrt)
            gradients = df(*copy.deepcopy(args), **{seed_name(df): seed})
            wide = df(*(VALUES[n] for n in names(EXPRESSIONS[k])), **{seed_name(df): random_like(value)})
        except (AttributeError, NameError, tangent.errors.TangentError, TypeError, ValueError) as error:
            pytest.skip(f'another test says so: {error}')
    for argument, actual, right in zip(args, *([g] if len(wrt) == 1 else g for g in (gradients, wide)), strict=True):
        assert (type(actual), actual.dtype) == (type(argument), np.float32)
        assert_close(actual, right, 1e-3)
