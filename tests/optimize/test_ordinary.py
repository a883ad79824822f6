"""Programs as people write them: right in every text, which says in NumPy's words what a person would."""
import ast
import copy
import inspect

import numpy as np
import pytest

import tangent
from tests.optimize import ordinary_programs as programs
from tests.tools.checking import differences
from tests.tools.judge import expected, leaf_problem
from tests.tools.registry import Entry

# calls of functions of the run time in the text for known arguments; 0 for all others
HELPERS = {'attention': 1, 'bezier': 15, 'mlp': 1, 'forward': 2, 'softmax_ce': 1, 'rotation': 2,
           'convolve1d': 1, 'gmm_em_ll': 5, 'batchnorm': 1, 'sdf': 2, 'stress': 2, 'maxpool': 2, 'dict_net': 2, 'gram': 6, 'cumret': 5,
           'viterbi': 1, 'spectral': 11, 'triplet': 3, 'beam': 1, 'moving_average': 5, 'cosine_sim': 2, 'logsumexp': 1,
           'sir': 2, 'tree_value': 6, 'sorted_loss': 1, 'gumbel': 1}


def entry(f, wrt, args):
    names = list(inspect.signature(f).parameters)
    return Entry(f.__name__, f, lambda: copy.deepcopy(args), tuple(names.index(n) for n in ([wrt] if isinstance(wrt, str) else wrt)),
                 'ordinary', 1e-5)


@pytest.mark.parametrize('f, wrt, args', programs.CASES, ids=[f.__name__ for f, *_ in programs.CASES])
def test_right(f, wrt, args):
    case = entry(f, wrt, args)
    wanted, gradient = expected(case), tangent.grad(f, wrt=wrt)
    for _ in range(4):                                  # the text for all, then that for these arguments
        found = gradient(*case.make())
        found = dict(zip(case.wrt, (found,) if isinstance(wrt, str) else found))
        problems = {place: problem for place, value in wanted.items()
                    if (problem := leaf_problem(found[place[0]], place[1], value, case.tolerance))}
        assert not problems


@pytest.mark.parametrize('f, wrt, args', programs.CASES, ids=[f.__name__ for f, *_ in programs.CASES])
def test_few_helpers(f, wrt, args):
    text = tangent.source(tangent.grad(f, wrt=wrt), *args)
    calls = [n.func.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    assert len([name for name in calls if hasattr(tangent.utils, name)]) <= HELPERS.get(f.__name__, 0), text


def test_parameters_in_a_list():
    f, wrt, args = next(case for case in programs.CASES if case[0] is programs.mlp)
    text = tangent.source(tangent.grad(f, wrt=wrt), *args)
    for line in ('bt = [None] * len(t)', 'return [*bt, (h.T @ bo, np.sum(bo, axis=0))]'):
        assert line in text


def sums_of_products(ws, x):
    h, total = x, 0.0
    for w in ws:
        t = h @ w
        t[:, 0] *= 2
        total += np.sum(t)
        h = np.tanh(h @ w)
    return total


@pytest.mark.parametrize('widths', [(3, 4, 3, 2), (6, 8, 5), (3, 1, 3), (3, 9, 3, 9)])
def test_layers_of_several_widths(widths):
    """The array of the last trip was asked for the shape of those before: no length that is one of several is known."""
    ws = [np.cos(np.arange(a * b)).reshape(a, b) for a, b in zip(widths[:-1], widths[1:])]
    x, gradient = np.linspace(-1.0, 1.0, 5 * widths[0]).reshape(5, -1), tangent.grad(sums_of_products)
    wanted = differences(sums_of_products, (ws, x), (0,))[0]
    for _ in range(4):
        for have, want in zip(gradient(ws, x), wanted):
            np.testing.assert_allclose(have, want, atol=1e-6)


def test_an_array_may_go_and_come_back():
    """`u = u.copy()` at the beginning: what is written into is the function's own, no copy is made of what was given."""
    f, wrt, args = next(case for case in programs.CASES if case[0] is programs.heat)
    text = tangent.source(tangent.grad(f, wrt=wrt), *args)
    assert 'check_apart' not in text and 'array_copy' not in text and text.count('u = u.copy()') == 1
