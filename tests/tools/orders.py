"""Derivatives of the corpus in any order and any mix of modes, along fixed directions.

A mix is written as letters, the outermost first: `rf` is reverse over forward mode. Whatever the mix, an n-th derivative
along n directions is one number, which does not depend on the order in which these are taken; it is compared with
differences of the gradient, or of the function itself where there is no gradient.
"""
import inspect
from fractions import Fraction

import numpy as np

import tangent
from tangent.runtime.cast import astype
from tangent.runtime.zeros import init_grad
from tests.tools.registry import get, leaves, put

STEPS = {2: (1e-4, ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))),
         3: (1e-3, ((-2, -1 / 12), (-1, 16 / 12), (0, -30 / 12), (1, 16 / 12), (2, -1 / 12)))}
CLOSE = {1: 1e-6, 2: 1e-5, 3: 1e-4}


def directions(entry, seed):
    """For each argument that is differentiated, random numbers for all its leaves in the structure of its gradient."""
    random, found, args = np.random.RandomState(seed), [], entry.make()
    for position in entry.wrt:
        t = astype(init_grad(args[position]), args[position])
        for path, leaf in leaves(args[position]):
            t = put(t, path, like(leaf, random))
        found.append(t)
    return found


def like(leaf, random):
    part = random.uniform(0.5, 1.5, np.shape(leaf))
    if np.iscomplexobj(leaf):
        part = part + 1j * random.uniform(0.5, 1.5, np.shape(leaf))
    if isinstance(leaf, Fraction):
        return Fraction(float(part)).limit_denominator(10 ** 6)
    return part.astype(leaf.dtype) if isinstance(leaf, np.ndarray) else type(leaf)(part)


def inner(entry, gradients, v):
    """The derivative along v, of the gradients by the arguments."""
    args = entry.make()
    return sum(np.sum(np.real(np.conj(value(get(g, path))) * value(get(t, path))))
               for p, g, t in zip(entry.wrt, gradients, v, strict=True) for path in own_leaves(args[p]))


def own_leaves(value):
    """The paths to the leaves of a value, one to each of what an object holds that is reached in several ways."""
    seen = set()
    for path, _ in leaves(value):
        owner = get(value, path[:-1]) if path else None
        place = path if not path or isinstance(owner, tuple) else (id(owner), path[-1])
        if place not in seen:
            seen.add(place)
            yield path


def value(leaf):
    return leaf if isinstance(leaf, (np.ndarray, complex)) else float(leaf)


def moved(entry, v, h):
    """The arguments, moved along v."""
    args = list(entry.make())
    for position, t in zip(entry.wrt, v, strict=True):
        for path in list(own_leaves(args[position])):
            leaf = get(args[position], path)
            step = get(t, path) * (type(get(t, path))(h) if not isinstance(leaf, np.ndarray) else h)
            args[position] = put(args[position], path, leaf + step)
    return args


def many(entry, gradients):
    return gradients if len(entry.wrt) > 1 else (gradients,)


def gradients(entry):
    """The function of the gradients by the arguments, by the derivative that `judge` looks at, which is derived once for both."""
    df = tangent.grad(entry.function, wrt=entry.wrt, preserve_result=True)
    return lambda *args: df(*args)[:-1]


def expected(entry, order, along, gradients=None):
    """The derivative of this order: once along the first direction, else along the second.

    gradients : the function of these, where there is one already
    """
    u, v = along
    if gradients is None:
        df = tangent.grad(entry.function, wrt=entry.wrt)
        gradients = lambda *args: many(entry, df(*args))  # noqa: E731
    h, weights = STEPS[order]
    return sum(w * inner(entry, gradients(*moved(entry, v, k * h)), u) for k, w in weights) / h ** (order - 1)


def found(entry, mix, along, optimized=True):
    """The same, by derivatives of derivatives."""
    function, form, more, names = entry.function, 'number', [], {}
    todo = [along[0]] + [along[1]] * (len(mix) - 1)
    for letter in reversed(mix):
        before = parameters(function)
        if letter == 'f':
            function = tangent.jvp(function, wrt=entry.wrt, optimized=optimized)
            given = todo.pop()
        elif form == 'number':
            function = tangent.grad(function, wrt=entry.wrt, optimized=optimized)
            form, given = 'gradients', [1.0]
        else:
            v = todo.pop()
            function = tangent.vjp(function, wrt=entry.wrt, optimized=optimized)
            given = [v[0] if len(v) == 1 else tuple(v)]
        new = [p for p in parameters(function) if p not in before]
        if len(new) == len(given):
            names.update(zip(new, given, strict=True))
        else:
            more += given
    result = function(*entry.make(), *more, **names)
    if form == 'number':
        result = result[0] if isinstance(result, tuple) else result
        return float(np.reshape(np.asarray(result, dtype=float), ())[()])
    return float(inner(entry, many(entry, result), todo.pop()))


def parameters(function):
    return inspect.signature(function).parameters
