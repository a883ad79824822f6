"""The operators in plain Python, for when they stand in code that is differentiated.

`jacobian(f)(x)` runs loops that no derivative should go through. Where it is itself differentiated, it is taken for what is
written here, which is made of `grad`, `vjp` and `jvp` alone: the functions below for the operators, and what `written_out`
or `general` makes for a function that an operator has returned.
"""
import functools
import types

import numpy as np

from tangent import errors
from tangent.driver.ruled_functions import as_function
from tangent.emit.build import Part, build
from tangent.frontend.source import original, unwrap
from tangent.interfaces.arguments import refuse
from tangent.interfaces.grad import grad, jvp, value_and_grad, vjp
from tangent.interfaces.linear_maps import completing, is_starred
from tangent.runtime.add import add_grad
from tangent.runtime.functions.rows import rows_of, stack_rows
from tangent.runtime.zeros import init_grad
from tangent.templates.language.declare import constant

TEXTS = {
    'jacobian': '''
        value = func({args})
        pull = vjp(func, {wrt})
        rows = []
        for seed in basis_rows(value):
            rows.append(pull({args}, seed))
        return np.reshape(np.stack(rows), np.shape(value) + shape_of_row(rows[0]))''',
    'hessian': '''
        inner = grad(func, {wrt})
        pull = vjp(inner, {wrt})
        value = inner({args})
        rows = []
        for seed in basis_rows(value):
            rows.append(pull({args}, 1.0, seed))
        return np.reshape(np.stack(rows), np.shape(value) + shape_of_row(rows[0]))''',
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


def written_out(what, func, wrt, bare=True, has_aux=False):
    """The plain function for what the operator has made of `func`; it has the parameters of `func` where it is by one alone."""
    if has_aux:
        return GENERAL[what](func, **{'wrt' if bare else 'argnums': wrt}, has_aux=True)
    complete = completing(func)
    alone = bare and (not isinstance(wrt, (tuple, list)) or len(wrt) == 1)
    if not alone or is_starred(func) or code_of(func).co_kwonlyargcount or what in AFTER and complete.defaults:
        return general(what, func, wrt, bare)
    args = ', '.join(complete.names)
    name = f'{what}_of'
    at = wrt[0] if isinstance(wrt, (tuple, list)) else wrt
    body = TEXTS[what].replace('\n    ', '\n').format(args=args, wrt=repr(at))
    cells = {'func': types.CellType(func)}
    namespace = {'__name__': __name__, 'np': np, 'grad': grad, 'vjp': vjp, 'jvp': jvp, 'basis_rows': basis_rows,
                 'shape_of_row': shape_of_row}
    part = Part(name, namespace, cells, complete.defaults_of(complete.names) if what not in AFTER else None)
    return build(f'def {name}({args}{AFTER.get(what, "")}):{body}\n', [part], {}, name)[name]


def general(what, func, wrt, bare):
    """The same as a function of any arguments."""
    return GENERAL[what](func, **{'wrt' if bare else 'argnums': wrt})


def basis_rows(value):
    """The rows of the identity, each in the shape of `value`."""
    if np.iscomplexobj(value):
        raise errors.ComplexNotImplementedError('the Jacobian of a complex result cannot be differentiated again: take that of '
                                                'its real and that of its imaginary part, in functions that return these')
    if not isinstance(value, (np.ndarray, np.generic, float, int)):
        raise errors.ArgumentTypeError(f'the Jacobian of a {type(value).__name__} cannot be differentiated again: let the '
                                       'function return an array')
    rows = [np.reshape(row, np.shape(value)) for row in np.eye(np.size(value))]
    return rows if np.shape(value) else [1.0]


constant(basis_rows)


def places(wrt, argnums, argnum):
    """(the arguments that an operator in differentiated code is by, whether what belongs to a single one comes bare)."""
    asked = argnums if argnums is not None else argnum if argnum is not None else wrt
    many = isinstance(asked, (tuple, list))
    return tuple(asked) if many else (asked,), not many or asked is wrt and len(asked) == 1


def missing(func, count):
    """Name -> default, if it has one, of the positional parameters behind the first so many."""
    given = set()
    while isinstance(func, functools.partial):
        func, count, given = func.func, count + len(func.args), given | set(func.keywords)
    complete = completing(func)
    return {name: complete.defaults.get(name) for name in complete.names[count:] if name not in given}


def refuse_options(what, *options):
    """Refuse what only the operator itself can do, not the plain Python that is differentiated in its place."""
    if any(option is not None and option is not False for option in options):
        raise errors.ArgumentError(f'{what} in differentiated code takes no options but the arguments that it is by')


def shape_of_row(value):
    if not isinstance(value, (np.ndarray, np.generic, float, int, complex)):
        raise errors.ArgumentTypeError(f'the Jacobian by a {type(value).__name__} cannot be differentiated again: let the '
                                       'function take arrays')
    return np.shape(value)


constant(places, missing, refuse_options, shape_of_row)


def whole(func, args, keywords):
    """All positional arguments of a call, so that more can follow, and the keywords that are none of them."""
    names = missing(func, len(args))
    for name, default in names.items():
        args = (*args, keywords[name] if name in keywords else default)
    return args, {key: value for key, value in keywords.items() if key not in names}


def added(total, more):
    return more if total is None else add_grad(total, more)


def jacobian_by(func, at, args, keywords, has_aux=False):
    """The Jacobian by one argument, row by row."""
    value, aux = func(*args, **keywords) if has_aux else (func(*args, **keywords), None)
    args, rest = whole(func, args, keywords)
    pull = vjp(func, at)
    rows = []
    for seed in basis_rows(value):
        given = (*args, (seed, init_grad(aux)) if has_aux else seed)
        rows.append(pull(*given, **rest))
    return np.reshape(np.stack(rows), np.shape(value) + shape_of_row(rows[0]))


def jacobian(func, wrt=(0,), mode=None, chunk_size=None, progress=False, sparsity=None, *, argnums=None, argnum=None,
             has_aux=False, holomorphic=False, allow_int=None):
    refuse_options('jacobian', sparsity, holomorphic)
    by, bare = places(wrt, argnums, argnum)

    def jacobian_of(*args, **keywords):
        found = [jacobian_by(func, at, args, keywords, has_aux) for at in by]
        blocks = found[0] if bare else tuple(found)
        return (blocks, func(*args, **keywords)[1]) if has_aux else blocks
    return jacobian_of


def func_jacobian(f, argnums=0, has_aux=False, *, holomorphic=False, allow_int=None, chunk_size=None):
    return jacobian(f, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


def func_hessian(f, argnums=0, has_aux=False, *, holomorphic=False, chunk_size=None):
    return hessian(f, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


def hessian(func, wrt=(0,), progress=False, *, chunk_size=None, argnums=None, argnum=None, has_aux=False, holomorphic=False):
    refuse_options('hessian', holomorphic)
    by, bare = places(wrt, argnums, argnum)

    def hessian_of(*args, **keywords):
        args, rest = whole(func, args, keywords)
        found = []
        for at in by:
            inner = grad(func, at)
            given = (*args, 1.0)
            found.append([jacobian_by(inner, to, given, rest) for to in by])
        blocks = found[0][0] if bare else tuple([tuple(row) for row in found])
        return (blocks, func(*args, **rest)[1]) if has_aux else blocks
    return hessian_of


def with_vector_at(place, product):
    def turned(*args, **keywords):
        given = (*args[:place], *args[place + 1:], args[place])
        return product(*given, **keywords)
    return turned


def hvp(func, wrt=(0,), *, argnums=None, argnum=None, has_aux=False, vector=-1):
    if vector != -1:
        return with_vector_at(vector, hvp(func, wrt, argnums=argnums, argnum=argnum, has_aux=has_aux))
    by, bare = places(wrt, argnums, argnum)

    def product(*args, **keywords):
        vector = args[-1]
        args, rest = whole(func, args[:-1], keywords)
        found = []
        for at in by:
            inner = grad(func, at)
            total = None
            for k, to in enumerate(by):
                push = jvp(inner, to)
                given = (*args, 1.0, vector if bare else vector[k])
                total = added(total, push(*given, **rest))
            found.append(total)
        products = found[0] if bare else tuple(found)
        return (products, func(*args, **rest)[1]) if has_aux else products
    return product


def make_vjp(func, wrt=(0,), *, argnums=None, argnum=None):
    by, bare = places(wrt, argnums, argnum)

    def maker(*args, **keywords):
        given, rest = whole(func, args, keywords)

        def back(g):
            found = []
            for at in by:
                pull = vjp(func, at)
                more = (*given, g)
                found.append(pull(*more, **rest))
            return found[0] if bare else tuple(found)
        return back, func(*args, **keywords)
    return maker


def make_jvp(func, wrt=(0,), *, argnums=None, argnum=None):
    by, bare = places(wrt, argnums, argnum)

    def maker(*args, **keywords):
        given, rest = whole(func, args, keywords)

        def forward(v):
            total = None
            for k, at in enumerate(by):
                push = jvp(func, at)
                more = (*given, v if bare else v[k])
                total = added(total, push(*more, **rest))
            return func(*args, **keywords), total
        return forward
    return maker


def make_hvp(func, wrt=(0,), *, argnums=None, argnum=None):
    product = hvp(func, wrt, argnums=argnums, argnum=argnum)
    gradient = grad(func, wrt, argnums=argnums, argnum=argnum)

    def maker(*args, **keywords):
        def along(v):
            more = (*args, v)
            return product(*more, **keywords)
        return along, gradient(*args, **keywords)
    return maker


def product_of(func, wrt=(0,), *, argnums=None, argnum=None):
    maker = make_vjp(func, wrt, argnums=argnums, argnum=argnum)

    def product(*args, **keywords):
        back, _ = maker(*args[:-1], **keywords)
        return back(args[-1])
    return product


def gauss_newton(func, loss=None, wrt=(0,), *, argnums=None, argnum=None):
    forth, to = make_jvp(func, wrt, argnums=argnums, argnum=argnum), make_vjp(func, wrt, argnums=argnums, argnum=argnum)

    def product(*args, **keywords):
        along = forth(*args[:-1], **keywords)
        back, _ = to(*args[:-1], **keywords)
        value, tangent = along(args[-1])
        if loss is None:
            return back(tangent)
        curvature = hvp(loss)
        return back(curvature(value, tangent))
    return product


def half_square(y):
    return 0.5 * np.sum(y * y)


def make_ggnvp(func, g=half_square, f_argnum=0):
    product = gauss_newton(func, g, f_argnum)

    def maker(*args, **keywords):
        def along(v):
            more = (*args, v)
            return product(*more, **keywords)
        return along
    return maker


def grad_and_value(f, argnums=0, has_aux=False):
    both = value_and_grad(f, argnums=argnums, has_aux=has_aux)

    def turned(*args, **keywords):
        value, gradient = both(*args, **keywords)
        return gradient, value
    return turned


def func_vjp(f, *primals, has_aux=False):
    if has_aux:
        value, aux = f(*primals)
    else:
        value, aux = f(*primals), None
    more, _ = whole(f, primals, {})

    def pullback(gradient):
        seed = (gradient, init_grad(aux)) if has_aux else gradient
        out = []
        for k in range(len(primals)):
            pull = vjp(f, k)
            given = (*more, seed)
            out.append(pull(*given))
        return tuple(out)
    return (value, pullback, aux) if has_aux else (value, pullback)


def func_jvp(f, primals, tangents, has_aux=False):
    more, _ = whole(f, tuple(primals), {})
    total = None
    for k in range(len(primals)):
        push = jvp(f, k)
        given = (*more, tangents[k])
        moved = push(*given)
        total = added(total, moved[0] if has_aux else moved)
    value = f(*primals)
    return (value[0], total, value[1]) if has_aux else (value, total)


def func_linearize(f, *primals, has_aux=False):
    more, _ = whole(f, primals, {})

    def push(*tangents):
        total = None
        for k in range(len(primals)):
            along = jvp(f, k)
            given = (*more, tangents[k])
            moved = along(*given)
            total = added(total, moved[0] if has_aux else moved)
        return total
    value = f(*primals)
    return (value[0], push, value[1]) if has_aux else (value, push)


def vmap(func, in_axes=0, out_axes=0, *, axis_size=None, chunk_size=None):
    def vmapped(*args, **keywords):
        found = []
        for args_k, keywords_k in rows_of((args, keywords), (in_axes, 0), axis_size):
            found.append(func(*args_k, **keywords_k))
        return stack_rows(found, out_axes)
    return vmapped


def refused(what):
    """What stands for such an operator in differentiated code."""
    return lambda *args, **keywords: refuse(what)


constant(refuse)


GENERAL = {'jacobian': jacobian, 'hessian': hessian, 'hvp': hvp, 'vjp': make_vjp, 'jvp': make_jvp, 'make_hvp': make_hvp,
           'tensor_jacobian_product': product_of, 'gauss_newton': gauss_newton}


def code_of(func):
    return unwrap(original(as_function(func)))[0].__code__


def register(table):
    """Let differentiated code find the functions here in place of the operators."""
    for operator, plain in table.items():
        operator.tangent = plain
