"""The shape of the house, read from its text: the order of its rooms, which way imports point, what they hide, and sizes."""
import ast
import functools

import pytest

from tests import ROOT

PACKAGE = ROOT / 'tangent'

# lowest first: a room may import itself and what stands before it
ORDER = '''errors runtime persistent frontend templates emit analysis normal optimize reverse forward eventlog numba driver checkpoint
    cuda interfaces func grads implicit non_differentiable tangents utils __init__ __main__'''.split()

EXTRAS = {  # optional packages, and the only rooms that may import them
    'numba': {'numba'},
    'llvmlite': {'numba'},
    'cupy': set(),
    'mpi4py': {'runtime'},
    'dask': {'runtime', 'templates'},
    'distributed': {'runtime', 'templates'},
    'scipy': {'runtime', 'templates'},
    'pygments': {'interfaces'},
    'astor': {'emit'},
}
FULL, LONG, MANY = 16, 60, 8          # files in a folder, lines of a function, parameters

# What is larger still: names leave these lists, none comes in
MANY_PARAMETERS = [f'tangent.runtime.functions.numpy.{name}' for name in '''numeric.push_interp statistics.push_cov
    statistics.push_quantile statistics.unquantile statistics.unquantile_turned'''.split()]
# Signatures that are not ours to choose: what users call, and NumPy's and SciPy's with gradients and results in front
PUBLIC = 'grad value_and_grad grad_and_aux elementwise_grad vjp jvp autodiff jacobian'.split()
MIRRORS = 'affine_transform rotate splrep impl several'.split()


def modules(root=PACKAGE):
    """Dotted name -> path of every module of the package."""
    found = {}
    for path in sorted(root.rglob('*.py')):
        parts = path.relative_to(root.parent).with_suffix('').parts
        found['.'.join(parts[:-1] if parts[-1] == '__init__' else parts)] = path
    return found


@functools.cache
def nodes(path):
    return list(ast.walk(ast.parse(path.read_text(encoding='utf-8'))))


def imports(name, path, known):
    """What a file imports, wherever in it: modules of the package in full, others by the first part of their name."""
    package = name if path.name == '__init__.py' else name.rpartition('.')[0]
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split('.')[:len(package.split('.')) + 1 - node.level] if node.level else []
            base = '.'.join(parts + ([node.module] if node.module else []))
            found |= {full if (full := f'{base}.{a.name}') in known else base for a in node.names}
    return {n if n in known else n.split('.')[0] for n in found} - {name}


@functools.cache
def graph(root=PACKAGE):
    known = modules(root)
    return {name: imports(name, path, known) for name, path in known.items()}


def room(name):
    """The room of a module: tangent.optimize.tape.tape -> optimize, tangent -> __init__."""
    return (name.split('.') + ['__init__'])[1]


def looks_up(links):
    """(importer, imported) for each import of a room that stands above the importer's."""
    rank = {name: k for k, name in enumerate(ORDER)}
    return [(name, other) for name in links for other in sorted(links[name])
            if other in links and rank[room(name)] < rank[room(other)]]


def cycle(links):
    """A cycle of imports, as a list of modules, or None."""
    done = set()

    def walk(name, trail):
        if name in trail:
            return trail[trail.index(name):] + [name]
        if name in done or name not in links:
            return None
        found = next((c for other in sorted(links[name]) if (c := walk(other, trail + [name]))), None)
        done.add(name)
        return found
    return next((c for name in links if (c := walk(name, []))), None)


def test_every_room_has_its_place():
    assert {room(name) for name in modules()} <= set(ORDER)


def test_no_room_looks_up():
    assert looks_up(graph()) == []


def test_no_import_cycles():
    assert cycle(graph()) is None


@pytest.mark.parametrize('extra', EXTRAS)
def test_optional_packages_are_imported_only_where_they_are_known(extra):
    assert {room(name) for name, links in graph().items() if extra in links} <= EXTRAS[extra]


def full(root):
    """Folders with more files than one keeps in mind, below `root`, and those without an `__init__`."""
    files = {}
    for path in root.rglob('*.py'):
        files.setdefault(path.parent, set()).add(path.name)
    return [str(d.relative_to(root.parent)) for d, names in sorted(files.items()) if len(names) > FULL or '__init__.py' not in names]


def functions(root=PACKAGE):
    """(name of the module and of the function, its node) for every function of the package."""
    for module, path in modules(root).items():
        for node in nodes(path):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield f'{module}.{node.name}', node


def long(root=PACKAGE):
    return sorted(name for name, node in functions(root) if node.end_lineno - node.lineno + 1 > LONG)


def many(root=PACKAGE):
    """Functions with more parameters than one keeps in mind, where the signature is ours."""
    return sorted(name for name, node in functions(root)
                  if len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs) > MANY and not node.name.startswith('_')
                  and node.name not in PUBLIC + MIRRORS)


def looking_at_frames(root=PACKAGE):
    return sorted(name for name, path in modules(root).items()
                  if any(isinstance(node, ast.Attribute) and node.attr == '_getframe' for node in nodes(path)))


def put_into_others(root=PACKAGE):
    """Modules that put something into a module or class that they have imported, when they are imported: a hidden cycle."""
    found = []
    for name, path in modules(root).items():
        body = ast.parse(path.read_text(encoding='utf-8')).body
        given = {(a.asname or a.name).partition('.')[0] for s in body if isinstance(s, (ast.Import, ast.ImportFrom)) for a in s.names}
        targets = [t for s in body if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Attribute)]
        if any(isinstance(node, ast.Name) and node.id in given for t in targets for node in ast.walk(t)):
            found.append(name)
    return sorted(found)


@pytest.mark.parametrize('folder', ['tangent', 'tests', 'benchmarks'])
def test_no_folder_is_full(folder):
    golden = {f'tests/{name}' for name in ('reverse/rooms', 'forward/rooms', 'random/regressions')}
    assert set(full(ROOT / folder)) <= golden


def test_functions_fit_a_screen():
    assert not long()


def test_functions_take_few_parameters():
    assert many() == MANY_PARAMETERS


def test_frames_are_looked_at_in_two_places():
    assert looking_at_frames() == ['tangent.errors', 'tangent.runtime.caller']


def test_no_module_puts_anything_into_another():
    assert not put_into_others()


@pytest.fixture
def broken(tmp_path):
    """A package with rooms that import what they must not know, and two modules that import each other."""
    package = tmp_path / 'tangent'
    for name in ('runtime', 'emit', 'reverse'):
        (package / name).mkdir(parents=True)
        (package / name / '__init__.py').write_text('')
    (package / '__init__.py').write_text('')
    (package / 'errors.py').write_text('')
    (package / 'reverse' / 'calls.py').write_text('def f():\n    from tangent.runtime import tape\n')
    (package / 'runtime' / 'tape.py').write_text('from ..errors import TapeError\nfrom tangent.emit.printer import emit\n')
    (package / 'runtime' / 'zeros.py').write_text('def f():\n    from tangent import errors, grad\n')
    (package / 'emit' / 'printer.py').write_text('from tangent.emit.build import text\n')
    (package / 'emit' / 'build.py').write_text('import tangent.emit.printer\n')
    return package


def test_the_checks_find_what_is_broken(broken):
    links = graph(broken)
    assert looks_up(links) == [('tangent.runtime.tape', 'tangent.emit.printer'), ('tangent.runtime.zeros', 'tangent')]
    assert cycle(links) == ['tangent.emit.build', 'tangent.emit.printer', 'tangent.emit.build']


def test_the_limits_find_what_is_larger(broken):
    for k in range(FULL):
        (broken / 'emit' / f'm{k}.py').write_text('')
    (broken / 'reverse' / '__init__.py').unlink()
    (broken / 'runtime' / 'zeros.py').write_text('def f():\n' + '    print()\n' * LONG)
    (broken / 'runtime' / 'add.py').write_text('def f(a, b, c, /, d, e, f, *, g, h):\n    pass\ndef g(a, b, c, /, d, e, f, g, *, h, i): pass\n')
    assert full(broken) == ['tangent/emit', 'tangent/reverse']
    assert (long(broken), many(broken)) == (['tangent.runtime.zeros.f'], ['tangent.runtime.add.g'])


def test_the_checks_find_what_is_hidden(broken):
    (broken / 'emit' / 'build.py').write_text('from tangent.emit import printer\nprinter.emit = lambda tree: None\n')
    (broken / 'runtime' / 'zeros.py').write_text('import sys\ndef f():\n    return sys._getframe(1)\nf.tangent = f\n')
    assert put_into_others(broken) == ['tangent.emit.build']
    assert looking_at_frames(broken) == ['tangent.runtime.zeros']
