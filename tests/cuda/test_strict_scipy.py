"""SciPy's functions that CuPy has (`cupyx.scipy.special`, `cupyx.scipy.fft`) on the array that forbids conversion.

The samples of SciPy's rules whose functions are there, called by CuPy's names, in both modes: the same numbers as with SciPy,
none of them moved. Where the derivative needs what CuPy does not have, that is an error, and the table does not promise it.
"""
import importlib
import re
import zlib

import numpy as np
import pytest

from tangent.errors import TangentError
from tangent.interfaces.tools.cupy_names import SCIPY
from tests.cuda.test_strict import quiet, same
from tests.rules import test_samples
from tests.tools import fake_cupy
from tests.tools.sampling import Counts, copied, define, like, parts
from tests.tools.strict_array import Counter, on_device, to_device

pytest.importorskip('scipy', reason='SciPy is not installed')

CHUNKS = 6
HEAD = 'from cupyx.scipy import fft, special\n'
NAME = re.compile(r'(?<![\w.])(?:scipy\.)?(special|fft|linalg|signal|stats|ndimage|integrate|interpolate|sparse|optimize)\.(\w+)')


def there(text):
    """Whether all that the text calls of SciPy is there, and it calls something."""
    found = [f'{module}.{name}' for module, name in NAME.findall(text)]
    return bool(found) and all(name in SCIPY for name in found) and 'scipy.' not in text


SAMPLES = {key: samples[0] for key, samples in test_samples.ALL.items() if key[2] and there(key[0])}


def promised(text):
    """Whether the table says that CuPy serves the functions in the text."""
    table = {e.name: e for e in importlib.import_module('tangent.interfaces.tools.coverage').entries()}
    names = [f'scipy.{module}.{name}' for module, name in NAME.findall(text)]
    return all(n in table and table[n].cupy for n in names)


def value_there(call, args):
    """The value on the device, None where the function itself asks for the host."""
    try:
        return call.function(*to_device(copied(args)))
    except Exception:  # noqa: BLE001
        return None


@pytest.mark.parametrize('k', range(CHUNKS))
def test_samples_of_scipy(k, tmp_path, record_property):
    keys = [key for key in SAMPLES if zlib.crc32(key[0].encode()) % CHUNKS == k]
    calls = define([(key[0], SAMPLES[key].values) for key in keys], tmp_path / f'host_{k}.py', True)
    counts, problems = Counts(), []
    with quiet(), fake_cupy.installed():
        moved = define([(key[0], SAMPLES[key].values) for key in keys], tmp_path / f'device_{k}.py', HEAD)
        for key, call, other in zip(keys, calls, moved, strict=True):
            problems += checked(key[0], call, other, {n: SAMPLES[key].values[n] for n in call.names}, counts)
    record_property('samples', sum(counts.values()))
    record_property('calls', len(keys))
    assert not problems, '\n'.join(problems)
    assert counts['reverse'] > 10 and counts['forward'] > 10


def checked(text, call, other, values, counts):
    args, wrt = list(values.values()), call.wrt(values)
    if not any(isinstance(args[k], np.ndarray) and args[k].dtype.kind in 'fc' for k in wrt):
        return
    value, there = call.function(*copied(args)), value_there(other, args)
    if there is None or any(p.dtype.kind not in 'fc' for p in parts(value)) or not same(value, there):
        return
    seed, directions = like(value, 1), [like(args[k], 2 + k) for k in wrt]
    for mode in ('reverse', 'forward'):
        def ask(form, move, mode=mode):
            return form.pull(move(copied(args)), wrt, move(seed)) if mode == 'reverse' else \
                form.push(move(copied(args)), wrt, move(directions))
        try:
            want = ask(call, lambda v: v)
        except TangentError:
            continue
        Counter.moves = 0
        try:
            found = ask(other, to_device)
        except (TypeError, AttributeError, TangentError) as error:
            if promised(text):
                yield f'{mode} | {text} | {type(error).__name__} {" ".join(str(error).split())[:200]}'
            counts.add('refused')
            continue
        if not same(want, found) or not on_device(found) or Counter.moves:
            yield f'{mode} | {text} | {found}, right is {want}; {Counter.moves} moved'
        counts.add(mode)
