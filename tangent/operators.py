"""The operators in plain Python, for when they stand in code that is differentiated.

`jacobian(f)(x)` runs loops that no derivative should go through. Where it is itself differentiated, it is taken for what is
written here, which is made of `grad`, `vjp` and `jvp` alone: the functions below for the operators, and what `written_out`
makes for a function that an operator has returned.
"""
from __future__ import annotations

import types

import numpy as np

from tangent import errors, second  # noqa: F401 second says how derivatives in the log form are differentiated
from tangent.build import Part, build
from tangent.grad_util import grad, jvp, vjp
from tangent.linear import completing
from tangent.rules import HELPERS, constant_rule

TEXTS = {
    'jacobian': '''
        value = func({args})
        pull = vjp(func, {wrt})
        rows = []
        for seed in basis_rows(value):
            rows.append(pull({args}, seed))
        return np.reshape(np.stack(rows), np.shape(value) + np.shape(rows[0]))''',
    'hessian': '''
        inner = grad(func, {wrt})
        pull = vjp(inner, {wrt})
        value = inner({args})
        rows = []
        for seed in basis_rows(value):
            rows.append(pull({args}, 1.0, seed))
        return np.reshape(np.stack(rows), np.shape(value) + np.shape(rows[0]))''',
    'hvp': '''
        inner = grad(func, {wrt})
        pull = vjp(inner, {wrt})
        return pull({args}, 1.0, vector)''',
    'tensor_jacobian_product': '''
        pull = vjp(func, {wrt})
        return pull({args}, vector)''',
    'vjp': '''
        pull = vjp(func, {wrt})
        return lambda g: pull({args}, g), func({args})''',
    'jvp': '''
        push = jvp(func, {wrt})
        return lambda v: (func({args}), push({args}, v))''',
}
AFTER = {'hvp': ', vector', 'tensor_jacobian_product': ', vector'}           # parameters behind those of the function


def written_out(what, func, wrt):
    """The plain function for what the operator has made of `func`, with the parameters of `func`; None for several `wrt`."""
    if isinstance(wrt, (tuple, list)):
        if len(wrt) > 1:
            return None
        wrt, = wrt
    complete = completing(func)
    args = ', '.join(complete.names)
    name = f'{what}_of'
    body = TEXTS[what].replace('\n    ', '\n').format(args=args, wrt=repr(wrt))
    cells = {'func': types.CellType(func)}
    namespace = {'__name__': __name__, 'np': np, 'grad': grad, 'vjp': vjp, 'jvp': jvp, 'basis_rows': basis_rows}
    part = Part(name, namespace, cells, complete.defaults_of(complete.names) if what not in AFTER else None)
    return build(f'def {name}({args}{AFTER.get(what, "")}):{body}\n', [part], {}, name)[name]


def basis_rows(value):
    """The rows of the identity, each in the shape of `value`."""
    if not isinstance(value, (np.ndarray, np.generic, float, int)):
        raise errors.ArgumentTypeError(f'the Jacobian of a {type(value).__name__} cannot be differentiated again: let the '
                                       'function return an array')
    rows = [np.reshape(row, np.shape(value)) for row in np.eye(np.size(value))]
    return rows if np.shape(value) else [1.0]


HELPERS['basis_rows'] = constant_rule('basis_rows')


def the_one(wrt, argnums, argnum):
    """The single argument that an operator in differentiated code is by."""
    asked = argnums if argnums is not None else argnum if argnum is not None else wrt
    if isinstance(asked, (tuple, list)):
        if len(asked) > 1:
            raise errors.ArgumentError('inside differentiated code this operator is by one argument: use it once for each')
        asked = asked[0]
    return asked


HELPERS['the_one'] = constant_rule('the_one')


def jacobian(func, wrt=(0,), mode=None, chunk_size=None, progress=False, sparsity=None, *, argnums=None, argnum=None):
    at = the_one(wrt, argnums, argnum)

    def jacobian_of(*args):
        value = func(*args)
        pull = vjp(func, at)
        rows = []
        for seed in basis_rows(value):
            given = (*args, seed)
            rows.append(pull(*given))
        return np.reshape(np.stack(rows), np.shape(value) + np.shape(rows[0]))
    return jacobian_of


def hessian(func, wrt=(0,), progress=False, *, argnums=None, argnum=None):
    at = the_one(wrt, argnums, argnum)

    def hessian_of(*args):
        inner = grad(func, at)
        pull = vjp(inner, at)
        value = inner(*args)
        rows = []
        for seed in basis_rows(value):
            given = (*args, 1.0, seed)
            rows.append(pull(*given))
        return np.reshape(np.stack(rows), np.shape(value) + np.shape(rows[0]))
    return hessian_of


def hvp(func, wrt=(0,), *, argnums=None, argnum=None):
    at = the_one(wrt, argnums, argnum)

    def product(*args):
        inner = grad(func, at)
        pull = vjp(inner, at)
        given = (*args[:-1], 1.0, args[-1])
        return pull(*given)
    return product


def make_vjp(func, wrt=(0,), *, argnums=None, argnum=None):
    at = the_one(wrt, argnums, argnum)

    def maker(*args):
        pull = vjp(func, at)

        def back(g):
            given = (*args, g)
            return pull(*given)
        return back, func(*args)
    return maker


def make_jvp(func, wrt=(0,), *, argnums=None, argnum=None):
    at = the_one(wrt, argnums, argnum)

    def maker(*args):
        push = jvp(func, at)

        def forward(v):
            given = (*args, v)
            return func(*args), push(*given)
        return forward
    return maker


def func_vjp(f, *primals, has_aux=False):
    def pullback(gradient):
        out = []
        for k in range(len(primals)):
            pull = vjp(f, k)
            given = (*primals, gradient)
            out.append(pull(*given))
        return tuple(out)
    return f(*primals), pullback


def func_jvp(f, primals, tangents, has_aux=False):
    total = 0.0
    for k in range(len(primals)):
        push = jvp(f, k)
        given = (*primals, tangents[k])
        total = total + push(*given)
    return f(*primals), total


def back_to(func, wrt, args):
    """The plain function for the way back that `make_vjp(func)(*args)` has given."""
    def back(g):
        pull = vjp(func, wrt)
        given = (*args, g)
        return pull(*given)
    return back


def forth_from(func, wrt, args):
    """The plain function for what `make_jvp(func)(*args)` has given."""
    def forward(v):
        push = jvp(func, wrt)
        given = (*args, v)
        return func(*args), push(*given)
    return forward


def register(table):
    """Let differentiated code find the functions here in place of the operators."""
    for operator, plain in table.items():
        operator.tangent = plain
