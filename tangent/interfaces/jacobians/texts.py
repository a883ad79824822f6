"""Functions written as text around derivatives that Numba compiles: names that are free, helpers, a dispatcher of their own."""
import dataclasses
import types

from tangent.emit import module_cache
from tangent.emit.build import Part, build
from tangent.numba import options as compiled
from tangent.runtime import api
from tangent.runtime.functions import bases
from tangent.runtime.tangents import blocks, conversions

HELPERS = {name: getattr(bases, name) for name in
           ('unit_seed', 'numbers_in', 'matrix_of', 'put_row', 'put_column', 'blocks_of', 'rows_that_fit',
            'rows_apart', 'check_rows')}
HELPERS.update(count_directions=conversions.count_directions, copy=api.copy)
HELPERS.update((name, getattr(blocks, name)) for name in blocks.__all__)


def listed(names):
    return ''.join(f'{n}, ' for n in names).rstrip() if len(names) == 1 else ', '.join(names)


def title(what, func):
    return f'{what}_of_{func.__name__}' if func.__name__.isidentifier() else what


class Fresh:
    """Names that are no parameter of a function, nor a helper, and what some of them stand for."""

    def __init__(self, taken):
        self.taken, self.things = {*taken, *HELPERS}, {}

    def __call__(self, name, thing=None):
        while name in self.taken:
            name += '_'
        self.taken.add(name)
        if thing is not None:
            self.things[name] = thing
        return name


def indented(text):
    return ''.join(f'    {line}\n' for line in text.splitlines())


def made(text, name, func, library):
    function = build(text, [Part(name, {'__name__': 'operators_compiled'})], library, name)[name]
    if any(isinstance(thing, types.FunctionType) and hasattr(thing, 'variants') for thing in library.values()):
        return function                                         # around a derivative that CPython runs
    flags, digest = compiled.flags_of(func), module_cache.Digest()
    try:
        digest.value(func if flags.cache else None)              # not all of the text calls it by its name
    except module_cache.NotCached:
        flags = dataclasses.replace(flags, cache=False)
    dispatcher = module_cache.single(function, flags, more=(digest.hexdigest(),))
    dispatcher.source = function.source
    return dispatcher
