"""Numbers that are read from a text, or from bytes, which were made of a value with a derivative.

    y = float(f'{x * x:.3f}')            y = np.frombuffer((x * x).tobytes())            y = parsed(shown(x * x))

A text has no derivative, and neither has the number that is read from it: where this reaches a result, it is refused. The
user's own functions may make the text, and may read the number; files that are kept in memory hold what was written to them.
"""
import ast
import contextlib
import dis
import functools
import json
import types

import gast
import numpy as np

from tangent.analysis.activity import ByName, Links, Sources, activity, by_name, each
from tangent.analysis.effects import source_of
from tangent.analysis.kinds import classes
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import is_foundation
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, resolver_of
from tangent.frontend.scopes import inside, statements
from tangent.runtime import facts
from tangent.runtime.facts import is_one
from tangent.templates.language import registry

READERS = (float, complex, np.float64, np.frombuffer, np.fromstring, np.load, np.loadtxt, np.genfromtxt, json.loads, json.load,
           ast.literal_eval)
CONVERTERS = np.array, np.asarray, np.asanyarray, np.fromiter         # with dtype=
MAKERS = (str, repr, format, ascii, bytes, bytearray, json.dumps, np.array2string, np.array_str, np.array_repr,
          np.format_float_positional, np.format_float_scientific)
METHODS = frozenset('format join tobytes hex __str__ __repr__ __format__ encode decode'.split())
FILLERS = {np.save: 0, np.savez: 0, np.savez_compressed: 0, np.savetxt: 0, json.dump: 1}        # where the file stands
GATHERING = list, tuple, dict, zip, enumerate, sorted, reversed, map, iter, next
TEXT, MADE = 'a text', 'a text made of numbers'                   # no names of the function's
AS_TEXTS = str, bytes, np.str_, np.bytes_
# What the code of a function that makes texts has: instructions, and names
INSTRUCTIONS = frozenset(
    code for name, code in dis.opmap.items() if name.startswith(('FORMAT_', 'BUILD_STRING')))
NAMES = METHODS.union(getattr(f, '__name__', '') for f in (*MAKERS, *FILLERS, print))


def first_read(function, resolver, wrt, effects, again=False):
    """The first call that reads such a number which reaches a result from the names `wrt`; None if there is none.

    again : it is a derivative, of a function that was looked at
    """
    texts = Texts(function, resolver, effects)
    if wrt is None or not any(texts.makes(n) or texts.fills(n) for s in function.body for n in tree.walk(s)):
        return None
    params = tree.names(function.args, gast.Param)
    told = activity(function, wrt, TextLinks(texts, effects), params)
    flow = activity(function, wrt, Links(Numbers(texts), ByName(resolver, effects), each, inner=True), params)
    held = Held(function, resolver, effects, told.flows)
    made = activity(function, [MADE], HeldLinks(held, effects), params)
    for s in tree.every(function.body):
        header = list(tree.header(s))
        bound = tree.names(s, gast.Load) if isinstance(s, gast.Expr) else tree.mutates(s).union(
            *(tree.names(part, gast.Store) for part in header))
        for n in calls(n for part in header for n in tree.walk(part)):
            read = texts.read_by(n) or ([] if isinstance(s, gast.Expr) else texts.given_away(n))
            beside = resolver(n.func) is not float and not again and held.reads_of(n)       # `float` looks at what it is given
            if (isinstance(s, gast.Return) or told.matters(bound)) and any(
                    told.flows(e) and (not flow.flows(e) or beside and made.flows(e)) for e in read):
                return n
    return None


def calls(nodes):
    return [n for n in nodes if isinstance(n, gast.Call)]


class Texts(Sources):
    """The sources of an expression, those of what a text or bytes are made of among them.

    within : functions whose texts are being read, so that those that call themselves end
    inner : name -> functions inside the function, lambdas among them
    """

    def __init__(self, function, resolver, effects, within=frozenset()):
        super().__init__(resolver)
        self.function = function
        self.effects, self.within, self.inner, self.begun = effects, within, functions_inside(function), set()
        self.known: dict = {}                            # function that is called -> its Text

    def inside_of(self, expr):
        """The functions inside that an expression may stand for, those left out whose texts are being read."""
        found = [expr] if isinstance(expr, gast.Lambda) else self.inner.get(getattr(expr, 'id', None), [])
        return [f for f in found if id(f) not in self.begun]

    @contextlib.contextmanager
    def reading(self, function):
        self.begun.add(id(function))
        yield
        self.begun.discard(id(function))

    def makes(self, expr):
        """Whether an expression makes a text of others."""
        if isinstance(expr, gast.Call):
            function, inner = self.resolver(expr.func), self.inside_of(expr.func)
            if inner:
                return all(map(self.shows, inner))
            if isinstance(expr.func, gast.Attribute) and (expr.func.attr in METHODS or expr.func.attr == 'astype' and any(
                    isinstance(e, gast.Constant) or is_one(self.resolver(e), AS_TEXTS) for e in expr.args[:1])):
                return True
            if is_one(function, CONVERTERS) and any(k.arg == 'dtype' and is_one(self.resolver(k.value), AS_TEXTS)
                                                    for k in expr.keywords):
                return True
            return is_one(function, MAKERS) or self.is_written(function) and self.gives_text(function)
        percent = isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Mod)
        return isinstance(expr, gast.JoinedStr) or percent and isinstance(getattr(expr.left, 'value', None), str)

    def shows(self, function):
        """Whether a function inside gives a text."""
        with self.reading(function):
            return any(map(self.makes, returned(function)))

    def fills(self, expr):
        """Whether an expression writes what has a derivative into a file or a list, as a text or as bytes."""
        return isinstance(expr, gast.Call) and bool(self.files(expr) or self.filled_by(expr))

    def files(self, call):
        """What a call writes into, of files."""
        function = self.resolver(call.func)
        if function is print:
            return [k.value for k in call.keywords if k.arg == 'file']
        return call.args[(k := FILLERS[function]):k + 1] if is_one(function, FILLERS) else []

    def is_written(self, thing):
        """Whether it is a function of the user's, whose text tells what it does."""
        return isinstance(thing, (types.FunctionType, Nested)) and thing not in self.within and not facts.in_library(thing) \
            and not facts.is_ours(thing) and registry.lookup(thing) is None \
            and not (isinstance(thing, types.FunctionType) and is_foundation(thing.__code__.co_filename))

    def read_by(self, call):
        """The arguments of a call, or the owner of its method, out of which it reads numbers."""
        function, inner = self.resolver(call.func), self.inside_of(call.func)
        if inner:
            return [e for f in inner for e in self.read_inside(f, call)]
        if any(self.reads_inside(f) for e in call.args for f in self.inside_of(e)):
            return tree.arguments(call)
        if is_one(function, READERS) or is_one(function, CONVERTERS) and any(k.arg == 'dtype' for k in call.keywords):
            return call.args[:1]
        if self.is_written(function):
            read = self.of(function).reads
            return [e for p, given in self.effects.bound(function, call).items() if p in read for e in given] if read else []
        if function is UNKNOWN and getattr(call.func, 'id', None) in self.parsers:
            return call.args[:1]
        if function is UNKNOWN and isinstance(call.func, gast.Attribute):
            return [call.func.value] if call.func.attr == 'astype' or self.by_method(call.func.attr) else []
        return []

    def given_away(self, call):
        """What a call hands to a function that is known only when running, and may read numbers of it."""
        known = self.resolver(call.func) is not UNKNOWN or isinstance(call.func, gast.Attribute) or self.inside_of(call.func)
        return [] if known else [e for e in call.args if self.makes(e)]

    def filled_by(self, expr):
        """What a function or method of the user's is given, by an expression that calls it, to put texts into."""
        function = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        if function is UNKNOWN and isinstance(expr.func, gast.Attribute):
            return [expr.func.value] if any(next(iter(f.__code__.co_varnames), None) in self.of(f).puts
                                            for f in self.methods(expr.func.attr)) else []
        puts = self.of(function).puts if self.is_written(function) else ()
        return [e for p, given in self.effects.bound(function, expr).items() if p in puts for e in given] if puts else []

    def methods(self, name):
        """The methods of this name of classes in sight."""
        return [f for kind in self.resolver.classes for n, f in classes.functions(kind) if n == name and self.is_written(f)]

    @functools.cached_property
    def parsers(self):
        """Names of what reads numbers from texts: `parse = float`."""
        return tree.bound_to(self.function, lambda e: is_one(self.resolver(e), READERS))

    def read_inside(self, function, call):
        """The arguments of a call of a function inside out of which this reads numbers."""
        read, params = self.reads_inside(function), [p.id for p in function.args.args]
        named = {k.arg: k.value for k in call.keywords}
        return [e for p, e in {**dict(zip(params, call.args)), **named}.items() if p in read]

    def reads_inside(self, function):
        """The parameters of a function inside out of which it reads numbers."""
        with self.reading(function):
            read = [e for n in calls(n for part in statements(function) for n in tree.walk(part)) for e in self.read_by(n)]
        params = [p.id for p in function.args.args]
        if isinstance(function, gast.Lambda):
            return {p for p in params if any(p in self(e) for e in read)}
        links = TextLinks(self, self.effects)
        return {p for p in params if read and any(map(activity(function, (p,), links).flows, read))}

    def by_method(self, name):
        """Whether a method of this name, of a class in sight, reads numbers of what its object holds."""
        return any(next(iter(f.__code__.co_varnames), None) in self.of(f).reads for f in self.methods(name))

    def of(self, function):
        if function not in self.known:
            self.known[function] = Text(function, self.effects, self.within | {function})
        return self.known[function]

    def gives_text(self, function):
        return (isinstance(function, Nested) or makes_texts(function.__code__)) and self.of(function).is_text

    def __call__(self, expr):
        return self.union(tree.children(expr)) if self.makes(expr) else super().__call__(expr)

    def FormattedValue(self, expr):
        return self(expr.value)


class Numbers(Sources):
    """The sources of an expression as they are, but for calls of the user's functions that give a text."""

    def __init__(self, texts):
        super().__init__(texts.resolver)
        self.texts = texts

    def Call(self, expr):
        return frozenset() if self.texts.makes(expr) else super().Call(expr)


class TextLinks(Links):
    """Files hold what is written into them."""

    def __init__(self, texts, effects):
        super().__init__(texts, ByName(texts.resolver, effects), each, inner=True)

    def inside(self, node, s):
        yield from super().inside(node, s)
        if isinstance(node, gast.Call) and (files := [*self.sources.files(node), *self.sources.filled_by(node)]):
            found = self.sources.union(tree.arguments(node))
            yield from ((n, found) for file in files for n in tree.names(file, gast.Load))


class Held(Texts):
    """Whether the value of an expression may be a text, or hold one, beside what has a derivative: TEXT among its sources, and
    MADE, where the text may have been made of that.

    flows : whether a derivative flows through an expression
    """

    def __init__(self, function, resolver, effects, flows, within=frozenset()):
        super().__init__(function, resolver, effects, within)
        self.flows_into = flows

    def __call__(self, expr):
        if self.makes(expr):
            return frozenset([TEXT, MADE] if any(map(self.flows_into, tree.children(expr))) else [TEXT])
        return super().__call__(expr)

    def Name(self, expr):
        held = self.resolver.name(expr.id)
        found = held.values() if isinstance(held, dict) else held if isinstance(held, (list, tuple)) else ()
        return frozenset([TEXT, expr.id] if any(isinstance(v, str) for v in found) else [expr.id])

    def Constant(self, expr):
        return frozenset([TEXT] if isinstance(expr.value, str) else [])

    def held(self, key, value):
        return [value] if key is None else [key, value]

    def Compare(self, expr):
        return frozenset()

    UnaryOp = Compare

    def BinOp(self, expr):
        return self.union([expr.left, expr.right]) if isinstance(expr.op, gast.Add) else frozenset()

    def FormattedValue(self, expr):
        return self(expr.value)

    def Subscript(self, expr):
        return self(expr.value)

    def Attribute(self, expr):
        held, params = self.fields.get(expr.attr, frozenset()), tree.names(self.function.args, gast.Param)
        own = held and expr.attr not in self.bound and getattr(expr.value, 'id', None) in params[:1]       # `self.label`
        return held if own else held | self(expr.value) - {TEXT, MADE}

    @functools.cached_property
    def bound(self):
        """Names of attributes that the function sets."""
        return {n.attr for s in self.function.body for n in tree.walk(s)
                if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store)}

    def Call(self, expr):
        function = self.resolver(expr.func)
        if function is UNKNOWN and isinstance(expr.func, gast.Attribute):
            return self(expr.func.value)
        is_rule = registry.lookup(function) is not None and not is_one(function, GATHERING)
        given = self.of(function).gives if self.is_written(function) else frozenset()
        return frozenset() if is_rule else given.union(*map(self, tree.arguments(expr)))

    def reads_of(self, call):
        """Whether what a call reads may be a text that is held beside numbers. Of objects it is where the function mentions an
        attribute that such a text is given for; other attributes are looked at when they are read."""
        function = self.resolver(call.func)
        found = self.methods(getattr(call.func, 'attr', None) or getattr(function, '__name__', None)) or [function]
        mentioned = [frozenset(getattr(getattr(f, '__code__', None), 'co_names', ())) for f in found]
        return any(not self.given.isdisjoint(names) or self.users[1].isdisjoint(names) for names in mentioned)

    @functools.cached_property
    def given(self):
        """Names of attributes for which objects are given texts that are made of what has a derivative."""
        found = {name for name, value in assigned(self.function) if MADE in self(value)}
        for call in calls(n for s in self.function.body for n in tree.walk(s)):
            init, run = classes.run_by(self.resolver(call.func), call)
            for p, given in self.effects.bound(init, run).items() if init is not self.resolver(call.func) else ():
                if any(MADE in self(e) for e in given):
                    found |= self.of(init).set_from(p)
        return found

    @functools.cached_property
    def fields(self):
        """Name of an attribute -> TEXT, and MADE, where a class in sight has a text there."""
        found: dict = {}
        for kind in self.resolver.classes:
            for name in [n for n, t in annotations_of(kind).items() if t in (str, 'str')]:
                found.setdefault(name, {TEXT})
            for _, f in classes.functions(kind):
                if self.is_written(f) and (makes_texts(f.__code__) or holds_texts(f.__code__)):
                    for name, held in self.of(f).set_texts:
                        found.setdefault(name, set()).update(held)
        return {name: frozenset(held) for name, held in found.items()}


class HeldLinks(Links):
    """Functions that are called may put texts into what they are given."""

    def __init__(self, held, effects):
        super().__init__(held, ByName(held.resolver, effects), each, inner=True)

    def inside(self, node, s):
        yield from super().inside(node, s)
        files = [*self.sources.filled_by(node), *(self.sources.files(node) if isinstance(node, gast.Call) else ())]
        yield from ((n, {TEXT, MADE}) for e in files for n in tree.names(e, gast.Load))


def may_be_texts(function, resolver, effects, wrt):
    """The calls of `float` that may read a text which is held beside what has a derivative -> whether it may be made of it."""
    found = [n for n in calls(n for s in function.body for n in tree.walk(s)) if len(n.args) == 1 and not n.keywords
             and resolver(n.func) is float]
    flow = by_name(function, resolver, wrt, effects) if found else None
    found = [n for n in found if flow.flows(n.args[0])]
    if not found:
        return {}
    held = Held(function, resolver, effects, flow.flows)
    links = HeldLinks(held, effects)
    told, made = (activity(function, [mark], links) for mark in (TEXT, MADE))
    return {n: made.flows(n.args[0]) for n in found if told.flows(n.args[0])}


class Text:
    """What a function of the user's has to do with texts."""

    def __init__(self, function, effects, within):
        self.function, self.effects, self.within = function, effects, within

    @functools.cached_property
    def source(self):
        try:
            return source_of(self.function)
        except TangentError:
            return None

    @functools.cached_property
    def texts(self):
        return Texts(self.source.tree, resolver_of(self.source), self.effects, self.within)

    @functools.cached_property
    def is_text(self):
        """Whether what the function returns has nothing of what it is given but as a text, or as bytes."""
        if self.source is None:
            return False
        function, params = self.source.tree, tree.names(self.source.tree.args, gast.Param)
        links = TextLinks(self.texts, self.effects)
        told = activity(function, params, links, params)
        flow = activity(function, params, Links(Numbers(self.texts), links.aliases, each, inner=True), params)
        found = returned(function)
        return any(map(told.flows, found)) and not any(map(flow.flows, found))

    @functools.cached_property
    def gives(self):
        """TEXT, and MADE, where what the function gives back may hold a text."""
        if self.source is None or not isinstance(self.function, types.FunctionType):
            return frozenset()
        if not makes_texts(self.function.__code__) and not holds_texts(self.function.__code__):
            return frozenset()
        function, resolver = self.source.tree, resolver_of(self.source)
        flow = by_name(function, resolver, tree.names(function.args, gast.Param), self.effects)
        held = Held(function, resolver, self.effects, flow.flows, self.within)
        reached = {mark: activity(function, [mark], HeldLinks(held, self.effects)) for mark in (TEXT, MADE)}
        return frozenset(mark for mark, found in reached.items() if any(map(found.flows, returned(function))))

    @functools.cached_property
    def puts(self):
        """The parameters into which the function writes texts that are made of what it is given."""
        if self.source is None or not isinstance(self.function, types.FunctionType) or not makes_texts(self.function.__code__):
            return frozenset()
        function, params = self.source.tree, tree.names(self.source.tree.args, gast.Param)
        flow = by_name(function, self.texts.resolver, params, self.effects)
        held = Held(function, self.texts.resolver, self.effects, flow.flows, self.within)
        return activity(function, [MADE], HeldLinks(held, self.effects), params).varied.intersection(params)

    @property
    def assigned(self):
        return () if self.source is None else assigned(self.source.tree)

    @functools.cached_property
    def set_texts(self):
        """(name of an attribute, TEXT and perhaps MADE) of what the function sets to a text."""
        return [(name, [TEXT, MADE] if self.texts.makes(value) else [TEXT]) for name, value in self.assigned
                if self.texts.makes(value) or isinstance(getattr(value, 'value', None), str)]

    def set_from(self, parameter):
        """Names of the attributes that are made of a parameter; its own, where the text cannot be read."""
        return {parameter} if self.source is None else {
            name for name, value in self.assigned if parameter in tree.names(value, gast.Load)}

    @functools.cached_property
    def reads(self):
        """The parameters out of which the function reads numbers."""
        if self.source is None:
            return frozenset()
        function, links = self.source.tree, TextLinks(self.texts, self.effects)
        read = [e for n in calls(n for s in function.body for n in tree.walk(s)) for e in self.texts.read_by(n)]
        return frozenset(p for p in tree.names(function.args, gast.Param)
                         if read and any(map(activity(function, (p,), links).flows, read)))


def annotations_of(kind):
    """Name -> what a class says that it is; nothing for those made in C."""
    found = vars(kind).get('__annotations__')
    return found if isinstance(found, dict) else {}


def functions_inside(function):
    """name -> the functions inside a function that it may stand for."""
    found: dict = {}
    for n in (n for s in function.body for n in tree.walk(s)):
        if isinstance(n, gast.FunctionDef):
            found.setdefault(n.name, []).append(n)
        elif isinstance(n, gast.Assign) and isinstance(n.value, gast.Lambda) and tree.target(n):
            found.setdefault(tree.target(n), []).append(n.value)
    return found


def assigned(function):
    """(name of an attribute, what is put there) of what a function sets, and of lists and dicts there that it fills."""
    for s in tree.every(function.body):
        call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
        if isinstance(s, gast.Assign | gast.AugAssign | gast.AnnAssign) and s.value is not None:
            targets, value = (s.targets if isinstance(s, gast.Assign) else [s.target]), s.value
        elif call is not None and isinstance(call.func, gast.Attribute) and call.args:
            targets, value = [call.func.value], call.args[-1]
        else:
            continue
        for t in targets:
            apart = isinstance(t, gast.Tuple) and isinstance(value, gast.Tuple) and len(t.elts) == len(value.elts)
            for place, v in zip(t.elts, value.elts) if apart else [(t, value)]:
                yield from ((n.attr, v) for n in tree.walk(place) if isinstance(n, gast.Attribute))


def returned(function):
    """What a function, or a lambda, gives back."""
    if isinstance(function, gast.Lambda):
        return [function.body]
    return [n.value for n in inside(function.body) if isinstance(n, gast.Return) and n.value is not None]


def makes_texts(code):
    """Whether the code of a function may make a text, told without its source."""
    return bool(INSTRUCTIONS.intersection(code.co_code[::2])) or not NAMES.isdisjoint(code.co_names) \
        or any(isinstance(c, (str, bytes)) and c.count('%' if isinstance(c, str) else b'%') for c in code.co_consts)


def holds_texts(code):
    """Whether there are texts among the constants of a function, its docstring among them."""
    return any(isinstance(e, str) for c in code.co_consts for e in (c if isinstance(c, tuple) else [c]))
