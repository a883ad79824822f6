"""Derivatives of CUDA kernels: the adjoint of a kernel of `numba.cuda.jit` is such a kernel.

    dsaxpy = tangent.grad(saxpy, wrt=('x', 'y'))
    dsaxpy[grid, block](a, x, y, out, bx, by, bout)

The forward pass of each thread and its adjoint stand in one kernel. See docs/cuda.md.
"""
import dataclasses
import functools
import importlib
import sys

import gast
import numpy

from tangent import errors
from tangent.analysis.liveness import start_tape
from tangent.analysis.shapes import NUMBER
from tangent.cuda import device_functions
from tangent.cuda.from_python import DEVICE, After, refuse_rest, total
from tangent.cuda.tape import Tapes
from tangent.cuda.to_python import prepared
from tangent.driver.derivation import Derivation
from tangent.driver.made import Demands, Made
from tangent.driver.results import gradients_of
from tangent.emit.build import Part, build
from tangent.emit.printer import emit
from tangent.emit.signature import params, part_of, plain_arguments
from tangent.frontend import subset, tree
from tangent.frontend.source import read
from tangent.runtime import facts

CARRIED = ('fastmath', 'opt', 'debug', 'lineinfo')


def is_kernel(function):
    """Whether a function is one that `numba.cuda.jit` has made, for a device or for the simulator."""
    module = type(function).__module__
    return module.startswith(('numba.cuda', 'numba_cuda')) and hasattr(function, 'py_func')


def is_device(kernel):
    return bool(getattr(kernel, '_device', False) or getattr(kernel, 'targetoptions', {}).get('device'))


class Numbers(dict):
    """Shapes of names: numbers, but for arrays."""

    def get(self, name, default=None):
        return dict.get(self, name, NUMBER)


class KernelDerivation(Derivation):
    """The adjoint kernel of a kernel, and the twins of the device functions that it calls."""

    kernel = None

    def remember(self, normal):
        """In a kernel all values are numbers, and indices are integers."""
        normal = super().remember(normal)
        arrays = set(self.kernel.arrays) | set(self.kernel.own) if normal.source is self.kernel.source else set()
        shapes = normal.shapes
        shapes.of = Numbers({n: frozenset([n]) for n in arrays})
        shapes.is_basic = lambda index: True
        shapes.is_element = lambda array, index: isinstance(array, gast.Name) and array.id in arrays
        names = {n for s in tree.every(normal.tree.body) for n in tree.writes(s)} | set(params(normal.tree))
        return dataclasses.replace(normal, numbers=normal.numbers | names - arrays)

    def adjoint(self, function, wrt):
        """(functions as Made, the last of which is the kernel; Tapes)."""
        kernel = self.kernel = prepared(read(function))
        source = kernel.source
        arrays = [p for p in params(source.tree) if p in kernel.arrays and (p in wrt or p in kernel.written)]
        numbers = [p for p in params(source.tree) if p in wrt and p not in kernel.arrays]
        wanted = tuple(p for p in params(source.tree) if p in arrays or p in numbers)
        written = tuple((p, kernel.arrays[p]) for p in arrays)
        name = self.function_name('d' + source.name, source)
        reverse, forward, adjoint, *_ = self.passes(source, Demands(wanted, written), inner=True, seed_name='seed')
        own = {p: reverse.open[p][0] for p in arrays}
        reverse.out = adjoint
        sums = gradients_of(reverse, wanted, forward + adjoint, self.shares_seed, inner=True)[0]
        own.update((p, reverse.names.fresh(f'b{p}')) for p in numbers)
        body = start_tape(forward, reverse.library) + adjoint + [total(own[p], v) for p, v in zip(numbers, sums)]
        early = [*params(source.tree), *(own[p] for p in wanted)]
        made = tree.replace(source.tree, name=name, args=plain_arguments(early), body=body, decorator_list=[], returns=None)
        made = self.finish(made, reverse)
        swapped = {old: new for p in numbers for old, new in ((own[p], f'b{p}'), (f'b{p}', own[p]))}
        made = tree.replace(made, body=[tree.rename(s, swapped) for s in made.body])
        own.update((p, f'b{p}') for p in numbers)
        given = [*params(source.tree), *(own[p] for p in wanted)]
        barriers = {'_barrier', *(n for (callee, *_), t in self.twins.items() if callee is kernel.barrier for n in t[:2])}
        self.made = [m for m in self.in_use_by(made) if m.tree.name not in barriers]
        functions = []
        for m in [*self.made, Made(made, source, part_of(name, source))]:
            after = After(kernel, self.shared, [own[p] for p in wanted], barriers, m.source)
            changed = after.function(m.tree)
            refuse_rest(changed, after, m.source)
            functions.append(Made(changed, m.source, m.part))
        for m in functions[:-1]:
            refuse_tapes(m)
        *devices, main = functions
        tapes = Tapes(main.tree, kernel.prefix, after.axes())
        changed = tapes.function(main.tree)
        given += [t for t, *_ in tapes.given] + ([tapes.full] if tapes.full else [])
        changed = tree.replace(changed, args=plain_arguments(given))
        return [*devices, Made(changed, source, main.part)], tapes

    def in_use_by(self, function):
        """The twins that the function calls, directly or not."""
        found, pending = [], [function]
        while pending:
            called = {n for s in pending.pop().body for n in tree.names(s, gast.Load)}
            for m in self.made:
                if m.tree.name in called and m not in found:
                    found.append(m)
                    pending.append(m.tree)
        return [m for m in self.made if m in found]


def refuse_tapes(m):
    """Refuse device functions with a tape, which nobody could hand over."""
    for s in tree.every(m.tree.body):
        if isinstance(s, gast.Assign) and isinstance(s.value, gast.List):
            loop = next(t for t in tree.walk(m.source.tree) if isinstance(t, (gast.For, gast.While, gast.If)))
            raise subset.unsupported(loop, m.source, 'device functions whose derivative keeps values of each iteration',
                                    'write the loop into the kernel')


class AdjointKernel:
    """What `tangent.grad` makes of a kernel: a kernel, launched as `dk[grid, block](...)`.

    Attributes
    ----------
    source : str
        The text.
    py_func : function
        The text as a Python function.
    kernel
        What `numba.cuda.jit` has made of it.
    """

    def __init__(self, name, text, function, kernel, tapes, slots=None):
        self.__name__, self.source, self.py_func, self.kernel = name, text, function, kernel
        self.tapes, self.slots = tapes, slots

    def with_tape(self, slots):
        """The same kernel, whose threads have tapes of so many slots: one for each iteration of a loop that needs them."""
        return AdjointKernel(self.__name__, self.source, self.py_func, self.kernel, self.tapes, slots)

    def __getitem__(self, launch):
        return functools.partial(self.launch, launch)

    def launch(self, launch, *args):
        cuda = importlib.import_module('numba.cuda')
        threads = int(numpy.prod(launch[0]) * numpy.prod(launch[1]))
        parts = [part if isinstance(part, (tuple, list)) else (part,) for part in launch[:2]]
        if any(n != 1 for part in parts for n in part[self.tapes.axes or 3:]):
            raise errors.ArgumentError(f'{self.__name__} tells its threads apart along {self.tapes.axes} axes, and is launched '
                                       'along more')
        self.check_apart(args)
        more = []
        for _, fields, bound in self.tapes.given:
            slots = bound if bound is not None else self.slots
            if slots is None:
                raise errors.ArgumentError(f'{self.__name__} keeps values of the trips of a loop without a constant bound: say '
                                           f'how many there are at most, {self.__name__}.with_tape(100)[grid, block](...)')
            more.append(cuda.device_array((slots, fields, threads), numpy.float64))
        if self.tapes.full:
            more.append(cuda.to_device(numpy.zeros(1, numpy.int32)))
        self.kernel[launch](*args, *more)
        if self.tapes.full and more[-1].copy_to_host()[0]:
            raise errors.TapeError(f'{self.__name__}: a thread needs a longer tape than {self.slots} slots, and the gradients '
                                   'are wrong: give it more by with_tape')

    def check_apart(self, args):
        """Refuse arrays that share memory: what is written into one would not be known in the other."""
        names, spans = self.py_func.__code__.co_varnames, []
        for name, array in zip(names, args):
            if hasattr(array, 'strides') and hasattr(array, 'shape') and 0 not in array.shape:
                start = address(array)
                reach = sum(abs(step) * (n - 1) for step, n in zip(array.strides, array.shape)) + array.dtype.itemsize
                spans.append((start, start + reach, name))
        spans.sort()
        for (_, end, name), (start, _, other) in zip(spans, spans[1:]):
            if start < end:
                raise errors.AliasError(f'{name} and {other} share memory: give {self.__name__} an array of its own for each')

    def __repr__(self):
        return f'<adjoint kernel {self.__name__}>'


def address(array):
    """Where the memory of an array begins, on a device or here."""
    there = getattr(array, '__cuda_array_interface__', None)
    if there is None:
        array = getattr(array, '_ary', array)            # of the simulator
        there = array.__array_interface__
    return there['data'][0] + sum(min(step, 0) * (n - 1) for step, n in zip(array.strides, array.shape))


def derivative(kernel, wrt, options):
    """The AdjointKernel of a kernel with respect to the parameters `wrt`."""
    if options.mode != 'reverse' or options.motion != 'joint' or options.values != 'none' or options.aux:
        raise errors.ArgumentError(f'{kernel.py_func.__name__} is a CUDA kernel: tangent.grad(kernel, wrt) gives its adjoint '
                                   'kernel; there is no other derivative of kernels')
    if is_device(kernel):
        raise errors.ArgumentError(f'{kernel.py_func.__name__} is a device function: take the derivative of the kernel that '
                                   f'calls it, or of {kernel.py_func.__name__}.py_func')
    derivation = KernelDerivation(options)
    made, tapes = derivation.adjoint(kernel.py_func, wrt)
    *devices, main = made
    starts = [{n.lineno for n in tree.walk(m.source.tree) if isinstance(n, gast.stmt)} for m in made]
    text = emit([m.tree for m in made], [m.source.comments for m in made], {}, starts)
    cuda = importlib.import_module('numba.cuda')
    given = getattr(kernel, 'targetoptions', {})
    flags = {name: given[name] for name in CARRIED if given.get(name)}
    library = {name: thing for name, thing in derivation.shared.items()
               if not facts.is_ours(thing) or hasattr(thing, 'py_func')}
    for name, thing in derivation.shared.items():
        if getattr(thing, '__name__', None) in DEVICE and name not in library:
            library[name] = cuda.jit(device=True)(getattr(device_functions, thing.__name__))
    library.setdefault('float64', sys.modules['numba'].float64)
    device = {m.part.name: cuda.jit(device=True, **flags) for m in devices}
    parts = [Part(m.tree.name, m.source.globals, m.source.closure) for m in made]
    functions = build(text, parts, library, main.tree.name, device)
    function = functions[main.tree.name]
    return AdjointKernel(main.tree.name, function.source, function, cuda.jit(**flags)(function), tapes)
