"""Every row of docs/coming_from.md: what the other library gives and what ours gives are the same numbers."""
import contextlib
import importlib
import re

import numpy as np
import pytest

from tests import ROOT

PAGE = (ROOT / 'docs' / 'coming_from.md').read_text(encoding='utf-8')
SETUP = re.search(r'^```python\n(.*?)^```$', PAGE, re.M | re.S)[1]


def rows():
    section = None
    for line in PAGE.splitlines():
        if line.startswith('## '):
            section = line[3:]
        cells = re.fullmatch(r'\| (`.*`) \| (.*`.*) \|', line)
        if cells and section:
            theirs, ours = (re.findall(r'`([^`]+)`', cell) for cell in cells.groups())
            yield pytest.param(section, theirs[0], ours, id=f'{section}: {theirs[0]}')


@pytest.fixture(scope='module')
def ours(tmp_path_factory):
    """The definitions of the page, from a file, whose source can be read."""
    path = tmp_path_factory.mktemp('page') / 'coming_from.py'
    path.write_text(SETUP)
    space = {'__name__': 'coming_from'}
    exec(compile(SETUP, str(path), 'exec'), space)
    return space


def evaluated(text, space, folder):
    """The value of an expression that stands in a file, so that its lambdas can be read."""
    path = folder / f'row{abs(hash(text))}.py'
    path.write_text(text)
    return eval(compile(text, str(path), 'eval'), space)


@contextlib.contextmanager
def library(section, space):
    """The names of the page as the other library takes them."""
    if section == 'autograd':
        autograd = pytest.importorskip('autograd')
        importlib.import_module('autograd.extend')
        importlib.import_module('autograd.test_util')
        yield {**space, 'autograd': autograd}
    elif section == 'JAX':
        jax = pytest.importorskip('jax')
        importlib.import_module('jax.test_util')
        importlib.import_module('jax.flatten_util')
        before = jax.config.jax_enable_x64
        jax.config.update('jax_enable_x64', True)
        yield {**space, 'jax': jax}
        jax.config.update('jax_enable_x64', before)
    else:
        torch = pytest.importorskip('torch')
        yield {**space, 'torch': torch, **{n: torch.tensor(space[n]) for n in ('x', 'w', 'v', 'xs')}}


def numbers(value):
    if isinstance(value, (tuple, list)):
        return [n for v in value for n in numbers(v)]
    if isinstance(value, dict):
        return [n for v in value.values() for n in numbers(v)]
    return [] if value is None or callable(value) and not hasattr(value, 'shape') else [np.asarray(value)]


@pytest.mark.parametrize('section, theirs, expressions', list(rows()))
def test_row(section, theirs, expressions, ours, tmp_path):
    found = [evaluated(text, ours, tmp_path) for text in expressions]
    if section == 'google/tangent':
        expected = evaluated(theirs, ours, tmp_path)
        alike = found if 'preserve' not in theirs and 'wrt' not in theirs else found[:1]
    else:
        with library(section, ours) as space:
            try:
                expected = evaluated(theirs, space, tmp_path)
            except ImportError as error:             # autograd's multigrad_dict needs a package that few have
                pytest.skip(f'{theirs}: {error}')
        alike = found
    for value in alike:
        if callable(expected):
            assert callable(value)
            continue
        assert len(numbers(value)) == len(numbers(expected))
        for a, b in zip(numbers(value), numbers(expected)):
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, rtol=1e-9)


def test_rows_are_found():
    assert len(list(rows())) > 50
