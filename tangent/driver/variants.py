"""One derivative for each kind of arguments: asked for with others, it has another text.

    df = tangent.grad(f)        the text takes what it is given for numbers, arrays, containers and records of these
    df(2.0, 3.0)                is that; called again with the like, a text that knows them for numbers
    df(Vec(2.0, 3.0), 3.0)      a text for objects of `Vec`, made at the first call, kept for all others

What people hold is a function that looks at its arguments and calls the one that is right for them (guards, as those of
TorchDynamo and the dispatchers of Numba are). What the library itself makes and calls goes without. Texts for known kinds
give the numbers that the text for all gives; they are made where arguments of these kinds come again, since most that is
called once is never called with the like.
"""
import ast
import collections
import contextlib
import dataclasses
import functools
import inspect
import operator
import threading
import types
import warnings
import weakref
from inspect import Parameter

import numpy as np

from tangent.analysis.kinds.assumptions import assumed
from tangent.analysis.kinds.participants import RUNNING, SIMPLE, Scan, taking_part
from tangent.analysis.kinds.values import (
    Parts,
    classes_of,
    has_fields,
    has_number_keys,
    holds_twice,
    is_empty,
    is_looked_into,
    kinds_of,
    may_hold_twice,
    parts_of,
    share_memory,
)
from tangent.driver import closure_cache, questions
from tangent.driver.made import is_list
from tangent.driver.ruled_functions import as_function
from tangent.errors import ArgumentTypeError, TangentError, located
from tangent.frontend import dependencies, tree
from tangent.frontend.resolve import Lookup, contents
from tangent.frontend.source import original, unwrap
from tangent.runtime import seeds
from tangent.runtime.cast import PartsShared
from tangent.runtime.zeros import FLOAT64

LIMIT = 64                       # kinds of arguments that a derivative is kept for
LINES = 100                      # a text of so many is made anew at the second call, one of twice as many at the third
AT_SIGHT = 16                    # so many parts of the program are compared by a guard itself, and of arguments as many
LOOKS = 1024                     # shapes and types of arguments that are known at sight
OTHER = object()                 # what an argument is that has to be looked at more closely


def derivative(func, wrt, options):
    """The derivative of `func` for people, who may call it with any objects; see `questions.derivative`."""
    if options.target is not None:                    # Numba knows its types
        return questions.derivative(func, wrt, dataclasses.replace(options, classes=frozenset()))
    if isinstance(func, functools.partial):
        return closure_cache.of_partial(derivative, func, wrt, options)
    variants = Variants(func, wrt, options)
    made = variants.of(frozenset(), verbose=options.verbose)
    plain = getattr(made, '__func__', made)
    if not isinstance(plain, types.FunctionType):
        return made
    guard = plain.__dict__.get('guard')
    guard = guard() if isinstance(guard, weakref.ref) else guard
    if guard is None:
        guard = guarded(plain, variants)
        plain.guard = guard if stays(func) else weakref.ref(guard)
    return types.MethodType(guard, made.__self__) if isinstance(made, types.MethodType) else guard


def stays(func):
    """Whether a function is a global, so that it may be held: derivatives are kept as long as their function is there, and what
    looks at arguments holds it."""
    return isinstance(func, types.FunctionType) and func.__globals__.get(func.__name__) is func


class Variants:
    """The derivatives of one function, for each set of classes that its arguments bring and for kinds of these arguments."""

    def __init__(self, func, wrt, options):
        self.func, self.wrt, self.options = func, wrt, options
        self.known, self.lock = collections.OrderedDict(), threading.Lock()            # (classes, kinds, presuming) -> options

    def of(self, classes, kinds=(), verbose=0, presuming=False):
        """The derivative where these classes take part, and those that the function can name.

        kinds : (name of a parameter of the derivative, its kind) for those that are known
        presuming : who calls it calls another where it raises an error, see `normal.typed.powers`
        """
        with self.lock:
            options = self.known.pop((classes, kinds, presuming), None) or dataclasses.replace(
                self.options, classes=classes, kinds=kinds, verbose=0, presuming=presuming)
            self.known[classes, kinds, presuming] = options
            dropped = self.known.popitem(last=False)[1] if len(self.known) > LIMIT else None
        if dropped is not None:
            questions.forget(self.func, self.wrt, dropped)
        if verbose:
            options = dataclasses.replace(options, verbose=verbose)
        return questions.derivative(self.differentiated(classes, kinds), self.wrt, options)

    def differentiated(self, classes, kinds):
        """What is differentiated; of a derivative that is given lists of numbers, the text that takes them for such."""
        inner = getattr(self.func, 'variants', None)
        lists = inner and tuple([(name, kind) for name, kind in kinds if is_list(kind)])
        return inner.of(classes, lists) if lists else variant(self.func, classes)


def variant(func, classes):
    """What is differentiated: of a derivative that people hold the one where these classes take part."""
    variants = getattr(func, 'variants', None)
    return func if variants is None else variants.of(classes)


def for_arguments(derivative, args):
    """What a derivative that people hold calls for these arguments, any others as they are."""
    return variant(derivative, taking_part(args)) if hasattr(derivative, 'variants') else derivative


def specialised(derivative, args, alone=False):
    """What a derivative that people hold calls for these arguments when it is called again, any others as they are.

    alone : there is no other text to be called where this one raises an error
    """
    if not args or not hasattr(derivative, 'texts') or isinstance(derivative, types.MethodType):
        return for_arguments(derivative, args)
    found = given(derivative, args, derivative.texts.parameters)
    classes = taking_part(args)
    presuming = not alone and derivative.texts.may_presume(found, classes)
    return derivative.texts.best(found, classes, presuming=presuming) or for_arguments(derivative, args)


def expected(derivative):
    """What a derivative that people hold calls for arguments as its function's text lets one expect them; any others as they
    are, and those whose function says too little."""
    plain = not hasattr(derivative, 'texts') or isinstance(derivative, types.MethodType)
    return derivative if plain else derivative.texts.assuming() or derivative


def options_for(derivative, args):
    """The Options with which a derivative that people hold is made for these arguments; for none, for those one expects."""
    guard = getattr(derivative, '__func__', derivative)
    if not args:
        kinds = guard.texts.expected() if expected(derivative) is not derivative else None
        classes = taking_part(classes_of([kind for _, kind in kinds or ()]))
        return dataclasses.replace(guard.variants.options, classes=classes, kinds=kinds or ())
    args = (derivative.__self__, *args) if guard is not derivative else args
    classes = taking_part(args)
    kinds = guard.texts.kinds(given(guard, args, guard.texts.parameters))
    return dataclasses.replace(guard.variants.options, classes=classes, kinds=kinds)


def given(derivative, args, parameters):
    """The arguments of a call, defaults among them, in the order of the signature; OTHER for what is not given."""
    try:
        bound = inspect.signature(derivative).bind_partial(*args)
    except TypeError as error:
        raise ArgumentTypeError(f'{derivative.__name__}() {error}') from None
    bound.apply_defaults()
    return [bound.arguments.get(name, OTHER) for name, _ in parameters]


def look_at(value):
    """By what an argument that is no number is known: an array by its shape, and by its dtype if that is not the usual one; a
    container by those of its parts."""
    if type(value) is np.ndarray:
        dtype = value.dtype
        if dtype is FLOAT64:
            return value.shape
        return (dtype, value.shape) if not dtype.hasobject else OTHER
    keys, parts = parts_of(value)
    if not is_looked_into(value, parts):
        return OTHER
    at = look_at_field if has_fields(type(value)) else look_at
    looks = tuple([type(part) if type(part) in SIMPLE else at(part) for part in parts])
    return (type(value), keys, looks) if OTHER not in looks else OTHER


def look_at_field(value):
    """The same for what an object holds."""
    return (type(value), (), ()) if is_empty(value) else look_at(value)


class Texts(dict):
    """What is called for arguments that are seen again: looks at them -> function.

    parameters : (name, kind of parameter) in the order of the signature
    sight : what the guard compares itself, of what the derivative depends on
    last : (looks, what is called for them) that were learnt last, which the guard knows itself, or None
    watched : all of that, for all texts
    others, rest : Checks of what the guard does not compare itself, when it has its next code and by now
    """

    def __init__(self, variants, plain, parameters):
        super().__init__()
        self.variants, self.rest, self.lock = variants, [], threading.RLock()
        self.seen: collections.Counter = collections.Counter()
        self.begin(plain, parameters)

    def begin(self, plain, parameters):
        """Know nothing but the text for all."""
        self.clear()
        self.seen.clear()
        self.plain, self.parameters, self.last, self.watched = plain, parameters, None, dependencies.Notes()
        self.asked = [k for k, (name, _) in enumerate(parameters) if name in seeds.asked_by(plain.__code__)]
        self.enough = 1 + len(getattr(plain, 'source', '').splitlines()) // LINES
        self.watch(plain)

    def watch(self, made, classes=()):
        """Depend on what a text depends on, and on classes of arguments, when the guard has its next code."""
        self.watched.add(getattr(made, 'notes', self.watched))
        with dependencies.noting(self.watched):
            dependencies.note_classes(classes)
        self.sight, self.others = [], []
        for check in self.watched.checks():
            terms = check.terms()
            known = terms and len(self.sight) + len(terms) <= AT_SIGHT and all(is_constant(*things) for _, *things in terms)
            (self.sight if known else self.others).extend(terms if known else [check])

    def moved(self):
        """Whether something has changed that the guard does not compare itself."""
        for check in self.rest:
            if check.moved():
                return True
        return False

    def refuse(self, args):
        """Refuse arguments that the derivative is by and that have no gradient, whatever the function does with them."""
        for k in self.asked:
            why = seeds.why_no_gradient(args[k], self.parameters[k][0])
            if why is not None:
                raise ArgumentTypeError(why)

    def told(self, error, args):
        """The error as it leaves the derivative. Where an argument has no gradient, that is what it says."""
        if isinstance(error, (TypeError, ValueError, AttributeError)) and not isinstance(error, TangentError):
            whys = [why for k in self.asked for why in [seeds.why_no_gradient(args[k], self.parameters[k][0], True)] if why]
            if whys:
                refused = ArgumentTypeError(whys[0])
                refused.__context__, refused.__suppress_context__ = error, True
                return refused.with_traceback(error.__traceback__)
            for k in self.asked if hasattr(error, 'add_note') else ():
                hint = seeds.hint(args[k], self.parameters[k][0], error)
                if hint is not None:
                    error.add_note(hint)
        return located(error)

    def learn(self, looks, args, classes, reached):
        """Remember what is called for arguments with these looks, when they come for the second time; for a long text, which
        takes longer to make, later; `reached` are the classes that take part in what it does with them."""
        if len(self) + len(self.seen) > LOOKS:
            self.clear()
            self.seen.clear()
        if self.seen[looks] < self.enough:
            self.seen[looks] += 1
            return
        plain = self.plain
        try:
            made = self.best(args, classes, any(map(is_list_of_numbers, args)), self.may_presume(args, classes | reached))
        except TangentError:             # what the text for all can do stays
            made = None
        assumed = {**values_of(getattr(made, 'assumed', {})), **self.captured()} if made else {}
        found = made or plain
        if assumed or reached:
            found = Assuming(made or self.variants.of(classes), assumed, self, reached)
        if made and may_hold_twice(Parts(tuple([kind for _, kind in self.kinds(args)]))):
            found = Apart(found, self, reached)
        with self.lock:
            if self.plain is plain:                                # the program has not changed meanwhile
                self.watch(made or self.variants.of(classes), Scan(args).kinds)
                self[looks], self.last = found, (looks, found)
                del self.seen[looks]
                self.anew.recode()

    def best(self, args, classes=frozenset(), needed=False, presuming=False):
        """The text for the kinds of these arguments, by which these classes take part, or None where no kind is known.

        needed : the text for all does not do
        presuming : see `Variants.of`
        """
        if not self.variants.options.reads_kinds and not needed:
            return None
        kinds = self.kinds(args)
        return self.variants.of(classes, kinds, presuming=presuming) if kinds else None

    @staticmethod
    def may_presume(args, classes):
        """Whether the text for all does for these arguments."""
        return not classes and not any(is_list_of_numbers(x) or has_number_keys(type(x), x) for x in args)

    def presumed(self, error, args):
        """Whether an error may come from a text that takes more for granted than that for all, which is to be called then."""
        found = None
        if isinstance(error, PartsShared):
            return True
        if isinstance(error, (TypeError, ValueError, ArithmeticError)):
            with contextlib.suppress(Exception):                     # whatever is raised by looking at what is given
                found = self.get(tuple([type(x) if type(x) in SIMPLE else look_at(x) for x in args]))
        while found is not None and hasattr(found, 'made'):
            found = found.made
        return getattr(found, 'presumes', False)

    def assuming(self):
        """The text for arguments as the function's own text lets one expect them, or None where it says too little of them."""
        kinds = self.expected()
        try:
            return kinds and self.variants.of(taking_part(classes_of([kind for _, kind in kinds])), kinds)
        except TangentError:
            return None

    def expected(self):
        """(name, kind) for such arguments, or None."""
        function, options = self.function(), self.variants.options
        if not options.reads_kinds or not (options.scalar and options.check_dims) or function is not self.variants.func:
            return None
        kinds_of_defaults = zip(self.names(), kinds_of(given(self.plain, (), self.parameters)))
        known = {name: kind for name, kind in kinds_of_defaults if kind is not None}
        known |= assumed(function, {lookup.first: value for lookup, value in self.captured().items()})
        if not known.keys() >= {*questions.wanted(function, self.variants.wrt)[0]}:
            return None
        return tuple([(name, known[name]) for name in self.names() if name in known])

    def kinds(self, args):
        """(name, kind) for the arguments, and for what the function reads from outside, of which something is known."""
        kinds = kinds_of([*args, *self.captured().values()])
        return tuple([(name, kind) for name, kind in zip(self.names(), kinds) if kind is not None])

    def names(self):
        """What kinds are asked of: the parameters, and what is read from outside."""
        return [name for name, _ in self.parameters] + [lookup.first for lookup in self.captured()]

    def function(self):
        """The function as it was written."""
        return unwrap(original(as_function(self.variants.func)))[0]

    def captured(self):
        """Lookup -> value for numbers and arrays that the function reads from outside."""
        function = self.function()
        code = function.__code__
        cells = dict(zip(code.co_freevars, function.__closure__ or ()))
        lookups = [Lookup(function.__globals__, cells.get(name), name) for name in (*cells, *dependencies.loaded(code))
                   if name in cells or name in function.__globals__]
        found = {lookup: contents(lookup.cell) if lookup.cell else lookup() for lookup in lookups}
        return {lookup: value for lookup, value in found.items() if type(value) in (float, int, np.float64, np.ndarray)}


def values_of(assumed):
    """What was assumed of names, but for functions and methods: what these denote is watched by the guard."""
    return {lookup: found for lookup, found in assumed.items() if not callable(found) and isinstance(lookup, Lookup)}


class Assuming:
    """A text that takes names of the user's for what they denoted when it was made, while they do."""

    def __init__(self, made, assumed, texts, classes):
        self.made, self.texts, self.classes = made, texts, classes
        self.globals = [(*lookup.plain, found) for lookup, found in assumed.items() if lookup.plain]
        self.cells = [(lookup.cell, found) for lookup, found in assumed.items() if lookup.cell and not lookup.rest]
        self.others = [(lookup, found) for lookup, found in assumed.items() if lookup.rest]

    def __call__(self, /, *args, **keywords):
        for namespace, name, found in self.globals:
            if namespace.get(name) is not found:
                return self.otherwise(args, keywords)
        for cell, found in self.cells:
            if contents(cell) is not found:
                return self.otherwise(args, keywords)
        for lookup, found in self.others:
            if lookup() is not found:
                return self.otherwise(args, keywords)
        return running_with(self.classes, self.made, args, keywords) if self.classes else self.made(*args, **keywords)

    def at_sight(self, mark):
        """(what a guard calls itself, the tests that it does before), None for what it leaves to this."""
        if self.classes or self.others:
            return None
        tests = [f'{mark(namespace.get)}({name!r})' for namespace, name, _ in self.globals]
        tests += [f'{mark(functools.partial(contents, cell))}()' for cell, _ in self.cells]
        found = [found for *_, found in self.globals + self.cells]
        return self.made, [f'{test} is {mark(thing)}' if is_constant(thing) else
                           f'{mark(functools.partial(operator.is_, thing))}({test})' for test, thing in zip(tests, found)]

    def otherwise(self, args, keywords):
        """What is learnt of names that have been bound anew is learnt again, after more calls each time."""
        self.texts.clear()
        self.texts.enough *= 2
        return running_with(self.classes, self.texts.variants.of(self.classes), args, keywords)


class Apart:
    """A text for objects none of which stands in two places, nor anything that they hold; where one does, the text for all is
    called: what stands in two places has one gradient. So it is where arrays share memory, if objects are taken apart."""

    def __init__(self, made, texts, classes):
        self.made, self.texts, self.classes = made, texts, classes
        self.apart = getattr(getattr(made, 'made', made), 'apart', False)

    def __call__(self, /, *args, **keywords):
        given = (*args, *keywords.values())
        if holds_twice(given) or self.apart and share_memory(given):
            return running_with(self.classes, self.texts.variants.of(self.classes), args, keywords)
        return self.made(*args, **keywords)


def running_with(classes, made, args, keywords):
    """A call of a text; what is found while it runs knows that these classes take part."""
    before, RUNNING.classes = RUNNING.classes, RUNNING.classes | classes
    try:
        return getattr(made, '__func__', made)(*args, **keywords)
    finally:
        RUNNING.classes = before


def running(classes, made, *args, **keywords):
    return running_with(classes, made, args, keywords)


class Otherwise:
    """What is called for arguments that are not known at sight, given in the order of the signature, all by position."""

    def __init__(self, texts):
        self.texts = texts
        self.begin()

    def begin(self):
        """Look at the function, as it is now."""
        function = as_function(self.texts.variants.func)
        given = unwrap(original(function))[0]
        names = dict(parameters(given))
        self.reached = functools.lru_cache(LOOKS)(functools.partial(taking_part, (given, function)))      # with what is given
        self.places = tuple([k for k, (name, _) in enumerate(self.texts.parameters) if name in names])

    def __call__(self, *args):
        self.texts.refuse(args)
        classes = taking_part(tuple([args[k] for k in self.places]))
        looks = tuple([type(x) if type(x) in SIMPLE else look_at(x) for x in args])
        if OTHER not in looks:
            self.texts.learn(looks, args, classes, self.reached(classes))
        made = self.texts.variants.of(classes) if classes else self.texts.plain
        if any(has_number_keys(type(x), x) for x in args):
            made = self.texts.best(args, classes, needed=True) or made        # the text for all may take it for a list
        elif any(map(is_list_of_numbers, args)):
            with contextlib.suppress(TangentError):                          # ... that for an array, where NumPy does
                made = self.texts.best(args, classes, needed=True) or made
        classes = self.reached(classes)
        made = functools.partial(running, classes, made) if classes else made
        return called(made, self.texts.parameters, args, (False,) * len(args))


def is_list_of_numbers(x):
    """Whether it is a list or tuple that `+` joins, and with which functions of NumPy calculate as with an array."""
    return type(x) in (list, tuple) and len(x) > 0 and (
        isinstance(x[0], (int, float, np.number)) or type(x[0]) is np.ndarray and x[0].ndim == 0)


def guarded(plain, variants):
    """The function that looks at its arguments, with the signature of `plain` and its text for those who ask for it."""
    texts = Texts(variants, plain, parameters(plain))
    texts.anew = anew = Anew(texts)
    code, names = anew.code()
    guard = types.FunctionType(code, plain.__globals__, plain.__name__, None, tuple([types.CellType() for _ in names]))
    anew.guard = weakref.ref(guard)
    anew.dress(guard, plain)
    return guard


class Anew:
    """What is called where the program has changed: the derivative is made anew, and the guard becomes that of this one."""

    def __init__(self, texts):
        self.texts, self.otherwise = texts, Otherwise(texts)
        self.things = {'texts': texts, 'otherwise': self.otherwise, 'look': look_at, 'kind': type, 'simple': SIMPLE,
                       'array': np.ndarray, 'double': FLOAT64, 'rest': texts.rest, 'moved': texts.moved, 'anew': self}

    def __call__(self, *args):
        guard = self.guard()
        defaults = (*(guard.__defaults__ or ()), *(guard.__kwdefaults__ or {}).values())
        left_out = [any(value is default for default in defaults) for value in args]       # the new one may have others
        before, own = self.texts.parameters, self.otherwise.places
        self.renew()
        now = dict(self.texts.parameters)                   # it may have more parameters before the seed
        behind = {name for k, (name, kind) in enumerate(before) if k not in own and kind is Parameter.POSITIONAL_OR_KEYWORD}
        ways = [(name, Parameter.KEYWORD_ONLY if name in behind and name in now else kind) for name, kind in before]
        return called(guard, ways, args, left_out)

    def renew(self):
        """Make the derivative anew."""
        dependencies.begun()
        dependencies.forget()
        made = self.texts.variants.of(frozenset())
        plain = getattr(made, '__func__', made)
        with self.texts.lock:
            self.texts.begin(plain, parameters(plain))
            self.otherwise.begin()
            guard = self.guard()
            names = guard.__module__, guard.__qualname__             # by which it is pickled
            self.dress(guard, plain)
            guard.__module__, guard.__qualname__ = names

    def dress(self, guard, plain):
        """Give a guard the signature and the text of a derivative, and let it compare what that depends on."""
        self.recode()
        guard.__qualname__ = plain.__name__
        guard.__defaults__, guard.__kwdefaults__ = plain.__defaults__, plain.__kwdefaults__
        guard.__module__, guard.__doc__ = plain.__module__, plain.__doc__
        guard.__dict__.update({k: v for k, v in plain.__dict__.items() if k != 'guard'})
        guard.variants, guard.texts = self.texts.variants, self.texts
        guard.__numba__, guard.plain = 'plain', plain                 # what Numba compiles, which knows its types

    def recode(self):
        """Let the guard compare what the derivative depends on, and know what was learnt last."""
        guard = self.guard()
        if guard is None:
            return
        code, names = self.code()
        for name, cell in zip(names, guard.__closure__):
            cell.cell_contents = self.things[name]
        guard.__code__ = code
        self.texts.rest[:] = self.texts.others

    def code(self):
        """(the code of such a guard, what its cells hold by their names in `things`)."""
        texts, compared = self.texts, Compared([name for name, _ in self.texts.parameters])
        code = texts.plain.__code__
        changed = tuple([compared.term(text, *things) for text, *things in texts.sight])
        inner, named = guard_code(texts.parameters, changed, *compared.known(texts.last))
        return named_as(inner.replace(
            co_consts=tuple(map(compared.thing, inner.co_consts)), co_name=code.co_name, co_filename=code.co_filename,
            co_firstlineno=code.co_firstlineno), code.co_name), [named[name] for name in inner.co_freevars]


class Compared:
    """What a guard compares: texts in which marks stand for things, which become constants of its code.

    shared : look -> names of what has one gradient wherever it stands, see `holds_twice`; `whole` where all of that has names
    arrays : look -> names of arrays, wherever these stand
    """

    def __init__(self, names):
        self.fresh, self.things = tree.Names(set(names)).fresh, {}
        self.names, self.whole = names, True
        self.shared, self.arrays = collections.defaultdict(list), collections.defaultdict(list)

    def mark(self, thing):
        """The text that stands for a thing."""
        mark = f'\0watched {len(self.things)}'
        self.things[mark] = thing
        return repr(mark)

    def term(self, text, left, right):
        """The test that something has changed, see `dependencies`."""
        return text.format(self.mark(left), self.mark(right), type=self.mark(type), len=self.mark(len))

    def thing(self, constant):
        """What is in the place of a constant."""
        return self.things.get(constant, constant) if type(constant) is str else constant

    def known(self, last):
        """(the test that arguments have looks that were learnt, the text for what is called then), or nothing."""
        if last is None:
            return ()
        found, more = last[1], []
        tests = [test for name, look in zip(self.names, last[0]) for test in self.tests(look, name)]
        if isinstance(found, Apart) and self.whole:
            own = [f'{name}.base is None' for names in self.arrays.values() for name in names] if found.apart else []
            found, tests = found.made, [*tests, *self.apart({**self.shared, **self.arrays} if own else self.shared), *own]
        if isinstance(found, Assuming):
            found, more = found.at_sight(self.mark) or (found, more)
        return ' and '.join(tests + more) or 'True', self.mark(found)

    def apart(self, shared):
        """The tests that nothing that has one gradient stands in two places: what looks different is not the same."""
        for names in shared.values():
            if len(names) == 2:
                yield ' is not '.join(names)
            elif len(names) > 2:
                places = ', '.join(f'{self.mark(id)}({name})' for name in names)
                yield f'{self.mark(len)}({{{places}}}) == {len(names)}'

    def tests(self, look, value, inside=False):
        """The tests that what a text denotes has a look, see `look_at`; one that looks at it where these are many.

        inside : whether an object holds it
        """
        if isinstance(look, type):
            return [f'{self.mark(type)}({value}) is {self.mark(look)}']
        its = value
        if not value.isidentifier():
            value = self.fresh('part')
            its = f'{value} := {its}'
        of_class = f'{self.mark(type)}({its}) is'
        if is_array(look):
            dtype, shape = look if look and isinstance(look[0], np.dtype) else (FLOAT64, look)
            array, dtype, shape = map(self.mark, (np.ndarray, dtype, shape))
            self.shared[look] += [value] * inside
            self.arrays[look].append(value)
            return [f'{of_class} {array}', f'{value}.dtype is {dtype}', f'{value}.shape == {shape}']
        kind, keys, looks = look
        if count(look) > AT_SIGHT or issubclass(kind, tuple) and not all(is_tuples(kind, name) for name in READING):
            self.whole = False
            return [f'{self.mark(look_at)}({its}) == {self.mark(look)}']
        fields, is_object = value, not issubclass(kind, (list, tuple, dict))
        self.shared[look] += [value] * (is_object or inside and not issubclass(kind, tuple))
        if issubclass(kind, (list, tuple)):
            places, same = range(len(looks)), f'{self.mark(len)}({value}) == {len(looks)}'
        else:
            fields = value if kind is dict else self.fresh('fields')
            read = value if kind is dict else f'{fields} := {value}.__dict__'
            places, same = map(self.mark, keys), f'{self.mark(tuple)}({read}) == {self.mark(keys)}'
        inside = inside or is_object
        parts = [test for place, part in zip(places, looks) for test in self.tests(part, f'{fields}[{place}]', inside)]
        return [f'{of_class} {self.mark(kind)}', same, *parts]


def is_tuples(kind, name):
    """Whether a class of tuples has for a method what tuples have."""
    return getattr(kind, name) is getattr(tuple, name)


def is_array(look):
    """Whether it is what arrays are known by."""
    return not isinstance(look, type) and not (look and isinstance(look[0], type))


def count(look):
    """How many numbers and arrays are in what has a look."""
    return 1 if isinstance(look, type) or is_array(look) else sum(map(count, look[2]))


def is_constant(*things):
    """Whether things that are compared can be constants of a code object: Python hashes these, and puts others that are equal
    in the place of some, as of texts."""
    try:
        hash(things)
    except Exception:                       # whatever a class of the user's says
        return False
    return all(map(operator.is_, guarded.__code__.replace(co_consts=(*things, None)).co_consts, things))


def called(function, parameters, args, left_out):
    """A call with arguments in the order of a signature; what is left out has a default."""
    given, keywords, gap = [], {}, False
    for (name, kind), value, left in zip(parameters, args, left_out):
        if kind is Parameter.VAR_POSITIONAL:
            given += value
        elif kind is Parameter.VAR_KEYWORD:
            keywords.update(value)
        elif left and kind is not Parameter.POSITIONAL_ONLY:
            gap = True
        elif kind is Parameter.KEYWORD_ONLY or gap and kind is Parameter.POSITIONAL_OR_KEYWORD:
            keywords[name] = value
        else:
            given.append(value)
    return function(*given, **keywords)


def named_as(code, name):
    """The code with the name that Python's own errors about its arguments say (Python 3.11 and later)."""
    return code.replace(co_qualname=name) if hasattr(code, 'co_qualname') else code


def parameters(function):
    """(name, kind) in the order of the signature."""
    return tuple((p.name, p.kind) for p in inspect.signature(function).parameters.values())


READING = '__getitem__', '__iter__', '__len__'
THINGS = 'texts otherwise look kind simple array double found rest moved anew error'.split()
WAYS = {Parameter.VAR_POSITIONAL: '*{0}', Parameter.VAR_KEYWORD: '**{0}', Parameter.KEYWORD_ONLY: '{0}={0}'}


@functools.lru_cache(maxsize=4096)
def guard_code(parameters, changed=(), known=None, its=None):
    """The code of `def dfdx(x, bf=1.0): return texts.get((look(x), look(bf)), otherwise)(x, bf)`, where numbers are told by
    their classes and arrays by their shapes; and what the names in it stand for. Errors say for which line they were raised.

    changed : what of the program is compared before, such as `g.__code__ is not code`
    known : the test that arguments are those for which `its` is called
    both are texts in which marks stand for things, see `Compared`

    What is not known at sight goes with all arguments by position, in the order of the signature.
    """
    names = [name for name, _ in parameters]
    fresh = tree.Names(set(names)).fresh
    own = {thing: fresh(thing) for thing in THINGS}
    texts, otherwise, look, kind, simple, array, double, found, rest, moved, anew, error = own.values()
    signature = inspect.Signature([Parameter(name, way) for name, way in parameters])
    call, given = ', '.join(WAYS.get(way, '{0}').format(name) for name, way in parameters), ', '.join(names)
    value = fresh('value')
    looks = ''.join(f'{n}.shape if ({value} := {kind}({n})) is {array} and {n}.dtype is {double} else '
                    f'{value} if {value} in {simple} else {look}({n}), ' for n in names)
    body = f'return {texts}.get(({looks}), {otherwise})({call})' if call == given else \
        f'{found} = {texts}.get(({looks})); return {otherwise}({given}) if {found} is None else {found}({call})'
    space, told = {}, f'raise {texts}.told({error}, ({given},))'
    check = f'if {"".join(f"{test} or " for test in changed)}{rest} and {moved}(): return {anew}({given})'
    at_sight = f'   if {known}: return {its}({call})\n' if known else ''
    with warnings.catch_warnings():                         # about comparing constants, in whose place things are put
        warnings.simplefilter('ignore', SyntaxWarning)
        made = ast.parse(f'def make({", ".join(own.values())}):\n def guard{signature}:\n  {check}\n'
                         f'  try:\n{at_sight}   {body}\n'
                         f'  except Exception as {error}:\n   if not {texts}.presumed({error}, ({given},)): {told}\n'
                         f'  try: return {texts}.plain({call})\n  except Exception as {error}: {told}\n return guard')
        for node in tree.walk(made):                  # in tracebacks it is the line of the `def` of the text, no part of it
            if hasattr(node, 'lineno'):
                node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = 1, 1, -1, -1
        exec(compile(made, '<guard>', 'exec'), space)
    return space['make'](*own.values()).__code__, {name: thing for thing, name in own.items()}
