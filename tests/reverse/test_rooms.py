"""Golden files: a function, then what each room made of it, in the words of the log.

A file in `tests/reverse/rooms/` begins with a program: the function to differentiate (the last one), arguments `ARGS` and, where
they matter, `WRT` and `OPTIONS` for `tangent.grad`. Below stand rooms of the log of `verbose=2`. The test derives the
function anew and compares the file byte for byte; and it runs both programs, the derivative against finite differences.

    pytest tests/reverse/test_rooms.py --update-rooms         writes the files; read the difference before you commit it
"""
import contextlib
import copy
import functools
import io
import pathlib
import types

import pytest

import tangent
from tangent.runtime.fields import is_object
from tests.tools.checking import active, assert_close, differences
from tests.tools.judge import judge
from tests.tools.registry import Entry
from tests.tools.texts import define

FILES = sorted((pathlib.Path(__file__).parent / 'rooms').glob('*.py'))
MARK = '# --- '
ROOMS = 'normal', 'reverse', 'raw', 'optimized'


def program_of(text):
    """The part of a golden file that is written by hand."""
    return text.partition('\n' + MARK)[0].rstrip('\n') + '\n'


def example(path):
    """(function, arguments, positions of the parameters asked for, options) of a golden file."""
    found = define(program_of(path.read_text()), str(path))
    function = [f for f in vars(found).values() if isinstance(f, types.FunctionType)][-1]
    code = function.__code__
    wrt = tuple(code.co_varnames.index(w) for w in getattr(found, 'WRT', ()))
    wrt = wrt or tuple(i for i, a in enumerate(found.ARGS) if active(a))
    return function, found.ARGS, wrt, getattr(found, 'OPTIONS', {})


@functools.cache
def derived(path):
    """The derivative, and the text that the golden file ought to have."""
    function, _, wrt, options = example(path)
    log = io.StringIO()
    with contextlib.redirect_stdout(log):
        df = tangent.grad(function, wrt=wrt, verbose=2, **options)
    rooms = log.getvalue().removeprefix(MARK).split('\n' + MARK)
    kept = [MARK + room.strip('\n') + '\n' for room in rooms if room.split('\n')[0] in ROOMS]
    return df, program_of(path.read_text()) + '\n\n' + '\n\n'.join(kept)


@pytest.mark.parametrize('path', FILES, ids=lambda p: p.stem)
def test_text(path, request):
    _, text = derived(path)
    if request.config.getoption('--update-rooms'):
        path.write_text(text)
    assert path.read_text() == text


@pytest.mark.parametrize('path', FILES, ids=lambda p: p.stem)
def test_numbers(path):
    function, args, wrt, options = example(path)
    df, _ = derived(path)
    if any(is_object(a) for a in args):
        outcome = judge(Entry(path.stem, function, lambda: copy.deepcopy(args), wrt, 'room'))
        assert outcome.kind == 'right', outcome.why
        return
    result = df(*copy.deepcopy(args))
    gradients = list(result) if isinstance(result, tuple) and (len(wrt) > 1 or 'preserve_result' in options) else [result]
    if 'preserve_result' in options:
        assert_close(gradients.pop(), function(*args), 1e-12)
    for found, expected in zip(gradients, differences(function, args, wrt), strict=True):
        assert_close(found, expected)


def test_a_changed_text_is_found(tmp_path):
    """The comparison fails for a file that differs by one character."""
    good = FILES[0].read_text()
    bad = tmp_path / FILES[0].name
    bad.write_text(good.replace('return b', 'return  b', 1) if 'return b' in good else good + ' ')
    _, text = derived(bad)
    assert text != bad.read_text()


def test_last_room_is_what_is_run():
    """What the golden file shows last is the source of the derivative."""
    for path in FILES:
        df, text = derived(path)
        assert text.rpartition(MARK)[2].partition('\n')[2].strip() == df.source.strip()
