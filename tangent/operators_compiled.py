"""Jacobians and products with the Hessian of functions that Numba compiles: functions that Numba compiles."""
from __future__ import annotations

from tangent import compiled, grad_util, products_basis, targets_cache
from tangent.build import Part, build
from tangent.linear import completing, is_starred

HELPERS = {name: getattr(products_basis, name) for name in
           ('basis', 'elements', 'matrix_of', 'put_row', 'put_column', 'shaped')}

JACOBIAN = '''\
def {name}({args}):
    {value} = {f}({args})
    {found} = matrix_of({value}, {x})
{passes}
    return shaped({found}, {value}, {x})
'''
BY_COLUMNS = '''\
for {k} in range(elements({x})):
    put_column({found}, {k}, {push}({args}, basis({x}, {k})))
'''
BY_ROWS = '''\
for {k} in range(elements({value})):
    put_row({found}, {k}, {pull}({args}, basis({value}, {k})))
'''


def single(func, wrt):
    """The name of the parameter of a compiled function that the derivative is by, and all its parameters; else None.

    Functions of `*args` and with defaults are called through Python: what comes last would have no place.
    """
    if compiled.flags_of(func) is None or is_starred(func.py_func) or func.py_func.__defaults__ \
            or func.py_func.__code__.co_kwonlyargcount:
        return None
    names = completing(func.py_func).names
    if isinstance(wrt, (tuple, list)):
        if len(wrt) != 1:
            return None
        wrt, = wrt
    wrt = wrt if isinstance(wrt, str) else names[wrt]
    return wrt, names


def jacobian(func, wrt, mode=None):
    """The Jacobian of a compiled function by one of its arguments, compiled; None where there is no such form."""
    known = single(func, wrt)
    if known is None:
        return None
    x, names = known
    fresh = Fresh(names)
    words = {'name': title('jacobian', func), 'args': ', '.join(names), 'x': x, 'f': fresh('f', func),
             'value': fresh('y'), 'found': fresh('found'), 'k': fresh('k')}
    passes = {}
    if mode != 'reverse':
        passes['columns'] = BY_COLUMNS.format(push=fresh('push', grad_util.jvp(func, x)), **words)
    if mode != 'forward':
        passes['rows'] = BY_ROWS.format(pull=fresh('pull', grad_util.vjp(func, x)), **words)
    if len(passes) == 2:
        columns, rows = map(indented, passes.values())
        text = f'if elements({x}) <= elements({words["value"]}):\n{columns}else:\n{rows}'
    else:
        text, = passes.values()
    return made(JACOBIAN.format(passes=indented(text).rstrip(), **words), words['name'], func, {**fresh.things, **HELPERS})


def hvp(func, wrt):
    """The product of the Hessian of a compiled function with a vector, compiled; None where there is no such form."""
    known = single(func, wrt)
    if known is None:
        return None
    x, names = known
    fresh = Fresh(names)
    push = fresh('push', grad_util.jvp(grad_util.grad(func, x), x))
    vector, args, name = fresh('vector'), ', '.join(names), title('hvp', func)
    text = f'def {name}({args}, {vector}):\n    return {push}({args}, 1.0, {vector})\n'
    return made(text, name, func, fresh.things)


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
    dispatcher = targets_cache.single(function, compiled.flags_of(func))
    dispatcher.source = function.source
    return dispatcher
