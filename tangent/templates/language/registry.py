"""The rules of operations, and the tables that hold them.

A :class:`Rule` says how the gradient of a call is made of trees. They are declared in `templates/`, in the language of
`templates.declare`, and by users (`grads`, `tangents`).
"""
import builtins
import functools
import importlib
import sys
import types
from typing import NamedTuple

import gast

from tangent import errors
from tangent.frontend import tree
from tangent.frontend.array_modules import counterpart, is_autograd, is_cupy
from tangent.frontend.quote import REFUSE, Fill, literal, number, once, same, text_tree, total, zeros_like  # noqa: F401 (number: for others)
from tangent.runtime import facts

MODULES = ('numpy', 'math', 'cmath', 'operator', 'functools', 'itertools', 'scipy', 'cupy', 'cupyx', 'mpmath', 'sympy',
           'uncertainties', 'dask', 'distributed', 'numba_mpi', 'bottleneck')
EXTRAS = {f'scipy.{name}': f'tangent.templates.scipy.{file}' for name, file in [
    ('special', 'special'), ('linalg', 'linalg'), ('signal', 'signal'), ('integrate', 'integrate'), ('stats', 'stats'),
    ('optimize', 'optimize'), ('fft', 'fft'), ('ndimage', 'ndimage'), ('interpolate', 'interpolate'),
    ('sparse', 'sparse'), ('spatial.distance', 'spatial')]}
EXTRAS |= {'mpmath': 'tangent.templates.python.mpmath', 'sympy': 'tangent.templates.python.sympy',
           'uncertainties.umath': 'tangent.templates.python.uncertainties', 'mpi4py.MPI': 'tangent.templates.parallel.mpi',
           'numba_mpi': 'tangent.templates.parallel.numba_mpi', 'bottleneck': 'tangent.templates.numpy.bottleneck'}
EXTRAS |= {'dask.delayed': 'tangent.templates.parallel.dask_delayed', 'dask.array': 'tangent.templates.parallel.dask_array',
           'dask.bag': 'tangent.templates.parallel.dask_bag', 'dask.dataframe': 'tangent.templates.parallel.dask_dataframe',
           'distributed': 'tangent.templates.parallel.dask_distributed'}
SPLITTING = frozenset(['split_every', 'merge_chunks', 'limit', 'method'])    # keywords of Dask's methods: how, not what
BY_NAME = 'scipy._lib._array_api'     # a module whose functions are looked up by name, without an import


class Registry(dict):
    """A table that counts its changes, so that caches of derivatives know when to forget."""

    changes = 0

    def __setitem__(self, key, value):
        Registry.changes += 1
        super().__setitem__(key, value)

    def __delitem__(self, key):
        Registry.changes += 1
        super().__delitem__(key)

    def pop(self, *args):
        Registry.changes += 1
        return super().pop(*args)


REVERSE = Registry()       # function object -> Rule
FORWARD = Registry()
CUSTOM = Registry()        # callable -> custom_calls.Custom: its passes are the user's own, or are run again
DISPATCHED = Registry()    # function -> (pull, push), what stands for it where it is called: see `driver.dispatch.tasks`
PRIMAL = Registry()        # function object -> Rule whose body replaces the call
METHODS = Registry()       # 'sum' -> Rule, the receiver being the first parameter
ATTRIBUTES = Registry()    # 'T' -> Rule
OPERATORS = Registry()     # gast.Add -> Rule
HELPERS = Registry()       # 'unbroadcast' -> Rule of a run-time function of ours
MESSAGES: dict = {}        # method of communicators -> Message
CALLED: dict = {}          # function that sends or receives -> Message


class Message(NamedTuple):
    """What a method of communicators, or a function that sends, stands for; see `templates.parallel.mpi`."""
    text: str | None
    value: str
    by: str | None


def version():
    """A number that changes with every registration."""
    return Registry.changes


class Trees(dict):
    """Parameter -> tree; a text becomes one when it is first looked at, since few of all rules are in a program."""

    def __getitem__(self, name):
        found = super().__getitem__(name)
        if isinstance(found, str):
            found = self[name] = tree.expression(found)
        return found

    def get(self, name, default=None):
        return self[name] if name in self else default

    def values(self):
        return [self[name] for name in self]

    def items(self):
        return [(name, self[name]) for name in self]


class Rule:
    """What is known of one operation.

    name : dotted name, for messages
    kind : 'elementwise', 'linear', 'bilinear', 'reduction', 'general', 'template' (a user's) or 'constant'
    result : the name of the result in the texts
    parameters : names in order, a method's receiver first; the vararg, if any, last of the positional ones
    defaults : parameter -> tree
    vararg : the parameter that takes all further positional arguments, or None
    partials : parameter -> tree, or a Written text, or REFUSE
    shape : 'elementwise', 'scalar', 'reduction', the name of a parameter, or None where the shape is unknown
    body : statements that stand before the partials (users' templates)
    """

    def __init__(self, name, kind, signature, partials=(), shape=None, forward=None, body=(), namespace=None):
        self.name, self.kind, self.shape = name, kind, shape
        self.result, self.parameters, self.defaults, self.vararg, self._form = signature
        self.partials = partials if isinstance(partials, Trees) else Trees(partials)
        self.variants = []                 # (guard, partials, forward), tried in order before the general ones
        self.pushed = Trees()              # parameter -> its term in forward mode, where that is another one
        self.in_complex = None             # the Rule for derivatives in complex form, where it differs
        self.nan_safe = None               # that for derivatives with `nan_safe`
        self.prepare = None                # rewrites (arguments, keywords) of a call before they are bound
        self.always = ()                   # parameters whose terms are written whatever has a derivative: it sends or receives
        self._forward = forward
        self.body = list(body)
        self.globals = namespace           # users' templates: the globals in which their names are looked up

    def __repr__(self):
        return f'Rule({self.name!r}, {self.kind!r})'

    @functools.cached_property
    def form(self):
        """The tree of the operation, or None."""
        return tree.expression(self._form) if isinstance(self._form, str) else self._form

    @functools.cached_property
    def forward_text(self):
        """The tree of the text for forward mode, or None."""
        return tree.expression(self._forward) if isinstance(self._forward, str) else self._forward

    @functools.cached_property
    def differentiable(self):
        return {p for partials in [self.partials] + [v for _, v, _ in self.variants] for p in partials}

    @functools.cached_property
    def takes_lists(self):
        """Whether an operand may be a list of arrays or numbers: its gradient is made by what gives a list then."""
        calls = [t.value if isinstance(t, gast.Subscript) else t for t in self.partials.values()]
        return any(isinstance(t, gast.Call) and facts.of(tree.dotted(t.func)).listed for t in calls)

    @property
    def library(self):
        """Names of modules and run-time helpers that the texts read."""
        return self._free - set(self.namespace)

    @property
    def namespace(self):
        """Name -> object for the names of a user's template that its own module defines, looked up now."""
        if self.globals is None:
            return {}
        return {name: self.globals[name] for name in self._free if name in self.globals}

    @functools.cached_property
    def _free(self):
        texts = [t for p in [self.partials] + [v for _, v, _ in self.variants] for t in p.values()]
        trees = [t for t in texts if isinstance(t, gast.AST)] + self.body
        trees += [t for t in [self.forward_text] + [f for *_, f in self.variants] if isinstance(t, gast.AST)]
        trees += self.pushed.values()
        trees += [tree.expression(name) for t in texts for name in getattr(t, 'reads', ())]
        known = {*self.parameters, self.result, 'd', 'i', *dir(builtins), *self._locals}
        return {n for t in trees for n in tree.names(t, gast.Load)} - known

    @functools.cached_property
    def _locals(self):
        return {n for stmt in self.body for n in tree.names(stmt, gast.Store)} - {self.result}

    def bind(self, args, keywords):
        """Parameter -> tree, for the arguments of a call; a vararg is bound to a tuple of the rest."""
        if self.kind == 'constant':
            return {}
        if self.prepare is not None:
            args, keywords = self.prepare(args, keywords)
        positional = self.parameters[:self.parameters.index(self.vararg)] if self.vararg else self.parameters
        first, rest = args[:len(positional)], args[len(positional):]
        if tree.starred(first):
            raise errors.ArgumentError(f'{self.name}: a starred argument; write the arguments one by one')
        if rest and not self.vararg:
            raise errors.ArgumentError(f'{self.name}: takes {len(positional)} arguments with a derivative rule '
                                       f'({", ".join(positional)}), {len(args)} given; use @tangent.grads.adjoint '
                                       'to register a rule of your own')
        keywords = {k: v for k, v in keywords.items() if k not in SPLITTING or k in self.parameters}
        bound = dict(zip(positional, first))
        if self.vararg:
            bound[self.vararg] = gast.Tuple(elts=list(rest), ctx=gast.Load())
        for name, value in keywords.items():
            if name not in self.parameters or name in bound:
                raise errors.ArgumentError(f'{self.name}: keyword "{name}" has no derivative rule; known are '
                                           f'{", ".join(self.parameters)}; use @tangent.grads.adjoint to register a '
                                           'rule of your own')
            bound[name] = value
        for name in self.parameters:
            if name not in bound and name not in self.defaults:
                raise errors.ArgumentError(f'{self.name}: argument "{name}" is missing')
            bound.setdefault(name, self.defaults.get(name))
        self._check(bound)
        return bound

    def _check(self, bound):
        if 'out' in self.defaults and not self._absent('out', bound):
            raise errors.ArgumentError(f'{self.name}: "out" has no derivative rule; assign the result instead')
        if literal(self.defaults.get('order')) == ['C'] != literal(bound['order']) != ['F'] and self.shape is None:
            raise errors.ArgumentError(f'{self.name}: an order that depends on the memory has no derivative rule; '
                                       'use order="C" or order="F"')

    def _absent(self, name, bound):
        return name in self.defaults and same(bound[name], self.defaults[name])

    def _absents(self, bound):
        return {p for p in self.defaults if self._absent(p, bound)}

    def chosen(self, bound):
        """The partials for these arguments: those of the last special case whose guard is true, else the general ones."""
        return self._case(bound)[0]

    def _case(self, bound):
        values = {p: value for p in self.parameters for value in literal(bound[p])}
        for guard, partials, forward in self.variants:
            if guard.names <= set(values) and holds(guard.code, values):
                return partials, forward or self.forward_text
        return self.partials, self.forward_text

    def terms(self, bound, result, gradient, active, fresh=None):
        """Reverse mode: statements to put first, and parameter -> its gradient (a vararg: a list of gradients).

        `result` and `gradient` are the trees that stand for the result and for `d[result]`; `active` says which
        parameters are wanted; `fresh` gives names for the locals of a user's template.
        """
        fill = self._fill(bound, result, {self.result: gradient}, fresh)
        partials = self.chosen(bound)
        wanted = [p for p in self.parameters if p in active and p in partials]
        for p in wanted:
            if partials[p] is REFUSE:
                raise errors.ReverseNotImplementedError(f'{self.name}: no derivative rule for argument "{p}"')
        terms = {p: self._term(p, partials[p], bound, fill) for p in wanted}
        body = [fill(stmt) for stmt in self.body]
        if self.kind == 'general' and fresh:
            calls, terms = once(terms, fresh)
            body += calls
        return body, terms

    def _fill(self, bound, result, gradients, fresh):
        local = {name: tree.load(fresh(name)) for name in sorted(self._locals)} if self.body else {}
        return Fill({**bound, self.result: result, **local}, gradients, self._absents(bound))

    def _term(self, param, partial, bound, fill):
        if param != self.vararg:
            return fill(text_tree(partial, bound))
        elements = range(len(bound[param].elts))
        if self.kind == 'template':
            whole = fill(partial)
            return [gast.Subscript(value=whole, slice=tree.constant(k), ctx=gast.Load()) for k in elements]
        return [fill.at(k)(text_tree(partial, bound, k)) for k in elements]

    def forward(self, bound, result, tangents, active, fresh=None):
        """Forward mode: statements to put first, and the tangent of the result.

        `tangents` is parameter -> tree (for a vararg: a list of trees, None where there is none).
        """
        wanted = [p for p in self.parameters if p in active and p in self.differentiable]
        known = {p for p in self.differentiable if self.kind == 'template' or self.partials.get(p) is not REFUSE}
        for p in wanted:
            if p not in known:
                raise errors.ForwardNotImplementedError(f'{self.name}: no derivative rule for argument "{p}"')
        text = self._case(bound)[1]
        if text is not None:
            given = {p: self._tangent(p, bound, tangents, wanted) for p in self.differentiable}
            fill = self._fill(bound, result, given, fresh)
            return [fill(stmt) for stmt in self.body], fill(text)
        if self.kind == 'elementwise':
            return [], total([term for p in wanted for term in self._diagonal(p, bound, result, tangents)])
        if self.kind == 'bilinear':
            return [], total([self.apply(each) for p in wanted for each in self._each(p, bound, tangents)])
        if self.kind == 'linear':
            return [], self.apply({**bound, **{p: self._tangent(p, bound, tangents, wanted) for p in known}})
        raise errors.ForwardNotImplementedError(f'{self.name}: no rule for forward mode')

    def _diagonal(self, param, bound, result, tangents):
        """The terms of one parameter, with its tangent in the place of `d[result]`."""
        chosen = self.chosen(bound)
        partial = self.pushed.get(param) if chosen is self.partials else None
        partial = chosen.get(param) if partial is None else partial
        if partial is None:
            return []
        if param != self.vararg:
            return [self._fill(bound, result, {self.result: tangents[param]}, None)(text_tree(partial, bound))]
        return [self._fill(bound, result, {self.result: t}, None).at(k)(text_tree(partial, bound, k))
                for k, t in enumerate(tangents[param]) if t]

    def _each(self, param, bound, tangents):
        """The arguments with one factor replaced by its tangent."""
        if param != self.vararg:
            return [{**bound, param: tangents[param]}]
        factors = bound[param].elts
        return [{**bound, param: gast.Tuple(elts=factors[:k] + [t] + factors[k + 1:], ctx=gast.Load())}
                for k, t in enumerate(tangents[param]) if t]

    def _tangent(self, param, bound, tangents, wanted):
        if param in wanted:
            value = tangents[param]
            if not isinstance(value, list):
                return value
            filled = [t or zeros_like(e) for t, e in zip(value, bound[param].elts)]
            return gast.Tuple(elts=filled, ctx=gast.Load())
        if literal(bound[param]) == [None]:
            return bound[param]
        return tree.constant(0) if self._absent(param, bound) else zeros_like(bound[param])

    def replacement(self, bound, target, fresh):
        """A `@primal` template: the statements that stand for the call and define the name `target`."""
        fill = self._fill(bound, tree.load(target), {}, fresh)
        return [fill(stmt) for stmt in self.body]

    def apply(self, bound):
        """The operation itself, applied to these arguments."""
        if not isinstance(self.form, gast.Call):
            return Fill(bound, {}, self._absents(bound))(self.form)
        args, keywords = [], []
        receiver = isinstance(self.form.func, gast.Attribute) and tree.dotted(self.form.func.value) in self.parameters
        for p in self.parameters[receiver:]:
            if p == self.vararg:
                args += bound[p].elts
            elif p not in self.defaults:
                args.append(bound[p])
            elif not self._absent(p, bound):
                keywords.append(gast.keyword(arg=p, value=bound[p]))
        func = Fill(bound, {}, self._absents(bound))(self.form.func)
        return gast.Call(func=func, args=args, keywords=keywords)


def constant_rule(name):
    return Rule(name, 'constant', ('y', (), {}, None, None))


# Questions

def declare_extras():
    """Declare the rules of those optional modules that have been imported by now; whether there were any."""
    if EXTRAS.keys().isdisjoint(sys.modules.keys()):           # asked of whatever has no rule
        return False
    new = [name for name in EXTRAS if name in sys.modules]
    for name in new:
        importlib.import_module(EXTRAS.pop(name))
    return bool(new)


def holds(code, values):
    """Whether a guard is true; one that compares numbers is not, of a list."""
    try:
        return eval(code, {}, values)
    except TypeError:
        return False


def lookup(obj, mode='reverse'):
    """The rule of a function object, or None."""
    table = REVERSE if mode == 'reverse' else FORWARD
    try:
        found = table.get(obj)
        if found is None and EXTRAS and declare_extras():
            found = table.get(obj)
        if found is None and is_cupy(obj):
            importlib.import_module('tangent.templates.numpy.cupy')
            found = table.get(obj) or (lookup(counterpart(obj), mode) if counterpart(obj) is not obj else None)
        if found is None and is_autograd(obj) and counterpart(obj) is not obj:
            found = lookup(counterpart(obj), mode)
    except TypeError:                      # an object that cannot be hashed
        return None
    if found is None and is_helper(obj):
        found = HELPERS[obj.__name__]
    if found is None and (is_random(obj) or isinstance(getattr(obj, '__self__', None), (str, bytes))):     # '{}'.format
        return constant_rule(getattr(obj, '__name__', repr(obj)))
    return found


def is_helper(obj):
    """Whether texts that call a helper with a rule by its name mean this object, not another that has the same name."""
    name = getattr(obj, '__name__', None)
    return isinstance(name, str) and name in HELPERS and (
        facts.is_helper(obj) or str(getattr(obj, '__module__', None)).startswith(BY_NAME))


def custom(thing):
    """The Custom of a callable whose passes are the user's own, or None."""
    try:
        return CUSTOM.get(thing)
    except TypeError:                      # an object that cannot be hashed
        return None


def passes(thing):
    """The functions of the user's that a callable with a derivative of its own is differentiated by."""
    own = custom(thing)
    rules = [table[thing] for table in (REVERSE, FORWARD) if thing in table]
    return [f for f in (own or ())[1:3] if f is not None] + [f for rule in rules for f in (rule.globals or {}).values()]


def dispatched(f):
    """What stands for a function that hands calls to others to run, for a method or an object of such a class; or None."""
    if 'dask' not in sys.modules:
        return None
    declare_extras()
    kind = type(f)
    of_class = facts.home(kind) == 'dask' and kind.__name__.startswith('Delayed')
    key = kind.__call__ if of_class else f.__func__ if kind is types.MethodType else f
    try:
        return DISPATCHED.get(key)
    except TypeError:                      # an object that cannot be hashed
        return None


def operator(op_class):
    return OPERATORS.get(op_class)


def method(name):
    return METHODS.get(name)


def attribute(name):
    return ATTRIBUTES.get(name)


def tells(name):
    """Whether what an attribute of this name says of an array is a fact, which has no derivative and shares nothing with it."""
    rule = ATTRIBUTES.get(name)
    return rule is not None and rule.kind == 'constant'


def is_pure(thing):
    """Whether calls of a function may be left out, or made again: it gives a value, and that is all."""
    python = isinstance(thing, types.BuiltinFunctionType | type)             # what is of the user's may have any `__getattr__`
    if python and facts.of(thing).reads and facts.of(thing).pure or thing is functools.partial:
        return True
    known = facts.is_numpy(thing) or facts.home(thing) in ('math', 'cmath')
    return known and callable(thing) and lookup(thing) is not None and not is_random(thing)


def is_random(obj):
    """Whether the object draws random numbers: a method of a generator, or a generator class itself."""
    owner = type(getattr(obj, '__self__', None))
    return owner.__module__.startswith('numpy.random') or owner.__module__ == 'random'


def is_message(obj):
    """Whether calls of this function send or receive: they are gone back through whatever becomes of their values."""
    found = lookup(obj)
    return found is not None and bool(found.always)


def is_constant(obj):
    """Whether no gradient flows through calls of this function."""
    found = lookup(obj)
    return found is not None and found.kind == 'constant'


def shaped_by(obj):
    """The first parameter of a function of NumPy's that takes its shape and type alone: `a` of `numpy.full_like`; or None.
    (What a helper of ours makes of a number, a fraction, is a number of that kind.)"""
    found = lookup(obj)
    if found is None or not found.name.startswith('numpy.') or found.kind != 'linear' \
            or found.parameters[:1] != (found.shape,) or found.shape in found.partials:
        return None
    return found.shape
