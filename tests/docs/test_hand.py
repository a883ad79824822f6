"""The adjoints written by hand, beside which compiled gradients are measured, are right; and the benchmark runs."""
import os
import subprocess
import sys

import pytest

pytest.importorskip('numba')
pytest.importorskip('scipy')

DIFFERENCES = '''
import numpy as np
from benchmarks.hand.sizes import WORK

def copies(values):
    return [v.copy() if isinstance(v, np.ndarray) else v for v in values]

for work in WORK:
    args = work.arguments(work.small)
    loss, values, random = work.loss(args), list(args.values()), np.random.RandomState(0)
    given = copies(values)
    found = work.by_hand(*given)
    assert all(np.array_equal(a, b) for a, b in zip(given, values)), work.name
    assert len(found) == len(work.wrt(args)), work.name
    for k, gradient in zip(work.wrt(args), found):
        way = random.randn(*values[k].shape)
        way = way + way.T if work.name == 'cholesky2' else way
        ends = [copies(values), copies(values)]
        ends[0][k] += 1e-6 * way
        ends[1][k] -= 1e-6 * way
        slope = (loss(*ends[0]) - loss(*ends[1])) / 2e-6
        np.testing.assert_allclose(np.sum(gradient * way), slope, rtol=1e-6, atol=1e-7, err_msg=work.name)
print(len(WORK))
'''


MEASURED = '''
import numpy as np
from benchmarks.hand import __main__ as hand
from benchmarks.hand.sizes import TABLE

work = TABLE['go_fast']._replace(sizes={'S': (400,)})
line, = hand.lines(work, ['S'], 1, None)
assert set(line.times) == {'kernel', 'gradient', 'hand'} and len(line.cells()) == len(hand.HEAD)
assert 'peak memory' in '\\n'.join(hand.summary([line]))
held = hand.peak(lambda: np.ones(4 * 2 ** 20))
assert held is None or 31 < held < 40, held
'''


def run(script, **variables):
    """What a script prints, in a process of its own: what this one holds would be in its measures."""
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True,
                          env={**os.environ, **variables, 'PYTHONPATH': os.pathsep.join(p or '.' for p in sys.path)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_adjoints_by_hand_are_differences():
    """Run by Python, since compiling them takes longer than they do."""
    assert int(run(DIFFERENCES, NUMBA_DISABLE_JIT='1')) >= 20


def test_a_line_and_peak_memory_are_measured():
    run(MEASURED)
