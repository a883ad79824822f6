"""The benchmarks run, at sizes that take no time; how long anything takes is not asserted."""
import ast
import inspect
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tangent
from benchmarks import calling, checkpointing, deriving, matrices, mlp, scalars, stencils, treelstm
from benchmarks.tools import pages, peers, tables, timing


def test_every_benchmark_reports():
    rows = [*mlp.run({}, repeats=1, sizes=(4,)), *scalars.run({}, repeats=1, steps=3),
            *deriving.run({}, repeats=1, lines=(8, 16)), *treelstm.run({}, repeats=1, nodes=5, hidden=3)]
    rows += checkpointing.run({}, repeats=1, steps=1000, size=50)
    rows += stencils.run({}, repeats=1, size=12, steps=3)
    assert len([*matrices.run({}, repeats=1, sizes=(4,), inputs=5, banded=12)]) == 11
    assert all(row.value > 0 for row in rows)
    assert 'grad of a closure made anew' in {row.what for row in calling.run({}, repeats=1)}
    assert {row.what.split(':')[0] for row in rows} >= {
        'mlp, size 4', '20 scalar operations', 'scalar loop, 3 steps', 'derive 8 lines (straight)',
        'derive 16 lines (loops and branches)', 'TreeLSTM, 5 nodes, hidden 3, float64', 'grad of a function that was derived before'}


def test_command_refuses_what_it_does_not_know():
    done = subprocess.run([sys.executable, '-m', 'benchmarks', 'weather'], capture_output=True, text=True)
    assert done.returncode == 2
    assert "'weather' is none of mlp, scalars, deriving, treelstm, calling, checkpointing" in done.stderr


def test_hand_written_gradient_is_ours():
    args = mlp.arguments(5)
    for ours, by_hand in zip(mlp.gradients({})['tangent'](*args), mlp.by_hand(*args)):
        np.testing.assert_allclose(ours, by_hand, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize('name', peers.NAMES)
def test_peers_compute_the_same(name):
    pytest.importorskip(name)
    found = peers.present([name])
    args = mlp.arguments(5)
    gradients = mlp.gradients(found)
    for ours, theirs in zip(gradients['tangent'](*args), gradients[name](*args)):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)
    for calls in scalars.programs(found, 7):
        values = [call() for call in calls.values()]
        np.testing.assert_allclose(values, values[0], rtol=1e-12)


def test_tree_lstm_is_pytorchs():
    torch = pytest.importorskip('torch')
    calls = treelstm.programs({'torch': torch}, nodes=7, hidden=4)
    for ours, theirs in zip(calls['tangent'](), calls['torch'](), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize('peer, names', [('jax', ['rebound', 'lattice', 'rnn']), ('torch', [])])
def test_models_are_those_of_others(peer, names):
    pytest.importorskip('numba')
    pytest.importorskip(peer)
    from benchmarks.models import peers as others
    from benchmarks.models import programs
    from benchmarks.models.__main__ import arguments
    models = {name: model for name, model in arguments(0.1).items() if name in names or not names}
    gradients = {'jax': others.jax_gradients, 'torch': others.torch_gradients}[peer](models)
    assert gradients.keys() == models.keys()
    for name, (args, wrt) in models.items():
        ours = tangent.grad(getattr(programs, name), wrt[0] if len(wrt) == 1 else wrt)(*args)
        tables.check(name, ours, gradients[name]())


def test_overheads_are_reported(tmp_path, monkeypatch):
    pytest.importorskip('numba')
    from benchmarks import overheads
    monkeypatch.setattr(overheads, 'LOOPS', {'sines': overheads.LOOPS['sines']})
    monkeypatch.setattr(overheads, 'COMPILED', {'loop': overheads.COMPILED['loop']})
    grown = overheads.lengths(1, (8, 16))
    loops = overheads.trips(1, (10, 20))
    assert all(len(taken) == 2 for taken in grown.values()) and loops['sines'][20][2] == 160
    assert len([*overheads.compiling(1)]) == 1
    pytest.importorskip('matplotlib')
    overheads.plot(tmp_path / 'overheads.svg', (grown, loops))
    pages.ratios(tmp_path / 'models.svg', {'a': {'x': 1.0, 'y': 2.0}}, 'x', ('y', 'z'))
    (tmp_path / 'benchmarks.md').write_text('# Page\n')
    for line in 'first', 'second':
        pages.write(tmp_path, 'models', 'command', [line], 'today')
    text = (tmp_path / 'benchmarks.md').read_text()
    assert 'second' in text and 'first' not in text and text.count('<!-- models') == 1


def test_missing_peer_is_skipped_with_a_line(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, 'autograd', None)
    assert peers.present(['autograd']) == {}
    assert 'autograd is not installed: skipped' in capsys.readouterr().out


def test_twenty_operations():
    body = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(scalars.twenty))))
    assert sum(isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Call)) for node in body) == 20


@pytest.mark.parametrize('block', [deriving.STRAIGHT, deriving.MIXED])
@pytest.mark.parametrize('lines', [8, 100, 500])
def test_functions_have_as_many_lines_as_they_say(block, lines):
    text = deriving.text(block, lines)
    compile(text, 'text', 'exec')
    assert abs(text[text.index('def f'):].count('\n') - lines) <= 9


@pytest.mark.parametrize('row, end', [(timing.Row('a', 2.0, 3.0), 'at most 3: reached'),
                                      (timing.Row('a', 2.0, 1.0), 'at most 1: NOT reached'),
                                      (timing.Row('a', 2.0, 1.0, True), 'at least 1: reached'),
                                      (timing.Row('a', 2.0, unit=' us'), '2 us')])
def test_rows(row, end):
    assert str(row).endswith(end)


def test_threads():
    pytest.importorskip('numba')
    from benchmarks import threads
    rows = list(threads.run(None, repeats=1, sizes={'forces': 20}))
    assert len(rows) == 4 and all(row.value > 0 for row in rows)
