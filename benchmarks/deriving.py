"""The time that `tangent.grad` itself takes: for functions of 100 to 2,000 lines, and for one that it has seen."""
import importlib.util
import pathlib
import statistics
import sys
import tempfile

import tangent
from benchmarks.tools.timing import Row, seconds

LINES = (100, 500, 1000, 2000)

STRAIGHT = '''\
    y = np.tanh(y * w) + x
    z = z + y / (1.0 + y * y)
    y = np.sin(z) - 0.5 * y
    z = z * np.exp(-y * w)
'''

MIXED = '''\
    y = np.tanh(y * w) + x
    z = z + y / (1.0 + y * y)
    for i in range(3):
        z = z * w + np.sin(y) * i
    if w > 0.5:
        y = y * z - x
    else:
        y = y + z
    t = np.exp(-y * w)
    z = z * t + 0.5 * t
'''


def text(block, lines):
    """The source of a module with one function of so many lines."""
    body = (block * (lines // block.count('\n') + 1)).splitlines(keepends=True)
    last = next(k for k in range(lines - 4, 0, -1) if body[k].startswith('    ') and not body[k].startswith('     ')
                and not body[k].lstrip().startswith(('else', 'for', 'if')) or k == 1)
    return ('import numpy as np\n\n\ndef f(x, w):\n    y = x\n    z = w * x\n' + ''.join(body[:last])
            + '    return np.sum(z * y)\n')


def load(folder, block, lines, copy=0, written=None):
    """The function of a fresh module of so many lines, or of a text, so that nothing about it is known yet."""
    name = f'lines_{id(block)}_{lines}_{copy}'
    path = pathlib.Path(folder) / f'{name}.py'
    path.write_text(written or text(block, lines))
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def run(peers, repeats=3, lines=LINES):
    """The report, line by line."""
    with tempfile.TemporaryDirectory() as folder:
        tangent.grad(load(folder, MIXED, 20))          # what happens once in a process
        for kind, block in (('straight', STRAIGHT), ('loops and branches', MIXED)):
            taken = {}
            for n in lines:
                fresh = [load(folder, block, n, k) for k in range(repeats)]
                taken[n] = statistics.median(seconds(lambda f=f: tangent.grad(f), 1) for f in fresh)
                yield Row(f'derive {n} lines ({kind})', taken[n], 0.15 if n == 100 else None, unit=' s')
            few, many = min(lines), max(lines)
            yield Row(f'time a line, {many} lines / {few} lines ({kind})', taken[many] / many / (taken[few] / few))
        known = load(folder, MIXED, 100, 'known')
        tangent.grad(known)
        again = statistics.median(seconds(lambda: tangent.grad(known), 1000) for _ in range(repeats))
        yield Row('grad of a function that was derived before', again * 1e6, 20, unit=' us')
