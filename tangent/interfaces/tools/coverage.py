"""Which functions have a derivative, as a table: it is made from the registry of rules, and says no more than that holds."""
import importlib
import importlib.util
from typing import NamedTuple

import gast

from tangent.interfaces import registered  # noqa: F401 (the registry holds what these have declared)
from tangent.interfaces.tools import coverage_cupy
from tangent.interfaces.tools.coverage_numba import COMPILED
from tangent.runtime.references.table import MADE, SUBSTITUTES
from tangent.templates.language import registry
from tangent.templates.language.registry import REFUSE

FAMILIES = [('NumPy', 'numpy', ('numpy', 'numpy.linalg', 'numpy.fft', 'numpy.emath', 'numpy.polynomial.polynomial')),
            ('Python', '', ('builtins', 'operator')),
            ('math, cmath', 'math', ('math', 'cmath')), ('SciPy', 'scipy', ('scipy.special', 'scipy.linalg', 'scipy.signal',
                                                                         'scipy.integrate', 'scipy.stats', 'scipy.fft',
                                                                         'scipy.ndimage', 'scipy.optimize', 'scipy.interpolate',
                                                                         'scipy.sparse', 'scipy.sparse.linalg',
                                                                         'scipy.spatial.distance'))]

OTHERS = ('mpmath.', 'sympy.', 'uncertainties.', 'decimal.',       # libraries that have pages of their own
          'dask.', 'distributed.', '.rechunk()', '.topk()', '.npartitions', '.chunksize', '.numblocks', '.chunks', 'mpi4py.',
          'bottleneck.')


class Entry(NamedTuple):
    """What is known of one function, method or operator.

    name : as people write it
    reverse, forward : there is a derivative in that mode; both False for a constant
    refused : parameters through which no derivative may flow, as nobody has written that down
    in_complex : there is a form of its own for complex numbers
    cupy : CuPy has the function and all that its derivative calls
    numba : Numba compiles the function and its gradient, as a run of `tests/numba/numba_claims.py` has found
    """
    name: str
    constant: bool
    reverse: bool
    forward: bool
    refused: tuple
    in_complex: bool
    cupy: bool = False
    numba: bool = False


def entries():
    """An Entry for each function, method, attribute and operator in the registry, sorted by family and name."""
    for extra in registry.EXTRAS.copy():
        if extra.startswith('scipy.') and importlib.util.find_spec('scipy') is not None:
            importlib.import_module(extra)
    registry.declare_extras()
    found = {}
    for table in (registry.REVERSE, registry.METHODS, registry.ATTRIBUTES, registry.OPERATORS):
        for key, rule in table.items():
            if rule.kind == 'template' or not rule.differentiable and rule.kind != 'constant':
                continue
            name = _name(table, key, rule)
            if name is not None and name not in found and not name.startswith(OTHERS):
                found[name] = _entry(name, rule)
    for name in MADE:                      # so are these, each when it is asked for
        found.setdefault(name, Entry(name, False, True, True, (), False))
    for function in SUBSTITUTES:           # differentiated through a function in plain Python in their place
        name = _public(function)
        if name is not None and name.startswith(('numpy.', 'scipy.')):
            found.setdefault(name, Entry(name, False, True, True, (), False, coverage_cupy.serves(name, None)))
    return [found[name]._replace(numba=name in COMPILED) for name in sorted(found, key=lambda n: (_family(n), n.lower(), n))]


def _name(table, key, rule):
    """The name under which people know the operation; None for what is not one of theirs."""
    if table is registry.OPERATORS:
        return _operator(rule.name if rule.form is None else gast.unparse(rule.form).strip())
    if table in (registry.METHODS, registry.ATTRIBUTES):
        return f'.{key}()' if table is registry.METHODS else f'.{key}'
    if rule.kind != 'constant':
        return rule.name if '.' in rule.name or (getattr(key, '__module__', None) or '') == 'builtins' else None
    return _public(key)


def _public(key):
    """The name of a function or class in the first of the modules in which people find it."""
    module, short = getattr(key, '__module__', None) or '', getattr(key, '__name__', None)
    if short is None or str(module).startswith('tangent'):
        return None
    owner = {'builtins': '', 'math': 'math.', 'cmath': 'cmath.', '_operator': 'operator.'}.get(module)
    if owner is None:
        owner = next((f'{m}.' for _, _, names in FAMILIES for m in names if _has(m, short, key)), None)
    return None if owner is None else owner + short


def _has(module, name, thing):
    try:
        return getattr(importlib.import_module(module), name, None) is thing
    except ImportError:
        return False


def _operator(text):
    return ' '.join(text.replace('(', '').replace(')', '').split())


def _family(name):
    if name.startswith('scipy.'):
        return 3
    if name.startswith(('math.', 'cmath.')):
        return 2
    return 0 if name.startswith(('numpy.', '.')) else 1


def _entry(name, rule):
    constant = rule.kind == 'constant'
    refused = tuple(p for p, t in rule.partials.items() if t is REFUSE)
    reverse = any(t is not REFUSE for t in rule.partials.values()) or any(p for _, p, _ in rule.variants)
    forward = rule.forward_text is not None or rule.kind in ('elementwise', 'linear', 'bilinear')
    return Entry(name, constant, reverse and not constant, forward and not constant, refused, rule.in_complex is not None,
                 coverage_cupy.serves(name, rule))


def counts():
    """(functions with a derivative, those of them with both modes, constants)."""
    found = entries()
    known = [e for e in found if e.reverse or e.forward]
    return len(known), sum(e.reverse and e.forward for e in known), sum(e.constant for e in found)


def table(found=None):
    """The table as Markdown, of all entries or of some."""
    found, parts = entries() if found is None else found, []
    for k, (title, _, _) in enumerate(FAMILIES):
        mine = [e for e in found if _family(e.name) == k]
        if not mine:
            continue
        rows = [e for e in mine if not e.constant]
        both = sum(e.reverse and e.forward for e in rows)
        counted = f'; Numba compiles {sum(e.numba for e in rows)} with their gradients' if any(e.numba for e in rows) else ''
        parts.append(f'### {title}\n\n{len(rows)} with a derivative, {both} of them in both modes{counted}.\n\n'
                     '| function | reverse | forward | complex form | CuPy | Numba | refused where active |\n'
                     '|---|---|---|---|---|---|---|')
        parts[-1] += ''.join(f'\n| `{e.name}` | {_mark(e.reverse)} | {_mark(e.forward)} | {_mark(e.in_complex)} '
                             f'| {_mark(e.cupy)} | {_mark(e.numba)} '
                             f'| {", ".join(e.refused)} |' for e in rows)
        constants = [f'`{e.name}`' for e in mine if e.constant]
        if constants:
            parts.append('No gradient flows through: ' + _filled(constants))
    return '\n\n'.join(parts) + '\n'


def _mark(yes):
    return 'yes' if yes else ''


def _filled(words, width=110):
    """The words with commas between them, in lines."""
    lines, line = [], ''
    for word in [w + ',' for w in words[:-1]] + [words[-1] + '.']:
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = ''
        line += ('' if not line else ' ') + word
    return '\n'.join(lines + [line])


def coverage():
    """Print which functions have a derivative, in which mode, as a table; see `docs/rules.md`.

    Examples
    --------
    >>> import contextlib, io
    >>> with contextlib.redirect_stdout(io.StringIO()) as out:
    ...     tangent.coverage()
    >>> 'numpy.tanh' in out.getvalue()
    True
    """
    print(table(), end='')
