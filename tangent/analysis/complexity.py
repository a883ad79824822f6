"""Complex numbers: which functions surely have them, and which treat them so simply that their text need not say so.

Inside a derivative the gradient of a complex `z = x + 1j * y` is kept conjugated, `dL/dx - 1j * dL/dy`, for then the rule
of a holomorphic function is that of the real one. People get the conjugate of that. A function whose text shows that it
has complex numbers (`1j`, `z.real`, `numpy.fft`, a parameter annotated as complex ...) is derived in *complex form*: rules of
functions that make reals of complex numbers take the real part of what comes in, and gradients are conjugated at the end.

Any other function is derived as for real numbers. If it does no more to its arguments than real multiples and sums before
it makes them real (`abs(z - c) ** 2`), the same text is right for complex arguments with helpers that do not conjugate; if
it does more, its helpers refuse complex numbers as they run.
"""
import builtins
import functools
import importlib
import types

import gast

from tangent.analysis.shapes import scalar
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, Resolver, stands_for_module
from tangent.runtime import facts
from tangent.runtime.functions.real import is_complex

PARTS = frozenset(['real', 'imag', 'conj', 'conjugate'])
FUNCTIONS = '''complex64 complex128 clongdouble conj conjugate real imag angle real_if_close iscomplex isreal iscomplexobj
    sort_complex roots linalg.eig linalg.eigvals'''.split()
MODULES = ('tangent.runtime.functions.complex', 'tangent.runtime.functions.plain', 'tangent.runtime.functions.numpy.fourier',
           'cmath', 'numpy.fft', 'scipy.fft', 'dask.array.fft',
           'numpy.lib.scimath', 'numpy.emath')
NORMS = frozenset('''abs numpy.abs numpy.linalg.norm numpy.linalg.vector_norm numpy.linalg.matrix_norm numpy.var numpy.std
    numpy.nanvar numpy.nanstd'''.split())           # whose helpers are also there without conjugation


class Hint(Exception):
    """A function met on the way has complex numbers: the derivation begins anew, in complex form."""


@functools.cache
def _known():
    """The functions and types that tell of complex numbers."""
    found = {builtins.complex}
    for name in FUNCTIONS:
        owner = find('numpy')
        for part in name.split('.'):
            owner = getattr(owner, part, None)
        found.add(owner)
    return found


def look(source, shared, real=frozenset()):
    """Raise Hint if the function has complex numbers and nobody knew it yet; `real`: parameters that are known to get none."""
    if shared.settings.hints and not shared.settings.in_complex and is_hinted(source, real):
        raise Hint


def is_hinted(source, real=frozenset()):
    """Whether the text of a function shows that it has complex numbers."""
    resolver = Resolver(source)
    values = (*(source.function.__defaults__ or ()), *(source.function.__kwdefaults__ or {}).values()) \
        if hasattr(source.function, '__defaults__') else ()
    said = {id(part) for n in source.nodes if isinstance(n, gast.Name) and n.id in real and n.annotation is not None
            for part in (n, *tree.walk(n.annotation))}
    return any(map(is_complex, values)) or any(_tells(n, resolver) for n in source.nodes if id(n) not in said)


def _tells(node, resolver):
    if isinstance(node, gast.Constant):
        return isinstance(node.value, complex)
    if isinstance(node, gast.Attribute) and node.attr in PARTS:
        return True
    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Param):
        return node.annotation is not None and 'complex' in gast.dump(node.annotation)
    if not isinstance(node, (gast.Name, gast.Attribute)):
        return False
    found = resolver(node)
    if found is UNKNOWN:
        return False
    try:
        return found in _known() or str(getattr(found, '__module__', '')).startswith(MODULES) and callable(found) \
            or is_complex(found)
    except TypeError:                          # what cannot be hashed
        return is_complex(found)


def is_simple(normal):
    """Whether gradients of complex numbers pass through the function as they are, but for what makes real numbers of them."""
    real, numbers = set(), scalar(normal.tree, normal.ops, normal.shapes)
    counts = {}
    for s in normal.ops:
        counts[tree.target(s)] = counts.get(tree.target(s), 0) + 1
    for s, op in normal.ops.items():
        if op.kind == 'copy':
            if isinstance(op.args, gast.Name) and op.args.id in real and counts[tree.target(s)] == 1:
                real.add(tree.target(s))
        elif op.kind == 'rule':
            kind = _rule_kind(normal, op, real, numbers, tree.target(s))
            if kind is None:
                return False
            if kind == 'real' and counts[tree.target(s)] == 1:
                real.add(tree.target(s))
        elif op.kind not in ('index', 'display', 'unpack', 'join'):
            return False
    return bool(real)


def _rule_kind(normal, op, real, numbers, result):
    """'real' or 'any' for what a rule makes of its operands, None where its derivative would have to be conjugated."""
    rule, bound = op.what, op.args
    if rule.name in NORMS:
        return 'real'
    if rule.in_complex is not None:
        return None
    names = [e.id for a in bound.values() if a is not None for e in gast.walk(a) if isinstance(e, gast.Name)]
    unknown = [n for n in names if n not in real and not _is_real(tree.load(n), normal)]
    if not unknown:
        return 'real'
    if any(n in real for n in names) or result in numbers and len(set(unknown)) > 1:
        return None
    if rule.kind == 'linear':
        return 'any'
    if rule.kind != 'elementwise':
        return None
    partials = rule.chosen(bound)
    read = {n for p, t in partials.items() if isinstance(t, gast.AST) and isinstance(bound.get(p), gast.Name)
            for n in _coefficients(t)}
    factors = [bound[n] for n in read if n in bound]
    known = all(isinstance(f, gast.Constant) or _is_real(f, normal) for f in factors)
    return 'any' if known and rule.result not in read else None


def _coefficients(term):
    """The names that a term reads beside `d[...]`."""
    found = []
    pending = [term]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == 'd':
            continue
        if isinstance(node, gast.Name):
            found.append(node.id)
        pending += tree.children(node)
    return found


def _is_real(expr, normal):
    if normal.shapes.is_int(expr):
        return True
    value = normal.resolver(expr) if isinstance(expr, (gast.Name, gast.Attribute)) else UNKNOWN
    return value is not UNKNOWN and (isinstance(value, (int, float, types.ModuleType)) or callable(value)
                                     or stands_for_module(value))


def without_conjugation(shared):
    """Give the functions of a derivation the helpers that do not conjugate, under the names they have there."""
    plain = importlib.import_module('tangent.runtime.functions.plain')
    for name, thing in list(shared.items()):
        other = getattr(plain, getattr(thing, '__name__', ''), None)
        if other is not None and facts.is_ours(thing):
            shared[name] = other
