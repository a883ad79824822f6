"""What functions have captured, in the log form: a gradient belongs to what a variable held when the function was called.

    def g(a):
        return a * v
    y = g(x)
    v = numpy.exp(y)          # the gradient of g is owed to the array that v was before
"""
import types

from tangent.analysis.messages.communication import communicates
from tangent.eventlog.shadow import gradients, iterators
from tangent.runtime import captures
from tangent.runtime.zeros import init_grad


def held(pairs):
    """Key -> (name -> (cell, what it holds now, what that has captured in turn)), of pairs of a key and a function or not."""
    return {key: found for key, value in pairs if (found := captured(value, frozenset()))}


def captured(function, known):
    if not isinstance(function, types.FunctionType) or not function.__closure__ or id(function) in known:
        return {}
    names, found = function.__code__.co_freevars, {}
    for name, cell in zip(names, function.__closure__):
        value = captures.content(cell)
        found[name] = cell, value, captured(value, known | {id(function)})
    return found


def given(grads, kept, found):
    """The gradients of a call without those of functions, which are given to what these had captured then."""
    for key, variables in kept.items():
        if isinstance(found.get(key), dict):
            give(grads, variables, found[key])
            found[key] = None
    return found


def give(grads, variables, gradient):
    for name, term in gradient.items():
        cell, value, inside = variables[name]
        if inside and isinstance(term, dict):
            give(grads, inside, term)
        else:
            grads.give_part(cell, 'value', value, term)


def pulled_back(record, back, keys, generators, held, grads, g):
    if g is None and communicates(record.f):          # others wait for the gradients of what it has sent
        g = None if record.value is None else init_grad(record.value)
    elif g is None:
        return iterators.given_all(grads, generators, {})
    found = back(g if g is None else gradients.complete(g, record.value))
    found = given(grads, held, dict(zip(keys, found if len(keys) > 1 else (found,))))
    return iterators.given_all(grads, generators, found)
