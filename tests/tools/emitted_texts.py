"""The emitted texts of a test run, written down, and two runs compared: for changes that are to change no text.

    pytest -n auto -p tests.tools.emitted_texts --texts BEFORE         a folder with all texts that were built, once each
    pytest -n auto -p tests.tools.emitted_texts --texts AFTER
    python -m tests.tools.emitted_texts BEFORE AFTER                   what only one of them has; exit status 1 if there is any

Tests may move between files: what counts is the set of texts. A test that fails or is new shows up here, too. Quicker is

    python -m tests.tools.emitted_texts --corpus BEFORE

which derives each function of the modules under tests/ that hold programs, in a few modes, and keeps the texts of that.
"""
import argparse
import contextlib
import difflib
import importlib
import io
import json
import os
import pathlib
import re
import sys
import types
import warnings

import tangent
from tangent.emit import build
from tests import ROOT


def pytest_addoption(parser):
    parser.addoption('--texts', type=pathlib.Path, help='write the emitted texts into files of this folder')


def pytest_configure(config):
    folder = config.getoption('--texts')
    if folder is not None and (hasattr(config, 'workerinput') or not config.getoption('numprocesses', None)):
        folder.mkdir(parents=True, exist_ok=True)
        record((folder / f'{os.getpid()}.jsonl').open('w'))


def record(file):
    """From now on, write each text that is built into a file, when it is seen first."""
    seen, remember = set(), build._remember

    def remembered(filename, text):
        if text not in seen:
            seen.add(text)
            file.write(json.dumps(text) + '\n')
            file.flush()
        return remember(filename, text)
    build._remember = remembered


MODES = {'reverse': lambda f, wrt: tangent.grad(f, wrt=wrt), 'raw': lambda f, wrt: tangent.grad(f, wrt=wrt, optimized=False),
         'split': lambda f, wrt: tangent.autodiff(f, wrt=wrt, motion='split'), 'forward': lambda f, wrt: tangent.jvp(f, wrt=wrt)}


def programs(root):
    """Each function of a module under `root` that is no test, by modules and names."""
    for path in sorted(root.rglob('*.py')):
        name = '.'.join(path.relative_to(root.parent).with_suffix('').parts)
        if not re.match(r'(test_|conftest|__|fake_|strict_|sampling|emitted_)', path.stem):
            if re.search('(rooms|rooms_forward|typed|regressions|python_corpus.__|autograd_shim|random_programs|random_numba)', name):
                continue
            with contextlib.suppress(ImportError, RuntimeError):
                module = importlib.import_module(name)
                for attribute, thing in sorted(vars(module).items()):
                    plain = getattr(thing, 'py_func', thing)
                    if isinstance(plain, types.FunctionType) and plain.__module__ == name:
                        yield f'{name.rpartition(".")[2]}.{attribute}', thing


def corpus(root, file):
    """Derive all programs; errors are texts, too."""
    warnings.simplefilter('ignore')
    for name, function in programs(root):
        plain = getattr(function, 'py_func', function)
        wrt = tuple(range(plain.__code__.co_argcount))
        for mode, derive in MODES.items():
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    text = tangent.source(derive(function, wrt))
            except Exception as error:
                text = f'{type(error).__name__}: {error}'
            file.write(json.dumps(f'# def {name} {mode}\n{text}') + '\n')


def texts(folder):
    """The texts of a folder; the files that errors name stand without their folders."""
    return {re.sub(r'/\S*/(?=\w+\.py)', '', json.loads(line)) for path in folder.glob('*.jsonl') for line in path.read_text().splitlines()}


def first_name(text):
    found = re.search(r'def ([\w.]+ ?\w*)', text)
    return found.group(1) if found else ''


def compared(before, after):
    """Lines that say what one set of texts has and the other has not, each beside its nearest relative of that name."""
    lost, new = sorted(before - after), sorted(after - before)
    for text in lost:
        near = [t for t in new if first_name(t) == first_name(text)]
        best = max(near, key=lambda t: difflib.SequenceMatcher(None, t, text).quick_ratio(), default='')
        new = [t for t in new if t is not best]
        yield from difflib.unified_diff(text.splitlines(), best.splitlines(), 'before', 'after', lineterm='')
    for text in new:
        yield from difflib.unified_diff([], text.splitlines(), 'before', 'after', lineterm='')


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('before', type=pathlib.Path)
    parser.add_argument('after', type=pathlib.Path, nargs='?')
    parser.add_argument('--corpus', action='store_true', help='write the texts of the programs under tests/ into BEFORE')
    given = parser.parse_args(arguments)
    if given.corpus:
        given.before.mkdir(parents=True, exist_ok=True)
        with (given.before / 'corpus.jsonl').open('w') as file:
            return corpus(ROOT / 'tests', file)
    before, after = texts(given.before), texts(given.after)
    lines = list(compared(before, after))
    print('\n'.join(lines + [f'{len(before)} texts before, {len(after)} after, {len(before & after)} the same']))
    return bool(lines)


if __name__ == '__main__':
    sys.exit(main())
