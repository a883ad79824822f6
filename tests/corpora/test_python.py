"""Every program of the corpus has its gradient; one that is refused says so with an error of ours.

Those of `tests/corpora/changed` are judged in `tests/normal/test_element_updates.py`, where they are derived for more.
"""
import collections

import numpy as np
import pytest

from tests.random.random_programs import Outcome
from tests.tools import judge as judging
from tests.tools.judge import judge
from tests.tools.registry import Entry, changes, entries, get, leaves, put, shown

ENTRIES = [e for e in entries() if not changes(e)]
MAY_BE_REFUSED = {f'{module}.{name}' for module, names in {
    'functions': 'number_builtins calls_generated',
    'containers': 'repeated chain_map',
    'objects': 'items_of_object regularised iterator_object metaclass',
    'inplace': 'put flat_set complex_array multiply_at partitioned',
    'aliases': 'real_view',
    'kernels_solvers': 'fft_loss',
}.items() for name in names.split()}       # by an error of ours that shows the way out


@pytest.mark.parametrize('k', range(len(ENTRIES)), ids=[e.name for e in ENTRIES])
def test_program(k, in_turn):
    entry = ENTRIES[k]
    outcome = judge(entry, in_turn(['raw', None, None, None], k))
    if outcome.kind == 'refused' and entry.name in MAY_BE_REFUSED:
        pytest.xfail(outcome.why)
    assert outcome == Outcome('right')


def test_refused_programs_are_in_the_corpus():
    assert {e.name for e in ENTRIES} >= MAY_BE_REFUSED


def test_names_are_unique():
    assert [name for name, times in collections.Counter(e.name for e in entries()).items() if times > 1] == []


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


def test_leaves():
    inner = Pair(1.5, [2, 'text', np.array([0.5])])
    value = {'p': (inner, 3.5), 'q': inner}
    found = [shown(path) for path, _ in leaves(value)]
    assert found == ["['p'][0].a", "['p'][0].b[2]", "['p'][1]", "['q'].a", "['q'].b[2]"]
    for path, leaf in leaves(value):
        assert get(value, path) is leaf
    assert put(value, (('item', 'p'), ('item', 1)), 7.0)['p'] == (inner, 7.0)
    assert put(value, (('item', 'q'), ('attr', 'a')), 8.0)['p'][0].a == 8.0       # the same object, by two ways


def f(x, v):
    v = v * 1.0
    return x * x * v[0]


@pytest.mark.parametrize('df, kind', [
    (lambda x, v: (6.0, np.array([9.0, 0.0]), 18.0), 'wrong'),                # a gradient
    (lambda x, v: (12.0, np.array([9.0]), 18.0), 'wrong'),                    # a shape
    (lambda x, v: (12.0, np.array([9.0, 0.0]), 9.0), 'wrong'),                # the value
    (lambda x, v: (12.0, np.array([9.0, 0.0]), v.fill(0) or 18.0), 'wrong'),  # the caller's array is changed
    (lambda x, v: 1 / 0, 'crashed'),
    (lambda x, v: (12.0, np.array([9.0, 0.0]), 18.0), 'right'),
])
def test_failures_are_seen(df, kind, monkeypatch):
    monkeypatch.setattr(judging, 'ways', lambda entry, more: [('by hand', df)])
    entry = Entry('f', f, lambda: (3.0, np.array([2.0, 1.0])), (0, 1), 'none')
    assert judge(entry).kind == kind
