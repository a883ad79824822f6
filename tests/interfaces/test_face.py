"""The face of the package: a table of names, and nothing loaded before it is asked for."""
import ast
import enum
import inspect
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

import tangent
from tangent.emit import library, public
from tests.tools.texts import define

ROOT = pathlib.Path(tangent.__file__).parent.parent
STUB = ROOT / 'tangent/__init__.pyi'
MODULES = 'errors func grads implicit non_differentiable persistent tangents utils'.split()


@pytest.fixture
def fresh(tmp_path):
    """A function that runs a program, a file, in a process of its own and gives what it prints."""
    def run(program):
        (tmp_path / 'program.py').write_text(textwrap.dedent(program), encoding='utf-8')
        done = subprocess.run([sys.executable, tmp_path / 'program.py'], capture_output=True, text=True,
                              env={**os.environ, 'PYTHONPATH': str(ROOT)})
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


def typed():
    """The statements of `signatures.pyi`."""
    return ast.parse((ROOT / 'tangent/signatures.pyi').read_text(encoding='utf-8')).body


def signatures():
    """Name -> definitions, of what `signatures.pyi` says how it is called."""
    found = {}
    for node in typed():
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.setdefault(node.name, []).append(node)
    return {name: nodes for name, nodes in found.items() if name in tangent.__all__}


def stub():
    """The text of `__init__.pyi`: where type checkers find each name."""
    known = {*signatures(), *(target.id for node in typed() if isinstance(node, ast.Assign) for target in node.targets)}
    lines = [f'from tangent{"." * bool(home)}{home} import {name} as {name}'
             for table, names in tangent._HOMES.items() for name in names.split() if name not in tangent._GOOGLES
             for home in ['signatures' if name in known else table]]
    aliases = [f'{name} = {ours}' for name, ours in tangent._GOOGLES.items()]
    return '\n'.join(['# written from the table in __init__.py by pytest --update-docs', *sorted(lines), '', *aliases,
                      '__version__: str', ''])


def test_the_names_are_all_there_is_to_see():
    dunders = [name for name in vars(tangent) if name.startswith('__')]
    assert dir(tangent) == sorted([*tangent.__all__, *dunders])
    assert [name for name in tangent.__all__ if getattr(tangent, name, None) is None] == []
    with pytest.raises(AttributeError, match="module 'tangent' has no attribute 'gradd'"):
        getattr(tangent, 'gradd')  # noqa: B009


def test_type_checkers_see_the_same_names(request):
    if request.config.getoption('--update-docs'):
        STUB.write_text(stub(), encoding='utf-8')
    assert STUB.read_text(encoding='utf-8') == stub()


@pytest.mark.parametrize('name', signatures())
def test_type_checkers_see_the_same_parameters(name):
    """All overloads have all the parameters, in order, except those of classes."""
    thing = getattr(tangent, name)
    for node in signatures()[name]:
        if isinstance(node, ast.ClassDef) and isinstance(thing, enum.EnumMeta):
            assert [s.targets[0].id for s in node.body] == [member.name for member in thing]
            continue
        if isinstance(node, ast.ClassDef):
            node = next(s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == '__init__')
            node.args.args.pop(0)
        found = [p for p in inspect.signature(thing).parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        assert [a.arg for a in node.args.args + node.args.kwonlyargs] == [p.name for p in found]
        assert len(node.args.kwonlyargs) == sum(p.kind is p.KEYWORD_ONLY for p in found)
        given = len(node.args.defaults) + sum(value is not None for value in node.args.kw_defaults)
        assert given == sum(p.default is not p.empty for p in found)


def test_importing_loads_nothing(fresh):
    found = fresh('''
        import sys
        before = set(sys.modules)
        import tangent
        print(sorted(name for name in set(sys.modules) - before if not name.startswith(('importlib', 'tangent.'))))
        print([name for name in ('numpy', 'gast', 'astor', 'scipy', 'numba') if name in sys.modules])
        print(len([name for name in sys.modules if name.startswith('tangent.')]))
        ''')
    assert found.splitlines()[1:] == ['[]', '3'] and "'tangent'" in found


def test_a_derivative_loads_no_optional_package(fresh):
    found = fresh('''
        import sys
        import tangent
        tangent.grad(lambda x: x * x)
        print([name for name in ('scipy', 'numba', 'cupy', 'mpmath', 'sympy', 'pygments') if name in sys.modules])
        ''')
    assert found == '[]\n'


@pytest.mark.parametrize('name', MODULES)
def test_modules_can_be_imported_first(name, fresh):
    """Alone, before anything else, and the names of the package are as they are."""
    assert fresh(f'''
        import tangent.{name} as found
        from tangent import {name}
        import tangent
        assert found is {name} is tangent.{name}
        print(tangent.tangent is tangent.differentiable, tangent.grad(lambda x: x * x)(3.0))
        ''') == 'True 6.0\n'


@pytest.mark.parametrize('first', ['import tangent.checkpoint.run', 'from tangent.checkpoint import run',
                                   'from tangent import checkpoint', 'from tangent import *'])
def test_the_function_checkpoint_wins_over_the_room(first, fresh):
    assert fresh(f'''
        {first}
        import importlib
        import tangent
        for room in ('tangent.checkpoint', 'tangent.checkpoint.schedules', 'tangent.checkpoint.report'):
            importlib.import_module(room)
            print(tangent.checkpoint.__module__, end=' ')
        importlib.reload(tangent)
        from tangent import checkpoint
        print(checkpoint is tangent.checkpoint, callable(checkpoint))
        ''') == 'tangent.interfaces.custom ' * 3 + 'True True\n'


@pytest.mark.parametrize('face', ['tangent.grads.adjoint', 'tangent.tangents.tangent_'])
def test_rules_of_users_stand_whatever_is_loaded_later(face, fresh):
    """A rule for a function that the tables know, registered before anything else was loaded."""
    assert fresh(f'''
        import numpy
        import tangent.grads, tangent.tangents

        @{face}(numpy.tanh)
        def rule(y, x):
            d[{'x' if 'adjoint' in face else 'y'}] = 10 * d[{'y' if 'adjoint' in face else 'x'}]

        import tangent.func
        derivative = tangent.autodiff(lambda x: numpy.tanh(x), mode={'reverse' if 'adjoint' in face else 'forward'!r})
        print(derivative(0.5, 1.0))
        ''') == '10.0\n'


def test_functions_without_a_derivative_may_be_declared_first(fresh):
    assert fresh('''
        import numpy
        from tangent.non_differentiable import register_non_differentiable_functions
        register_non_differentiable_functions(numpy.tanh)
        import tangent
        print(tangent.grad(lambda x: numpy.tanh(x) + x)(0.5))
        ''') == '1.0\n'


@pytest.mark.parametrize('order', ['numba tangent', 'tangent numba', 'tangent.utils numba', 'numba tangent.func', 'numpy tangent'])
def test_numba_knows_the_run_time_whichever_came_first(order, fresh):
    first, second = order.split()
    assert fresh(f'''
        import {first}
        import {second}
        import tangent
        import numpy
        import numba

        def f(x):
            return numpy.sum(x * x)
        print(numba.njit(tangent.grad(f))(numpy.ones(2)))
        ''') == '[2. 2.]\n'


def test_numba_alone_loads_no_room(fresh):
    assert fresh('''
        import sys
        import tangent
        import numba
        print('tangent.runtime' in sys.modules)
        ''') == 'False\n'


def test_every_function_of_the_run_time_is_in_utils():
    assert tangent.utils.unbroadcast is library.find('unbroadcast') and tangent.utils.solved is library.find('solved')
    assert tangent.utils.uneigh_in_complex is library.find('uneigh', in_complex=True) is not tangent.utils.uneigh
    assert tangent.utils.init_grad_nan_safe is library.find('init_grad', nan_safe=True) is not tangent.utils.init_grad
    for name in ('numpy', 'len', 'no_such_function', '_private'):
        assert not hasattr(tangent.utils, name)
    assert public.name_of(tangent.utils.uneigh_in_complex) == 'uneigh_in_complex' and public.name_of(len) is None


def test_exported_derivatives_name_no_room():
    cell = define('import numpy\ndef f(x, y):\n    return numpy.sum(numpy.linalg.solve(x, y) * y)\n')
    text = tangent.export_source(tangent.grad(cell.f, wrt=(0, 1)))
    ours = [line for line in text.splitlines() if line.startswith('from tangent')]
    assert ours and all(line.startswith('from tangent.utils import ') for line in ours)
