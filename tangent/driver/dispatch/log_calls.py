"""Calls in the log form: what is called is looked at when it is called.

    y, record = recorded((0,), f, x, n)        calls f(x, n); the record knows the way back
    y = call(_log, (4,), (0,), f, x, n)        notes entry 4 in the log, then calls f(x, n)

The entry is made before the call, so that what a function did before it raised is undone and differentiated like the rest.
"""
import collections
import dataclasses
import functools
import inspect
import threading
import types

import numpy as np

from tangent import errors
from tangent.driver.dispatch import (
    compiled,
    known_calls,
    log_again,  # noqa: F401 it registers
    log_functions,
    tasks,
)
from tangent.driver.dispatch.forward import drawn
from tangent.driver.dispatch.operators import answered, made_in_python
from tangent.driver.dispatch.processes import gradients_of
from tangent.driver.dispatch.reverse import OURS, around, pullback
from tangent.emit.build import Part, build
from tangent.eventlog.shadow import cells, gradients, iterators, messages, methods, operators, persistent, processes, threads
from tangent.eventlog.shadow.values import OWN, add_parts, held_by_exception, is_number, refuse_overridden
from tangent.frontend.callees import derives
from tangent.frontend.resolve import current
from tangent.frontend.source import is_manager, original
from tangent.persistent.array import Array
from tangent.runtime import captures, facts
from tangent.runtime.array_api import is_chunked
from tangent.runtime.fields import makes_own
from tangent.runtime.objects import is_object
from tangent.runtime.references.table import KEYED, KEYWORDS, SUBSTITUTES, is_substitute, standing_in
from tangent.templates.language import registry


def call(log, entry, flags, f, /, *args, **keywords):
    """Call `f`, with an entry in the log.

    entry : the number of the entry, and what else the adjoint reads
    flags : which arguments have a derivative: positions, keywords, '*2' for a starred one, '**', 'self' for the function;
        '?2' is position 2 if that is something that can be written into
    """
    return noted(log, entry, Record(f, args, keywords, tuple([certain(flag, args, keywords) for flag in flags])))


def complex_call(log, entry, flags, f, /, *args, **keywords):
    """The same from a function in complex form (see `analysis.complexity`): what is called is in complex form, too."""
    return noted(log, entry, ComplexRecord(f, args, keywords, tuple([certain(flag, args, keywords) for flag in flags])))


def recorded(flags, f, /, *args, **keywords):
    """(what `f` gives, the Record of the call), where nobody goes on if it raises."""
    key, whole = known_calls.key_of(flags, f, args, keywords)
    known = key and known_calls.find(key)
    if known:
        return known.run(whole, keywords)
    record = Exact(f, args, keywords, tuple([certain(flag, args, keywords) for flag in flags]))
    value = record.run()
    if key and record.way:
        known_calls.keep(key, record, whole)
    return value, record


def begun(flags, f, /, *args, **keywords):
    """The Record of a call that may raise, before it is made by `record.run()`."""
    return Record(f, args, keywords, tuple([certain(flag, args, keywords) for flag in flags]))


def complex_begun(flags, f, /, *args, **keywords):
    """The same from a function in complex form."""
    return ComplexRecord(f, args, keywords, tuple([certain(flag, args, keywords) for flag in flags]))


def complex_recorded(flags, f, /, *args, **keywords):
    """The same from a function in complex form."""
    record = ExactComplex(f, args, keywords, tuple([certain(flag, args, keywords) for flag in flags]))
    return record.run(), record


def noted(log, entry, record):
    log.append((entry[0], (record, *entry[1:]) if len(entry) > 1 else record))
    return record.run()


def given_to_owner(backward, owner, grads, gradient):
    """The gradients of a method's arguments; that of the object goes to it: under `o.m` may be the method of another one."""
    found = dict(backward(grads, gradient))
    part = found.pop(OWN, None)
    if part is not None:
        grads.give(owner, part)
    return found


def certain(flag, args, keywords):
    """The flag, None for that of a number that is only given to a function; others may be written into."""
    if type(flag) is int or flag == 'self':
        return OWN if flag == 'self' else flag
    if flag[0] != '?':
        return flag.removeprefix('=')                   # the keyword `self`
    name = flag[1:].removeprefix('=')
    place = int(name) if name.isdigit() else name
    return None if is_number(args[place] if type(place) is int else keywords[place]) else place


class Record:
    """One call: its arguments, its value, and how to go back.

    backward : (Gradients, gradient of the value) -> {position, keyword or 'self': gradient}
    way : (function of the user's that is called, its Form or None, what that depends on, what is wanted, the flags of that)
    left : the class of one whose callee may be left by an exception and gone back through
    """

    __slots__ = ('f', 'args', 'keywords', 'flags', 'value', 'done', 'backward', 'structured', 'refused', 'way')
    in_complex, cut = False, True
    left: type
    in_other_process = staticmethod(gradients_of)

    def __init__(self, f, args, keywords, flags):
        self.f, self.args, self.keywords, self.flags = f, args, keywords, flags
        self.value, self.done, self.backward, self.structured, self.refused, self.way = \
            None, False, nothing, False, None, None

    def run(self):
        try:
            self.value = self.start(self.f, self.args)
        except errors.TangentError as error:           # the user's `except ValueError` must not hide it
            self.refused = error
            raise
        self.done = True
        return self.value

    def take(self, grads, b):
        """(the gradient of the value, what is left of the gradient of the name that it was bound to)."""
        if self.refused is not None:
            raise self.refused
        if not self.done:
            return None, b
        return (grads.take_whole if self.structured else grads.take)(self.value, b), None

    def take_cell(self, grads, cell):
        """The gradient of the value, where that went into a cell; a call that raised has left what was there."""
        return self.take(grads, grads.take_cell(cell) if self.done else None)[0]

    def back(self, grads, g=None):
        """The gradients of what the flags name, in their order; None for what is in the table."""
        if self.refused is not None:
            raise self.refused
        found = self.backward(grads, g)
        return [self.of_flag(found, flag) for flag in self.flags]

    def of_flag(self, found, flag):
        if type(flag) is int or flag == OWN or flag is None:
            return found.get(flag)
        if flag == '**':
            return {k: g for k, g in found.items() if isinstance(k, str) and k != OWN}
        if flag[0] == '*':
            first = int(flag[1:])
            return [found.get(k) for k in range(first, len(self.args))]
        return found.get(flag)

    # Which kind of callee

    def start(self, f, args):
        if type(f) is types.BuiltinFunctionType and (method := methods.of_container(f)) is not None:
            return method(self, f.__self__, args)
        f = current(f)                                 # for twins that stand for the function that a name denotes now
        if registry.dispatched(f) is not None:
            return self.handed_on(f, args)
        if (found := answered(f, args, tuple(self.keywords))) is not None:
            return self.python(found, args, 0)
        out, args = self.out(f, args)
        if out is not None:
            return methods.with_out(self, f, args, out)
        special = methods.FUNCTIONS.get(f) if facts.is_hashable(f) else None
        if special is not None:
            return special(self, f, methods.by_position(self, f, args))
        if registry.is_message(f):
            return messages.by_rule(self, f, args)
        made, f = f, standing_in(f)
        if isinstance(f, functools.partial) and f is not made:
            return self.stand_in(f, args)
        kind = STARTERS.get(type(f))
        if kind is not None:
            return kind(self, f, args)
        if isinstance(f, type):
            return self.construct(f, args)
        if hasattr(f, '__wrapped__') and type(f).__name__ == '_lru_cache_wrapper':
            return self.start(f.__wrapped__, args)
        if getattr(f, 'py_func', None) is not None:
            return self.compiled(f, args)
        if registry.lookup(f) is not None or registry.custom(f) is not None:
            return self.ruled(f, args)
        method = getattr(type(f), '__call__', None)                       # noqa: B004 the type's own, as a call finds it
        if isinstance(method, types.FunctionType):
            return self.python(method, (f, *args), 1)
        return self.ruled(f, args)

    def compiled(self, f, args):
        """A function that Numba compiles: its compiled derivative, or that of its text."""
        wanted = tuple(self.positions())
        call = None if self.keywords or self.in_complex or OWN in self.flags else compiled.pulled(f, wanted)
        found = call and call.apart(args, {})
        return self.pulled(f, args, wanted, False, wanted, lambda *_: found) if found else self.start(f.py_func, args)

    def handed_on(self, f, args):
        """A function that hands calls to others to run."""
        wanted = [*((OWN,) if OWN in self.flags else ()), *self.positions()]
        if not wanted:
            return f(*args, **self.keywords)
        value, back = tasks.pulled(f, wanted, args, self.keywords)
        self.structured = True
        self.backward = lambda grads, g: back(g)
        return value

    def out(self, f, args):
        """(the array that a function of NumPy writes its value into, or None; the other arguments)."""
        if type(f) is types.FunctionType and f.__globals__.get('__name__', 'numpy').partition('.')[0] != 'numpy':
            return None, args
        if self.keywords.get('out') is not None and registry.is_random(f):
            raise errors.ReverseNotImplementedError(
                f'{f.__qualname__} draws into an array that has a derivative: assign what it draws')
        method = isinstance(getattr(f, '__self__', None), np.ndarray)
        if not method and not facts.is_numpy(f) and not facts.is_of_ufunc(f):
            return None, args
        out = self.keywords.pop('out', None)
        at = facts.place_of_output(f)
        count = len(args) if at is None else at - method
        if len(args) > count:
            args, out = args[:count], args[count:]
        if isinstance(out, tuple):
            several = getattr(f, 'nout', 1)
            out = (*out, *[None] * (several - len(out))) if several > 1 else out[0]
        if out is None or isinstance(out, tuple) and not any(each is not None for each in out):
            self.flags = tuple(None if flag == 'out' else flag for flag in self.flags)
            return None, args
        return out, args

    def again(self, f, args):
        """The same call without what was taken out of its arguments."""
        flags = tuple(k for k in self.positions() if k in self.keywords or type(k) is int and k < len(args))
        return type(self)(f, args, self.keywords, (*((OWN,) if OWN in self.flags else ()), *flags))

    def found(self, grads, g):
        return dict(zip(self.flags, self.back(grads, g)))

    def function(self, f, args):
        special = methods.FUNCTIONS.get(f)
        if special is not None:
            return special(self, f, methods.by_position(self, f, args))
        if derives(f):                     # it has the cells of its function, and that is where their gradients are
            return f(*args, **self.keywords)
        if self.in_complex and registry.lookup(f) is not None:             # there is a rule: its text is not followed
            return self.ruled(f, args)
        return self.python(f, args, 0)

    def method(self, f, args):
        if isinstance(f.__self__, iterators.Managed):
            return f(self, *args)
        if is_chunked(f.__self__) and registry.method(f.__name__) is not None:
            return self.of_array(f.__self__, f, args)
        if f.__func__ in threads.METHODS:
            return threads.METHODS[f.__func__](self, f.__self__, args)
        if f.__func__ in processes.METHODS:
            return processes.METHODS[f.__func__](self, f.__self__, args)
        if isinstance(f.__self__, Array):
            return persistent.METHODS.get(f.__name__, Record.of_array)(self, f.__self__, f, args)
        if (special := operators.of_namedtuple(f)) is not None:
            return special(self, f, args)
        if facts.home(f.__func__) == 'scipy' and registry.lookup(f) is not None:
            return self.ruled(f, args)
        if registry.is_random(f):
            return self.drawn(f, args)
        args = f.__self__, *args
        return self.python(f.__func__, args, 1) if isinstance(f.__func__, types.FunctionType) else self.start(f.__func__, args)

    def drawn(self, f, args):
        """A method that draws at random: a constant to all who give it nothing that has a derivative."""
        given = [self.keywords[k] if k in self.keywords else args[k] for k in self.positions()]
        if any(map(captures.differentiable, given)):
            raise errors.ReverseNotImplementedError(drawn(f, 'reverse'))
        return f(*args, **self.keywords)

    def of_array(self, owner, f, args):
        """A method of an array that has a rule."""
        if registry.method(f.__name__) is None:
            raise errors.ReverseNotImplementedError(f'{type(owner).__name__}.{f.__name__} has no rule for reverse mode')
        text = lambda v: repr(v) if isinstance(v, (str, bool, type(None))) else None            # on which a rule may depend
        names = tuple(map(text, args)), tuple((k, text(a)) for k, a in self.keywords.items())
        return self.python(array_method(f.__name__, *names), (owner, *args), 1)

    def partial(self, f, args):
        """The inner call as a call of its own, whose first arguments are those of the partial."""
        inner = type(self)(f.func, (*f.args, *args), {**f.keywords, **self.keywords}, ())
        n = len(f.args)
        own = OWN in self.flags
        held = [k for k in f.keywords if k not in self.keywords]           # in the place of the others the call has its own
        inner.flags = (*(range(n) if own else ()), *(held if own else ()),
                       *(k + n if type(k) is int else k for k in self.positions()), *((OWN,) if own else ()))
        self.backward = functools.partial(partial_back, inner, n, f, held)
        self.value = inner.run()
        self.structured = inner.structured
        return self.value

    def stand_in(self, f, args):
        """A call of a partial that stands for an object: what it holds has its gradient, and the object none."""
        value = self.partial(f, args)
        back = self.backward
        self.backward = lambda grads, g: {key: part for key, part in back(grads, g).items() if key != OWN}
        return value

    def made_partial(self, args):
        made = functools.partial(*args, **self.keywords)
        self.backward = functools.partial(made_partial_back, made, args[0], len(args) - 1, self.keywords)
        return made

    def builtin(self, f, args):
        owner = getattr(f, '__self__', None)
        table = methods.of_class(type(owner))
        if f.__name__ == 'at' and isinstance(owner, np.ufunc):
            return methods.arrays.scatter(self, f, args)
        if isinstance(owner, (list, dict, collections.deque)):
            refuse_overridden(f)
        if f.__name__ in table:
            return table[f.__name__](self, owner, methods.by_position(self, f, args))
        if isinstance(owner, BaseException) and f.__name__ == '__init__':
            return self.initialized(owner, type(owner).__mro__[-2].__init__, args)
        return self.ruled(f, args)

    def unbound(self, f, args):
        """A method of a class written in C, given its object: as the method of that."""
        if not args or methods.of_class(type(args[0])).get(f.__name__) is None or not isinstance(args[0], f.__objclass__):
            return self.ruled(f, args)
        places = {0: OWN, **{k: k - 1 for k in range(1, len(args))}, **{k: k for k in self.keywords}}
        return methods.by_method(self, f.__get__(args[0]), args[1:], places)

    # Callees

    def positions(self):
        """The flags with starred ones spelled out."""
        for flag in self.flags:
            if flag == '**':
                yield from [k for k in self.keywords if k not in self.flags]
            elif type(flag) is str and flag[0] == '*':
                yield from range(int(flag[1:]), len(self.args))
            elif flag is not None and flag != OWN:
                yield flag

    def python(self, f, args, shift):
        """A function whose source is differentiated; `shift` arguments stand in front of those of the call."""
        f = SUBSTITUTES.get(original(f), original(f))
        if is_substitute(f):
            check_arguments(f, args, self.keywords)
        if is_manager(f):
            made = types.MethodType(f.__wrapped__, args[0]) if shift else f.__wrapped__
            inner = type(self)(made, args[shift:], self.keywords, self.flags)
            self.backward = inner.found
            return iterators.Managed(inner.run())
        wanted = tuple(k + shift if type(k) is int else k for k in self.positions())
        if shift and OWN in self.flags and not isinstance(args[0], type):           # a class has no gradient
            wanted = (0, *wanted)
        captured = OWN in self.flags and not shift
        form, notes = log_functions.form_of(f, wanted, captured, args, self.keywords, self.in_complex, self.cut)
        keys = tuple(OWN if shift and k == 0 else k - shift if type(k) is int else k for k in wanted)
        self.way = f, form, notes, wanted, keys
        if form is not None:
            return self.logged(f, form, args, shift)
        value = self.pulled(f, args, wanted, captured, keys)
        if shift and 0 in wanted and is_object(args[0]) and not isinstance(args[0], tuple):
            self.backward = functools.partial(given_to_owner, self.backward, args[0])
        return value

    def pulled(self, f, args, wanted, captured, keys, call=None):
        self.structured = True
        items, given = iterators.taken_whole(args, wanted, keys)
        keys = ((OWN,) if captured else ()) + keys
        of = [args[k] if type(k) is int else self.keywords.get(k) for k in wanted]
        held = cells.held(zip(keys, [f, *of] if captured else of))
        value, back = (call or pullback(f, wanted, captured))(*items, **self.keywords)
        self.backward = functools.partial(cells.pulled_back, self, back, keys, given, held)
        return value

    def logged(self, f, form, args, shift):
        log, keys = [], form.keys(shift)
        primal, adjoint = form.functions(f)
        args, keywords = (args, self.keywords) if form.kwarg is None else form.whole(args, self.keywords)
        back = (lambda grads, g: value.finish(grads)) if form.generator else lambda grads, g: adjoint(grads, log, g)
        self.backward = lambda grads, g: {**keys(back(grads, g)), **grads.parts_of(keywords.get(form.kwarg))}
        value = primal(log, *args, **keywords)         # it may raise: what it did before is in its log
        if form.generator:
            value = methods.Generated(value, adjoint, log)
        return value

    def ruled(self, f, args):
        """A function with a rule, or none at all: an error then."""
        named = KEYWORDS & set(self.keywords)
        substitute = (SUBSTITUTES.get(f) or (KEYED.get(f) if named else None)) if facts.is_hashable(f) else None
        if substitute is not None:
            return self.python(substitute, args, 0)
        wanted = tuple(self.positions())
        captured = OWN in self.flags
        if not wanted and not captured:
            return f(*args, **self.keywords)
        owner = getattr(f, '__self__', None)
        if isinstance(owner, (np.ndarray, np.generic)) and registry.method(f.__name__) is not None:
            return self.of_array(owner, f, args)
        if captures.of_text(f, *args, *self.keywords.values()) or captures.makes_keys(f, *args):
            return f(*args, **self.keywords)                              # into which no number goes
        if registry.lookup(f) is None and registry.custom(f) is None:
            raise errors.ReverseNotImplementedError(
                f'{getattr(f, "__qualname__", repr(f))} has no rule for reverse mode and no source that can be read; it is '
                'called with arguments that have a derivative. Register a rule with @tangent.grads.adjoint')
        if self.in_complex and registry.lookup(f) is not None:
            return self.python(around(f, len(args), tuple(self.keywords)), args, 0)
        return self.pulled(f, args, wanted, captured, wanted)

    # Objects that are made

    def construct(self, kind, args):
        if kind is functools.partial:
            return self.made_partial(args)
        if isinstance(type(kind).__call__, types.FunctionType):
            return self.python(type(kind).__call__, (kind, *args), 1)
        if kind is Array:
            return self.ruled(kind, args)
        if kind is threading.Thread:
            return threads.thread(self, kind, args)
        if issubclass(kind, tuple) and hasattr(kind, '_fields'):
            self.backward = functools.partial(fields_back, kind._fields)
            self.structured = True
            return kind(*args, **self.keywords)
        if issubclass(kind, BaseException):
            return self.exception(kind, args)
        if makes_own(kind) and registry.lookup(kind) is None and registry.custom(kind) is None:
            return self.python(made_in_python(kind, len(args), tuple(self.keywords)), args, 0)
        init = kind.__init__
        if dataclasses.is_dataclass(kind) and '__init__' in vars(kind) and init.__code__.co_filename == '<string>':
            return self.record_class(kind, args)
        if isinstance(init, types.FunctionType) and kind.__new__ is object.__new__:
            made = object.__new__(kind)
            self.python(init, (made, *args), 1)
            return made
        return self.ruled(kind, args)

    def exception(self, kind, args):
        """An exception: it holds what it is given in `args`, until its `__init__` or one above says otherwise."""
        if isinstance(kind.__new__, types.FunctionType):
            return self.ruled(kind, args)
        made = kind.__new__(kind, *args, **self.keywords)
        self.initialized(made, kind.__init__, args)
        back = self.backward

        def backward(grads, g):
            found = back(grads, g)
            rest = enumerate(grads.parts(made).pop('args', None) or ())
            return {**found, **{k: add_parts(found.get(k), part) for k, part in rest}}
        self.backward = backward
        return made

    def initialized(self, made, init, args):
        """`init(made, *args)`, in Python or in C; what an exception is given there are its `args`."""
        if isinstance(init, types.FunctionType):
            self.python(init, (made, *args), 1)
        else:
            init(made, *args, **self.keywords)
            self.backward = lambda grads, g: held_by_exception(made, grads.parts(made))

    def given_as(self, bound, args):
        names = list(bound.signature.parameters)[:len(args)]
        return {n: names.index(n) if n in names else n for n in bound.arguments}

    def record_class(self, kind, args):
        """A dataclass with a generated `__init__`."""
        bound = inspect.signature(kind).bind(*args, **self.keywords)
        if hasattr(kind, '__post_init__'):
            after, bare = kind.__post_init__, types.FunctionType
            made = object.__new__(kind)
            for field in dataclasses.fields(kind):
                if field.init and field.name in bound.arguments:
                    object.__setattr__(made, field.name, bound.arguments[field.name])
                elif field.default is not dataclasses.MISSING:
                    object.__setattr__(made, field.name, field.default)
                elif field.default_factory is not dataclasses.MISSING:
                    object.__setattr__(made, field.name, field.default_factory())
            if isinstance(after, bare):
                only = initial(kind)
                given = tuple(bound.arguments.get(n, kind.__dataclass_fields__[n].default) for n in only)
                inner = type(self)(types.MethodType(after, made), given, {}, (*range(len(only)), OWN))
                self.backward = functools.partial(after_init_back, inner, made, only, self.given_as(bound, args))
                inner.run()
                return made
        made = kind(*args, **self.keywords)
        self.backward = functools.partial(record_back, made, self.given_as(bound, args))
        return made


class ComplexRecord(Record):
    """A call in complex form."""

    __slots__ = ()
    in_complex = True


Record.left, ComplexRecord.left = Record, ComplexRecord


class Exact(Record):
    """A call that ends what is gone back through, where it raises: what it calls need not tell how far it came."""

    __slots__ = ()
    cut = False


class ExactComplex(ComplexRecord):
    """The same in complex form."""

    __slots__ = ()
    cut = False


@functools.cache
def array_method(name, args, keywords):
    """A Python function that calls a method of an array; the text of an argument is given, None for a variable."""
    given = [f'x{k}' for k in range(len(args))]
    parameters = ', '.join(["x: 'array'", *given, *['*'] * bool(keywords), *(k for k, _ in keywords)])
    call = ', '.join([a or x for a, x in zip(args, given)] + [f'{k}={a or k}' for k, a in keywords])
    text = f'def {name}_method({parameters}):\n    return x.{name}({call})\n'
    return build(text, [Part(f'{name}_method', OURS)])[f'{name}_method']


def check_arguments(f, args, keywords):
    """Refuse a call that a function of the library's takes, and what stands in for it does not."""
    try:
        inspect.signature(f).bind(*args, **keywords)
    except TypeError as error:
        raise errors.ArgumentTypeError(f'{f.__name__}() {error}, where a derivative flows') from None


def nothing(grads, g):
    return {}


def partial_back(inner, n, f, held, grads, g):
    found = dict(zip(inner.flags, inner.back(grads, g)))
    own = {k: v for k, v in found.items() if type(k) is int and k < n or k in held}
    for k, v in own.items():
        value = f.args[k] if type(k) is int else f.keywords[k]
        own[k] = v if isinstance(value, tuple) or gradients.is_number(value) else grads.give(value, v)
    rest = {k - n if type(k) is int else k: v for k, v in found.items() if k not in own and k != OWN}
    inside = found.get(OWN)
    return {**rest, OWN: (inside, [own.get(k) for k in range(n)], {k: v for k, v in own.items() if type(k) is str})}


def made_partial_back(made, inner, count, keywords, grads, g):
    """Python makes one partial of a partial of a partial: some arguments are those of the inner one."""
    parts, n = grads.parts(made), len(made.args) - count
    own = {k: parts.pop(k) for k in list(parts) if k in keywords or type(k) is int and k >= n}
    if parts:
        grads.give(inner, (None, [parts.pop(k, None) for k in range(n)], {k: parts.pop(k) for k in list(parts)}))
    return {k - n + 1 if type(k) is int else k: t for k, t in own.items()}


def fields_back(fields, grads, g):
    return {} if g is None else {**dict(enumerate(g)), **dict(zip(fields, g))}


def record_back(made, places, grads, g):
    parts = grads.parts(made)
    return {place: parts.pop(name, None) for name, place in places.items()}


def initial(kind):
    """The names of what the `__init__` of a dataclass takes for its `__post_init__` alone."""
    names = {field.name for field in dataclasses.fields(kind)}
    return [n for n in inspect.signature(kind).parameters if n not in names]


def after_init_back(inner, made, only, places, grads, g):
    handed = inner.found(grads, g)
    return {**record_back(made, places, grads, g), **{places[n]: handed[k] for k, n in enumerate(only) if n in places}}


STARTERS = {
    types.MethodWrapperType: Record.builtin,
    types.MethodDescriptorType: Record.unbound,
    types.WrapperDescriptorType: Record.unbound,
    types.FunctionType: Record.function,
    types.MethodType: Record.method,
    types.BuiltinFunctionType: Record.builtin,
    functools.partial: Record.partial,
}


class Gradients(gradients.Table):
    """The gradients of one backward pass."""

    @staticmethod
    def record(getter, owner):
        """The Record of a call of a property's function."""
        return Record(types.MethodType(getter, owner), (), {}, (OWN,))
