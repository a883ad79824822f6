"""`tangent.vmap`: a function of one sample made a function of many, by a loop that people can read.

    per_sample = tangent.vmap(tangent.grad(loss), in_axes=(None, 0, 0))

    def vmap_of_dlossdw(w, x, y):
        found = []
        for x_k, y_k in rows_of((x, y)):
            found.append(dlossdw(w, x_k, y_k))
        return stack_rows(found)

The loop is a function like those that users write: it is differentiated, saved and exported as they are.
"""
import ast
import dataclasses
import importlib
import inspect
import keyword
import types
from inspect import Parameter

import gast
import numpy

from tangent import errors
from tangent.driver.ruled_functions import as_function
from tangent.emit import module_cache
from tangent.emit.build import Part, build
from tangent.frontend import tree
from tangent.frontend.source import original, read
from tangent.interfaces import arguments
from tangent.interfaces.arguments import asks
from tangent.interfaces.jacobians import operators
from tangent.numba import options as compiled
from tangent.runtime.functions.rows import common_length, rows_of, split, stack_rows

__all__ = ['vmap']

LOOP = '''\
def {name}{signature}:
    found = []
    for {row} in rows_of({values}):
        found.append({func}({args}))
    return stack_rows({found})
'''
COMPILED = '''\
def {name}({signature}):
    {n} = common_length({lengths})
    {firsts} = {func}({first})
{rooms}    for {k} in numba.prange({n}):
        {places} = {func}({args})
    return {founds}
'''
ROOM = '    {found} = numpy.empty(({n},) + numpy.shape({first}), numpy.asarray({first}).dtype)\n'
PLAIN = Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD


@asks
def vmap(func, in_axes=0, out_axes=0, *, axis_size=None, chunk_size=None, jit=None):
    """A function of many samples, of a function of one: a loop over an axis of the arguments, whose results are stacked.

    Parameters
    ----------
    func : function
        A derivative, too: `vmap(grad(loss), in_axes=(None, 0, 0))` gives a gradient for each sample.
    in_axes : int, None, or a tuple of these
        Which axis of each positional argument the samples are along, None for what all have in common; one number for all. For
        containers also containers of axes, of their structure or the outer part of it. Keywords: along axis 0.
    out_axes : int, None, or a container of these
        Where the new axis is in the arrays of the result; None for what is the same for all samples.
    axis_size, chunk_size : int
        How many samples there are, where no argument has an axis to tell; how many to take at a time: one, whatever is said.
    jit : bool or dict
        Whether Numba compiles the loop, or options for `numba.njit`; by default as `func` is compiled, with its options.

    Returns
    -------
    function
        Takes the arguments of `func`, the mapped ones with one more axis. Of its result numbers are arrays of shape `(n,)`, and
        arrays have one more axis. `tangent.source` shows the loop.

    Raises
    ------
    ArgumentError, ArgumentTypeError
        If the axes make no sense, or an option is one of another library's that has no meaning here.
    ShapeError
        When called: the axes have different lengths, or none.

    Notes
    -----
    For functions that Numba compiles, of numbers and arrays, the loop is a `prange` loop that it compiles, too; it runs in
    parallel where `func` does, or with `jit={'parallel': True}`.

    Examples
    --------
    >>> def loss(w, x, y):
    ...     return (numpy.tanh(x @ w) - y) ** 2
    >>> w, x, y = numpy.zeros(2), numpy.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), numpy.array([0.5, 0.0, -0.5])
    >>> tangent.vmap(tangent.grad(loss), in_axes=(None, 0, 0))(w, x, y)
    array([[-1., -2.],
           [ 0.,  0.],
           [ 5.,  6.]])
    """
    check_axes(in_axes, 'in_axes')
    check_axes(out_axes, 'out_axes')
    check_size(axis_size)
    arguments.check_chunk(chunk_size)
    arguments.check_jit(jit)
    in_axes = tuple(in_axes) if isinstance(in_axes, list) else in_axes
    if axis_size is None and not any(axis is not None for axis in numbers_in(in_axes)):
        raise errors.ArgumentError('in_axes is None for all arguments: say which have an axis to go along')
    flags = compiled.flags_of(func) if jit is None else compiled.flags(jit) if jit is not False else None
    simple = type(out_axes) is int and out_axes == 0 and axis_size is None
    made = compiled_loop(func, in_axes, flags) if flags and simple else None
    if jit and made is None:
        raise errors.ArgumentError('jit is for functions of numbers and arrays, with plain numbers for axes and out_axes=0: '
                                   'leave it out')
    return made or python_loop(func, in_axes, out_axes, axis_size)


def check_axes(axes, what):
    for axis in numbers_in(axes):
        if axis is not None and not arguments.is_index(axis):
            raise errors.ArgumentTypeError(f'{what} has {axis!r}: it takes numbers of axes, None, and containers of these')


def check_size(axis_size):
    if axis_size is not None and not (arguments.is_index(axis_size) and axis_size >= 1):
        raise errors.ArgumentError(f'axis_size is {axis_size!r}: it is how many samples there are, at least 1')


def numbers_in(axes, inside=False):
    """The axes in a container of them; words that a record or an object holds are none."""
    parts, _ = split(axes)
    if parts is None:
        return [] if inside and isinstance(axes, str) else [axes]
    inside = not isinstance(axes, (tuple, list, dict)) or hasattr(axes, '_fields')
    return [n for part in parts for n in numbers_in(part, inside)]


def parameters_of(func, in_axes):
    """(names of the parameters that the loop has, whether more may come by position, and by keyword); None where it takes all
    that is given.

    One number for all arguments is for those that have to be given, and for all others that are.
    """
    try:
        found = list(inspect.signature(as_function(getattr(func, 'py_func', func))).parameters.values())
    except (TypeError, ValueError):
        return None
    derived = hasattr(func, 'variants') or hasattr(getattr(func, 'py_func', None), 'question')
    if derived and found and found[-1].default is not Parameter.empty:
        found = found[:-1]                      # the seed of a derivative
    plain = [p.name for p in found if p.kind in PLAIN]
    count = len(in_axes) if isinstance(in_axes, tuple) else sum(p.kind in PLAIN and p.default is p.empty for p in found)
    if isinstance(in_axes, dict) and len(plain) > 1 and in_axes.keys() <= set(plain):
        raise errors.ArgumentTypeError('in_axes is a dict of names of arguments: give a tuple with an entry for each, '
                                       f'in_axes={tuple(in_axes.get(name, 0) for name in plain)!r}')
    if any(p.kind is p.VAR_POSITIONAL for p in found) or not count:
        return None
    if count > len(plain) or any(p.default is p.empty for p in found[count:len(plain)]):
        raise errors.ArgumentError(f'in_axes has {count} entries, and {getattr(func, "__name__", "the function")} takes '
                                   f'{len(plain)} arguments: {", ".join(plain)}')
    return plain[:count], len(plain) > count and not isinstance(in_axes, tuple), len(found) > count


def python_loop(func, in_axes, out_axes, axis_size=None):
    """The loop, as a function of Python's."""
    names, rest, more = parameters_of(func, in_axes) or (None, False, True)
    title = title_of(func)
    fresh = tree.Names({*(names or ()), 'found', 'rows_of', 'stack_rows', 'args', 'in_axes', 'out_axes'}).fresh
    inner, others, keywords = fresh(title), fresh('others'), fresh('keywords')
    cells = {inner: func}
    if names is None:
        mapped, axes = ['args', keywords], (in_axes, 0)
        signature, args = f'(*args, **{keywords})', f'*args_k, **{keywords}_k'
        rows = ['args_k', f'{keywords}_k']
    else:
        each = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(names)
        mapped = [name for name, axis in zip(names, each) if axis is not None]
        axes = tuple(axis for axis in each if axis is not None)
        in_row = {name: fresh(f'{name}_k') for name in mapped}
        rows = list(in_row.values())
        signature, args = ', '.join(names), ', '.join(in_row.get(name, name) for name in names)
        if rest:
            mapped, axes, rows = [*mapped, others], (*axes, in_axes), [*rows, f'{others}_k']
            signature, args = f'{signature}, *{others}', f'{args}, *{others}_k'
        if more:
            mapped, axes, rows = [*mapped, keywords], (*axes, 0), [*rows, f'{keywords}_k']
            signature, args = f'{signature}, **{keywords}', f'{args}, **{keywords}_k'
        signature = f'({signature})'
    values = mapped[0] if len(mapped) == 1 else f'({", ".join(mapped)})'
    axes = axes[0] if len(mapped) == 1 else axes
    zeros = all(type(axis) is int and axis == 0 for axis in (axes if isinstance(axes, tuple) and len(mapped) > 1 else (axes,)))
    values += '' if zeros else f', {written(axes, "in_axes", cells)}'
    values += '' if axis_size is None else f', size={axis_size}'
    found = 'found' if type(out_axes) is int and out_axes == 0 else f'found, {written(out_axes, "out_axes", cells)}'
    name = f'vmap_of_{title}'
    text = LOOP.format(name=name, signature=signature, row=', '.join(rows) or fresh('_'), values=values, func=inner, args=args,
                       found=found)
    part = Part(name, {'__name__': __name__}, {name: types.CellType(value) for name, value in cells.items()})
    made = build(text, [part], {'rows_of': rows_of, 'stack_rows': stack_rows}, name)[name]
    made.by_text = True
    made.__doc__ = f'{title}, for each sample along axes {in_axes!r} of the arguments.'
    return made


def compiled_loop(func, in_axes, flags):
    """The loop, as a function that Numba compiles; None where there is no such form."""
    names, _, more = parameters_of(func, in_axes) or (None, False, True)
    each = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(names or ())
    if names is None or more or not all(axis is None or hasattr(axis, '__index__') for axis in each):
        return None
    fresh = tree.Names({*names, 'numba', 'numpy', 'common_length'}).fresh
    title = title_of(func)
    inner, n, k = fresh(title), fresh('n'), fresh('k')
    count = results_of(func)
    firsts, founds = [fresh('first') for _ in range(count or 1)], [fresh('found') for _ in range(count or 1)]
    at = lambda k: ', '.join(n if axis is None else f'{n}[{index(axis, k)}]' for n, axis in zip(names, each))     # noqa: E731
    listed = lambda items: ', '.join(items) + ',' * (count == 1)                                                   # noqa: E731
    name = f'vmap_of_{title}'
    text = COMPILED.format(
        name=name, signature=', '.join(names), n=n, k=k, func=inner, first=at('0'), args=at(k), firsts=listed(firsts),
        lengths=', '.join(f'{x}.shape[{axis}]' for x, axis in zip(names, each) if axis is not None), founds=listed(founds),
        rooms=''.join(ROOM.format(found=found, first=first, n=n) for found, first in zip(founds, firsts)),
        places=listed(f'{found}[{k}]' for found in founds))
    callee = func if compiled.flags_of(func) else flags.compile(func)
    part = Part(name, {'__name__': __name__, 'numba': importlib.import_module('numba'), 'numpy': numpy},
                {inner: types.CellType(callee)})
    made = build(text, [part], {'common_length': common_length}, name)[name]
    made.by_text = True
    return module_cache.single(made, dataclasses.replace(flags, cache=False))


def index(axis, place):
    """The index that takes an axis of an array at a place."""
    return ', '.join([':'] * axis + [place]) if axis >= 0 else ', '.join(['...', place, *[':'] * (-axis - 1)])


def results_of(func):
    """How many results a function returns as a tuple; None where it is no tuple that is written out."""
    values = [node.value for node in tree.walk(read(original(func)).tree) if isinstance(node, gast.Return)]
    lengths = {len(value.elts) if isinstance(value, gast.Tuple) else None for value in values}
    return lengths.pop() if len(lengths) == 1 else None


def title_of(func):
    name = getattr(func, '__name__', 'f')
    return name if name.isidentifier() and not keyword.iskeyword(name) else 'f'


def written(axes, name, cells):
    """The axes as they stand in a text: as they are, or by a name where they are no literal."""
    try:
        if ast.literal_eval(repr(axes)) == axes:
            return repr(axes)
    except (ValueError, SyntaxError):
        pass
    cells[name] = axes
    return name


operators.register({vmap: operators.vmap})
