"""Which rules serve CuPy: those of functions that CuPy has, where all that the derivative calls is there, too.

Read off the texts of the rules and the sources of the run-time functions that they name; see `cupy_names` for what CuPy has.
"""
import ast
import builtins
import functools
import inspect
import textwrap
import types

import gast

from tangent import errors
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.interfaces.tools.cupy_names import ATTRIBUTES, LACKING, METHODS, SCIPY
from tangent.runtime import facts
from tangent.templates.language.registry import MODULES

# For other arrays, for warnings
BESIDE = 'numpy.exceptions', 'numpy.frompyfunc', 'numpy.errstate', 'numpy.ma', 'numpy.matrix', 'numpy.void'


CONVERTERS = frozenset('''float16 float32 float64 longdouble complex64 complex128 clongdouble require asarray_chkfinite
    kaiser vectorize'''.split())


def serves(name, rule):
    """Whether the operation of this name can be differentiated on arrays of CuPy's; `rule` may be None."""
    own = name.removeprefix('numpy.') not in CONVERTERS and there(name)
    return own and (rule is None or all(map(there, reached(rule))))


def there(name):
    """Whether CuPy has what a name of the table denotes."""
    module, _, rest = name.partition('.')
    function, _, method = rest.rpartition('.')
    if method in ('reduce', 'accumulate', 'reduceat'):
        return method != 'reduceat' and function in ('add', 'multiply')
    if module == 'numpy':
        return rest not in LACKING and not rest.startswith(('emath', 'ma.', 'lib.', 'polynomial', 'random'))
    if module == 'scipy':
        return rest in SCIPY
    if not module:                          # a method or an attribute of arrays
        return rest.partition('(')[0] in METHODS | ATTRIBUTES - {'flat'}
    return ' ' in name or name[0] in '-+~' or module in ('abs', 'pow', 'operator')


def reached(rule):
    """Dotted names of functions of NumPy's and SciPy's that the texts of a rule call, on their own or through helpers."""
    texts = [t for p in [rule.partials, *(v for _, v, _ in rule.variants)] for t in p.values()]
    trees = [t for t in [*texts, rule.forward_text, *(f for *_, f in rule.variants)] if isinstance(t, gast.AST)]
    found = set()
    for node in (n for t in trees for n in gast.walk(t)):
        path = tree.dotted(node) if isinstance(node, gast.Attribute) else None
        if path is not None and path.split('.')[0] in ('numpy', 'scipy') and '.' in path:
            found.add(path)
    for name in rule.library - set(MODULES) - set(dir(builtins)):
        try:
            found |= called_by(find(name))
        except errors.TangentError:
            pass
    return {path for path in found if not path.startswith(BESIDE)}


def called_by(function, seen=None):
    """Dotted names of what a run-time function reads of NumPy and SciPy, itself or through others of ours."""
    seen = set() if seen is None else seen
    function = inspect.unwrap(function)
    if not isinstance(function, types.FunctionType) or function in seen or not facts.is_ours(function):
        return set()
    seen.add(function)
    found = set(_own(function))
    for name in function.__code__.co_names:
        inner = function.__globals__.get(name)
        if isinstance(inner, types.FunctionType) or hasattr(inner, '__wrapped__'):
            found |= called_by(inner, seen)
    return found


@functools.cache
def _own(function):
    found = set()
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        names = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        module = function.__globals__.get(node.id) if isinstance(node, ast.Name) and names else None
        if isinstance(module, types.ModuleType) and module.__name__.split('.')[0] in ('numpy', 'scipy'):
            found.add('.'.join([module.__name__, *reversed(names)]))
    return frozenset(found)
