"""A CUDA kernel as plain Python with the same derivative: what only CUDA knows stands there in words that the compiler knows.

    tile = cuda.shared.array(64, float64)        tile = zeros(64)
    cuda.syncthreads()                     ->    barrier(tile, y)
    cuda.atomic.add(y, i, v)                     y[i] += v

`barrier` is a function that writes into what it is given: so nothing is moved across, and it has an adjoint, which stands
where the barrier of the adjoint has to be. `from_python` puts the words of CUDA back.
"""
import dataclasses
import types
from typing import Any

import gast
import numpy

from tangent.cuda.inline import Inliner
from tangent.emit.build import Part, build
from tangent.frontend import subset, tree

INDICES = frozenset('''grid gridsize threadIdx.x threadIdx.y threadIdx.z blockIdx.x blockIdx.y blockIdx.z blockDim.x blockDim.y
    blockDim.z gridDim.x gridDim.y gridDim.z laneid warpsize'''.split())
ARRAYS = ('shared.array', 'local.array', 'const.array_like')


@dataclasses.dataclass
class Kernel:
    """What is known of a kernel.

    source : Source of the plain function
    arrays : parameter -> number of axes, for the arrays among them
    written : the parameters into which the kernel writes
    own : name -> (call that makes it, number of axes), for arrays in shared, local and constant memory
    atomic : names of arrays to which the kernel adds by `atomic.add`
    barrier : the function that stands for `syncthreads`, or None
    prefix : what the text calls `numba.cuda`
    """
    source: Any
    arrays: dict
    written: set
    own: dict
    atomic: set
    barrier: Any
    prefix: str


def is_cuda(thing):
    return isinstance(thing, types.ModuleType) and thing.__name__ == 'numba.cuda'


class _Reader:
    """Finds the words of CUDA in a tree."""

    def __init__(self, source):
        self.source = source
        cells = source.closure
        self.names = {**source.globals, **{n: c.cell_contents for n, c in cells.items()}}

    def path(self, expr):
        """('cuda', 'atomic.add') for `cuda.atomic.add`; None for what is not of that module."""
        name = tree.dotted(expr)
        if name is None:
            return None
        first, *rest = name.split('.')
        thing, said = self.names.get(first), [first]
        while isinstance(thing, types.ModuleType):
            if is_cuda(thing):
                return '.'.join(said), '.'.join(rest)
            if not rest:
                return None
            said.append(rest[0])
            thing, rest = getattr(thing, rest[0], None), rest[1:]
        return None

    def call(self, node):
        """The path of what is called, if it is of CUDA."""
        return self.path(node.func) if isinstance(node, gast.Call) else None


def prepared(source):
    """The Kernel of a Source, with a Source of plain Python."""
    reader = _Reader(source)
    inliner = Inliner(source, reader.names)
    source = dataclasses.replace(source, tree=tree.replace(source.tree, body=inliner.block(source.tree.body)))
    said = [reader.path(n) for n in tree.walk(source.tree) if isinstance(n, (gast.Attribute, gast.Name))]
    prefix = next((p[0] for p in said if p), 'cuda')
    own: dict = {}
    atomic = {n.args[0].id for n in tree.walk(source.tree) if (reader.call(n) or ('', ''))[1] == 'atomic.add'
              and isinstance(n.args[0], gast.Name)}
    body = _block(source.tree.body, reader, own)
    function = tree.replace(source.tree, body=body, decorator_list=[])
    arrays, written = _arrays(function, source)
    for name in own:
        own[name] = own[name], arrays.pop(name, None) or 1
    space = {'_zeros': numpy.zeros, **inliner.space}
    barrier = None
    if any(isinstance(n, gast.Call) and tree.dotted(n.func) == '_barrier' for n in tree.walk(function)):
        shared = {n: rank for n, (call, rank) in own.items() if reader.call(call)[1] == 'shared.array'}
        among = {**shared, **{n: r for n, r in arrays.items() if n in written}}
        barrier = space['_barrier'] = _barrier(among)
        function = tree.replace(function, body=_barriers(function.body, list(among)))
    for n in (n for n in tree.walk(function) if isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Load)):
        if isinstance(n.value, gast.Name) and n.value.id in atomic & arrays.keys():
            raise subset.unsupported(n, source, 'elements of an array to which other threads add', 'read them in a kernel of '
                                    'its own')
    plain = source.function
    named = types.FunctionType(plain.__code__, {**plain.__globals__, **space}, plain.__name__, plain.__defaults__,
                               plain.__closure__)
    return Kernel(dataclasses.replace(source, tree=function, function=named), arrays, written, own, atomic, barrier, prefix)


def _block(stmts, reader, own):
    found = []
    for s in stmts:
        s = tree.replace(s, **{field: _block(block, reader, own) for field, block in tree.blocks(s)})
        found.append(_statement(s, reader, own))
    return found


def _statement(s, reader, own):
    if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):          # of numbers, all of them
        value = gast.BinOp(left=tree.load(s.target.id), op=s.op, right=s.value)
        s = gast.copy_location(tree.assign(s.target.id, value), s)
    call = getattr(s, 'value', None)
    path = reader.call(call)
    if isinstance(s, gast.Expr) and path and path[1] == 'syncthreads':
        return gast.copy_location(gast.Expr(value=tree.call('_barrier')), s)
    if isinstance(s, gast.Expr) and path and path[1] == 'atomic.add':
        name, index, value = call.args
        target = gast.Subscript(value=name, slice=index, ctx=gast.Store())
        return gast.copy_location(gast.AugAssign(target=target, op=gast.Add(), value=value), s)
    if tree.target(s) and path and path[1] in ARRAYS:
        shape = next((k.value for k in call.keywords if k.arg == 'shape'), None) or call.args[0]
        own[tree.target(s)] = call
        return tree.replace(s, value=tree.call('_zeros', shape))
    for part in tree.header(s):
        for node in tree.walk(part):
            found = reader.path(node) if isinstance(node, (gast.Attribute, gast.Name)) else None
            if found and found[1] and found[1] not in INDICES and not any(i.startswith(found[1] + '.') for i in INDICES):
                raise subset.unsupported(node, reader.source, f'uses of cuda.{found[1]}', 'use grid, gridsize, threadIdx and '
                                        'the like, shared.array, local.array, const.array_like, and as statements '
                                        'syncthreads() and atomic.add()')
    if isinstance(s, gast.Return) and s.value is not None:
        raise subset.unsupported(s, reader.source, 'values returned by kernels', 'write them into an array')
    return s


def _arrays(function, source):
    """(name -> number of axes of what has elements or a shape, names of what is written into)."""
    axes: dict = {}
    written = set()
    for n in tree.walk(function):
        if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name):
            count = len(n.slice.elts) if isinstance(n.slice, gast.Tuple) else 1
            if any(isinstance(e, gast.Slice) for e in (n.slice.elts if isinstance(n.slice, gast.Tuple) else [n.slice])):
                raise subset.unsupported(n, source, 'slices in kernels', 'write the loop over the elements')
            if isinstance(n.slice, gast.Name) and count == 1 and axes.get(n.value.id, 1) > 1:
                count = axes[n.value.id]           # `x[place]` with a tuple
            axes[n.value.id] = max(count, axes.get(n.value.id, 0))
            if isinstance(n.ctx, gast.Store):
                written.add(n.value.id)
        elif isinstance(n, gast.Attribute) and n.attr in ('shape', 'size') and isinstance(n.value, gast.Name):
            axes.setdefault(n.value.id, 0)
    local = set(tree.names(function, gast.Store))
    parameters = set(tree.names(function.args, gast.Param))
    return {n: r for n, r in axes.items() if n in local | parameters}, written & parameters


def _barrier(among):
    """A function that writes into an element of each array."""
    names = list(among) or ['nothing']
    lines = [f'    {n}[{", ".join(["0"] * max(rank, 1))}] += 0.0' for n, rank in among.items()] or ['    pass']
    text = '\n'.join([f'def barrier({", ".join(names)}):', *lines, ''])
    function = build(text, [Part('barrier', {'__name__': 'kernel'})])['barrier']
    function.text = function.__dict__.pop('source')
    return function


def _barriers(stmts, among):
    found = []
    for s in stmts:
        s = tree.replace(s, **{field: _barriers(block, among) for field, block in tree.blocks(s)})
        if isinstance(s, gast.Expr) and tree.is_call(s.value, '_barrier'):
            s = tree.replace(s, value=tree.call('_barrier', *map(tree.load, among)))
        found.append(s)
    return found
