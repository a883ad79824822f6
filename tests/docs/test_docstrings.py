"""What users may call says what it takes, gives and raises, and shows a use of it that runs."""
import ast
import doctest
import inspect
import textwrap
import types

import numpy
import pytest

import tangent

FACES = [tangent.func, tangent.grads, tangent.tangents, tangent.implicit, tangent.non_differentiable, tangent.persistent]


def public():
    """Name -> object for all that is public and no module."""
    found = {f'tangent.{name}': getattr(tangent, name) for name in tangent.__all__}
    found = {name: thing for name, thing in found.items() if not isinstance(thing, types.ModuleType)}
    for face in FACES:
        names = getattr(face, '__all__', None) or [n for n, f in vars(face).items() if getattr(f, '__module__', '') == face.__name__]
        found |= {f'{face.__name__}.{name}': getattr(face, name) for name in names if not name.startswith(('_', 'refuse'))}
    return found | {f'tangent.utils.{name}': getattr(tangent.utils, name) for name in tangent.utils.__all__}


PUBLIC = public()


def sections(thing):
    """The sections that the docstring of a function or class ought to have, by what its source takes, returns and raises."""
    function = thing.__init__ if inspect.isclass(thing) else thing
    wanted = {'Examples'}
    if not isinstance(function, types.FunctionType):
        return wanted                        # made by Python: an exception, an enumeration
    code = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    own = list(outside_functions(code))
    takes = [p for p in inspect.signature(thing).parameters] if not inspect.isclass(thing) else \
        [a.arg for a in code.args.args[1:]]
    wanted |= {'Parameters'} if takes else set()
    if not inspect.isclass(thing) and any(isinstance(n, ast.Return) and not is_none(n.value) for n in own):
        wanted.add('Returns')
    if any(isinstance(n, ast.Raise) for n in own):
        wanted.add('Raises')
    return wanted


def outside_functions(node):
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.Lambda)):
            yield child
            yield from outside_functions(child)


def is_none(value):
    return value is None or isinstance(value, ast.Constant) and value.value is None


@pytest.mark.parametrize('name', PUBLIC)
def test_docstrings_have_the_sections_that_apply(name):
    text = inspect.getdoc(PUBLIC[name])
    assert [s for s in sorted(sections(PUBLIC[name])) if f'\n{s}\n{"-" * len(s)}\n' not in text] == []
    assert '>>> ' in text


@pytest.mark.parametrize('name', PUBLIC)
def test_the_examples_run(name):
    thing = PUBLIC[name]
    names = {**vars(inspect.getmodule(thing)), 'np': numpy, 'numpy': numpy, 'tangent': tangent}
    tests = doctest.DocTestFinder(recurse=False).find(thing, name, globs=names)
    runner = doctest.DocTestRunner()
    with numpy.printoptions(**({'legacy': '1.25'} if numpy.__version__ >= '2' else {})):       # 1.0, not np.float64(1.0)
        for test in tests:
            runner.run(test)
    assert tests and runner.tries and not runner.failures


def test_what_is_missing_is_found():
    def bare(x):
        """Double."""
        if x is None:
            raise ValueError
        return 2 * x
    assert sections(bare) == {'Examples', 'Parameters', 'Returns', 'Raises'}
