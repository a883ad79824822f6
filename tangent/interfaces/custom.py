"""Functions that bring their own derivative, or are computed again in the backward pass.

    @tangent.custom_vjp
    def f(x, w): ...
    f.defvjp(fwd, bwd)          # fwd(x, w) -> (value, residuals);  bwd(residuals, g) -> (gx, gw)

    @tangent.custom_jvp
    def f(x, w): ...
    f.defjvp(rule)              # rule((x, w), (dx, dw)) -> (value, tangent)

    @tangent.checkpoint
    def block(h, w): ...        # keeps its arguments alone, not what it computes on the way
"""
import functools
import inspect
import types

from tangent import errors
from tangent.frontend import tree
from tangent.interfaces import grad
from tangent.reverse.custom_calls import Custom
from tangent.runtime.functions.custom import hook, nest_level, stop_gradient
from tangent.templates.language import registry, user_rules

__all__ = ['checkpoint', 'custom_jvp', 'custom_vjp', 'hook', 'nest_level', 'remat', 'stop_gradient']


class Callable:
    """A function with rules of its own: called like it, as a method too."""

    wraps_function = True                       # by which those that must not import this room know it

    def __init__(self, function):
        if not callable(function):
            raise errors.ArgumentTypeError(f'{type(self).__name__} takes a function, not {function!r}')
        if isinstance(function, functools.partial):
            raise errors.ArgumentTypeError(f'{type(self).__name__} takes a function, not a functools.partial: make the partial '
                                           f'of what it returns, functools.partial(tangent.{type(self).__name__}(f), ...)')
        functools.update_wrapper(self, function)
        self.function = function
        self.identifier = user_rules.identifier(self)

    def __call__(self, /, *args, **keywords):
        return self.function(*args, **keywords)

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self):
        return f'<{type(self).__name__} {self.__name__}>'


class custom_vjp(Callable):
    """A function whose backward pass is written by hand, as in JAX.

    Parameters
    ----------
    function : callable
    nondiff_argnums : sequence of int
        Positions of arguments without a derivative, which the backward pass takes before the residuals.

    Examples
    --------
    >>> @tangent.custom_vjp
    ... def f(x):
    ...     return numpy.log(1 + numpy.exp(x))
    >>> f.defvjp(lambda x: (f(x), x), lambda x, g: (g / (1 + numpy.exp(-x)),))
    >>> float(tangent.grad(f)(0.0))
    0.5
    """

    def __init__(self, function, nondiff_argnums=()):
        super().__init__(function)
        self.fixed = tuple(nondiff_argnums)
        registry.CUSTOM[self] = Custom(function, unset, unset, self.fixed)

    def defvjp(self, fwd, bwd, symbolic_zeros=False):
        """Set the two passes.

        Parameters
        ----------
        fwd : function
            Takes the arguments, returns `(value, residuals)`.
        bwd : function
            Takes the arguments of `nondiff_argnums`, the residuals and the gradient of the value; returns a tuple with the
            gradient of each other argument, None for one that has none.
        """
        if symbolic_zeros:
            raise errors.ArgumentError('symbolic_zeros: zeros are numbers here; leave it out')
        user_rules.refuse_others(fwd, bwd)
        registry.CUSTOM[self] = Custom(self.function, fwd, bwd, self.fixed)


def unset(*args):
    raise errors.RegistrationError('a custom_vjp is differentiated before its passes are set: call f.defvjp(fwd, bwd) first')


class custom_jvp(Callable):
    """A function whose tangent is written by hand, as in JAX; reverse mode transposes it.

    Parameters
    ----------
    function : callable
    nondiff_argnums : sequence of int
        Positions of arguments without a derivative, which the rule takes before `primals` and `tangents`.

    Examples
    --------
    >>> @tangent.custom_jvp
    ... def f(x):
    ...     return numpy.sin(x)
    >>> @f.defjvp
    ... def rule(primals, tangents):
    ...     x, = primals
    ...     dx, = tangents
    ...     return f(x), numpy.cos(x) * dx
    >>> float(tangent.grad(f)(0.0))
    1.0
    """

    def __init__(self, function, nondiff_argnums=()):
        super().__init__(function)
        self.fixed = tuple(nondiff_argnums)
        self.register(dict.fromkeys([f'{self.identifier}_jvp', f'{self.identifier}_jvp_transposed'], unset_jvp))

    def defjvp(self, rule):
        """Set the tangent: `rule(primals, tangents) -> (value, tangent)`, linear in the tangents. Returns the rule."""
        user_rules.refuse_others(rule)
        self.register(Transposed({f'{self.identifier}_jvp': rule}, len(self.fixed) + 1))
        return rule

    def defjvps(self, *parts):
        """Set the tangent as a sum: one `part(tangent, value, *primals)` for each argument, None where it has none."""
        names, defaults = parameters(self.function)
        if len(parts) != len(names):
            raise errors.RegistrationError(f'{self.__name__} has {len(names)} arguments, and {len(parts)} parts of its tangent '
                                           'are given')
        given = {k: part for k, part in enumerate(parts) if part is not None}
        user_rules.refuse_others(*given.values())
        namespace = Transposed({f'{self.identifier}_jvp{k}': part for k, part in given.items()})
        args = ', '.join(names)
        forward = {names[k]: tree.expression(f'{self.identifier}_jvp{k}(d[ans], ans, {args})') for k in given}
        reverse = {names[k]: tree.expression(f'{self.identifier}_jvp{k}_transposed(init_grad({names[k]}), ans, {args}, d[ans])')
                   for k in given}
        signature = 'ans', names, defaults, None, None
        registry.FORWARD[self] = registry.Rule(self.__name__, 'elementwise', signature, forward, namespace=namespace)
        registry.REVERSE[self] = registry.Rule(self.__name__, 'general', signature, reverse, namespace=namespace)

    def register(self, namespace):
        names, defaults = parameters(self.function)
        own = [n for k, n in enumerate(names) if k not in self.fixed]
        fixed = ''.join(f'{names[k]}, ' for k in self.fixed)
        primals, tangents = f'({", ".join(own)},)', f'({", ".join(f"d[{n}]" for n in own)},)'
        rule = f'{self.identifier}_jvp'
        pushed = tree.expression(f'of_rule({rule}({fixed}{primals}, {tangents}))[1]')
        pulled = f'{rule}_transposed({fixed}{primals}, init_grad({primals}), (init_grad(ans), d[ans]))'
        body = tree.statements(f'pulled = {pulled}')
        signature = 'ans', names, defaults, None, None
        registry.REVERSE[self] = registry.Rule(self.__name__, 'general', signature, body=body, namespace=namespace, partials={
            n: tree.expression(f'pulled[{k}]') for k, n in enumerate(own)})
        registry.FORWARD[self] = registry.Rule(self.__name__, 'general', signature, dict.fromkeys(own), forward=pushed,
                                         namespace=namespace)


def unset_jvp(*args):
    raise errors.RegistrationError('a custom_jvp is differentiated before its tangent is set: call f.defjvp(rule) first')


class Transposed(dict):
    """The functions that the rules of a `custom_jvp` read; `f_transposed` is derived of `f` when it is first asked for."""

    def __init__(self, functions, position=0):
        super().__init__(functions)
        self.position = position
        self.update({f'{name}_transposed': None for name in functions})

    def __getitem__(self, name):
        if super().__getitem__(name) is None:
            self[name] = grad.vjp(self[name.removesuffix('_transposed')], wrt=self.position)
        return super().__getitem__(name)


def parameters(function):
    """(names, name -> tree of the default) of a function with a rule; defaults that are no literals are taken as None."""
    names, defaults = [], {}
    for p in inspect.signature(function).parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise errors.RegistrationError(f'{function.__name__} takes *{p.name}: a function with a rule of its own names its '
                                           'parameters')
        names.append(p.name)
        if p.default is not p.empty:
            simple = isinstance(p.default, (int, float, str, type(None)))
            defaults[p.name] = tree.constant(p.default if simple else None)
    return tuple(names), defaults


class checkpoint(Callable):
    """A function that keeps nothing for the backward pass but its arguments: what it computes is computed again there.

    It has to depend on its arguments alone; a function that gives another value the second time is an error.

    Parameters
    ----------
    function : callable

    Notes
    -----
    Recomputation in place of storage: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 12.

    Examples
    --------
    >>> @tangent.checkpoint
    ... def layer(x, w):
    ...     return numpy.tanh(w * x)
    >>> tangent.grad(lambda x: layer(layer(x, 2.0), 3.0))(0.0)
    6.0
    """

    maker = 'tangent.checkpoint'                # by which a derivative of one is pickled

    def __init__(self, function):
        super().__init__(function)
        self.py_func = getattr(function, 'py_func', function)
        registry.CUSTOM[self] = Custom(self.py_func)


remat = checkpoint
