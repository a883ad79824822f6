"""Methods and properties as calls of the functions that they are.

    p = model.forward(x)        ->      p = forward(model, x)

    def forward(self, x):
        check_called(self, 'forward', Dense_forward)
        return Dense_forward(self, x)

Which functions a name may mean is known from the classes that take part (see `participants`). That it means one of them is
asked of the object when the derivative runs, so that nothing of another class, no module and no function that an object has
of its own is taken for what it is not. Where kinds are known nothing is asked of an object of a known class; where it is
of one of several, which class it has:

    for layer in layers:                        def forward(self, x):
        x = layer.forward(x)                        if type(self) is Dense:
                                                        return Dense.forward(self, x)
                                                    return ReLU.forward(self, x)
"""
import builtins
import collections
import dataclasses
import functools
import inspect
import math
import types
from typing import NamedTuple

import gast
import numpy as np

from tangent.analysis.kinds.classes import contents
from tangent.analysis.kinds.infer import Inference, has_slice, method_of, operator_method, plain_method
from tangent.analysis.kinds.participants import Overridden
from tangent.analysis.kinds.special import ARITHMETIC, OPERATORS
from tangent.analysis.kinds.values import classes_in
from tangent.analysis.messages import communication
from tangent.emit.build import Part, build
from tangent.errors import ArgumentTypeError, SourceError
from tangent.frontend import tree
from tangent.frontend.dependencies import remembered
from tangent.frontend.resolve import UNKNOWN, Resolver, imported, local_names
from tangent.frontend.source import is_manager, read
from tangent.runtime import facts
from tangent.runtime.objects import UNFORESEEN, check_called, definition, function_called, function_of
from tangent.templates.language import registry

OTHERS = frozenset(['_replace', '_make', '_asdict']).union(
    *map(dir, (np, math, np.ndarray, list, dict, str, set, tuple, float, collections.deque)))


def resolved(source, sight, shared=None, known=None):
    """The source with such calls, where these classes are in sight; `shared` gets what the new names denote.

    known : (kinds of the parameters, the Program), where they are known; objects of known classes are not asked
    """
    source = communication.resolved(dataclasses.replace(source, sight=sight), shared)
    if not sight or Overridden in sight:
        return source
    function = tree.clone(source.tree)
    found = Methods(dataclasses.replace(source, tree=function), known, {} if shared is None else shared)
    new = tree.replace(function, body=list(map(found.visit, function.body)))
    if not found.made and not found.changed:
        return source
    if shared is not None:
        shared.update({name: method.function for name, method in found.made.items()})
    return dataclasses.replace(source, tree=new, methods={**source.methods, **found.made})


class Method(NamedTuple):
    """What a class defines by a name; or, without a class, a function that chooses among others: of what stands behind the
    class `above`, as `super()` looks for it."""
    kind: type | None
    name: str
    held: object
    function: types.FunctionType
    among: tuple = ()
    above: type | None = None


@dataclasses.dataclass(frozen=True)
class Attribute:
    """What a class itself has by a name, found again at any later time; see `resolve.Lookup`."""
    kind: type
    name: str
    cell: object = None
    rest: tuple = ()

    @property
    def plain(self):
        return vars(self.kind), self.name


def assume(assumed, kind, owner, name):
    """Note that objects of a class have by a name what `owner`, that class or one above it, defines."""
    assumed.update(dict.fromkeys(Attribute(above, name) for above in kind.__mro__[:kind.__mro__.index(owner)]))
    assumed[Attribute(owner, name)] = vars(owner)[name]


class Methods(gast.NodeTransformer):
    """Rewrites a function; `made` are the names that stand for methods: name -> Method.

    others : what names denote in the texts that are made with this one
    """

    def __init__(self, source, known, others):
        function, self.others = source.tree, others
        self.sight, self.made, self.changed = source.sight, {}, False
        inside = {**imported(function, source), **getattr(source, 'visible', {})}
        self.resolver = Resolver(source, local_names(function), inside)
        self.names = tree.Names(tree.all_names(function) | {function.name})
        self.fields = set().union(*(contents(k)[2] for k in self.sight)) | given(function)
        self.nodes, self.params = tree.walk(function), tree.names(function.args, gast.Param)
        params = function.args.posonlyargs + function.args.args
        self.own = params[0].id if params else None
        self.around = source.closure.get('__class__')
        self.program = known[1] if known else None
        self.kinds = Inference(function, known[0], self.resolver, known[1]) if known else None

    def visit_Call(self, node):
        func = node.func
        starred = tree.is_starred(node)
        called = self.direct_call(func, '__call__', node) if not starred else None
        if called is not None and self.resolver(func) is UNKNOWN:
            return self.called(node, called, func)
        if not starred and (method := self.of_outside(func, node)) is not None:
            return self.called(node, method, func)
        if not isinstance(func, gast.Attribute) or self.resolver(func) is not UNKNOWN:
            return self.generic_visit(node)
        own = self.direct_call(func.value, func.attr, node) if not starred else None
        if own is not None:
            return self.called(node, own, func.value)
        meant, value = self.meant(func), self.receiver(func)
        node = tree.replace(node, args=[self.visit(a) for a in node.args],
                            keywords=[tree.replace(k, value=self.visit(k.value)) for k in node.keywords])
        if value is None or not meant and is_super(func):         # `super()` with arguments, or what it finds is not known
            return tree.replace(node, func=tree.replace(func, value=self.visit(func.value)))
        if self.is_held(func) and not any(hasattr(k, func.attr) for k in self.sight):
            self.changed = True
            target = gast.Name(id=self.names.fresh(func.attr), ctx=gast.Store(), annotation=None, type_comment=None)
            held = gast.NamedExpr(target=gast.copy_location(target, func), value=tree.replace(func, value=value))
            return tree.replace(node, func=gast.copy_location(held, func))
        if not meant or starred or not all(fits(m, node) for m in meant):
            return tree.replace(node, func=func if is_super(func) else tree.replace(func, value=value))
        method = choice(func.attr, meant, *shape(node), self.above(func))
        return tree.replace(node, func=self.name(func, method), args=[value, *node.args])

    def of_outside(self, func, call):
        """The Method that the call of an object outside the function is, or None."""
        found = self.resolver(func)
        if found is UNKNOWN or type(found) not in self.sight or is_known_otherwise(found):
            return None
        owner = definition(type(found), '__call__')
        held = vars(owner)['__call__'] if owner is not None else None
        if not isinstance(held, types.FunctionType) or facts.in_library(held) or does_nothing(held):
            return None
        method = Method(owner, '__call__', held, held)
        return choice('__call__', (method,), *shape(call)) if fits(method, call) else None

    def called(self, node, method, owner):
        """The call of a method as that of its function."""
        return tree.replace(node, func=self.name(node, method), args=[self.visit(owner), *map(self.visit, node.args)],
                            keywords=[tree.replace(k, value=self.visit(k.value)) for k in node.keywords])

    def visit_BinOp(self, node):
        return self.operation(node, [node.left, node.right])

    def visit_UnaryOp(self, node):
        return self.operation(node, [node.operand])

    def operation(self, node, operands):
        """The call that an operator is for objects of known classes; operands are evaluated in their order."""
        found = operator_method(node.op, [self.kinds.of(e) for e in operands]) if self.kinds else None
        if found is None or found[1] and tree.acts(operands[0]) and tree.acts(operands[1]):
            return self.generic_visit(node)
        operands = operands[::-1] if found[1] else operands
        method = self.direct(operands[0], found[0].__name__)
        if method is None or method.held is not found[0]:
            return self.generic_visit(node)
        call = gast.Call(func=self.name(node, method), args=list(map(self.visit, operands)), keywords=[])
        return gast.copy_location(call, node)

    def visit_Subscript(self, node):
        kind = self.kinds.of(node.value) if self.kinds else None
        held = plain_method(kind, '__getitem__') if isinstance(node.ctx, gast.Load) and not has_slice(node.slice) else None
        method = self.direct(node.value, '__getitem__') if held is not None else None
        if method is None:
            return self.generic_visit(node)
        return gast.copy_location(gast.Call(func=self.name(node, method), args=[self.visit(node.value), self.visit(node.slice)],
                                            keywords=[]), node)

    def direct(self, node, name):
        """The Method that an expression, an object whose class is known, has by a name, or None."""
        return self.method(self.kinds.of(node), name) if self.kinds else None

    def direct_call(self, node, name, call=None):
        """The same for a call of it, and where the object is of one of several classes; for a property without a call."""
        kinds = classes_in(self.kinds.of(node)) if self.kinds else ()
        found = [self.method(kind, name) for kind in kinds]
        wrong = [m for m in found if m is None or not (fits(m, call) if call else isinstance(m.held, property))]
        if not found or wrong:
            return None
        meant = {method: tuple([kind.form for kind, m in zip(kinds, found) if m == method]) for method in found}
        if len(meant) == 1:
            return found[0]
        methods, of = zip(*sorted(meant.items(), key=lambda item: len(item[1])))
        return choice(name, methods, *(shape(call) if call else ()), of=of)

    def method(self, kind, name):
        """The Method that objects of a kind have by a name, or None."""
        held = method_of(kind, name)
        if held is None or isinstance(held, staticmethod) or does_nothing(function_of(held)):
            return None
        owner = definition(kind.form, name)
        assume(self.program.assumed, kind.form, owner, name)
        return Method(owner, name, held, function_of(held))

    def is_held(self, func):
        """Whether it is a function that an object holds."""
        return func.attr in self.fields and func.attr not in OTHERS and registry.method(func.attr) is None

    def visit_Attribute(self, node):
        if not isinstance(node.ctx, gast.Load) or self.resolver(node) is not UNKNOWN:
            return self.generic_visit(node)
        own = self.direct_call(node.value, node.attr)
        if own is not None:
            return gast.copy_location(gast.Call(func=self.name(node, own), args=[self.visit(node.value)], keywords=[]), node)
        meant, own = self.meant(node), self.receiver(node) if is_super(node) else node.value
        method = choice(node.attr, meant, above=self.above(node)) if own is not None and meant \
            and all(isinstance(m.held, property) for m in meant) else None
        self.generic_visit(node)
        if method is None:
            return node
        owner = own if is_super(node) else node.value
        return gast.copy_location(gast.Call(func=self.name(node, method), args=[owner], keywords=[]), node)

    def name(self, node, method):
        """The name that stands for a method."""
        known = next((n for n, m in self.made.items() if m == method), None)
        if known is None:
            known = self.names.fresh(method.function.__name__)
            while self.others.get(known, method.function) is not method.function:
                known = self.names.fresh(method.function.__name__)
            self.made[known] = method
        return gast.copy_location(tree.load(known), node)

    def receiver(self, func):
        """What a method is called of: in `super().m()` the first parameter."""
        if is_super(func):
            return tree.load(self.own) if self.own and not func.value.args else None
        return self.visit(func.value)

    def above(self, node):
        """The class behind which `super()` looks, None where an attribute is no such."""
        return getattr(self.around, 'cell_contents', None) if is_super(node) else None

    def meant(self, node):
        """The Methods that an attribute of an object may mean; none where that is not known."""
        name = node.attr
        if name in OTHERS or name in self.fields or registry.method(name) is not None or registry.attribute(name) is not None:
            return ()
        above, kinds = self.above(node), self.made_of(node.value) or self.sight
        if is_super(node) and above is None:
            return ()
        if above is not None:
            kinds = [k for k in self.sight if above in k.__mro__]
        found = {definition(k, name, above) for k in kinds} - {None}
        found = [Method(d, name, vars(d)[name], function_of(vars(d)[name])) for d in found]
        found = [m for m in found if not getattr(m.function, '__isabstractmethod__', False)]
        theirs = any(not isinstance(m.held, KINDS) or not isinstance(m.function, types.FunctionType)
                     or facts.in_library(m.function) or does_nothing(m.function) or is_manager(m.function) for m in found)
        return () if theirs else tuple(sorted(found, key=lambda m: (m.kind.__module__, m.kind.__qualname__)))


    def made_of(self, expr):
        """The class of an object that the function makes, under a name that holds nothing else; empty where it is not known."""
        name = getattr(expr, 'id', None)
        if name is None or name in self.params:
            return ()
        bound = [n for n in self.nodes if isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Load)]
        made = [self.resolver(s.value.func) for s in self.nodes if isinstance(s, gast.Assign) and tree.target(s) == name
                and isinstance(s.value, gast.Call)]
        kinds = {kind for kind in made if isinstance(kind, type) and kind in self.sight and type(kind) is type
                 and kind.__new__ is object.__new__}
        return tuple(kinds) if len(kinds) == 1 and len(made) == len(bound) and all(kind in kinds for kind in made) else ()


def is_known_otherwise(found):
    """Whether what is called has a rule, or stands for a function of the user's."""
    return isinstance(found, (types.FunctionType, type)) or registry.lookup(found) is not None or hasattr(found, 'py_func') \
        or hasattr(found, '__wrapped__')


KINDS = types.FunctionType, staticmethod, property


def is_super(node):
    """Whether an attribute is one of `super()`."""
    return isinstance(node.value, gast.Call) and tree.dotted(node.value.func) == 'super'


def shape(call):
    """How many arguments of a call have no name, and the names of the others."""
    return len(call.args), tuple([k.arg for k in call.keywords])


@functools.lru_cache(maxsize=1024)
def choice(name, methods, count=None, keywords=(), above=None, of=()):
    """The Method for a function that calls the one of these methods that its first argument has by a name.

    count, keywords : positional arguments, names of the others; no count for a property
    above : the class behind which `super()` looks
    of : for each method the classes that have it, where an object is of one of these
    """
    named = parameters_of(methods, count) if of else None
    fresh = tree.Names({*keywords, *dir(builtins), *(named or ())}).fresh
    own, title = fresh('self'), fresh(name.strip('_') or 'method')
    called, check = fresh('function_called'), fresh('check_called')
    given = named or [fresh(f'x{k}') for k in range(count or 0)]
    call = [*given, *(f'{k}={k}' for k in keywords)]
    space = {'__name__': 'methods', called: function_called, check: check_called}
    lines = [f'def {title}({", ".join([own, *given, *keywords])}):']
    behind = ''
    if above is not None:
        space[fresh('above')] = above
        behind = ', above'
    for method in methods:
        if of and count is not None:
            function = f'{kind_in(space, method.kind, fresh)}.{name}'
        else:
            function = fresh(f'{method.kind.__name__}_{name}')
            space[function] = method.function
        first = [] if isinstance(method.held, staticmethod) else [own]
        value = f'{function}({", ".join(first + call)})'
        tests = [f'{called}({own}, {name!r}{behind}) is {function}'] if not of else [
            f'type({own}) is {kind_in(space, kind, fresh)}' for kind in of[methods.index(method)]]
        if len(methods) == 1:
            lines += [f'    {check}({own}, {name!r}, {function}{behind})', f'    return {value}']
        elif of and method is methods[-1]:
            lines.append(f'    return {value}')
        else:
            lines += [line for test in tests for line in (f'    if {test}:', f'        return {value}')]
    if len(methods) > 1 and not of:
        error = fresh('ArgumentTypeError')
        space[error] = ArgumentTypeError
        lines.append(f'    raise {error}({UNFORESEEN.format(name)!r})')
    made = build('\n'.join(lines) + '\n', [Part(title, space)], {}, title)[title]
    made.carried = True                                       # it is no derivative
    return Method(None, name, property(made) if count is None else made, made, methods, above)


def parameters_of(methods, count):
    """The names that the first arguments of these methods, behind the object, have in all of them; or None."""
    found = {tuple(m.function.__code__.co_varnames[:m.function.__code__.co_argcount])[not isinstance(m.held, staticmethod):]
             for m in methods}
    names = found.pop()[:count]
    return [*names] if not found and len(names) == count and count and not {*names} & {*dir(builtins)} else None


def kind_in(space, kind, fresh):
    """The name of a class in a text."""
    known = [name for name, thing in space.items() if thing is kind]
    name = known[0] if known else fresh(kind.__name__)
    space[name] = kind
    return name


class AsWritten(gast.NodeTransformer):
    """Writes calls of methods that are left in a text as the user wrote them."""

    def __init__(self, methods):
        self.methods = methods

    def visit_Call(self, node):
        self.generic_visit(node)
        method = self.methods.get(getattr(node.func, 'id', None))
        if method is None:
            return node
        owner = node.args[0] if method.above is None else tree.call('super', tree.load('__class__'), node.args[0])
        if method.above is None and method.kind is not None and (found := spelled(method.name, node)) is not None:
            return gast.copy_location(found, node)
        found = gast.copy_location(gast.Attribute(value=owner, attr=method.name, ctx=gast.Load()), node)
        return found if isinstance(method.held, property) else tree.replace(node, func=found, args=node.args[1:])


SPELLED = {f'__{name}__': op for op, name in OPERATORS.items()}
TURNED = {f'__r{name}__': op for op, name in ARITHMETIC.items()}


def spelled(name, call):
    """What runs a special method: `x(y)` for `call(x, y)`, `x + y` for `add(x, y)`; None where it is called by its name."""
    first, *rest = call.args
    if name == '__call__':
        return tree.replace(call, func=first, args=rest)
    if name == '__getitem__' and len(rest) == 1:
        return gast.Subscript(value=first, slice=rest[0], ctx=gast.Load())
    if name in SPELLED and not rest:
        return gast.UnaryOp(op=SPELLED[name](), operand=first)
    if name in SPELLED and len(rest) == 1:
        return gast.BinOp(left=first, op=SPELLED[name](), right=rest[0])
    return gast.BinOp(left=rest[0], op=TURNED[name](), right=first) if name in TURNED and len(rest) == 1 else None


def as_written(function, methods):
    """A text with calls of methods as the user wrote them, where they were not taken apart."""
    methods = {name: method for name, method in methods.items() if isinstance(method, Method)}
    if not methods or not any(isinstance(n, gast.Name) and n.id in methods for s in function.body for n in tree.walk(s)):
        return function
    return tree.replace(function, body=[AsWritten(methods).visit(tree.clone(s)) for s in function.body])


def given(function):
    """Names of attributes that a function sets on objects, or may give them: `o.area = f`, `SimpleNamespace(area=f)`."""
    return {n.attr for n in tree.walk(function) if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store)} \
        | {n.arg for n in tree.walk(function) if isinstance(n, gast.keyword) and n.arg is not None}


def fits(method, call):
    """Whether a call of an object's method may be one of this."""
    if isinstance(method.held, property) or inspect.isgeneratorfunction(method.function):
        return False
    first = [] if isinstance(method.held, staticmethod) else [None]
    try:
        inspect.signature(method.function).bind(*first, *call.args, **{k.arg: k.value for k in call.keywords})
    except TypeError:
        return False
    return True


@remembered
def does_nothing(function):
    """Whether it does nothing but raise an error, or nothing at all, which is for the log form."""
    try:
        body = read(function).tree.body
    except (SourceError, ArgumentTypeError):
        return True
    return all(isinstance(s, (gast.Pass, gast.Raise)) or tree.is_text(s) for s in body)
