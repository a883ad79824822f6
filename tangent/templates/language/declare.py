"""The language in which derivatives are declared, and the tables that hold them.

    elementwise('y = numpy.tanh(x)', 'd[y] * (1 - y * y)')       # diagonal: both modes from the one term
    elementwise('z = x / y', 'd[z] / y', '-d[z] * z / y')        # a term for each parameter, in order; or None
    linear('y = numpy.reshape(a, shape)', 'numpy.reshape(d[y], numpy.shape(a))')     # forward is the function itself
    reduction('y = numpy.prod(a, axis=None)', 'coefficient')     # d[y] spread over a, times a coefficient per element
    general('y = f(x)', 'reverse', forward='...')                # both modes in words
    constant(numpy.argmax, 'x // y', 'x.argmax')                 # no derivative, or zero wherever it has one

The left text is the signature: its target names the result, its keywords are the defaults. Right-hand texts may read
the parameters, the result, `d[result]`, builtins, `numpy`, and run-time helpers by name. Everything works on trees:
parameters are replaced by trees, so parentheses are the printer's business. A keyword argument `axis=axis` in a text is
left out where the call leaves `axis` at its default. Broadcasting is undone by the user of an elementwise rule, not by
the rule. The term for a vararg `*args` is written for its element `args[i]`.

`when='y == 2'` makes a line a special case of those above it: it holds where every parameter it names is a literal.
`more={'initial': text}` gives terms by name; `refuse=['q']` names parameters that have a derivative nobody has written down,
so that a call where they carry one is an error; `pushed=[...]` gives the terms of an elementwise function once more, as
forward mode has them where they differ (else None), and `skips='numpy.isnan(a)'` says which elements take no part in a
reduction, even where their tangent is nan; `prepare` rewrites the arguments of a call before they are bound. Facts
(see `runtime.facts`) may stand there, too: `linear('y = unbroadcast(b, x)', '...', like='x', view='b')`.
"""
import ast
import builtins
import importlib

import gast
import numpy

from tangent import errors
from tangent.frontend import tree
from tangent.frontend.quote import REFUSE, Guard, literal
from tangent.runtime import facts
from tangent.templates.language.registry import (
    ATTRIBUTES,
    FORWARD,
    HELPERS,
    METHODS,
    MODULES,
    OPERATORS,
    REVERSE,
    Rule,
    Trees,
    constant_rule,
)


def signature(text):
    """(result, parameters, defaults, vararg, text of the operation) of a text such as `y = numpy.sum(a, axis=None)`."""
    result, _, operation = text.partition(' = ')
    form = _form(operation)
    if isinstance(form, ast.BinOp):
        parameters, defaults, vararg = (form.left.id, form.right.id), {}, None
    elif isinstance(form, ast.UnaryOp):
        parameters, defaults, vararg = (form.operand.id,), {}, None
    elif isinstance(form, ast.Attribute):
        parameters, defaults, vararg = (form.value.id,), {}, None
    else:
        receiver = [] if _function(form) else [form.func.value.id]
        starred = [a.value.id for a in form.args if isinstance(a, ast.Starred)]
        names = [a.value.id if isinstance(a, ast.Starred) else a.id for a in form.args]
        defaults = Trees({k.arg: ast.unparse(k.value) for k in form.keywords})
        parameters, vararg = (*receiver, *names, *defaults), (starred or [None])[0]
    return result, parameters, defaults, vararg, operation


def _form(operation):
    """The tree of an operation, to look at: those of Python itself are made in less time than gast's."""
    return ast.parse(operation, mode='eval').body


def _function(form):
    """Whether a call in a signature is that of a function (`numpy.sum(a)`, `abs(x)`), not of a method (`x.sum()`)."""
    return isinstance(form.func, ast.Name) or ast.unparse(form.func).split('.')[0] in MODULES


def _object(name):
    """The object of a dotted name, or None where this version of the library does not have it."""
    module, *path = name.split('.')
    if not path:
        return getattr(builtins, name, None)
    found = importlib.import_module(module)
    for part in path:
        found = getattr(found, part, None)
    return found


def _place(operation):
    """(table, key) of the operation that the text of a signature or of a constant describes."""
    form = _form(operation)
    if isinstance(form, (ast.BinOp, ast.UnaryOp)):
        return OPERATORS, getattr(gast, type(form.op).__name__)
    if isinstance(form, ast.Attribute):
        return ATTRIBUTES, form.attr
    if not _function(form):
        return METHODS, form.func.attr
    name = ast.unparse(form.func)
    if '.' not in name and not hasattr(builtins, name):
        return HELPERS, name
    return REVERSE, _object(name)


def aliases(function):
    """The names that NumPy has for a function: `absolute` for `numpy.abs`."""
    return [name for name, thing in vars(numpy).items() if thing is function] if callable(function) else []


def _declare(kind, text, partials, also=(), when=None, forward=None, refuse=(), more=(), prepare=None, **about):
    parts = signature(text)
    known = {key: about.pop(key) for key in facts.FIELDS & about.keys()}
    table, key = _place(parts[-1])
    terms = {**dict(zip(parts[1], partials)), **dict(more)}
    found = Trees({p: t for p, t in terms.items() if t is not None} | {p: REFUSE for p in refuse})
    if when:
        if key is None:                    # not in this version of NumPy
            return None
        table[key].variants.insert(0, (Guard(when), found, tree.expression(forward) if forward else None))
        return table[key]
    name = parts[-1].partition('(')[0].strip()
    if known and (table is REVERSE or table is HELPERS):
        facts.note(f'{" ".join({name, *aliases(key)})}({", ".join(parts[1])})', **known)
    rule = Rule(name, kind, parts, found, forward=forward or None, **about)
    rule.prepare = prepare or (whole_ufunc(name, key.nin) if isinstance(key, numpy.ufunc) else None)
    for place, at in [(table, key)] + [(REVERSE, obj) for obj in also]:
        if at is not None:
            place[at] = rule
            if place is REVERSE:
                FORWARD[at] = rule
    return rule


def elementwise(text, *partials, pushed=(), **options):
    """A function that works element by element: one term, linear in d[result], for each parameter."""
    rule = _declare('elementwise', text, partials, shape='elementwise', **{'elementwise': True, **options})
    if pushed:
        rule.pushed = Trees((p, text) for p, text in zip(rule.parameters, pushed) if text is not None)
    return rule


def linear(text, *partials, **options):
    """A function linear in its differentiable parameters taken together; the texts are its adjoint."""
    return _declare('linear', text, partials, **options)


def bilinear(text, *partials, **options):
    """A function linear in each differentiable parameter alone, such as a product."""
    return _declare('bilinear', text, partials, **options)


def reduction(text, coefficient, when=None, general=None, plain='', further=(), skips=None, **options):
    """A reduction of the first parameter over `axis` whose derivative by one element is the coefficient there.

    Where all elements are reduced to one number, nothing needs to be spread; a special case (`when`) is of that kind.
    Where rarer keywords need a coefficient of their own, that is `general`, and the other holds where `plain` is true;
    `further` gives the coefficients of other parameters, by name. An element that `where` leaves out, or one that the
    function `skips`, has a coefficient of 0; its tangent may be nan, so that forward mode leaves it out, too.
    """
    result, (first, *_), defaults, *_ = signature(text)
    pushed = f'numpy.where({skips}, 0, d[{first}])' if skips else f'd[{first}]'
    chosen = ', where=where' if 'where' in defaults else ''

    def spread(term):
        return {'forward': f'numpy.sum({pushed} * ({term}), axis=axis, keepdims=keepdims{chosen})'}, \
            f'unreduce_like(d[{result}], {first}, axis=axis, keepdims=keepdims) * ({term})'
    if when is None:
        forward, term = spread(general or coefficient)
        more = {name: f'unbroadcast(d[{result}] * ({c}), {name})' for name, c in dict(further).items()}
        forward['forward'] += ''.join(f' + d[{name}] * ({c})' for name, c in dict(further).items())
        _declare('reduction', text, [term], shape='reduction', more=more, **forward, **options)
        if general:
            forward, term = spread(coefficient)
            _declare('reduction', text, [term], when=plain, **forward)
    number = 'axis is None and not keepdims'
    if further and not plain:
        return None
    return _declare('reduction', text, [f'd[{result}] * ({coefficient})'],
                    when=when or (f'{plain} and {number}' if plain else number),
                    forward=f'numpy.sum({pushed} * ({coefficient}))')


def general(text, *partials, **options):
    """A function whose two modes are said in words: texts for reverse, `forward=` for forward."""
    return _declare('general', text, partials, **options)


def complex_form(text, *partials, forward):
    """What a rule is in derivatives in complex form (see `analysis.complexity`)."""
    _declare_form('in_complex', text, partials, forward)


def nan_safe_form(text, *partials, forward=None):
    """What a rule is in derivatives with `nan_safe`: zeros where nothing flows are known to be zeros."""
    _declare_form('nan_safe', text, partials, forward)


def _declare_form(form, text, partials, forward):
    parts = signature(text)
    table, key = _place(parts[-1])
    if key is not None and key in table:
        rule, found = table[key], {p: t for p, t in zip(parts[1], partials) if t is not None}
        setattr(rule, form, Rule(rule.name, rule.kind, parts, found, shape=rule.shape, forward=forward))


def constant(*functions, **known):
    """Functions, or texts of operators, methods and attributes, whose derivative is zero wherever they have one.

    What else is `known` of them are facts (see `runtime.facts`).
    """
    for item in functions:
        if known and item is not None:
            facts.note(item if isinstance(item, str) else ' '.join({item.__name__, *aliases(item)}), **known)
        if isinstance(item, str):
            table, key = _place(item)
            table[key] = constant_rule(item)
        elif item is not None:
            REVERSE[item] = FORWARD[item] = constant_rule(getattr(item, '__name__', repr(item)))


def only(function, **values):
    """A `prepare` that refuses calls in which one of these keywords has another value than this (nor literally this)."""
    def prepare(args, keywords):
        for name, value in values.items():
            if name in keywords and literal(keywords[name]) != [value]:
                raise errors.ArgumentError(f'{function}: {name} other than {value!r} has no derivative rule')
        return args, keywords
    return prepare


def whole_ufunc(function, count):
    """A `prepare` for ufuncs of so many operands: what changes how numbers are held, not the numbers, is left out."""
    def prepare(args, keywords):
        kept = {name: value for name, value in keywords.items() if name not in ('dtype', 'casting', 'order', 'subok')
                and literal(value) not in NO_OUTPUT.get(name, ())}
        if literal(keywords.get('casting')) == ['unsafe']:
            raise errors.ArgumentError(f'{function}: casting="unsafe" has no derivative rule')
        if 'where' in kept and 'out' not in kept:
            raise errors.ArgumentError(f'{function}: "where" without "out" leaves elements that nobody has set; give it out=, '
                                       'or use numpy.where')
        return args[:count] if [literal(a) for a in args[count:]] == [[None]] else args, kept
    return prepare


NO_OUTPUT = {'out': ([None], [...]), 'where': ([True],)}           # what stands for no such argument


def plain_flag(function, name='full_output'):
    """A `prepare` that refuses calls in which it cannot be seen what they return."""
    def prepare(args, keywords):
        if name in keywords and literal(keywords[name]) not in ([True], [False], [0], [1]):
            raise errors.ArgumentError(f'{function}: {name} has to be written as True or False')
        return args, keywords
    return prepare


def method_of(function, *names):
    """Methods whose parameters are those of the function, the receiver being the first."""
    for name in names:
        METHODS[name] = REVERSE[function]
