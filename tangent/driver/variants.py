"""One derivative for each set of classes that takes part: asked for with other objects, it has another text.

    df = tangent.grad(f)        the text takes what it is given for numbers, arrays, containers and records of these
    df(2.0, 3.0)                is that
    df(Vec(2.0, 3.0), 3.0)      a text for objects of `Vec`, made at the first call, kept for all others

What people hold is a function that looks at its arguments and calls the one that is right for them (guards, as those of
TorchDynamo and the dispatchers of Numba are). What the library itself makes and calls goes without.
"""
from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import threading
import types
from collections import OrderedDict
from inspect import Parameter

import numpy as np

from tangent.analysis.kinds.participants import RUNNING, SIMPLE, taking_part
from tangent.driver import closure_cache, questions
from tangent.driver.ruled_functions import as_function
from tangent.frontend import tree
from tangent.frontend.source import original, unwrap

LIMIT = 64                       # sets of classes that a derivative is kept for


def derivative(func, wrt, options):
    """The derivative of `func` for people, who may call it with any objects; see `questions.derivative`."""
    if options.target is not None:                    # Numba knows its types
        return questions.derivative(func, wrt, dataclasses.replace(options, classes=frozenset()))
    if isinstance(func, functools.partial):
        return closure_cache.of_partial(derivative, func, wrt, options)
    variants = Variants(func, wrt, options)
    made = variants.of(frozenset(), options.verbose)
    plain = getattr(made, '__func__', made)
    if not isinstance(plain, types.FunctionType):
        return made
    guard = plain.__dict__.get('guard')
    if guard is None:
        guard = plain.guard = guarded(plain, variants)
    return types.MethodType(guard, made.__self__) if isinstance(made, types.MethodType) else guard


class Variants:
    """The derivatives of one function, for each set of classes that its arguments bring."""

    def __init__(self, func, wrt, options):
        self.func, self.wrt, self.options = func, wrt, options
        self.known, self.lock = OrderedDict(), threading.Lock()            # classes -> options

    def of(self, classes, verbose=0):
        """The derivative where these classes take part, and those that the function can name."""
        with self.lock:
            options = self.known.pop(classes, None) or dataclasses.replace(self.options, classes=classes, verbose=0)
            self.known[classes] = options
            dropped = self.known.popitem(last=False)[1] if len(self.known) > LIMIT else None
        if dropped is not None:
            questions.forget(self.func, self.wrt, dropped)
        if verbose:
            options = dataclasses.replace(options, verbose=verbose)
        return questions.derivative(variant(self.func, classes), self.wrt, options)


def variant(func, classes):
    """What is differentiated: of a derivative that people hold the one where these classes take part."""
    variants = getattr(func, 'variants', None)
    return func if variants is None else variants.of(classes)


def for_arguments(derivative, args):
    """What a derivative that people hold calls for these arguments, any others as they are."""
    return variant(derivative, taking_part(args)) if hasattr(derivative, 'variants') else derivative


@functools.lru_cache
def fits(count):
    """A function of so many arguments: whether no class takes part by them. One look at each takes long enough."""
    names = [f'x{k}' for k in range(count)]
    simple = ' and '.join(f'type({n}) in SIMPLE' for n in names) or 'True'
    space = {'SIMPLE': SIMPLE, 'none_takes_part': none_takes_part}
    exec(f'def fits({", ".join(names)}): return {simple} or none_takes_part({", ".join(names)})', space)
    return space['fits']


def never(*args):
    """The same where classes take part that the function names: what is found when it runs is told of them."""
    return False


def none_takes_part(*args):
    for arg in args:
        if type(arg) not in SIMPLE and (type(arg) is not np.ndarray or arg.dtype.hasobject):
            RUNNING.found = args, taking_part(args)                  # `Otherwise` asks for them next
            return not RUNNING.found[1]
    return True


class Otherwise:
    """What is called where classes take part by the arguments, with these in the order of the signature, all by position."""

    def __init__(self, variants, parameters, places, reached):
        self.variants, self.parameters, self.places, self.reached = variants, parameters, places, reached

    def __call__(self, *args):
        looked_at = tuple([args[k] for k in self.places])
        before, classes = RUNNING.found
        RUNNING.found = (), frozenset()
        if len(before) != len(looked_at) or not all(map(operator.is_, before, looked_at)):
            classes = taking_part(looked_at)
        made = self.variants.of(classes)
        given, keywords = [], {}
        for (name, kind), value in zip(self.parameters, args):
            if kind is Parameter.VAR_POSITIONAL:
                given += value
            elif kind is Parameter.VAR_KEYWORD:
                keywords.update(value)
            elif kind is Parameter.KEYWORD_ONLY:
                keywords[name] = value
            else:
                given.append(value)
        made = getattr(made, '__func__', made)
        before, RUNNING.classes = RUNNING.classes, RUNNING.classes | classes | self.reached
        try:
            return made(*given, **keywords)
        finally:
            RUNNING.classes = before


def guarded(plain, variants):
    """The function that looks at its arguments, with the signature of `plain` and its text for those who ask for it."""
    code, own = plain.__code__, parameters(plain)
    given = unwrap(original(as_function(variants.func)))[0]
    names, reached = dict(parameters(given)), taking_part([given])
    places = tuple(k for k, (name, _) in enumerate(own) if name in names)
    inner = guard_code(own, places)
    cells = {'text': plain, 'fits': never if reached else fits(len(places)),
             'otherwise': Otherwise(variants, own, places, reached)}
    cells = tuple(types.CellType(cells[name.rstrip('_')]) for name in inner.co_freevars)
    inner = inner.replace(co_name=code.co_name, co_filename=code.co_filename, co_firstlineno=code.co_firstlineno)
    guard = types.FunctionType(inner, plain.__globals__, plain.__name__, plain.__defaults__, cells)
    guard.__kwdefaults__, guard.__module__, guard.__doc__ = plain.__kwdefaults__, plain.__module__, plain.__doc__
    guard.__dict__.update(plain.__dict__, variants=variants)
    guard.__numba__, guard.plain = 'plain', plain                     # what Numba compiles, which knows its types
    return guard


def parameters(function):
    """(name, kind) in the order of the signature."""
    return tuple((p.name, p.kind) for p in inspect.signature(function).parameters.values())


WAYS = {Parameter.VAR_POSITIONAL: '*{0}', Parameter.VAR_KEYWORD: '**{0}', Parameter.KEYWORD_ONLY: '{0}={0}'}


@functools.lru_cache(maxsize=4096)
def guard_code(own, places):
    """The code of `def dfdx(x, y, bf=1.0): return text(x, y, bf) if fits(x, y) else otherwise(x, y, bf)`."""
    names = [name for name, _ in own]
    text, fits, otherwise = map(tree.Names(set(names)).fresh, ('text_', 'fits_', 'otherwise_'))
    signature = inspect.Signature([Parameter(name, kind) for name, kind in own])
    call = ', '.join(WAYS.get(kind, '{0}').format(name) for name, kind in own)
    checked, handed = (', '.join(given) for given in ([names[k] for k in places], names))
    space = {}
    exec(f'def make({text}, {fits}, {otherwise}):\n'
         f' def guard{signature}: return {text}({call}) if {fits}({checked}) else {otherwise}({handed})\n return guard', space)
    return space['make'](None, None, None).__code__
