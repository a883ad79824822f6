"""Derivatives of derivatives that have the log form, by way of forward mode.

A log is not followed when it is differentiated. But a gradient need not be differentiated as a program: for every v

    v . grad f(x)  =  jvp(f)(x, v)

so what goes back from `v` through `grad f` is the gradient of `jvp(f)(x, v)` by x, and the tangent of `grad f(x)` along v is
that as well, as second derivatives commute. Forward mode writes plain Python, of which there is a gradient in one form or
the other. This is reverse over forward mode (Griewank and Walther, Evaluating Derivatives, second edition, section 5.2).

    dfdx = grad(f)      ->      def dfdx(x, bf=1.0):
                                    return dfdx_(x, bf)             a Derived, which brings what is written for it:

    y = dfdx_(x, bf)    ...     bx = dfdx_back(x, bf, by, as_it_was(y))
    y = dfdx_(x, bf)    ->      y, dy = dfdx_along(x, bf, dx)

That a function gives the same when it is run again, and that its gradient is that of its tangent, is checked.
"""
import dataclasses
import functools
import inspect

import gast
import numpy as np

from tangent import errors
from tangent.analysis.messages.communication import communicates
from tangent.driver.options import Options
from tangent.emit.build import Part, build
from tangent.emit.printer import emit
from tangent.emit.signature import lifted
from tangent.eventlog.statements import bare
from tangent.frontend import tree
from tangent.frontend.source import original, read
from tangent.reverse import custom_calls
from tangent.reverse.custom_calls import Custom
from tangent.runtime import captures
from tangent.runtime.add import add_grad
from tangent.runtime.broadcast import unbroadcast
from tangent.runtime.functions.second import check_again
from tangent.templates.language import registry

NAMESPACE = {'__name__': 'second'}
REFUSED = (errors.ForwardNotImplementedError, errors.ReverseNotImplementedError, errors.TangentParseError)


class Derived:
    """A derivative in reverse mode as a callable with passes of its own: of what its function captured, its arguments and
    its seed.

    made : the derivative
    function : what it is the derivative of, with what it captured as arguments in front
    wrt : names of the parameters that it is by
    derived : gives the derivative of a function by some parameters with some options
    """

    def __init__(self, made, function, captured, wrt, options, derivative):
        self.made, self.function, self.wrt, self.options, self.derived = made, function, wrt, options, derivative
        self.__name__ = f'{made.__name__}_'
        code = function.__code__
        self.positional = code.co_varnames[:code.co_argcount]
        self.only = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
        self.seed = made.__code__.co_varnames[made.__code__.co_argcount - 1]
        self.names = (*self.positional, *self.only, self.seed)
        self.own = functools.cache(tree.Names(set(self.names)).fresh)        # word -> what it is called here
        arguments = ', '.join([*self.positional[len(captured):], self.seed, *(f'{k}={k}' for k in self.only)])
        self.plain = self.built(self.__name__, self.names, [f'return {self.own("made")}({arguments})'], made=made)
        custom = Custom(self.plain, write=adjoint_of_derivative)
        dict.__setitem__(registry.CUSTOM, self, custom)          # it is new: no derivative made so far knows it
        self.passes = functools.cache(self.passes)

    def __call__(self, /, *args, **keywords):
        return self.plain(*args, **keywords)

    @property
    def __signature__(self):
        return inspect.signature(self.plain)

    def built(self, name, parameters, lines, **library):
        text = f'def {name}({", ".join(parameters)}):\n' + ''.join(f'    {line}\n' for line in lines)
        return build(text, [Part(name, NAMESPACE)], {self.own(n): thing for n, thing in library.items()}, name)[name]

    def derivative(self, function, wrt, **options):
        try:
            return self.derived(function, tuple(wrt), Options(check_dims=False, default=None, bare=False,
                                                              nan_safe=self.options.nan_safe, classes=self.options.classes,
                                                              **options))
        except REFUSED as error:
            raise errors.ReverseNotImplementedError(
                f'{self.made.__name__} is a derivative in the log form, and has a derivative itself where its function has one '
                f'in forward mode: {error}') from None

    def pulled(self, along, by):
        """Of the tangent along some parameters, the gradients by others and the tangent itself, as one flat tuple."""
        push = self.derivative(self.function, along, mode='forward')
        options = self.options
        return self.derivative(push, by, scalar=False, first=options.first, ones=options.ones, values='after') if by else push

    def back(self, by):
        """The gradients by some parameters for a seed of the whole result, as a tuple."""
        return self.derivative(self.function, by, scalar=False, first=False)

    def call(self, name, *more):
        """`f(x, w, more)`, as text."""
        return f'{self.own(name)}({", ".join([*self.positional, *more, *(f"{k}={k}" for k in self.only)])})'

    def each(self, prefix, names):
        return [self.own(prefix + n) for n in names]

    def form(self, prefix):
        """(names of the gradients, name of the result or None, what the derivative gives) of something like its value."""
        grads = self.each(prefix, self.wrt)
        alone = grads[0] if len(grads) == 1 and self.options.bare else f'({", ".join(grads)},)'
        result = None if self.options.values == 'none' else self.own(prefix + '_result')
        whole = {'none': alone, 'after': f'({", ".join(grads)}, {result})', 'before': f'({result}, {alone})'}
        return grads, result, whole[self.options.values]

    def passes(self, mode, wanted):
        """The function that is called in the backward pass, or in place of the call in forward mode."""
        return (self.adjoint if mode == 'reverse' else self.tangent)(wanted)

    def adjoint(self, wanted):
        by = [n for n in wanted if n != self.seed]
        given, result, vectors = self.form('v')
        values, _, before = self.form('y')
        found, more = self.each('b', by), self.each('c', by)
        gradient, value, moved = map(self.own, ('gradient', 'value', 'moved'))
        library = {'pull': self.pulled(self.wrt, by), 'check_again': check_again}
        pulled = self.call('pull', *given, *[self.seed] * bool(by))
        lines = [f'{vectors} = {gradient}', f'{", ".join([*found, moved])} = {pulled}']
        if self.options.first:
            lines.append(f'{moved} = {moved}[0] if isinstance({moved}, tuple) else {moved}')
        if not communicates(self.function):             # where others take part the two agree in the sum over all alone
            lines += [f'{before} = {value}',
                      f'{self.own("check_again")}({listed(values)}, {listed(given)}, {self.seed}, {moved})']
        if result is not None and by:
            library.update(back=self.back(by), add_grad=add_grad)
            lines.append(f'{listed(more)} = {self.call("back", result)}')
            lines += [f'{b} = {self.own("add_grad")}({b}, {c})' for b, c in zip(found, more)]
        if self.options.ones and self.seed in wanted:
            library['unbroadcast'] = unbroadcast
            lines.append(f'{moved} = {self.own("unbroadcast")}({moved}, {self.seed})')
        which = dict(zip([*by, self.seed], [*found, moved]))
        lines.append(f'return {", ".join(which[n] for n in wanted)}')
        return self.built(f'{self.made.__name__}_back', [*self.names, gradient, value], lines, **library)

    def tangent(self, wanted):
        along = [n for n in wanted if n != self.seed]
        grads, result, whole = self.form('t')
        more, tangents = self.each('c', self.wrt), dict(zip(wanted, self.each('d_', wanted)))
        library, lines = {'primal': self}, []
        if along:
            library['pull'] = self.pulled(along, self.wrt)
            moved = ', '.join([*grads, result or self.own('moved')])
            lines.append(f'{moved} = {self.call("pull", *(tangents[n] for n in along), self.seed)}')
        elif result is not None:
            raise errors.ForwardNotImplementedError(f'{self.made.__name__} is moved along its seed alone, and gives the value '
                                                    'too: ask for the gradient by itself')
        if self.seed in wanted:
            library['back'] = self.derivative(self.function, self.wrt, scalar=False, first=self.options.first,
                                              ones=self.options.ones)
            library['add_grad'] = add_grad
            lines.append(f'{listed(more if along else grads)} = {self.call("back", tangents[self.seed])}')
            lines += [f'{g} = {self.own("add_grad")}({g}, {c})' for g, c in zip(grads, more) if along]
        lines.append(f'return {self.own("primal")}({", ".join(self.names)}), {whole}')
        return self.built(f'{self.made.__name__}_along', [*self.names, *tangents.values()], lines, **library)

    def pushed(self, wanted):
        """(the function that forward mode calls, names of the parameters that take the tangents, how many stand before)."""
        return self.passes('forward', wanted), tuple(self.each('d_', wanted)), len(self.names)


def brings_passes(compiled):
    """Whether a function that Numba compiles is a derivative which is differentiated by way of a Derived."""
    function = original(compiled) if hasattr(compiled.py_func, 'written_out') else None
    return function is not None and any(
        isinstance(captures.content(cell), Derived) for cell in function.__closure__ or ())


def listed(names):
    return ''.join(f'{n}, ' for n in names).join('()')


def adjoint_of_derivative(reverse, s, op, custom, gradient, origin):
    """Write the adjoint of a call of a Derived; the statement stays as it is in the forward pass."""
    args, keywords = op.args
    atoms = custom_calls.positional(reverse, custom, args, keywords, s)
    wanted = [k for k, a in enumerate(atoms) if reverse.is_active(a)]
    derived = op.what
    function = derived.passes('reverse', tuple(derived.names[k] for k in wanted))
    name = custom_calls.named(reverse.library, function, function.__name__)
    value = reverse.call('as_it_was', tree.load(tree.target(s)))
    back = gast.Call(func=tree.load(name), args=[*atoms, gradient, value], keywords=[])
    reverse.returned_to(back, [atoms[k] for k in wanted], origin)
    return [s]


def written_out(made, function, wrt, options, derivative):
    """What is differentiated in place of the derivative `made` of a function by the parameters `wrt`, a plain function."""
    found = captured(function)
    derived = Derived(made, in_front(function, found), found, wrt, options, derivative)
    code = made.__code__
    name, only = made.__name__, code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
    positional = code.co_varnames[:code.co_argcount]
    own = [*found, *positional[:-1], *only, positional[-1]]
    defaults = {**dict(zip(reversed(positional), reversed(made.__defaults__ or ()))), **(made.__kwdefaults__ or {})}
    shown = [f'{n}={defaults[n]!r}' if isinstance(defaults.get(n), (int, float, str)) else f'{n}=None' if n in defaults else n
             for n in (*positional, *only)]
    head = ', '.join([*shown[:len(positional)], *['*'] * bool(only), *shown[len(positional):]])
    call = f'{derived.__name__}({", ".join(own)})'
    _, _, whole = derived.form('d_')
    body = f'    return {call}\n' if whole.isidentifier() else f'    {whole} = {call}\n    return {whole}\n'
    cells = {n: c for n, c in zip(function.__code__.co_freevars, function.__closure__ or ()) if n in found}
    part = Part(name, function.__globals__, cells, made.__defaults__, made.__kwdefaults__)
    return build(f'def {name}({head}):\n{body}', [part], {derived.__name__: derived}, name)[name]


def captured(function):
    """Names of what a function has captured and may have a derivative."""
    known = read(function).library
    return tuple(n for n, c in zip(function.__code__.co_freevars, function.__closure__ or ()) if n not in known
                 and captures.content(c) is not function and captures.differentiable(captures.content(c)))


def in_front(function, names):
    """The same function with these of its free variables as its first parameters."""
    if not names:
        return function
    source = read(function)
    definition = tree.replace(lifted(source.tree, names), decorator_list=[], returns=None)
    definition = tree.replace(definition, args=bare(definition.args))
    cells = {n: c for n, c in source.closure.items() if n not in names}
    part = Part(source.name, function.__globals__, cells, function.__defaults__, function.__kwdefaults__,
                frozenset(source.library))
    return build(emit([definition], [source.comments]), [part], {}, source.name)[source.name]


def attach(made, function, wrt, picks, options, derivative):
    """Let a derivative that has the log form, writes into arrays, or finds its callees when running be differentiated.

    derivative : gives the derivative of a function by some parameters with some options
    """
    made.__dict__.pop('tangent', None)
    starred = function.__code__.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or picks is not None
    why = 'of a function of *args or **kwargs' if starred else 'with has_aux=True' if options.aux else \
        'in split motion' if options.motion == 'split' else 'in complex form' if options.in_complex else None
    if options.batched:
        why = None if why is None and options.values == 'none' and not made.__kwdefaults__ else 'in several directions'
    made.written_out = functools.partial(refuse, made.__name__, why) if why else \
        functools.partial(written_one_by_one if options.batched else written_out, made, function, wrt, options, derivative)


def written_one_by_one(made, function, wrt, options, derivative):
    """The same as a derivative in several directions, for arrays and numbers, by one in one direction."""
    names = made.__code__.co_varnames[:made.__code__.co_argcount]
    args, given = ', '.join(names[:-len(wrt)]), names[-len(wrt):]
    fresh = tree.Names(set(names)).fresh
    push, rows, stack, each = (fresh(word) for word in ('push', 'rows', 'stack', 'zip'))
    along = [fresh(f'{n}_along') for n in given]
    text = f'''def {made.__name__}({args}, {", ".join(given)}):
    {rows} = []
    for {", ".join(along)}, in {each}({", ".join(given)}):
        {rows}.append({push}({args}, {", ".join(along)}))
    return {stack}({rows})
'''
    one = derivative(function, wrt, dataclasses.replace(options, batched=False, verbose=0))
    part = Part(made.__name__, NAMESPACE)
    return build(text, [part], {push: one, stack: np.stack, each: zip}, made.__name__)[made.__name__]


def refuse(name, why):
    raise errors.ReverseNotImplementedError(
        f'{name} is a derivative {why} which has the log form, writes into arrays, runs in several directions or calls '
        'functions found when running: it has no derivative itself; take the derivative of a function around it')
