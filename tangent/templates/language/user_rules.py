"""Rules that users write as functions: `@tangent.grads.adjoint(f)` and its kin, read from their source."""
import inspect
import textwrap

import gast

from tangent import errors
from tangent.frontend import tree
from tangent.templates.language import registry

FITTED = ('unbroadcast', 'unreduce_like', 'astype')       # what they give has the shape of their second argument
STRAIGHT = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Assert, gast.Delete)


def definition(template):
    """The FunctionDef of a template."""
    try:
        source = inspect.getsource(template)
        function = gast.parse(textwrap.dedent(source)).body[0]
    except (OSError, TypeError, SyntaxError) as error:
        raise errors.SourceError(f'the source of the template {template!r} cannot be read: {error}; '
                                 'define it with def in a file or a notebook cell') from error
    if not isinstance(function, gast.FunctionDef):
        raise errors.SourceError(f'the template {template!r} is not defined with def')
    return function


def signature(function):
    """(result, parameters, defaults, vararg, None) of a template `def adj(y, x, *args, axis=None)`."""
    arguments = function.args
    if arguments.kwarg:
        raise errors.RegistrationError(f'{function.name}: a template takes no **{arguments.kwarg.id}: name them')
    positional = [a.id for a in arguments.posonlyargs + arguments.args]
    if not positional:
        raise errors.RegistrationError(f'{function.name}: the first parameter of a template stands for the result')
    given = len(arguments.defaults)
    defaults = dict(zip(positional[len(positional) - given:], arguments.defaults))
    defaults.update({a.id: v for a, v in zip(arguments.kwonlyargs, arguments.kw_defaults) if v is not None})
    vararg = arguments.vararg.id if arguments.vararg else None
    names = (*positional[1:], *([vararg] if vararg else []), *(a.id for a in arguments.kwonlyargs))
    return positional[0], names, defaults, vararg, None


def derivative(stmt):
    """`x` of a statement `d[x] = ...`, else None."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 else None
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) and target.value.id == 'd':
        if isinstance(target.slice, gast.Name):
            return target.slice.id
    return None


def divide(function, allowed):
    """(body, partials): the statements that come first, and name -> the tree of `d[name]`.

    A `d[x] = ...` with other statements after it becomes a local, as these may rebind what it reads.
    """
    stmts = [s for s in function.body if not isinstance(s, gast.Pass) and not tree.is_text(s)]
    last = max([k for k, s in enumerate(stmts) if derivative(s) is None], default=-1)
    body, partials = [], {}
    for k, stmt in enumerate(stmts):
        name = derivative(stmt)
        if name is None:
            _check(function, stmt)
            body.append(stmt)
            continue
        if name not in allowed:
            raise errors.RegistrationError(f'{function.name}: d[{name}] is set, but the template may set only '
                                           f'{", ".join(f"d[{a}]" for a in allowed)}')
        if k < last:
            body.append(tree.assign('b' + name, stmt.value))
        partials[name] = tree.load('b' + name) if k < last else stmt.value
    return body, partials


def _check(function, stmt):
    if not isinstance(stmt, STRAIGHT):
        raise errors.RegistrationError(f'{function.name}: a template is straight-line code; put this into a function '
                                       f'that the template calls: {gast.unparse(stmt).strip()}')


def reverse_rule(func, template):
    function = definition(template)
    parts = signature(function)
    body, partials = divide(function, parts[1])
    partials = {p: term if p == parts[3] else checked(term, p, _name(func), parts[1].index(p)) for p, term in partials.items()}
    return registry.Rule(_name(func), 'template', parts, partials, body=body, namespace=Namespace(template))


def checked(term, parameter, name, k):
    """The tree of a gradient, looked at when running: a number for an array would be broadcast, and be wrong."""
    fitted = any(tree.is_call(term, helper) for helper in FITTED) and len(term.args) > 1
    if fitted and tree.names(term.args[1], gast.Load) == [parameter]:
        return term
    return tree.call('fitting', term, tree.load(parameter), tree.constant(name), tree.constant(k))


def forward_rule(func, template):
    function = definition(template)
    parts = signature(function)
    body, found = divide(function, parts[:1])
    if parts[0] not in found:
        raise errors.RegistrationError(f'{function.name}: the template does not set d[{parts[0]}]')
    reads = {n.slice.id: None for stmt in function.body for n in gast.walk(stmt)
             if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name) and n.value.id == 'd'
             and isinstance(n.slice, gast.Name) and n.slice.id != parts[0]}
    return registry.Rule(_name(func), 'template', parts, {p: registry.REFUSE for p in reads}, body=body,
                      forward=found[parts[0]], namespace=Namespace(template))


def primal_rule(func, template):
    function = definition(template)
    body, _ = divide(function, ())
    return registry.Rule(_name(func), 'template', signature(function), body=body, namespace=Namespace(template))


def _name(func):
    module = getattr(func, '__module__', None)
    name = getattr(func, '__qualname__', getattr(func, '__name__', repr(func)))
    return f'{module}.{name}' if module and module != 'builtins' else name


class Namespace:
    """The names that a template sees: its closure and the globals of its module, looked up when asked."""

    def __init__(self, template):
        self.template = template

    def _cells(self):
        function = self.template
        return {name: cell for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ())}

    def __contains__(self, name):
        return name in self._cells() or name in self.template.__globals__

    def __getitem__(self, name):
        cells = self._cells()
        return cells[name].cell_contents if name in cells else self.template.__globals__[name]


def identifier(fun):
    """The name of a function as it can stand in emitted code: that of a lambda cannot."""
    name = getattr(fun, '__name__', 'f')
    return name if name.isidentifier() else 'f'


def refuse_others(*given):
    """Refuse what is no function where a rule, or what it is of, is given."""
    for value in given:
        if not callable(value):
            raise errors.ArgumentTypeError(f'a rule is given for, or as, {value!r}: it has to be a function')


def register(table, other, make):
    """A decorator factory that files the rule made from a template in `table` (operators in `other`)."""
    def decorator_of(func):
        refuse_others(func)

        def decorator(template):
            refuse_others(template)
            registry.declare_extras()                # what would come later would take the place of this rule
            place = other if isinstance(func, type) and issubclass(func, gast.AST) else table
            place[func] = make(func, template)
            return template
        return decorator
    return decorator_of
