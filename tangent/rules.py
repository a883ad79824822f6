"""The language in which derivatives are declared, and the tables that hold them.

    elementwise('y = numpy.tanh(x)', 'd[y] * (1 - y * y)')       # diagonal: both modes from the one term
    elementwise('z = x / y', 'd[z] / y', '-d[z] * z / y')        # one term for each parameter, in order; None: no gradient
    linear('y = numpy.reshape(a, shape)', 'numpy.reshape(d[y], numpy.shape(a))')     # forward is the function itself
    reduction('y = numpy.prod(a, axis=None)', 'coefficient')     # d[y] spread over a, times a coefficient per element
    general('y = f(x)', 'reverse', forward='...')                # both modes in words
    constant(numpy.argmax, 'x // y', 'x.argmax')                 # no derivative, or zero wherever it has one

The left text is the signature: its target names the result, its keywords are the defaults. Right-hand texts may read the
parameters, the result, `d[result]`, builtins, `numpy`, and run-time helpers by name. Everything works on trees: parameters
are replaced by trees, so parentheses are the printer's business. A keyword argument `axis=axis` in a text is left out
where the call leaves `axis` at its default. Broadcasting is undone by the user of an elementwise rule, not by the rule.

`when='y == 2'` makes a line a special case of the general one: it holds where every parameter it names is a literal.
"""
from __future__ import annotations

import ast
import builtins
import copy
import importlib

import gast

from tangent import errors, tree

MODULES = ('numpy', 'math', 'cmath', 'operator', 'functools', 'itertools', 'scipy')
RUN_TIME = ('tangent.utils', 'tangent.helpers')


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
PRIMAL = Registry()        # function object -> Rule whose body replaces the call
METHODS = Registry()       # 'sum' -> Rule, the receiver being the first parameter
ATTRIBUTES = Registry()    # 'T' -> Rule
OPERATORS = Registry()     # gast.Add -> Rule
HELPERS = Registry()       # 'unbroadcast' -> Rule of a run-time function of ours


def version():
    """A number that changes with every registration."""
    return Registry.changes


class Rule:
    """What is known of one operation. See the module for the language.

    name : dotted name, for messages
    kind : 'elementwise', 'linear', 'bilinear', 'reduction', 'general', 'template' (a user's) or 'constant'
    result : the name of the result in the texts
    parameters : names in order, a method's receiver first; the vararg, if any, last of the positional ones
    defaults : parameter -> tree
    vararg : the parameter that takes all further positional arguments, or None
    partials : parameter -> tree, or a function from the bound arguments to a text, or REFUSE
    shape : 'elementwise', 'scalar', 'reduction', the name of a parameter, or None where the shape is unknown
    mixes : a gradient may come out in another dtype than the argument's, as operands of several dtypes were combined
    body : statements that stand before the partials (users' templates)
    """

    def __init__(self, name, kind, signature, partials=(), shape=None, mixes=False, forward=None, body=(),
                 namespace=None):
        self.name, self.kind, self.shape, self.mixes = name, kind, shape, mixes
        self.result, self.parameters, self.defaults, self.vararg, self.form = signature
        self.partials = dict(partials)
        self.variants = []                 # (guard, partials), tried in order before the general ones
        self.forward_text = forward
        self.body = list(body)
        self.globals = namespace           # users' templates: the globals in which their names are looked up

    def __repr__(self):
        return f'Rule({self.name!r}, {self.kind!r})'

    @property
    def differentiable(self):
        return {p for partials in [self.partials] + [v for _, v in self.variants] for p in partials}

    @property
    def library(self):
        """Names of modules and run-time helpers that the texts read."""
        return self._free() - set(self.namespace)

    @property
    def namespace(self):
        """Name -> object for the names of a user's template that its own module defines (looked up now, not earlier)."""
        if self.globals is None:
            return {}
        return {name: self.globals[name] for name in self._free() if name in self.globals}

    def _free(self):
        texts = [t for p in [self.partials] + [v for _, v in self.variants] for t in p.values()]
        trees = [t for t in texts if isinstance(t, gast.AST)] + self.body
        if isinstance(self.forward_text, gast.AST):
            trees.append(self.forward_text)
        trees += [tree.expression(name) for t in texts for name in getattr(t, 'reads', ())]
        known = {*self.parameters, self.result, 'd', 'i', *dir(builtins), *self._locals()}
        return {n for t in trees for n in tree.names(t, gast.Load)} - known

    def _locals(self):
        return {n for stmt in self.body for n in tree.names(stmt, gast.Store)} - {self.result}

    def bind(self, args, keywords):
        """Parameter -> tree, for the arguments of a call; a vararg is bound to a tuple of the rest."""
        if self.kind == 'constant':
            return {}
        positional = self.parameters[:self.parameters.index(self.vararg)] if self.vararg else self.parameters
        first, rest = args[:len(positional)], args[len(positional):]
        if any(isinstance(a, gast.Starred) for a in first):
            raise errors.ArgumentError(f'{self.name}: a starred argument; write the arguments one by one')
        if rest and not self.vararg:
            raise errors.ArgumentError(f'{self.name}: takes {len(positional)} arguments with a derivative rule '
                                       f'({", ".join(positional)}), {len(args)} given; use @tangent.grads.adjoint '
                                       'to register a rule of your own')
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
        if 'order' in self.defaults and literal(self.defaults['order']) == ['C'] and literal(bound['order']) in (['A'], ['K']):
            raise errors.ArgumentError(f'{self.name}: an order that depends on the memory has no derivative rule; '
                                       'use order="C" or order="F"')

    def _absent(self, name, bound):
        return name in self.defaults and same(bound[name], self.defaults[name])

    def chosen(self, bound):
        """The partials that hold for these arguments: those of the first variant whose guard is true, else the general."""
        values = {p: value for p in self.parameters for value in literal(bound[p])}
        for guard, partials in self.variants:
            if guard.names <= set(values) and eval(guard.code, {}, values):
                return partials
        return self.partials

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
        return [fill(stmt) for stmt in self.body], {p: self._term(p, partials[p], bound, fill) for p in wanted}

    def _fill(self, bound, result, gradients, fresh):
        local = {name: tree.load(fresh(name)) for name in sorted(self._locals())} if self.body else {}
        return _Fill(self, {**bound, self.result: result, **local}, gradients, bound)

    def _term(self, param, partial, bound, fill):
        if param != self.vararg:
            return fill(_tree(partial, bound))
        elements = range(len(bound[param].elts))
        if self.body:
            return [fill(tree.expression(f'({gast.unparse(partial).strip()})[{k}]')) for k in elements]
        return [fill.at(k)(_tree(partial, bound, k)) for k in elements]

    def forward(self, bound, result, tangents, active, fresh=None):
        """Forward mode: statements to put first, and the tangent of the result.

        `tangents` is parameter -> tree (for a vararg: a list of trees, None where there is none).
        """
        wanted = [p for p in self.parameters if p in active and p in self.differentiable]
        if self.forward_text is not None:
            given = {p: self._tangent(p, bound, tangents, wanted) for p in self.differentiable}
            fill = self._fill(bound, result, given, fresh)
            return [fill(stmt) for stmt in self.body], fill(self.forward_text)
        if self.kind == 'elementwise':
            return [], total([term for p in wanted for term in self._diagonal(p, bound, result, tangents)])
        if self.kind == 'bilinear':
            return [], total([self.apply(each) for p in wanted for each in self._each(p, bound, tangents)])
        if self.kind == 'linear':
            return [], self.apply({**bound, **{p: self._tangent(p, bound, tangents, wanted)
                                               for p in self.differentiable}})
        raise errors.ForwardNotImplementedError(f'{self.name}: no rule for forward mode')

    def _diagonal(self, param, bound, result, tangents):
        """The terms of one parameter, with its tangent in the place of `d[result]`."""
        partial = self.chosen(bound).get(param)
        if partial is None:
            return []
        if param != self.vararg:
            return [self._fill(bound, result, {self.result: tangents[param]}, None)(_tree(partial, bound))]
        return [self._fill(bound, result, {self.result: t}, None).at(k)(_tree(partial, bound, k))
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
            zeros = [t or tree.constant(0.0) for t in value] if isinstance(value, list) else None
            return gast.Tuple(elts=zeros, ctx=gast.Load()) if zeros else value
        if literal(bound[param]) == [None]:
            return bound[param]
        return tree.constant(0) if self._absent(param, bound) else tree.call('numpy.zeros_like', bound[param])

    def replacement(self, bound, target, fresh):
        """A `@primal` template: the statements that stand for the call and define the name `target`."""
        fill = self._fill(bound, tree.load(target), {}, fresh)
        return [fill(stmt) for stmt in self.body]

    def apply(self, bound):
        """The operation itself, applied to these arguments."""
        if not isinstance(self.form, gast.Call):
            return _Fill(self, bound, {}, bound)(self.form)
        args, keywords = [], []
        receiver = isinstance(self.form.func, gast.Attribute) and tree.dotted(self.form.func.value) in self.parameters
        for p in self.parameters[receiver:]:
            if p == self.vararg:
                args += bound[p].elts
            elif p not in self.defaults:
                args.append(bound[p])
            elif not self._absent(p, bound):
                keywords.append(gast.keyword(arg=p, value=bound[p]))
        func = _Fill(self, bound, {}, bound)(self.form.func)
        return gast.Call(func=func, args=args, keywords=keywords)


REFUSE = object()          # the partial of a parameter that has a derivative which nobody has written down


class Guard:
    """A condition on literal arguments: `y == 2`, `axis is None`."""

    def __init__(self, text):
        self.code = compile(text, '<guard>', 'eval')
        self.names = set(self.code.co_names) - set(dir(builtins))


class _Fill(gast.NodeTransformer):
    """Puts the trees of a call into a text: parameters, the result, `d[...]`; then folds what has become literal."""

    def __init__(self, rule, mapping, gradients, bound):
        self.rule, self.mapping, self.gradients, self.bound = rule, mapping, gradients, bound

    def __call__(self, node):
        return self.visit(copy.deepcopy(node))

    def at(self, index):
        return _Fill(self.rule, {**self.mapping, 'i': tree.constant(index)}, self.gradients, self.bound)

    def visit_Name(self, node):
        if node.id not in self.mapping:
            return node
        new = self.mapping[node.id]
        return tree.rename(node, {node.id: new.id}) if isinstance(node.ctx, gast.Store) else copy.deepcopy(new)

    def visit_Subscript(self, node):
        if isinstance(node.value, gast.Name) and node.value.id == 'd' and isinstance(node.slice, gast.Name):
            return copy.deepcopy(self.gradients[node.slice.id])
        node = self.generic_visit(node)
        if isinstance(node.value, (gast.Tuple, gast.List)) and isinstance(node.slice, gast.Constant):
            return node.value.elts[node.slice.value]
        return node

    def visit_Call(self, node):
        node.keywords = [k for k in node.keywords if not self.at_default(k.value)]
        return self.generic_visit(node)

    def at_default(self, value):
        return (isinstance(value, gast.Name) and value.id in self.rule.defaults
                and self.rule._absent(value.id, self.bound))

    def visit_BinOp(self, node):
        node = self.generic_visit(node)
        left, right = literal(node.left), literal(node.right)
        if isinstance(node.op, gast.Sub) and _number(left) and _number(right):
            return number(left[0] - right[0])
        if isinstance(node.op, gast.Pow) and right == [1] or isinstance(node.op, gast.Sub) and right == [0]:
            return node.left
        return node


def _number(values):
    return bool(values) and isinstance(values[0], (int, float)) and not isinstance(values[0], bool)


def number(value):
    """The tree of a number; a negative one is a minus and a number, as it is in source."""
    if value < 0:
        return gast.UnaryOp(op=gast.USub(), operand=tree.constant(-value))
    return tree.constant(value)


def literal(expr):
    """[value] of a literal tree (numbers, None, strings, tuples of them), [] for any other."""
    try:
        return [ast.literal_eval(gast.gast_to_ast(copy.deepcopy(expr)))]
    except (ValueError, TypeError, AttributeError):
        return []


def same(a, b):
    return a is b or gast.dump(a) == gast.dump(b)


def total(terms):
    """The sum of the trees."""
    result = terms[0]
    for term in terms[1:]:
        result = gast.BinOp(left=result, op=gast.Add(), right=term)
    return result


def _tree(partial, bound, *index):
    return partial if isinstance(partial, gast.AST) else tree.expression(partial(bound, *index))


# Declarations

def signature(text):
    """(result, parameters, defaults, vararg, tree of the operation) of a text such as `y = numpy.sum(a, axis=None)`."""
    stmt, = tree.statements(text)
    form = stmt.value
    if isinstance(form, gast.BinOp):
        parameters, defaults, vararg = (form.left.id, form.right.id), {}, None
    elif isinstance(form, gast.UnaryOp):
        parameters, defaults, vararg = (form.operand.id,), {}, None
    elif isinstance(form, gast.Attribute):
        parameters, defaults, vararg = (form.value.id,), {}, None
    else:
        receiver = [] if _function(form) else [form.func.value.id]
        starred = [a.value.id for a in form.args if isinstance(a, gast.Starred)]
        names = [a.value.id if isinstance(a, gast.Starred) else a.id for a in form.args]
        defaults = {k.arg: k.value for k in form.keywords}
        parameters, vararg = (*receiver, *names, *defaults), (starred or [None])[0]
    return stmt.targets[0].id, parameters, defaults, vararg, form


def _function(form):
    """Whether a call in a signature is that of a function (`numpy.sum(a)`, `abs(x)`), not of a method (`x.sum()`)."""
    return isinstance(form.func, gast.Name) or tree.dotted(form.func).split('.')[0] in MODULES


def _object(name):
    """The object of a dotted name, or None where this version of the library does not have it."""
    module, *path = name.split('.')
    if not path:
        return getattr(builtins, name, None)
    found = importlib.import_module(module)
    for part in path:
        found = getattr(found, part, None)
    return found


def _place(form):
    """(table, key) of the operation that a signature or the text of a constant describes."""
    if isinstance(form, (gast.BinOp, gast.UnaryOp)):
        return OPERATORS, type(form.op)
    if isinstance(form, gast.Attribute):
        return ATTRIBUTES, form.attr
    if not _function(form):
        return METHODS, form.func.attr
    name = tree.dotted(form.func)
    if '.' not in name and not hasattr(builtins, name):
        return HELPERS, name
    return REVERSE, _object(name)


def _declare(kind, text, partials, named, also=(), when=None, forward=None, refuse=(), **about):
    parts = signature(text)
    table, key = _place(parts[-1])
    texts = {**dict(zip(parts[1], partials)), **named}
    found = {p: tree.expression(t) if isinstance(t, str) else t for p, t in texts.items() if t is not None}
    found.update({p: REFUSE for p in refuse})
    if when:
        table[key].variants.append((Guard(when), found))
        return table[key]
    name = tree.dotted(parts[-1].func) if isinstance(parts[-1], gast.Call) else text.partition('=')[2].strip()
    rule = Rule(name, kind, parts, found, forward=tree.expression(forward) if forward else None, **about)
    for place, at in [(table, key)] + [(REVERSE, obj) for obj in also]:
        if at is not None:
            place[at] = rule
            if place is REVERSE:
                FORWARD[at] = rule
    return rule


def elementwise(text, *partials, **options):
    """A function that works element by element: one term, linear in d[result], for each parameter."""
    return _declare('elementwise', text, partials, options.pop('named', {}), shape='elementwise', **options)


def linear(text, *partials, **options):
    """A function linear in its differentiable parameters taken together; the texts are its adjoint."""
    return _declare('linear', text, partials, options.pop('named', {}), **options)


def bilinear(text, *partials, **options):
    """A function linear in each differentiable parameter alone, such as a product."""
    return _declare('bilinear', text, partials, options.pop('named', {}), mixes=True, **options)


def reduction(text, coefficient, **options):
    """A reduction of the first parameter over `axis` whose derivative by one element is the coefficient there."""
    result, (first, *_), *_ = signature(text)
    rule = _declare('reduction', text,
                    [f'unreduce_like(d[{result}], {first}, axis=axis, keepdims=keepdims) * ({coefficient})'], {},
                    forward=f'numpy.sum(d[{first}] * ({coefficient}), axis=axis, keepdims=keepdims)',
                    shape='reduction', **options)
    rule.variants.append((Guard('axis is None and not keepdims'), {first: tree.expression(f'd[{result}] * ({coefficient})')}))
    return rule


def general(text, *partials, **options):
    """A function whose two modes are said in words: texts for reverse, `forward=` for forward."""
    return _declare('general', text, partials, options.pop('named', {}), **options)


def constant(*functions):
    """Functions, or texts of operators, methods and attributes, that have no derivative, or zero where they have one."""
    for item in functions:
        if isinstance(item, str):
            form = tree.expression(item)
            table, key = _place(form)
            table[key] = _constant(item)
        elif item is not None:
            REVERSE[item] = FORWARD[item] = _constant(getattr(item, '__name__', repr(item)))


def _constant(name):
    return Rule(name, 'constant', ('y', (), {}, None, None))


def method_of(function, *names):
    """Methods whose parameters are those of the function, the receiver being the first."""
    for name in names:
        METHODS[name] = REVERSE[function]


# Questions

def lookup(obj, mode='reverse'):
    """The rule of a function object, or None."""
    table = REVERSE if mode == 'reverse' else FORWARD
    try:
        found = table.get(obj)
    except TypeError:                      # an object that cannot be hashed
        return None
    if found is None and getattr(obj, '__module__', None) in RUN_TIME:
        found = HELPERS.get(getattr(obj, '__name__', None))
    if found is None and is_random(obj):
        return _constant(getattr(obj, '__name__', repr(obj)))
    return found


def operator(op_class):
    return OPERATORS.get(op_class)


def method(name):
    return METHODS.get(name)


def attribute(name):
    return ATTRIBUTES.get(name)


def is_random(obj):
    """Whether the object draws random numbers: a method of a generator, or a generator class itself."""
    owner = type(getattr(obj, '__self__', None))
    return owner.__module__.startswith('numpy.random') or owner.__module__ == 'random'


def is_constant(obj):
    """Whether no gradient flows through calls of this function."""
    found = lookup(obj)
    return found is not None and found.kind == 'constant'
