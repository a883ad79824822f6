"""The package's shape, read from its text: which way the layers point, and how long files may grow."""
import ast
import pathlib

import pytest

PACKAGE = pathlib.Path(__file__).parent.parent / 'tangent'

RUN_TIME = set('''utils captures fields records leaves zero accumulate broadcasting fit seeds stack helpers products persistent compiled
    twins directions nan_safe differences heap schedules sizes storage ledger'''.split())
NEUTRAL = {'errors', 'foreign'}
FRONT = set('''__main__ cli grad_util dispatch second surgery export interfaces matrices sparse func autograd_style checks
    handmade callables cuda linear autograd_rules operators explain heap_calls heap_again heap_tasks logged_twins checkpointing tape_report
    implicit ode integrals mixed series complexes looping typed'''.split()) | {''}

EXTRAS = {  # optional packages, and the only rooms that may import them
    'numba': {'compiled'},
    'llvmlite': {'compiled'},
    'cupy': set(),
    'scipy': {'helpers', 'templates', 'substitutes'},        # of the last one, substitutes_scipy: the templates import it
    'pygments': {'cli'},
    'astor': {'emit'},
}
LONGEST = 420


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
    """The room of a module (tangent.optimize.dead -> optimize, tangent.compiled_loops -> compiled); else 'compiler'."""
    first = (name.split('.') + [''])[1]
    known = RUN_TIME | NEUTRAL | FRONT
    return first if first in known else next((r for r in known if r and first.startswith(r + '_')), 'compiler')


def wrong_imports(links):
    """(importer, imported) for each import that points the wrong way."""
    may = {'compiler': {'compiler'} | NEUTRAL, **dict.fromkeys(RUN_TIME, RUN_TIME | NEUTRAL),
           **dict.fromkeys(NEUTRAL, set()), **dict.fromkeys(FRONT, {'compiler'} | RUN_TIME | NEUTRAL | FRONT)}
    return [(name, other) for name in links for other in sorted(links[name])
            if other in links and room(other) not in may[room(name)]]


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


def test_compiler_and_run_time_do_not_know_each_other():
    assert wrong_imports(graph()) == []


def test_no_import_cycles():
    assert cycle(graph()) is None


@pytest.mark.parametrize('extra', EXTRAS)
def test_optional_packages_are_imported_only_where_they_are_known(extra):
    users = {name.split('.')[1].split('_')[0] for name, links in graph().items() if extra in links}
    assert users <= EXTRAS[extra]


def test_no_file_is_too_long():
    lengths = {str(path): len(path.read_text(encoding='utf-8').splitlines()) for path in modules().values()}
    assert {path: n for path, n in lengths.items() if n > LONGEST} == {}


@pytest.fixture
def broken(tmp_path):
    """A package with rooms that import what they must not know, and two modules that import each other."""
    package = tmp_path / 'tangent'
    package.mkdir()
    (package / '__init__.py').write_text('')
    (package / 'errors.py').write_text('')
    (package / 'reverse.py').write_text('def f():\n    from . import stack\n')
    (package / 'stack.py').write_text('from .errors import TapeError\nfrom tangent.tree import Names\n')
    (package / 'tree.py').write_text('from tangent import errors, grad\n')
    (package / 'grad_util.py').write_text('import tangent.stack, tangent.tree, tangent.cli\n')
    (package / 'emit.py').write_text('from tangent.build import text\n')
    (package / 'build.py').write_text('import tangent.emit\n')
    return package


def test_the_checks_find_what_is_broken(broken):
    links = graph(broken)
    assert wrong_imports(links) == [('tangent.reverse', 'tangent.stack'), ('tangent.stack', 'tangent.tree'),
                                    ('tangent.tree', 'tangent')]
    assert cycle(links) == ['tangent.build', 'tangent.emit', 'tangent.build']
