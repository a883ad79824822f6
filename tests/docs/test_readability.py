"""Adjoints by hand are right, and tangent's gradients are theirs; what is counted in a text."""
import ast
import copy

import numpy as np
import pytest

import tangent
from benchmarks.readability import __main__ as command
from benchmarks.readability import report, text

PROGRAMS = report.programs()


def moved(value, by):
    """The value with each of its numbers and arrays handed to `by`; containers and objects are made anew."""
    if isinstance(value, float) or isinstance(value, np.ndarray) and value.dtype.kind == 'f':
        return by(value)
    if isinstance(value, dict):
        return {key: moved(part, by) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [moved(part, by) for part in value]
        return type(value)(*parts) if hasattr(value, '_fields') else type(value)(parts)
    if hasattr(value, '__dict__'):
        made = copy.copy(value)
        vars(made).update(moved(vars(value), by))
        return made
    return value


def flat(value):
    """The numbers of a value, in order."""
    found = []
    moved(value, lambda part: found.extend(np.ravel(part)))
    return np.array(found)


def slope(program, args, direction, eps=1e-6):
    """The derivative of a program along a direction of what its gradient is by, by central differences."""
    def at(step):
        rest, given = iter(step * direction), copy.deepcopy(list(args))
        for k in program.wrt:
            given[k] = moved(given[k], lambda part: part + np.reshape([next(rest) for _ in range(np.size(part))], np.shape(part)))
        return program.function(*given)
    return (at(eps) - at(-eps)) / (2 * eps)


@pytest.mark.parametrize('name', PROGRAMS)
def test_adjoints_by_hand(name):
    program, rng = PROGRAMS[name], np.random.default_rng(0)
    args = program.arguments(rng)
    by_hand = flat(program.adjoint(*copy.deepcopy(args), 0.7))
    direction = rng.normal(size=by_hand.shape)
    np.testing.assert_allclose(by_hand @ direction, 0.7 * slope(program, args, direction), rtol=1e-5, atol=1e-7)
    ours = flat(tangent.grad(program.function, wrt=program.wrt)(*copy.deepcopy(args), 0.7))
    np.testing.assert_allclose(ours, by_hand, rtol=1e-9, atol=1e-12)


def test_there_are_fifty():
    assert len(PROGRAMS) == 50


@pytest.mark.parametrize('name', ['income_tax', 'pendulum', 'arc_length', 'black_scholes'])
def test_no_line_is_too_long(name):
    """The first line of the docstring was, where a gradient is by many parameters."""
    program = PROGRAMS[name]
    args = program.arguments(np.random.default_rng(0))
    found = tangent.source(tangent.grad(program.function, wrt=program.wrt), *args)
    assert max(map(len, found.splitlines())) <= 100


def test_counts():
    tree = ast.parse('def dfdx(x, bf=1.0):\n    """Words."""\n    y, t = init_grad(x), log(x)\n    _stack.append(y)\n'
                     '    _grads = Gradients()\n    bx = _grads.take(part(x))\n    return bx * t\n'
                     'def part(x):\n    pass\n')
    assert text.counts(tree, ast.parse('log(x, y)'), set()) == (5, 28, 3, 2, True)


def test_classes_of_arguments_belong_to_the_program():
    program = PROGRAMS['network_loss']
    args = program.arguments(np.random.default_rng(0))
    assert [thing.__name__ for thing in text.of_program(program, args)] == ['network_loss', 'Network', 'Dense']
    assert text.by_hand(program, args).statements == 11        # the classes are not among them


def test_report(tmp_path, capsys):
    lines = list(report.run({}, repeats=1, names=['model_loss', 'relaxation']))
    assert lines[2].startswith('| model_loss | ') and '| without |' in lines[2] and len(lines) == 14
    assert all(row.value > 0 for row in lines[5:])
    (tmp_path / 'benchmarks.md').write_text('# Page\n')
    command.main(['root', '--repeats', '1', '--write', str(tmp_path)])
    assert '| root | 9 | ' in (tmp_path / 'benchmarks.md').read_text()
    with pytest.raises(SystemExit):
        command.main(['weather'])
    assert "'weather' is none of gaussian_logpdf, " in capsys.readouterr().err
