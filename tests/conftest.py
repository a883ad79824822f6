"""Switches of the test run."""
import collections
import gc
import os
import sys

import pytest

# Millions of objects live as long as the run: to look through all of them again and again took a fifth of its time
gc.set_threshold(20_000, 20, 100)


def pytest_addoption(parser):
    parser.addoption('--update-docs', action='store_true', help='write what the library prints today into README and docs')
    parser.addoption('--all-samples', action='store_true', help='run all cases, not a part of those that there are many of')
    parser.addoption('--update-rooms', action='store_true', help='write what each room makes of the golden files')


def asks_for_all(config):
    """Whether all cases are to run: with `--all-samples`, and where they are asked for by name."""
    return config.getoption('--all-samples') or config.option.keyword or any('::' in arg for arg in config.args)


@pytest.fixture
def in_turn(request):
    """(a list, number of a case) -> one of the list, as a list, another for the next case; all of it where all are to run."""
    return lambda all_of_them, k: all_of_them if asks_for_all(request.config) else all_of_them[k % max(1, len(all_of_them)):][:1]


@pytest.fixture
def few_objects():
    """Garbage is looked for among what the test makes alone: to look through what the tests before left takes seconds."""
    gc.freeze()
    yield
    gc.unfreeze()


def pytest_collection_modifyitems(config, items):
    """Of the cases of a test that is marked with `share(n)` every n-th is kept, the first among them."""
    if asks_for_all(config):
        return
    seen, kept, left = collections.Counter(), [], []
    for item in items:
        share = item.get_closest_marker('share')
        test = item.nodeid.partition('[')[0]
        (kept if share is None or seen[test] % share.args[0] == 0 else left).append(item)
        seen[test] += 1
    for item in kept:
        item.stash[NUMBER] = seen[item.path]
        seen[item.path] += 1
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


EVERY, NUMBER = 8, pytest.StashKey()           # one test in so many compiles as users do; the number of a test in its file


def pytest_runtest_setup(item):
    """LLVM's first level does for the numbers of compiled code, in two thirds of the time; its last does for speed.

    The last is for the tests that are marked `machine_code`, for every eighth of the others, and for all where all are to run;
    processes that a test starts have that of the test.
    """
    numba, last = sys.modules.get('numba'), item.get_closest_marker('machine_code') or item.stash.get(NUMBER, 0) % EVERY == 0
    if numba:
        assert numba.core.registry.cpu_target.target_context              # which is made for the last level
    os.environ['NUMBA_OPT'] = '3' if last else '1'
    if numba:
        numba.core.config.reload_config()                                 # before a test changes other options of Numba


def pytest_terminal_summary(terminalreporter):
    """How many samples of the rules were checked; the workers hand the numbers over with their reports."""
    found = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, 'when', None) == 'call':
                for name, value in report.user_properties:
                    if name in ('samples', 'calls'):
                        found[name] = found.get(name, 0) + value
    if found:
        terminalreporter.write_line(f"{found['samples']} samples of {found['calls']} calls checked")
