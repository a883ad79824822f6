"""The package's shape, read from its text: the order of its rooms, which way imports point, and what they hide."""
import ast

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
    'scipy': {'runtime', 'templates'},
    'pygments': {'interfaces'},
    'astor': {'emit'},
}
FULL = 16           # files in a folder


def modules(root=PACKAGE):
    """Dotted name -> path of every module of the package."""
    found = {}
    for path in sorted(root.rglob('*.py')):
        parts = path.relative_to(root.parent).with_suffix('').parts
        found['.'.join(parts[:-1] if parts[-1] == '__init__' else parts)] = path
    return found


def imports(name, path, known):
    """What a file imports, wherever in it: modules of the package in full, others by the first part of their name."""
    package = name if path.name == '__init__.py' else name.rpartition('.')[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split('.')[:len(package.split('.')) + 1 - node.level] if node.level else []
            base = '.'.join(parts + ([node.module] if node.module else []))
            found |= {full if (full := f'{base}.{a.name}') in known else base for a in node.names}
    return {n if n in known else n.split('.')[0] for n in found} - {name}


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
