"""The door to Numba: how derivatives are to be compiled, and the run time made known to it.

This module can be imported without Numba. Those of `machine` and `overloads` import it: `init` loads them all, with the
overloads that they declare. Numba calls it through the package's `numba_extensions` entry point; `entry` sees to it where the
package is not installed (run from a checkout).
"""
import contextlib
import dataclasses
import difflib
import importlib
import pkgutil
import sys
import weakref
from typing import ClassVar

from tangent.errors import NOT_THE_USERS, PLACES, ArgumentError, ReverseNotImplementedError
from tangent.numba import machine, overloads
from tangent.runtime import facts, tape
from tangent.runtime.add import add_grad
from tangent.runtime.functions import extents
from tangent.runtime.references import numpy
from tangent.runtime.references.table import STAND_INS
from tangent.runtime.zeros import init_grad

CARRIED = ('boundscheck', 'error_model', 'fastmath', 'forceinline', 'inline', 'nogil', 'parallel')


@dataclasses.dataclass(frozen=True)
class Flags:
    """How a derivative is to be compiled: the options of the decorator, in a form that can be compared.

    options : (name, value) pairs
    cache : whether machine code is kept on disk
    loops : whether arithmetic on slices is compiled as loops
    inner : whether other compiled functions alone call it, with what Python has no form for
    """
    options: tuple = ()
    cache: bool = False
    loops: bool = True
    inner: bool = False
    cheap: ClassVar[int] = 12           # operations that machine code makes in the time of a push and a pop
    independent: ClassVar[bool] = True  # loops whose trips are independent run backwards trip by trip

    def compile(self, function, loops=None):
        """What the others see in place of an emitted function; with Numba's compiler switched off the function itself.

        loops : makes the function anew for types of arguments, see `loops.functions.specialised`
        """
        import numba
        if numba.config.DISABLE_JIT:
            return function
        options = self.keywords()
        options.update(dict.fromkeys(('no_cpython_wrapper', 'no_cfunc_wrapper'), True) if self.inner else {})
        looped = self.loops and not options.get('parallel')
        return compiler().compiled(function, options, self.cache, loops if looped else None)

    def compile_typed(self, function, derive):
        """The dispatcher of a function that `derive` makes anew for the types of its arguments."""
        import numba
        return function if numba.config.DISABLE_JIT else compiler().compiled(function, self.keywords(), derive=derive)

    def keywords(self):
        """The options as the decorator takes them."""
        return {name: set(value) if isinstance(value, frozenset) else value for name, value in self.options}

    @staticmethod
    def derived(function, args):
        """What is compiled for a call of what `compile_typed` made."""
        return compiler().derived(function, args)

    @staticmethod
    def facts(function, args):
        """What the variables hold for these types of arguments, see `types_of.facts`."""
        return compiler().types_of.facts(function, args)

    @property
    def divides(self):
        """Whether a division of numbers by 0 raises."""
        return dict(self.options).get('error_model') != 'numpy'

    @staticmethod
    def find(name):
        """The function of the run time, or of Numba, that the text for Numba calls by this name."""
        if name == 'prange':
            import numba
            return numba.prange
        return HERE.get(name) or getattr(tape, name)

    def of(self, callee):
        """The flags for the twins of a callee: those that it was decorated with itself, if it was."""
        found = flags_of(callee)
        return self if found is None else dataclasses.replace(found, cache=self.cache, loops=self.loops, inner=self.inner)


def compiler():
    """The module `machine.compile`, which imports Numba: the only one that is asked for from here."""
    return importlib.import_module(f'{machine.__name__}.compile')


def add_field(record, name, value):
    """The gradient of a record, of which more is owed to one field: in text for Numba, where records stay as they are."""
    setattr(record, name, getattr(record, name) + value)
    return record


def put_field(record, name, value):
    """The gradient of a record, with another value for one field."""
    setattr(record, name, value)
    return record


def add_item(bx, index, v):
    """The gradient of a tuple, list or array, of which more is owed to one element: as `add_field`."""
    bx[index] += v
    return bx


def backwards(start, stop, step):
    """The numbers of a range in the other order, for a step whose sign the text does not show."""
    return range(start, stop, step)[::-1]


def get_num_threads():
    """How many threads Numba uses, as `numba.get_num_threads` says it, in a form whose machine code can be kept on disk."""
    import numba
    return numba.get_num_threads()


HERE = {'add_field': add_field, 'add_grad': add_grad, 'add_item': add_item, 'backwards': backwards,
        'get_num_threads': get_num_threads, 'init_grad': init_grad, 'put_field': put_field,
        **{f.__name__: f for f in extents.FUNCTIONS}}


@contextlib.contextmanager
def uncompiled():
    """What is derived while the block runs stays Python."""
    from numba import config
    before, config.DISABLE_JIT = config.DISABLE_JIT, 1
    try:
        yield
    finally:
        config.DISABLE_JIT = before


@contextlib.contextmanager
def interpreted(users=lambda: False):
    """What was compiled from emitted text is run by Python in the block, so that its lines can be watched; so are those of the
    user's, while `users()`."""
    module = sys.modules.get('numba.core.dispatcher')
    if module is None or '__call__' in vars(module.Dispatcher):
        yield
        return
    compiled = module.Dispatcher.__call__

    def call(dispatcher, *args, **keywords):
        function = dispatcher.py_func
        file = function.__code__.co_filename
        if file not in PLACES and (file.startswith(NOT_THE_USERS) or not users()):
            return compiled(dispatcher, *args, **keywords)
        if hasattr(function, 'retyped'):            # a stub, in whose place Numba compiles what types decide
            try:
                function = function.written_out()
            except ReverseNotImplementedError:      # which has no other form
                return compiled(dispatcher, *args, **keywords)
        return function(*args, **keywords)
    module.Dispatcher.__call__ = call
    try:
        yield
    finally:
        del module.Dispatcher.__call__


def flags_of(function):
    """The `Flags` that a function compiled by Numba was decorated with; None for anything else."""
    module = sys.modules.get('numba.core.dispatcher')
    if module is None or not isinstance(function, module.Dispatcher) or not function.targetoptions.get('nopython'):
        return None
    given = function.targetoptions
    return Flags(frozen({name: given[name] for name in CARRIED if given.get(name) is not None}), saves(function))


def is_refusal(error):
    """Whether an error says that Numba does not compile something."""
    module = sys.modules.get('numba.core.errors')
    return module is not None and isinstance(error, module.NumbaError)


def flags(given):
    """The `Flags` for `jit=`: True, or a mapping of options of `numba.njit`."""
    options = {} if given is True else dict(given)
    refuse_unknown(options)
    cache, loops = bool(options.pop('cache', False)), bool(options.pop('loops', True))
    return Flags(frozen(options), cache, loops)


def refuse_unknown(options):
    """Refuse what is no option of Numba's, which says so when it compiles."""
    from numba.core.cpu import CPUTargetOptions
    kind = CPUTargetOptions.Mapping
    known = ['cache', 'loops', *(n for n in dir(CPUTargetOptions) if isinstance(getattr(CPUTargetOptions, n), kind))]
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            way = f'did you mean {close[0]!r}?' if close else f'there are {", ".join(n for n in known if n[0] != "_")}'
            raise ArgumentError(f'jit has {name!r}, which is no option of numba.njit: {way}')


def frozen(options):
    return tuple(sorted((name, frozenset(value) if isinstance(value, (set, list)) else value)
                        for name, value in options.items()))


def saves(dispatcher):
    """Whether a dispatcher keeps its machine code on disk."""
    return type(dispatcher._cache).__name__ == 'FunctionCache'


def init():
    """Make the run time callable from Numba-compiled code. Calling it again does nothing."""
    for room in machine, overloads:
        for module in pkgutil.iter_modules(room.__path__, f'{room.__name__}.'):
            importlib.import_module(module.name)
    facts.numba_forms(compiled_as)
    from numba.np.ufunc.dufunc import DUFunc
    from numba.np.ufunc.gufunc import GUFunc
    STAND_INS.update({DUFunc: numpy.compiled_elementwise, GUFunc: numpy.compiled_rows})
    while _waiting:
        callable_from_numba(_waiting.pop())


def compiled_as(function, form):
    """Let Numba compile another function in the place of a helper, or the helper itself."""
    from numba import extending
    if function is form:
        extending.register_jitable(function)
    else:
        extending.overload(function, strict=False)(lambda *args, **keywords: form)


_waiting: weakref.WeakSet = weakref.WeakSet()       # emitted functions that others call, from before Numba was imported


def callable_from_numba(function):
    """Let Numba compile calls of an emitted function (or of a `twins.Twin`), now or once Numba is there."""
    if not sys.modules.get('numba'):
        _waiting.add(function)
        return
    from numba import extending
    plain = getattr(function, 'plain', function)
    extending.register_jitable(plain)
    if plain is not function:
        extending.overload(function, strict=False)(lambda *args, **keywords: plain)


def called_as(function, dispatcher):
    """Let Numba compile calls of a plain function as calls of a compiled one."""
    from numba import extending
    args = ', '.join(f'arg{k}' for k in range(dispatcher.py_func.__code__.co_argcount))
    space = {'dispatcher': dispatcher}
    exec(f'def call({args}):\n    return dispatcher({args})', space)
    extending.overload(function, strict=False)(lambda *args: space['call'])
