"""Words of Numba's, and of NumPy's, for which there are others that have a derivative.

    xs = List()                                       xs = []
    d = Dict.empty(types.int64, types.float64)  ->    d = {}
    for i, v in np.ndenumerate(a): ...                for i in np.ndindex(a.shape): v = a[i]; ...
    for v in a.flat: ...                              for v in a.ravel(): ...
    a.flat[i]                                         a.ravel()[i]            (for Numba)

Lists and dicts of Numba's own kind behave as those of the language do; a function that makes one works on either.
"""
import dataclasses

import gast
import numpy

from tangent.frontend import subset, tree
from tangent.frontend.resolve import Resolver

SEQUENCES = (enumerate, zip, list, sum)


def plain(source, known, typed=False):
    """The Source with other words for these, the same object where there are none.

    typed : it is for Numba, where nothing but an array has a `flat`
    """
    resolver = Resolver(source, None, known)
    if not any(is_word(n, resolver) for n in source.nodes):
        return source
    function = Words(resolver, typed).visit(tree.clone(source.tree))
    return dataclasses.replace(source, tree=function)


def refuse(source, known):
    """Refuse what Numba makes of functions and classes but functions that it compiles: no derivative is made of that."""
    resolver = Resolver(source, None, known)
    for node in source.nodes:
        kind = type(resolver(node.func)).__name__ if isinstance(node, gast.Call) else ''
        if kind in ('DUFunc', 'GUFunc'):
            raise final(subset.unsupported(node, source, 'functions made by numba.vectorize and numba.guvectorize',
                                          'call a function made by numba.njit in a loop over the elements'))
        if kind == 'JitClassType':
            raise final(subset.unsupported(node, source, 'objects of classes made by numba.experimental.jitclass',
                                          'use a namedtuple, and functions that take it'))


def final(error):
    """The error, which no other form of a derivative would mend."""
    error.final = True
    return error


def is_word(node, resolver):
    return isinstance(node, gast.Attribute) and node.attr == 'flat' \
        or isinstance(node, gast.Call) and (made_by(node, resolver) or name_of(node, resolver) == 'ndenumerate')


def name_of(call, resolver):
    return getattr(resolver(call.func), '__name__', None)


def made_by(call, resolver):
    """'List' or 'Dict' for a call that makes an empty one of Numba's."""
    path = tree.dotted(call.func)
    if path is None:
        return None
    owner, _, method = path.rpartition('.')
    of_kind = bool(owner) and method in ('empty', 'empty_list')
    kind = resolver(tree.expression(owner)) if of_kind else resolver(call.func)
    empty = of_kind or not call.args and not call.keywords
    known = getattr(kind, '__module__', None) in ('numba.typed.typedlist', 'numba.typed.typeddict') and empty
    return kind.__name__ if known else None


class Words(gast.NodeTransformer):
    def __init__(self, resolver, typed):
        self.resolver, self.typed = resolver, typed

    def visit_Subscript(self, node):
        node = self.generic_visit(node)
        return tree.replace(node, value=raveled(node.value)) if self.typed and isinstance(node.ctx, gast.Load) else node

    def visit_Call(self, node):
        node = self.generic_visit(node)
        kind = made_by(node, self.resolver)
        if kind is not None:
            new = gast.List(elts=[], ctx=gast.Load()) if kind == 'List' else gast.Dict(keys=[], values=[])
            return gast.copy_location(new, node)
        if self.resolver(node.func) in SEQUENCES:
            return tree.replace(node, args=[raveled(a) for a in node.args])
        return node

    def visit_For(self, node):
        node = tree.replace(self.generic_visit(node), iter=raveled(node.iter))
        call = node.iter
        if not isinstance(call, gast.Call) or name_of(call, self.resolver) != 'ndenumerate' or len(call.args) != 1 \
                or not isinstance(node.target, gast.Tuple) or not isinstance(call.args[0], gast.Name):
            return node
        index, value = node.target.elts
        path = tree.dotted(call.func).rpartition('.')[0]
        shape = gast.Attribute(value=tree.load(call.args[0].id), attr='shape', ctx=gast.Load())
        steps = tree.call(f'{path}.ndindex' if path else 'ndindex', shape)
        if self.resolver(steps.func) is not numpy.ndindex or not isinstance(index, gast.Name):
            return node
        place = gast.Subscript(value=tree.load(call.args[0].id), slice=tree.load(index.id), ctx=gast.Load())
        element = gast.Assign(targets=[value], value=place, type_comment=None)
        return tree.replace(node, target=index, iter=gast.copy_location(steps, call),
                            body=[copied(element, node), *node.body])


def raveled(expr):
    """`a.ravel()` for `a.flat`, where the elements are gone through."""
    if not isinstance(expr, gast.Attribute) or expr.attr != 'flat':
        return expr
    return gast.copy_location(gast.Call(func=tree.replace(expr, attr='ravel'), args=[], keywords=[]), expr)


def copied(s, at):
    """The statement, at the place of the line of another one."""
    s.lineno, s.col_offset, s.end_lineno, s.end_col_offset = at.lineno, at.col_offset, at.lineno, None
    return s
