"""Golden files of forward mode, in `tests/forward/rooms/`: see `tests/reverse/test_rooms.py`. `ORDER = 'gradient'` differentiates the gradient.

    pytest tests/forward/test_rooms.py --update-rooms         writes the files; read the difference before you commit it
"""
import contextlib
import copy
import functools
import io
import pathlib
import types

import numpy as np
import pytest

import tangent
from tests.forward.test_forward import along
from tests.reverse.test_rooms import MARK, program_of
from tests.tools.checking import Case, numbers, random_like
from tests.tools.texts import define

FILES = sorted((pathlib.Path(__file__).parent / 'rooms').glob('*.py'))
ROOMS = 'split', 'forward', 'raw', 'optimized'


def example(path):
    """(function, its Case, options) of a golden file."""
    found = define(program_of(path.read_text()), str(path))
    function = [f for f in vars(found).values() if isinstance(f, types.FunctionType)][-1]
    if getattr(found, 'ORDER', '') == 'gradient':
        function = tangent.grad(function)
    names = getattr(found, 'WRT', function.__code__.co_varnames[:1])
    wrt = tuple(function.__code__.co_varnames.index(n) for n in names)
    return function, Case(function, found.ARGS, wrt), getattr(found, 'OPTIONS', {})


@functools.cache
def derived(path):
    function, case, options = example(path)
    log = io.StringIO()
    with contextlib.redirect_stdout(log):
        df = tangent.jvp(function, wrt=case.wrt, verbose=2, **options)
    rooms = log.getvalue().removeprefix(MARK).split('\n' + MARK)
    kept = [MARK + room.strip('\n') + '\n' for room in rooms if room.split('\n')[0] in ROOMS]
    return df, case, program_of(path.read_text()) + '\n\n' + '\n\n'.join(kept)


@pytest.mark.parametrize('path', FILES, ids=lambda p: p.stem)
def test_text(path, request):
    _, _, text = derived(path)
    if request.config.getoption('--update-rooms'):
        path.write_text(text)
    assert path.read_text() == text


@pytest.mark.parametrize('path', FILES, ids=lambda p: p.stem)
def test_numbers(path):
    df, case, _ = derived(path)
    tangents = [random_like(case.args[p], seed=p) for p in case.wrt]
    names = df.__code__.co_varnames[df.__code__.co_argcount - len(case.wrt):df.__code__.co_argcount]
    found = df(*copy.deepcopy(case.args), **dict(zip(names, tangents)))
    np.testing.assert_allclose(numbers(found), along(case, tangents), rtol=1e-5, atol=1e-6)
