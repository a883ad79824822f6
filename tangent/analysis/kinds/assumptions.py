"""What is assumed of arguments that nobody has seen: numbers and arrays, by what the function does with them.

    def loss(w, x, y):                         w: array (n0,), x: array (n1, n0), y: array (n1,)
        return np.mean((x @ w - y) ** 2)

Sources are annotations, defaults, what stands outside the function, and the use of names in its body and in what that calls: a
gradient is of a number, so what is not summed up is a number; what has `x[i, j]` has two axes; what is iterated has one. None
of it is relied on: the text for such arguments is what people are shown, and what runs is made for those that come.
"""
import dataclasses
import inspect
import types
from collections.abc import Hashable

import gast
import numpy as np

from tangent import errors
from tangent.analysis.kinds.annotations import annotated, fields_of
from tangent.analysis.kinds.forms import (
    Axis,
    Contradiction,
    Diagonal,
    Elementwise,
    Form,
    Indexed,
    Long,
    Product,
    Reduced,
    Relations,
    Turned,
)
from tangent.analysis.kinds.holders import is_tolist
from tangent.analysis.kinds.infer import made_by, result
from tangent.analysis.kinds.program import Program
from tangent.analysis.kinds.results import METHODS, RESULTS, along_rows, letters_of, reduction
from tangent.analysis.kinds.values import (
    DTYPES,
    FLOAT,
    INT,
    PYTHON,
    Array,
    Number,
    Parts,
    has_fields,
    is_float,
    kind_of,
    named,
    shorter,
)
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, Resolver
from tangent.frontend.source import original, read
from tangent.runtime import facts
from tangent.runtime.objects import definition
from tangent.templates.language import registry

DEEP, MUCH = 6, 4000                 # calls inside calls, and expressions, that are looked at
REDUCTIONS = frozenset(f for f, found in RESULTS.items() if found is reduction) | {np.argmax, np.argmin, np.all, np.any}
DTYPE = {'int64': 'int', 'float64': 'float'}
SUMS = frozenset([np.sum, np.mean])
LIKE = frozenset([np.zeros_like, np.ones_like, np.empty_like, np.copy, np.asarray, np.roll, np.flip, np.sort, np.cumsum,
                  np.cumprod, np.nan_to_num, np.linalg.inv, np.linalg.cholesky, np.linalg.matrix_power])
MATRICES = frozenset([np.linalg.inv, np.linalg.cholesky, np.linalg.det, np.linalg.slogdet, np.trace, np.linalg.matrix_power,
                      np.linalg.eigh, np.linalg.eigvalsh, np.linalg.eig, np.linalg.eigvals])
ROWS = frozenset([np.linalg.norm, np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.cov, np.median, np.quantile,
                  np.percentile])
ALONG = frozenset(f for f, found in RESULTS.items() if found is along_rows)        # sums along the last axis
NUMBERS = frozenset([np.linalg.det, np.trace, np.linalg.norm, float])
FILLED = np.zeros, np.ones, np.empty, np.full
OF_ARRAYS = {'T', 'shape', 'size', 'ndim', 'real', 'imag', 'dtype', 'flat'}


def assumed(function, outside):
    """Parameter -> the kind that is assumed of it, for those of which one can be said.

    function : whose first result is a number
    outside : name -> value for numbers and arrays that it reads from outside, whose kinds are told, too
    """
    try:
        source = read(function)
        reader = Reader(outside)
        forms = reader.parameters(source)
        reader.result(source, dict(forms), 0)
        reader.relations.solve(list(forms.values()))
    except (errors.TangentError, RecursionError, Contradiction):
        return {}
    found = {name: kind for name, form in {**forms, **reader.outside}.items() if (kind := reader.kind(form)) is not None}
    found |= {name: kind_of(value) for name, value in outside.items() if type(value) is not np.ndarray}
    return found if gives_a_number(source, {p: kind for p, kind in found.items() if p in forms}) else {}


def gives_a_number(source, kinds):
    """Whether nothing speaks against a first result that is a floating number, where arguments are of these kinds."""
    kind, *_ = result(source.tree, kinds, Resolver(source), Program(result, made_by))
    first = kind.kinds[0] if isinstance(kind, Parts) and kind.form is tuple and kind.kinds else kind
    return first is None or is_float(first) or isinstance(first, Number) and first.dtype == 'real'      # a `sum`, of nothing 0


class Frame:
    """One function that is looked at: what names denote, and forms of its variables."""

    def __init__(self, source, forms, resolver, depth):
        self.source, self.forms, self.resolver, self.depth = source, forms, resolver, depth
        self.returned = None


@dataclasses.dataclass(eq=False)
class Inner:
    """A function that is made inside another."""
    tree: object
    frame: Frame


class Reader:
    """Reads a function, and what it calls, for the forms of its values."""

    def __init__(self, outside):
        self.relations, self.count = Relations(), 0
        self.names: dict = {}
        self.outside = {name: self.array(value) for name, value in outside.items() if type(value) is np.ndarray}
        self.lengths: dict = {}
        self.frame, self.active, self.summed = None, [], False

    # The ends

    def parameters(self, source):
        """Parameter -> Form, with what annotations and defaults say."""
        forms = {}
        defaults = inspect.signature(source.function).parameters
        for name, parameter in defaults.items():
            form = forms[name] = self.relations.form()
            form.bare = True
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                form.other = True
            elif type(parameter.default) in (int, float):
                self.is_number(form, type(parameter.default).__name__)
            elif parameter.default is not parameter.empty:
                form.other = True
        for name, found in annotated(source.function).items():
            if name in forms:
                self.say(forms[name], found)
        return forms

    def say(self, form, found):
        """What an annotation says: a class of numbers or arrays, or of records."""
        if found in (float, int, bool):
            self.is_number(form, found.__name__)
        elif found is np.ndarray:
            self.relations.at_least(form, 1)
        elif isinstance(found, type) and fields_of(found) is not None:
            form.kind = found
            for name, inner in fields_of(found).items():
                form.parts[name] = self.relations.form()
                form.parts[name].bare = True
                self.say(form.parts[name], inner)
        elif found is not None:
            form.other = True

    def kind(self, form):
        """The kind that is assumed where a form has been found, or None."""
        form = form.found()
        if form.kind is dict and all(isinstance(key, str) for key in form.parts):
            return Parts(tuple(map(self.kind, form.parts.values())), dict, tuple(form.parts))
        if form.kind is list and form.parts:
            return Parts((self.kind(form.parts[0]),) * 2, list)
        if form.kind is tuple and any(part.found().rank for part in form.parts.values()):
            return Parts(tuple([self.kind(form.parts[k]) for k in sorted(form.parts)]))
        if form.kind is tuple and form.parts:
            return Array((len(form.parts),), 'float64')
        if isinstance(form.kind, type) and fields_of(form.kind) and (issubclass(form.kind, tuple) or has_fields(form.kind)):
            keys = tuple(fields_of(form.kind))
            return Parts(tuple([self.kind(form.parts[key]) if key in form.parts else None for key in keys]), form.kind, keys)
        if form.other or form.parts or form.rank is None or form.dtype == 'bool':
            return None
        if not form.rank:
            return INT if form.dtype == 'int' else FLOAT
        return Array(tuple(map(self.axis, form.axes)), 'int64' if form.dtype == 'int' else 'float64')

    def axis(self, axis):
        """The name of an axis, or its length if that is small."""
        axis = axis.found()
        if axis.length is not None and axis.length <= 4:
            return axis.length
        if axis.fewer is not None and axis not in self.names:
            whole, axis.fewer = axis.fewer, None
            self.names[axis] = shorter(self.axis(whole[0]), whole[1])
        if axis not in self.names:
            length = axis.length if axis.length is not None else -10 ** 9 * (1 + len(self.lengths))
            self.names[axis] = named(length, self.lengths)
        return self.names[axis]

    def is_number(self, form, dtype=None):
        self.relations.ranked(form, 0)
        if dtype is not None:
            self.relations.typed(form, dtype)

    # Functions

    def result(self, source, forms, depth, resolver=None):
        """The Form of what a function gives, of its first result at depth 0."""
        before, resolver = self.frame, resolver or Resolver(source, None, getattr(source, 'visible', {}))
        self.frame = Frame(source, forms, resolver, depth)
        self.active.append(source.tree)
        try:
            self.block(source.tree.body)
            found = self.frame.returned
        finally:
            self.frame = before
            self.active.pop()
        if depth == 0 and found is not None:
            self.is_number(found.found().parts.get(0, found))
        return found

    def callee(self, function, args, named):
        """The Form of what a function of the user's gives."""
        inner = isinstance(function, Inner)
        if self.frame.depth >= DEEP or not inner and not is_users(function):
            return None
        try:
            source = function.frame.source if inner else read(original(function))
        except errors.TangentError:
            return None
        body = function.tree if inner else source.tree
        if body in self.active:
            return None
        params = [a.id for a in (*body.args.posonlyargs, *body.args.args)]
        forms = dict(function.frame.forms) if inner else {}
        given = {**dict(zip(params, args)), **named}
        for a in (*params, *[k.id for k in body.args.kwonlyargs]):
            forms[a] = given[a] if a in given else self.relations.form()
        if not inner:
            self.defaults(function, given, forms)
            return self.result(source, forms, self.frame.depth + 1)
        before = self.frame
        self.frame = Frame(source, forms, function.frame.resolver, before.depth + 1)
        self.active.append(body)
        try:
            if isinstance(body, gast.Lambda):
                return self.form(body.body)
            self.block(body.body)
            return self.frame.returned
        finally:
            self.frame = before
            self.active.pop()

    def defaults(self, function, given, forms):
        for name, parameter in inspect.signature(function).parameters.items():
            if name not in given and type(parameter.default) in (int, float) and name in forms:
                self.is_number(forms[name], type(parameter.default).__name__)

    # Statements

    def block(self, stmts):
        for s in stmts:
            step = getattr(self, 'on_' + type(s).__name__, None)
            if step is not None:
                step(s)
            else:
                for block in ('body', 'handlers', 'orelse', 'finalbody'):
                    self.block(getattr(s, block, ()))

    def on_FunctionDef(self, s):
        self.frame.forms[s.name] = Inner(s, self.frame)

    def on_Assign(self, s):
        if isinstance(s.value, gast.Lambda) and tree.target(s):
            self.frame.forms[tree.target(s)] = Inner(s.value, self.frame)
            return
        value = self.form(s.value)
        for target in s.targets:
            self.bind(target, value)

    def on_AnnAssign(self, s):
        if s.value is not None:
            self.bind(s.target, self.form(s.value))

    def bind(self, target, value):
        if isinstance(target, gast.Name):
            self.frame.forms[target.id] = value
        elif isinstance(target, (gast.Tuple, gast.List)):
            parts = [self.part(value, k, len(target.elts)) for k in range(len(target.elts))]
            for t, part in zip(target.elts, parts):
                if not isinstance(t, gast.Starred):
                    self.bind(t, part)
        elif isinstance(target, (gast.Subscript, gast.Attribute)):
            into = self.form(target)
            if into.found().rank == 0:
                self.is_number(value)
            self.relations.add(Elementwise(into, value, into))

    def part(self, value, key, count=None):
        """What a tuple holds at a place, or an object under an attribute."""
        value = value.found()
        if value.rank is not None or value.least:                    # an array is taken apart
            return self.relations.add(Indexed(self.relations.form(), value, ['i']))
        if key not in value.parts:
            if count is not None:
                value.kind = value.kind or tuple
            value.parts[key] = self.relations.form()
            value.parts[key].weak, value.parts[key].bare = isinstance(key, str), True
        return value.parts[key]

    def on_AugAssign(self, s):
        old = self.form(s.target if not isinstance(s.target, gast.Name) else tree.load(s.target.id))
        new = self.operation(s.op, (old, s.target), (self.form(s.value), s.value))
        if isinstance(s.target, gast.Name):
            self.frame.forms[s.target.id] = new

    def on_Expr(self, s):
        self.form(s.value)

    def on_Return(self, s):
        if s.value is None:
            return
        found = self.form(s.value)
        if self.frame.returned is None:
            self.frame.returned = found
        else:
            self.relations.one(self.frame.returned, found)

    def on_If(self, s):
        self.test(s.test)
        before = self.frame.forms
        ends = []
        for block in (s.body, s.orelse):
            self.frame.forms = dict(before)
            self.block(block)
            ends.append(self.frame.forms)
        self.frame.forms = self.met(*ends)

    def on_While(self, s):
        self.test(s.test)
        self.loop(s, lambda: None)

    def on_For(self, s):
        self.loop(s, lambda: self.bind_each(s.target, s.iter))

    def loop(self, s, start):
        before = dict(self.frame.forms)
        start()
        self.block(s.body)
        self.frame.forms = self.met(before, self.frame.forms)
        self.block(s.orelse)

    def met(self, before, after):
        """Variables where two paths meet: numbers that stand in the text are what is added to them."""
        found = {**before, **after}
        for name in before.keys() & after.keys():
            a, b = before[name], after[name]
            if isinstance(a, Form) and isinstance(b, Form):
                if a.found().rank == 0 and b.found().rank is None and a.found().dtype is not None:
                    continue
                self.relations.one(a, b)
        return found

    def bind_each(self, target, iterated):
        """Bind what a loop goes over."""
        function = self.function(iterated.func) if isinstance(iterated, gast.Call) else None
        if function is enumerate:
            if isinstance(target, gast.Tuple) and iterated.args:
                self.bind(target.elts[0], self.relations.form(0, dtype='int'))
                self.bind_each(target.elts[1], iterated.args[0])
        elif function is zip and isinstance(target, gast.Tuple):
            for t, each in zip(target.elts, iterated.args):
                self.bind_each(t, each)
        elif function is reversed and iterated.args:
            self.bind_each(target, iterated.args[0])
        elif function is range:
            for each in iterated.args:
                self.is_number(self.form(each), 'int')
            self.bind(target, self.relations.form(0, dtype='int'))
        else:
            each = self.form(iterated)
            if isinstance(target, gast.Name):
                self.bind(target, self.relations.add(Indexed(self.relations.form(), each, ['i'])))
            else:
                self.bind(target, self.item_of(each))

    def item_of(self, form):
        """What stands for each item of a list of tuples."""
        form = form.found()
        if form.rank is None and not form.least:
            form.kind, form.other = form.kind or list, True
            return form.parts.setdefault(0, self.relations.form())
        return self.relations.add(Indexed(self.relations.form(), form, ['i']))

    def test(self, expr):
        """What is asked of a condition: it is of numbers."""
        if isinstance(expr, gast.BoolOp):
            for each in expr.values:
                self.test(each)
        elif isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.Not):
            self.test(expr.operand)
        elif isinstance(expr, gast.Compare) and all(isinstance(op, (gast.Lt, gast.LtE, gast.Gt, gast.GtE)) for op in expr.ops):
            for each in (expr.left, *expr.comparators):
                self.is_number(self.form(each))
        else:
            self.form(expr)

    # Expressions

    def form(self, expr):
        """The Form of an expression."""
        self.count += 1
        step = getattr(self, 'of_' + type(expr).__name__, None) if self.count < MUCH else None
        found = step(expr) if step is not None else None
        if found is None and step is None:
            for child in tree.children(expr):
                if isinstance(child, gast.expr):
                    self.form(child)
        return found if isinstance(found, Form) else self.relations.form()

    def of_Constant(self, expr):
        form = self.relations.form()
        if type(expr.value) in (int, float):
            self.is_number(form, type(expr.value).__name__ if type(expr.value) is float else None)
        else:
            form.other = True
        return form

    def of_Name(self, expr):
        if expr.id in self.frame.forms:
            return self.frame.forms[expr.id]
        if expr.id in self.outside and self.frame.depth == 0:
            return self.outside[expr.id]
        value = self.frame.resolver.name(expr.id)
        return self.relations.form(0) if type(value) in PYTHON else self.array(value) if type(value) is np.ndarray else None

    def array(self, value):
        """The Form of an array that is there."""
        found = self.relations.form(value.ndim, [Axis(n) for n in value.shape], dtype=DTYPE.get(DTYPES.get(value.dtype)))
        found.other = found.dtype is None
        return found

    def of_UnaryOp(self, expr):
        return self.form(expr.operand)

    def of_BinOp(self, expr):
        summed, self.summed = self.summed, self.summed and not isinstance(expr.op, (gast.Pow, gast.Div))
        left, right = self.form(expr.left), self.form(expr.right)
        self.summed = summed
        return self.operation(expr.op, (left, expr.left), (right, expr.right))

    def operation(self, op, *operands):
        """The Form of what an operator makes of two operands: (Form, tree)."""
        (left, left_tree), (right, right_tree) = operands
        new = self.relations.form()
        if isinstance(op, gast.MatMult):
            return self.relations.add(Product(new, left, right))
        if isinstance(op, gast.Mod):
            self.is_number(right)
        alike, fewer = None, 0
        for mine, other, other_tree in ((right, left, left_tree), (left, right, right_tree)):
            if mine.bare and not other.bare:
                outer = isinstance(other_tree, gast.Subscript) and adds_axis(other_tree.slice)
                summand = isinstance(op, gast.Add) and isinstance(getattr(other_tree, 'op', None), gast.MatMult)
                compared = isinstance(op, gast.Sub) and mine is right
                if outer or summand or compared or isinstance(op, gast.Mult) and self.summed and not mine.weak:
                    alike, fewer = mine, int(outer or summand)
        return self.relations.add(Elementwise(new, left, right, alike=alike, fewer=fewer))

    def of_Compare(self, expr):
        forms = [self.form(each) for each in (expr.left, *expr.comparators)]
        found = self.relations.add(Elementwise(self.relations.form(), *forms))
        self.relations.typed(found, 'bool')
        return found

    def of_BoolOp(self, expr):
        self.test(expr)
        return self.relations.form(0, dtype='bool')

    def of_IfExp(self, expr):
        self.test(expr.test)
        a, b = self.form(expr.body), self.form(expr.orelse)
        self.relations.one(a, b)
        return a if a.found().rank is not None else b

    def of_Tuple(self, expr):
        form = self.relations.form()
        form.other, form.kind = True, tuple
        form.parts = {k: self.form(each) for k, each in enumerate(expr.elts)}
        return form

    def of_List(self, expr):
        """As an array that has its items in a row."""
        items = [self.form(each) for each in expr.elts]
        form = self.relations.several(items[0]) if items else self.relations.form()
        self.relations.at_least(form, 1)
        for item in items[1:]:
            self.relations.one(items[0], item)
        return form

    def of_Dict(self, expr):
        form = self.relations.form()
        form.other, form.kind = True, dict
        form.parts = {getattr(key, 'value', None): self.form(value) for key, value in zip(expr.keys, expr.values) if key}
        return form

    def of_ListComp(self, expr):
        return self.relations.several(*self.each(expr, expr.elt))

    of_GeneratorExp = of_ListComp

    def of_DictComp(self, expr):
        self.each(expr, expr.key, expr.value)
        form = self.relations.form()
        form.other, form.kind = True, dict
        return form

    def each(self, comprehension, *parts):
        """The Forms of what a comprehension makes in each step."""
        before = self.frame.forms
        self.frame.forms = dict(before)
        for generator in comprehension.generators:
            self.bind_each(generator.target, generator.iter)
            for each in generator.ifs:
                self.test(each)
        found = [self.form(part) for part in parts]
        self.frame.forms = before
        return found

    def of_Attribute(self, expr):
        if self.frame.resolver(expr) is not UNKNOWN and tree.root_name(expr) not in self.frame.forms:
            return self.relations.form(0) if type(self.frame.resolver(expr)) in PYTHON else None
        owner = self.form(expr.value)
        known = owner.found().kind
        if expr.attr not in OF_ARRAYS or known is not None:
            method = self.method(owner, expr.attr)
            if isinstance(method, property):
                return self.callee(method.fget, [owner], {})
            owner.found().kind = known or object
            return self.part(owner, expr.attr)
        if expr.attr == 'T':
            return self.relations.add(Turned(self.relations.form(), owner))
        if expr.attr in ('real', 'imag'):
            return self.relations.add(Elementwise(self.relations.form(), owner))
        self.relations.at_least(owner, 1)
        if expr.attr in ('size', 'ndim'):
            return self.relations.form(0, dtype='int')
        return Shape(owner)

    def of_Subscript(self, expr):
        owner = self.form(expr.value)
        if isinstance(owner, Shape):
            index = registry.literal(expr.slice)
            return self.length(owner.of, index[0]) if index and type(index[0]) is int else self.relations.form(0, dtype='int')
        key = expr.slice.value if isinstance(expr.slice, gast.Constant) else None
        if isinstance(key, str):
            owner.found().kind = owner.found().kind or dict
            return self.part(owner, key)
        if owner.found().kind is tuple and isinstance(key, int):
            return self.part(owner, key)
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        if owner.found().other or owner.found().parts:
            return None
        items = [self.item(part) for part in parts]
        return self.relations.add(Indexed(self.relations.form(), owner, items)) if None not in items else None

    def item(self, part):
        """An item of an index, as `Indexed` takes it; None where it is not known what it selects."""
        if isinstance(part, gast.Slice):
            ends = [end for end in (part.lower, part.upper, part.step) if end is not None]
            for end in ends:
                self.is_number(self.form(end), 'int')
            return cut(part) if ends else ':'
        if isinstance(part, gast.Constant):
            return 'new' if part.value is None else 'i' if type(part.value) is int else None
        form = self.form(part)
        if form.found().dtype == 'bool':
            return None
        if form.found().rank or form.found().least:
            self.relations.typed(form, 'int')
            return form
        self.is_number(form, 'int')
        return 'i'

    def length(self, form, axis=0):
        """The number that says how long an axis is."""
        made = self.relations.form(0, dtype='int')
        made.size = Axis()
        return self.relations.add(Long(made, form, made.size, axis))

    # Calls

    def function(self, expr):
        """What is called, or None."""
        name = tree.root_name(expr)
        if name in self.frame.forms:
            found = self.frame.forms[name]
            return found if isinstance(found, Inner) and isinstance(expr, gast.Name) else None
        found = self.frame.resolver(expr)
        return None if found is UNKNOWN else found

    def method(self, owner, name):
        kind = owner.found().kind
        if not isinstance(kind, type) or kind in (dict, tuple, object):
            return None
        holder = definition(kind, name)
        held = vars(holder)[name] if holder is not None else None
        return held if isinstance(held, (types.FunctionType, property, staticmethod)) else None

    def of_Call(self, expr):
        function, owner, args = self.function(expr.func), None, []
        if function is None and isinstance(expr.func, gast.Attribute):
            owner = self.form(expr.func.value)
            method = self.method(owner, expr.func.attr)
            if method is not None:
                function = method.__func__ if isinstance(method, staticmethod) else method
                args = [owner] if not isinstance(method, staticmethod) else []
            elif owner.found().kind is None and expr.func.attr in METHODS:
                function, args = METHODS[expr.func.attr], [owner]
            elif is_tolist(expr):
                self.relations.at_least(owner.found(), 1)
            elif expr.func.attr == 'append' and owner.found().least and len(expr.args) == 1:
                return self.relations.add(Indexed(self.form(expr.args[0]), owner, ['i']))
            else:
                owner.found().other = True
        trees = [None] * len(args) + list(expr.args)
        summed, self.summed = self.summed, function in SUMS if isinstance(function, Hashable) else False
        args = args + [self.form(each) for each in expr.args]
        self.summed = False
        named = {k.arg: self.form(k.value) for k in expr.keywords if k.arg is not None}
        self.summed = summed
        if function is None:
            called = self.frame.forms.get(getattr(expr.func, 'id', None))
            if isinstance(called, Form):                   # a function that is known when running
                called.found().other = True
            return None
        return self.called(function, args, trees, named, {k.arg: k.value for k in expr.keywords})

    def called(self, function, args, trees, named, keywords):
        """The Form of what a function gives for these."""
        new = self.relations.form
        if facts.home(function) == 'math':
            for each in args:
                self.is_number(each)
            return new(0, dtype='float')
        if isinstance(function, Inner) or isinstance(function, types.FunctionType) and not facts.in_library(function) \
                and registry.lookup(function) is None:
            return self.callee(function, args, named)
        if isinstance(function, type) and fields_of(function) is not None:
            form = new()
            form.kind, form.other = function, True
            form.parts = {**dict(zip(fields_of(function), args)), **named}
            return form
        if not args or not isinstance(function, Hashable):
            return None
        if function in REDUCTIONS:
            given = [registry.literal(t) for t in [*trees[1:2], *([keywords['axis']] if 'axis' in keywords else [])] if t]
            keep = 'keepdims' in keywords
            if any(not found or not isinstance(found[0], (int, type(None))) for found in given):
                return None
            return self.relations.add(Reduced(new(), args[0], given[0][0] if given else None, keep))
        return self.of_function(function, args, trees)

    def of_function(self, function, args, trees):
        new, add = self.relations.form, self.relations.add
        if function in MATRICES or function is np.linalg.solve:
            add(Diagonal(new(1), args[0]))
        if function in ROWS or function in (list, tuple, sorted):
            self.relations.at_least(args[0].found(), 1)
        if function in NUMBERS:
            return new(0)
        if function in ALONG and len(args) == 1:
            return add(Reduced(new(), args[0], -1, False))
        if function is np.interp:
            for each in args[1:3]:
                self.relations.ranked(each.found(), 1)
            self.relations.one(made := new(), args[0])
            return made
        if function is np.einsum:
            return self.einsum(trees[0], args[1:])
        if function in LIKE:
            self.relations.one(made := new(), args[0])
            return made
        if function is np.diff and len(trees) == 1:
            self.relations.one(new(1), args[0])
            return new(1)
        if function in (np.matmul, np.dot) and len(args) == 2:
            return add(Product(new(), *args))
        if function is np.transpose:
            return add(Turned(new(), args[0]))
        if function in (np.diag, np.diagonal):
            return add(Diagonal(new(), args[0]))
        if function is np.linalg.solve and len(args) == 2:
            length = Axis()
            for each in args:
                add(Long(new(0), each, length, 0))
            self.relations.one(made := new(), args[1])
            return made
        if function is np.linalg.slogdet:
            form = new()
            form.kind, form.other, form.parts = tuple, True, {0: new(0), 1: new(0)}
            return form
        if function in (np.array, np.stack):
            if isinstance(trees[0], (gast.List, gast.Tuple)):
                self.relations.add(Long(new(0), args[0], Axis(len(trees[0].elts)), 0))
            return args[0]
        if function is np.outer and len(args) == 2:
            for each in args:
                self.relations.ranked(each, 1)
            vectors = all(each.found().rank == 1 for each in args)
            return new(2, [each.found().axes[0] for each in args]) if vectors else new(2)
        if function is len:
            return self.length(args[0])
        if function in FILLED or function in (np.eye, np.arange, np.identity):
            return self.filled(function, args[0])
        if function is np.linspace:
            return new(1)
        if function is sum:
            return add(Indexed(new(), args[0], ['i']))
        if function in (max, min, abs, np.where, np.clip) or self.is_elementwise(function):
            return add(Elementwise(new(), *args)) if function not in (max, min) or len(args) > 1 else \
                add(Indexed(new(), args[0], ['i']))
        return None

    def einsum(self, text, args):
        """What `numpy.einsum` gives where the axes are letters: those of one letter are of one length."""
        found = letters_of((registry.literal(text) or ('',))[0], len(args))
        if found is None:
            return None
        letters, left = found
        lengths = {letter: Axis() for each in letters for letter in each}
        for each, arg in zip(letters, args):
            self.relations.ranked(arg.found(), len(each))
            if arg.found().rank == len(each):
                for letter, axis in zip(each, arg.found().axes):
                    self.relations.one_length(lengths[letter], axis)
        return self.relations.form(len(left), [lengths[letter] for letter in left])

    @staticmethod
    def is_elementwise(function):
        record, rule = facts.of(function), registry.lookup(function)
        return record.elementwise or rule is not None and rule.kind == 'elementwise'

    def filled(self, function, given):
        """What is made of one length, or of several."""
        lengths = list(given.found().parts.values()) if given.found().kind is tuple else [given]
        if isinstance(given, Shape):
            return given.of
        for each in lengths:
            self.is_number(each, 'int')
        axes = [each.found().size or Axis() for each in lengths] * (2 if function in (np.eye, np.identity) else 1)
        return self.relations.form(len(axes), axes, 'int' if function is np.arange else 'float')


class Shape(Form):
    """The lengths of the axes of an array."""

    def __init__(self, of):
        super().__init__()
        self.of, self.other = of, True


def adds_axis(index):
    """Whether an index gives what it selects another axis."""
    return any(isinstance(part, gast.Constant) and part.value is None for part in getattr(index, 'elts', [index]))


def cut(part):
    """How many elements a slice leaves out, or '' where that is not known."""
    ends = [registry.literal(end) if end is not None else [0] for end in (part.lower, part.upper)]
    if part.step is not None or not all(found and type(found[0]) is int for found in ends) or ends[0][0] < 0 or ends[1][0] > 0:
        return ''
    return ends[0][0] - ends[1][0]


def is_users(function):
    return isinstance(function, types.FunctionType) and not inspect.isgeneratorfunction(function)
