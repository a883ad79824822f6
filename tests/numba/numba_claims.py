"""Which of the functions of the coverage table Numba compiles together with their gradients: found out by compiling them.

    python -m tests.numba.numba_claims                 all of them, in half an hour or more: writes coverage_numba.py
    python -m tests.numba.numba_claims numpy.tanh      only those, and prints what became of them

A function is tried on the samples that `test_claims` has of it, the shortest first. Of the first sample that Numba compiles by
itself the gradient has to compile and to be what it is without Numba; else the next one is tried, up to TRIES of them.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import warnings

import numpy as np

import tangent
from tangent.interfaces.tools import coverage_numba
from tests.rules import test_claims
from tests.tools.sampling import HEAD, SCIPY, at_most, copied, define
from tests.tools.sampling_forms import differentiable

TRIES = 4                         # samples of one function, of those that Numba compiles
LOOKED_AT = 12                    # samples of one function
LONGEST = 60                      # seconds for one sample
PAGE = pathlib.Path(coverage_numba.__file__)
TEXT = '''"""Functions of the coverage table that Numba compiles with their gradients, as `python -m tests.numba.numba_claims` finds them.

COMPILED are those of which a sample and its gradient compile, and the gradient is what it is without Numba; of those in PRIMAL
Numba compiles the function, and not the gradient. Found with Numba {version}.
"""
from __future__ import annotations

COMPILED = frozenset({compiled})

PRIMAL = frozenset({primal})
'''


def scalar(text, value):
    """The text of a number made of what a sample gives, or None."""
    if isinstance(value, tuple) and value and isinstance(value[0], (np.ndarray, float, np.floating)):
        return scalar(f'({text})[0]', value[0])
    if isinstance(value, np.ndarray) and value.dtype == float:
        return f'numpy.sum({text})'
    return text if isinstance(value, (float, np.floating)) else None


def functions(key, path):
    """(a function of the numbers in a sample, its arguments, the places of those that have a derivative), or None."""
    text, values = key[0], test_claims.ALL[key][0].values
    call, = define([(text, values)], path.with_suffix('.call.py'), key[2])
    args = [values[n] for n in call.names]
    wrt = tuple(k for k, a in enumerate(args) if differentiable(a) and not np.iscomplexobj(a))
    body = scalar(text, call.function(*copied(args)))
    if body is None or not wrt:
        return None
    path.write_text(f'{HEAD}{SCIPY if key[2] else ""}\n\ndef f({", ".join(call.names)}):\n    return {body}\n')
    space = {'__name__': path.stem, '__file__': str(path)}
    exec(compile(path.read_text(), str(path), 'exec'), space)
    return space['f'], args, wrt


def tried(name, folder):
    """'compiled', 'primal' (the function and not its gradient) or '' (not even that), and why."""
    import numba
    found, why = '', 'Numba has not the function'
    count = 0
    for m, key in enumerate(test_claims.candidates().get(name, ())[:2 if name.startswith('scipy.') else LOOKED_AT]):
        path = folder / f'{re.sub(r"[^A-Za-z0-9]", "_", name)}_{m}.py'
        try:
            with at_most(LONGEST):
                made = functions(key, path)
                if made is None:
                    continue
                f, args, wrt = made
                compiled = numba.njit(f)
                compiled(*copied(args))
        except Exception:  # noqa: BLE001 (Numba does not compile it, for whatever reason)
            continue
        count += 1
        try:
            with at_most(LONGEST):
                gradients = tangent.grad(compiled, wrt=wrt)(*copied(args))
                plain = tangent.grad(f, wrt=wrt)(*copied(args))
            for g, h in zip(gradients, plain, strict=True) if len(wrt) > 1 else [(gradients, plain)]:
                np.testing.assert_allclose(g, h, 1e-9, 1e-12)
            return 'compiled', key[0]
        except Exception as error:  # noqa: BLE001 (the gradient does not, or is another one)
            kind = 'WRONG' if isinstance(error, AssertionError) else type(error).__name__
            lines = [t for t in str(error).strip().splitlines() if t.strip()]
            found, why = 'primal', f'{key[0]}: {kind}: {(lines or [""])[0][:200]} ... {(lines or [""])[-1][:120]}'
        if count == TRIES:
            break
    return found, why


def names():
    return [e.name for e in test_claims.claimed() if e.name in test_claims.candidates()]


def among(wanted, folder):
    """Print what became of each of the functions."""
    warnings.simplefilter('ignore')
    with np.errstate(all='ignore'):
        for name in wanted:
            found, why = tried(name, folder)
            print(f'{found or "none"}\t{name}\t{why}', flush=True)


def words(found):
    """A list of names, as long as a line is."""
    unbroken = ', '.join(repr(name).replace(' ', '\0') for name in sorted(found))
    indent = ' ' * 4
    return f'[\n{textwrap.fill(unbroken, 120, initial_indent=indent, subsequent_indent=indent)}]'.replace('\0', ' ')


def write(found):
    import numba
    sets = [{n for n, kind in found.items() if kind == wanted} for wanted in ('compiled', 'primal')]
    PAGE.write_text(TEXT.format(version=numba.__version__, compiled=words(sets[0]), primal=words(sets[1])), encoding='utf-8')


def main():
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1:]:
            among(sys.argv[1:], pathlib.Path(folder))
            return
        found, every = {}, names()
        while every:                      # a part at a time: compiled code is not given back
            part, every = every[:20], every[20:]
            done = subprocess.run([sys.executable, '-m', 'tests.numba.numba_claims', *part], stdout=subprocess.PIPE, text=True)
            print(done.stdout, end='', flush=True)
            found.update(reversed(line.split('\t')[:2]) for line in done.stdout.splitlines())
        write(found)


if __name__ == '__main__':
    main()
