"""Whole functions with loops in place of array expressions: from a function and the types of its arguments to a new one."""
import builtins
from types import FunctionType

import gast
import numpy as np

from tangent.emit.build import Part, build
from tangent.emit.printer import emit, statement_text
from tangent.emit.signature import params
from tangent.frontend import tree
from tangent.frontend.source import read
from tangent.numba.loops.lower import Task, lowered
from tangent.numba.loops.prepared.tape_views import owned, saved
from tangent.numba.loops.types import Kinds
from tangent.numba.loops.values import Kind, many, shaped
from tangent.runtime.functions import extents

HELPERS = (*[f.__name__ for f in extents.FUNCTIONS], 'empty_sum')


def specialised(function, types, helper, divides=True, apart=True, source_of=read):
    """The function with loops for arguments of these types; None where nothing in it can be made into loops.

    Parameters
    ----------
    function : function
    types : dict
        For each parameter ('number', dtype), ('array', rank, dtype), ('tuple', types of the elements), or None.
    helper : function
        Name -> function of the run time; None for what has no use there.
    divides : bool
        Whether a division of numbers by 0 raises, as in the language.
    apart : bool
        Whether arrays of the caller's are taken for different memory, which is checked when running.
    source_of : function
        Gives the Source of the function.
    """
    source = source_of(function)
    names = params(source.tree)
    given = {name: kind(name, types.get(name)) for name in names}
    helpers = {'numpy': np, **{name: helper(name) for name in HELPERS}}
    function_tree = tree.replace(source.tree, body=[marked(s) for s in source.tree.body], decorator_list=[], returns=None)
    own = owned(function_tree, finder(source)) or pushed_by(source)
    handed = frozenset(getattr(source, 'handed', ()))
    found = lowered(Task(function_tree, given, finder(source), helpers, divides, apart, own, Results(), handed))
    return None if found is None else built(source, *found)


class Results:
    """(an emitted function, the Kinds of its arguments) -> the Kind of what it gives; None where that is not known.

    known : what has been found out, and None for what is being asked
    """

    def __init__(self):
        self.known = {}

    def __call__(self, function, args):
        plain = getattr(function, 'py_func', function)
        given = tuple(unnamed(a) if a is not None else None for a in args)
        if not isinstance(plain, FunctionType) or getattr(plain, 'source', None) is None:
            return None
        if (plain, given) not in self.known:
            self.known[plain, given] = None
            self.known[plain, given] = self.found(read(plain), given)
        return self.known[plain, given]

    def found(self, source, args):
        names, body = params(source.tree), source.tree.body
        ends = [s for s in tree.every(body) if isinstance(s, gast.Return)]
        if len(names) != len(args) or ends != body[-1:] or ends[0].value is None:
            return None
        bound, outside = set(names) | {n for s in tree.every(body) for n in tree.writes(s)}, finder(source)

        def find(expr):
            return None if (tree.dotted(expr) or '').partition('.')[0] in bound else outside(expr)
        given = {name: shaped(name, a.rank, a.dtype) if a is not None and a.rank else a for name, a in zip(names, args)}
        return bare(Kinds(source.tree, given, find, {}, self).kind(ends[0].value))


def bare(kind):
    """A Kind of which no shape is known."""
    if kind is None or kind.parts is None:
        return unnamed(kind)
    return kind._replace(parts=tuple(map(bare, kind.parts)))


def built(source, lowering, new):
    """The function with loops, from its tree."""
    name = source.name
    if any(n.id == name for n in tree.walk(new) if isinstance(n, gast.Name)):       # by its name it calls what others call
        name = lowering.names.fresh(name)
        new = tree.replace(new, name=name)
    notes = {} if source.library else {id(s): lines(stmts) for s, stmts in lowering.notes.items()}
    starts = {n.lineno for n in tree.walk(source.tree) if isinstance(n, gast.stmt)}
    text = emit([new], [source.comments], notes, starts, [source.filename])
    part = Part(name, source.globals, source.closure, source.function.__defaults__, source.function.__kwdefaults__,
                frozenset(source.library))
    made = build(text, [part], lowering.library, name)[name]
    made.__doc__, made.__module__ = source.function.__doc__, source.function.__module__
    return made


def pushed_by(source):
    """What the function that goes before an adjoint, in the same text, pushes onto the tapes given to this one, and saves."""
    name = source.name.removesuffix('_adjoint')
    text = getattr(source.function, 'source', None)
    if name == source.name or text is None:
        return {}
    before = [n for n in gast.parse(text).body if isinstance(n, gast.FunctionDef) and n.name == f'{name}_primal']
    if not before:
        return {}
    own, first = owned(before[0], finder(source), source.library), source.tree.body[0]
    if isinstance(first, gast.Assign) and isinstance(first.targets[0], gast.Tuple) and isinstance(first.value, gast.Name):
        own[first.value.id] = saved(before[0], len(first.targets[0].elts), finder(source), source.library)
    return own


def lines(stmts):
    """What stands over a nest of loops: the lines that it was made from."""
    return [f'Line {s.lineno}: {tree.origin(s).text}' for s in stmts]


def marked(s):
    """A copy of the statement in which all know where they come from."""
    s = tree.replace(s, **{field: [marked(inner) for inner in block] for field, block in tree.blocks(s)})
    return s if isinstance(s, gast.ExceptHandler) else tree.place(s, tree.Origin('primal', s.lineno, statement_text(s)))


def kind(name, described):
    """The Kind of an argument."""
    if described is None or described[:2] == ('array', 0):
        return None
    if described[0] == 'number':
        return Kind(0, described[1])
    if described[0] == 'tuple':
        return Kind(0, None, (), tuple(unnamed(kind(name, d)) for d in described[1]))
    if described[0] in ('tape', 'list'):
        held = kind(name, described[1])
        return None if held is None else many(described[0], unnamed(held))
    return shaped(name, described[1], described[2])


def unnamed(known):
    """The Kind of what has no name yet by which its shape can be asked for."""
    return known if known is None or known.parts is not None else known._replace(shape=(None,) * known.rank)


def finder(source):
    """expression -> what it denotes in the namespace of the function, or None."""
    def find(expr):
        path = tree.dotted(expr)
        if path is None:
            return None
        first, *rest = path.split('.')
        if first in source.closure:
            try:
                found = source.closure[first].cell_contents
            except ValueError:
                return None
        else:
            found = source.globals.get(first, getattr(builtins, first, None))
        for attribute in rest:
            if not isinstance(found, (type(np), type)):
                return None
            found = getattr(found, attribute, None)
        return found
    return find
