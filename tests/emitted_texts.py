"""The emitted texts of a test run, written down, and two runs compared: for changes that are to change no text.

    pytest -n auto -p tests.emitted_texts --texts BEFORE         a folder with all texts that were built, once each
    pytest -n auto -p tests.emitted_texts --texts AFTER
    python -m tests.emitted_texts BEFORE AFTER                   what only one of them has; exit status 1 if there is any

Tests may move between files: what counts is the set of texts. A test that fails or is new shows up here, too.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import sys

from tangent.emit import build


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


def texts(folder):
    return {json.loads(line) for path in folder.glob('*.jsonl') for line in path.read_text().splitlines()}


def first_name(text):
    found = re.search(r'def (\w+)', text)
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
    parser.add_argument('after', type=pathlib.Path)
    given = parser.parse_args(arguments)
    before, after = texts(given.before), texts(given.after)
    lines = list(compared(before, after))
    print('\n'.join(lines + [f'{len(before)} texts before, {len(after)} after, {len(before & after)} the same']))
    return bool(lines)


if __name__ == '__main__':
    sys.exit(main())
