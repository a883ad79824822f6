"""CuPy's functions are NumPy's by name: which function of NumPy's one of CuPy's is, and rules whose texts call CuPy's.

So are those of `autograd.numpy`, which call NumPy's where autograd records nothing. Nothing is imported here: functions of
CuPy's can only be met where CuPy has been imported.
"""
import copy
import functools
import importlib
import sys
import types

import gast

from tangent.frontend import tree
from tangent.frontend.quote import Written, literal

PAIRS = {'cupy': 'numpy', 'cupy.linalg': 'numpy.linalg', 'cupy.fft': 'numpy.fft', 'cupy.random': 'numpy.random',
         **{f'cupyx.scipy.{name}': f'scipy.{name}' for name in 'special linalg signal ndimage fft interpolate stats'.split()}}
AUTOGRAD = {f'autograd.{name}': name for name in ('numpy', 'numpy.linalg', 'numpy.fft', 'numpy.random')}
OWN = frozenset('asarray array asanyarray ascontiguousarray asfortranarray'.split())     # these move data: rules of their own
HOST = frozenset('log log2 log10 exp sqrt sin cos tan floor ceil abs sign power'.split())    # of literals: numbers, not arrays


def is_cupy(thing):
    """Whether a function or ufunc is CuPy's."""
    if 'cupy' not in sys.modules:
        return False
    places = thing, type(thing), type(getattr(thing, '__self__', None))        # ufuncs and their methods know no module
    return any(str(getattr(place, '__module__', None)).startswith('cupy') for place in places) and callable(thing)


def is_autograd(thing):
    """Whether it is a function of autograd's, such as `autograd.numpy.sin`."""
    return isinstance(thing, types.FunctionType) and str(thing.__module__).startswith('autograd.') and 'autograd' in sys.modules


def counterpart(thing):
    """NumPy's (or SciPy's) function of the same name for one of CuPy's that is called as that is, the function that autograd
    records calls of for one of autograd's; else the thing itself."""
    if is_autograd(thing):
        found = _table(AUTOGRAD, frozenset()).get(id(thing), thing)
        return thing.fun if found is thing and thing.__dict__.get('_is_autograd_primitive') is True else found
    if not is_cupy(thing):
        return thing
    owner = getattr(thing, '__self__', None)
    if type(owner).__name__ == 'ufunc':
        return getattr(counterpart(owner), thing.__name__, thing)
    return _table(PAIRS, OWN).get(id(thing), thing)


def _table(pairs, own):
    """The identity of each function of these modules -> NumPy's function of that name, but for those with names in `own`."""
    return _functions(tuple((name, other) for name, other in pairs.items() if name in sys.modules), own)


@functools.lru_cache(maxsize=16)
def _functions(pairs, own):
    found = {}
    for name, other in pairs:
        other, ours = importlib.import_module(other), sys.modules[name]
        for word in dir(ours):
            thing = getattr(ours, word)
            if word not in own and callable(thing) and not isinstance(thing, type) and hasattr(other, word):
                found[id(thing)] = getattr(other, word)
    return found


def path_on_device(path):
    """The name in CuPy of what a dotted name of NumPy's or SciPy's denotes, or None where CuPy does not have it."""
    first, _, rest = path.partition('.')
    if first not in ('numpy', 'scipy') or not rest:
        return None
    found = sys.modules.get('cupy' if first == 'numpy' else 'cupyx.scipy.' + rest.partition('.')[0])
    for part in (rest if first == 'numpy' else rest.partition('.')[2]).split('.'):
        found = getattr(found, part, None)
    return None if found is None else f'cupy.{rest}' if first == 'numpy' else f'cupyx.{path}'


def is_number(expr):
    """Whether it is a literal, or a constant such as `numpy.pi`."""
    return bool(literal(expr)) or tree.dotted(expr) in ('numpy.pi', 'numpy.e')


class OnDevice(gast.NodeTransformer):
    """Names functions of CuPy in the place of NumPy's, but for functions of literals, whose results are plain numbers."""

    def visit_Call(self, node):
        path = tree.dotted(node.func) or ''
        if path.rpartition('.')[2] in HOST and all(map(is_number, node.args)) and not node.keywords:
            return node
        return self.generic_visit(node)

    def visit_Attribute(self, node):
        new = path_on_device(tree.dotted(node) or '')
        return self.generic_visit(node) if new is None else tree.expression(new)


def moved(text):
    """A tree of a rule, or a text that is written for each call, with CuPy's functions in it."""
    if isinstance(text, Written):
        return Written(lambda *given: gast.unparse(moved(tree.expression(text.write(*given)))), ' '.join((*text.reads, 'cupy')))
    return OnDevice().visit(tree.clone(text)) if isinstance(text, gast.AST) else text


_moved: dict = {}          # rule -> the rule with CuPy's functions in its texts


def on_device(rule):
    """The rule with CuPy's functions in its texts."""
    if rule.kind in ('constant', 'template'):
        return rule
    if rule not in _moved:
        new = copy.copy(rule)
        for name in ('differentiable', '_free', '_locals'):
            new.__dict__.pop(name, None)
        new.partials = {p: moved(t) for p, t in rule.partials.items()}
        new.variants = [(guard, {p: moved(t) for p, t in partials.items()}, moved(forward))
                        for guard, partials, forward in rule.variants]
        new.forward_text, new.form = moved(rule.forward_text), moved(rule.form)
        new.body = [moved(s) for s in rule.body]
        new.in_complex = None if rule.in_complex is None else on_device(rule.in_complex)
        _moved[rule] = new
    return _moved[rule]
