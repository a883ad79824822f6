"""Jacobians, Hessians and products with them as text: a function around a derivative whose text is known.

    def hessian_of_f(x):
        along = numpy.eye(numpy.size(x)).reshape(-1, *numpy.shape(x))
        columns = [ddfdxdx(x, 1.0, d) for d in along]
        return numpy.moveaxis(numpy.array(columns), 0, -1).reshape(numpy.shape(columns[0]) + numpy.shape(x))[()]
"""
import inspect

from tangent import errors
from tangent.driver import variants
from tangent.driver.options import Options
from tangent.interfaces.linear_maps import completing, is_starred

COLUMNS = '''    along = numpy.eye(numpy.size({by})).reshape(-1, *numpy.shape({by}))
    columns = [{call} for d in along]
    return numpy.moveaxis(numpy.array(columns), 0, -1).reshape(numpy.shape(columns[0]) + numpy.shape({by}))[()]
'''


def as_text(what, func, wrt, name):
    """(the derivative that is called, the text of the function around it).

    Raises
    ------
    ArgumentError
        Where the derivative is by several arguments, or the function takes any number of them.
    """
    func = getattr(func, 'py_func', func)
    asked = wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    if len(asked) != 1 or is_starred(func):
        raise errors.ArgumentError(f'{name} has a text where it is by one argument of a function without stars: ask for one by '
                                   'each argument, or for the text of tangent.jvp and tangent.vjp')
    inner = func if what == 'jacobian' else variants.derivative(func, asked, Options())
    push = variants.derivative(inner, asked, Options(mode='forward', default=None, check_dims=what != 'jacobian'))
    names = completing(func).names
    by = asked[0] if isinstance(asked[0], str) else names[asked[0]]
    signature = inspect.signature(func)
    plain = str(signature.replace(return_annotation=inspect.Signature.empty, parameters=[
        p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]))[1:-1]
    seed = [] if what == 'jacobian' else ['1.0']
    if what == 'hvp':
        head = f'{", ".join(names)}, vector'
        return push, f'\n\ndef {name}({head}):\n    return {push.__name__}({", ".join([*names, *seed, "vector"])})\n'
    call = f'{push.__name__}({", ".join([*names, *seed, "d"])})'
    return push, f'\n\ndef {name}({plain}):\n' + COLUMNS.format(by=by, call=call)
