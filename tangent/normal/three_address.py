"""One operation a statement, where a derivative flows; everything else stays as the user wrote it.

    y = numpy.tanh(w * x[i + 1]) * len(names)
 ->
    t = x[i + 1]; t2 = w * t; t3 = numpy.tanh(t2); y = t3 * len(names)

The statements that carry a derivative come with an :class:`Op`, which says what they do: the rule and its arguments, an
index, a display, a call of a function whose source will be differentiated. Names made here fold back after differentiation.
Calls that make containers and objects are displays, and loops over things with a derivative go by index:

    P(a, y=b)  of a namedtuple or dataclass P    is like    (a, b)     its parts are ba = bp[0], or ba = bp.x
    dict(a=x, b=y)                               is         {'a': x, 'b': y}
    getattr(p, 'x')                              is         p.x
    zip(a, b), reversed(a), enumerate(a)         are        lists, when they stand for a value
    for x, y in zip(xs, ys):                     is         for i in range(min(len(xs), len(ys))): x = xs[i]; y = ys[i]
"""
import dataclasses
import itertools
import types

import gast

from tangent.analysis.activity import stored
from tangent.analysis.alias import is_arithmetic
from tangent.analysis.array_accesses import is_element
from tangent.analysis.attributes import HOLE, Place
from tangent.analysis.mutated_arrays import NONE
from tangent.emit.library import find
from tangent.errors import AliasError, ArgumentError, ReverseNotImplementedError
from tangent.frontend import callees, subset, tree
from tangent.frontend.nested import generates
from tangent.frontend.quote import total
from tangent.frontend.resolve import UNKNOWN, pushed
from tangent.frontend.source import is_derivative
from tangent.normal.constructors import is_plain_tuple, kept_by, parts_of
from tangent.normal.ops import Op, bind, difference, is_simple, subscript, subscripts
from tangent.runtime import facts
from tangent.runtime.array_api import is_product_kind
from tangent.runtime.references import table
from tangent.templates.language import registry
from tangent.templates.language.registry import literal

ITERATORS = (zip, reversed, enumerate, find('push_enumerated'))
SEQUENCES = (list, tuple, sorted)
FINITE = range, list, tuple, sorted, reversed, dict, set, str
STEPS = map, filter, zip, enumerate, reversed
ENDLESS = {itertools.count: 2, itertools.cycle: 1, itertools.repeat: 1}     # the most arguments with which it has no end

OF_OPERATORS = frozenset(name for kind in (list, dict, float, complex) for name in dir(kind)
                         if isinstance(getattr(kind, name), types.WrapperDescriptorType | types.MethodDescriptorType)
                         and name.startswith('__'))


class Split:
    """Splits the active statements of a function; see the module."""

    mode = 'reverse'

    def __init__(self, source, names, library, activity, aliases, buffers=NONE, later=None):
        self.source, self.names, self.sources, self.library, self.aliases = source, names, activity.sources, library, aliases
        self.varied, self.active = set(activity.varied), set(activity.active)
        self.builders, self.buffers = aliases.builders, buffers
        self.later = later
        self.ops, self.temps, self.effects = {}, set(), {}
        self.written = ()                # buffers that a call in the statement at hand writes into
        self.elements = {}               # element read in the statement at hand -> its name
        self.sequences = set(aliases.resolver.listed)        # names that surely hold a list or tuple
        self.of_sequences = set()        # those whose elements all do, too
        self.out = []

    # Questions

    def flows(self, expr):
        """Whether a derivative flows through the expression."""
        return not self.varied.isdisjoint(self.sources(expr))

    def concerns(self, stmts):
        """Whether a derivative flows through any of the statements (blocks included)."""
        for s in stmts:
            if subset.inserts(s) or s in self.buffers.writes or s in self.buffers.calls or self.lent(s) \
                    or s in self.builders.changes and self.builders.changes[s].name in self.active:
                return True
            if isinstance(s, (gast.Assign, gast.AugAssign)) and not self.active.isdisjoint(self.bound(s)):
                return True
            if any(self.concerns(block) for _, block in tree.blocks(s)):
                return True
        return False

    @staticmethod
    def bound(s):
        return {n for t in (s.targets if isinstance(s, gast.Assign) else [s.target]) for n in stored(t)}

    # Statements

    def block(self, stmts):
        outer, self.out = self.out, []
        for s in stmts:
            self.statement(s)
        done, self.out = self.out, outer
        return done

    def statement(self, s):
        handler = getattr(self, type(s).__name__, None)
        self.elements = {}
        if s in self.buffers.writes:
            self.write(s, self.buffers.writes[s])
            return
        self.written = [*self.buffers.calls.get(s, ()), *self.lent(s)]
        if self.written:
            s = self.apart(s)
        if self.written and isinstance(s, gast.Expr):
            self.operation(None, s.value, s)
            return
        change = self.builders.changes.get(s)
        if change is not None and change.name in self.active:
            self.change(s, change)
        elif handler is not None and (isinstance(s, gast.Return) or self.concerns([s])):
            handler(s)
        else:
            self.passive(s)
        if tree.target(s) in self.buffers.names and not self.buffers.is_floating(tree.target(s)):
            check = gast.Expr(value=self.builtin('check_floats', tree.load(tree.target(s))))
            self.out.append(tree.place(gast.copy_location(check, s), tree.Origin('guard', tree.origin(s).line)))

    def lent(self, s):
        """Builders with a derivative that functions called in a statement change."""
        return [n for n in self.builders.lent_in(s) if n in self.active] if self.builders.lent else []

    def apart(self, s):
        """The statement, with the calls that write into an array or builder in front of it, where they stand in something that
        has no derivative: what they write has one."""
        for call in [n for n in tree.walk(s) if isinstance(n, gast.Call) and self.writes_into(n)]:
            around = [n for n in tree.walk(s) if isinstance(n, gast.expr) and any(m is call for m in tree.walk(n))]
            if not (isinstance(s, (gast.Assign, gast.AugAssign, gast.Return, gast.Expr)) and all(map(self.flows, around))):
                s = tree.exchange(s, {id(call): self.atom(call, s)})
        return s

    def writes_into(self, call):
        """Whether a call writes into what the statement at hand is said to write into."""
        return any(isinstance(e, gast.Name) and e.id in self.written for found in self.aliases.effects(
            self.sources.resolver(call.func), call) for e in found)

    def passive(self, s):
        """A statement without derivative passes."""
        if tree.target(s) and tree.is_call(s.value, self.library.given.get('array_copy')):   # of whatever kind it is
            s = tree.replace(s, value=self.builtin('copy', s.value.args[0]))
        self.out.append(s)

    def Assign(self, s):
        target, = s.targets
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            raise subset.unsupported(s, self.source, 'assignments to an element, slice or attribute through which a '
                                    'derivative flows', 'build the array from its parts, as with numpy.concatenate, '
                                    'numpy.where or numpy.stack')
        if not self.flows(s.value):
            self.out.append(s)
        elif isinstance(target, gast.Name):
            self.operation(target, s.value, s)
        else:
            self.unpack(target, self.atom(s.value, s), s)

    def AugAssign(self, s):
        raise subset.unsupported(s, self.source, 'in-place operations on an element or slice through which a derivative '
                                'flows', 'collect the parts in a list, or use numpy.where')

    def If(self, s):
        if tree.is_guard(s):
            self.out.append(s)
            return
        test = self.test(s.test, s)
        body, orelse = self.block(s.body), self.block(s.orelse)
        self.out.append(tree.replace(s, test=test, body=body, orelse=orelse))

    def test(self, expr, s):
        """A test as an atom that says the same on the way back: whether there is anything in a list that changes is a value."""
        expr = self.builtin('bool', expr) if self.may_change(expr) else expr
        return expr if tree.is_atom(expr) else self.held(expr, s, 'c')

    def may_change(self, expr):
        """Whether the truth of a value may change before the way back."""
        return not self.is_fact(expr) and any(map(self.aliases.is_changed, tree.names(expr, gast.Load)))

    def is_fact(self, expr):
        """Whether the value of a test is surely a number, a bool or a text, and no list or object."""
        if isinstance(expr, gast.BoolOp):
            return all(map(self.is_fact, expr.values))
        if isinstance(expr, gast.Call):
            return registry.is_constant(self.sources.resolver(expr.func))
        return isinstance(expr, (gast.Compare, gast.UnaryOp, gast.Constant)) or self.is_number_of(expr)

    def is_number_of(self, expr):
        """Whether it is an element of an array."""
        return isinstance(expr, gast.Subscript) and getattr(expr.value, 'id', None) in self.buffers.ranks

    def While(self, s):
        self.out.append(tree.replace(s, body=self.block(s.body)))

    def For(self, s):
        if self.flows(s.iter) and not self.active.isdisjoint(stored(s.target)):
            s = self.by_index(s)
        elif isinstance(s.iter, gast.Call) and self.sources.resolver(s.iter.func) is range:
            args = [a if is_simple(a) and not self.grows(a, s) else self.held(a, s, 'n') for a in s.iter.args]
            s = tree.replace(s, iter=tree.replace(s.iter, args=args))
        self.out.append(tree.replace(s, body=self.block(s.body)))

    def grows(self, expr, s):
        """Whether an expression looks at a list or dict that may change behind a statement: `len(xs)` is another one then."""
        return any(self.builders.unsettled(n, s) for n in tree.names(expr, gast.Load))

    def With(self, s):
        """`with insert_grad_of(x, x2) as dx:` stands for `x2 = x`; its body waits for the backward pass."""
        if not subset.inserts(s):
            self.out.append(tree.replace(s, body=self.block(s.body)))
            return
        before, after = s.items[0].context_expr.args
        stmt = tree.replace(tree.assign(after, tree.load(before.id), tree.origin(s)))
        self.ops[stmt] = Op('insertion', s)
        self.active.add(after.id)
        self.out.append(stmt)

    def Return(self, s):
        if s.value is None or not self.flows(s.value):
            value = s.value if s.value is None or tree.is_atom(s.value) else self.held(s.value, s)
        else:
            value = self.atom(s.value, s)
        self.out.append(tree.replace(s, value=value))

    def unpack(self, target, value, s):
        parts, nested, star = [], [], None
        for k, e in enumerate(target.elts):
            if isinstance(e, gast.Starred):
                star, e = k, e.value
            if isinstance(e, (gast.Tuple, gast.List)):
                nested.append((e, self.temp()))
                e = nested[-1][1]
            elif not isinstance(e, gast.Name):
                raise subset.unsupported(e, self.source, 'element targets in an active unpacking', 'unpack into plain names')
            parts.append(e)
        names = [p.id for p in parts]
        self.active.update(names)
        if star is not None:
            self.sequences.add(names[star])
            parts[star] = gast.Starred(value=parts[star], ctx=gast.Store())
        stmt = tree.replace(s, targets=[gast.Tuple(elts=parts, ctx=gast.Store())], value=value)
        self.ops[stmt] = Op('unpack', [value] + names, star)
        self.out.append(stmt)
        for e, name in nested:
            self.unpack(e, tree.load(name.id), s)

    # Expressions

    def builtin(self, name, *args):
        known = self.library(name)
        self.sources.resolver.seen[known] = find(name)
        return tree.call(known, *args)

    def temp(self, base='t'):
        name = self.names.fresh(base)
        self.temps.add(name)
        return tree.store(name)

    def held(self, expr, s, base='t'):
        """The value of a passive expression under a name of its own."""
        name = self.temp(base)
        self.out.append(tree.like(s, name, expr))
        return tree.load(name.id)

    def atom(self, expr, s):
        """An atom for the value of the expression, computed by statements put out before."""
        if not self.flows(expr):
            return self.constant(expr, s)
        if isinstance(expr, gast.Name):
            return self.as_it_is(expr, s)
        if not self.is_part(expr) or not is_simple(expr):
            return tree.load(self.operation(None, expr, s).id)
        key = gast.dump(expr)                # `x[i]` read twice in one statement is one name
        if key not in self.elements:
            self.elements[key] = self.operation(None, expr, s).id
        return tree.load(self.elements[key])

    def is_part(self, expr):
        return isinstance(expr, gast.Subscript) or self.is_field(expr)

    def constant(self, expr, s):
        """A passive expression as an atom: as it stands if it will mean the same in the backward pass."""
        changed = lambda names: any(self.aliases.is_mutated(n) or self.builders.unsettled(n, s) for n in names)  # noqa: E731
        if changed(tree.names(expr, gast.Load)) and not isinstance(expr, gast.Constant) and not self.is_size(expr):
            found = expr if isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)) else self.held(expr, s)
            lent = isinstance(expr, (gast.Subscript, gast.Attribute)) or changed(self.aliases.lent(expr))
            return self.held(self.builtin('copy', found), s) if lent else found
        return expr if is_simple(expr) else self.held(expr, s)

    def is_size(self, expr):
        """Whether it is the shape of an array, which stays what it is when the array changes."""
        return isinstance(expr, gast.Attribute) and expr.attr == 'shape' \
            and tree.root_name(expr.value) in self.buffers.ranks

    def operation(self, target, expr, s):
        """`target = expr`, with a new name for a target that is None; the target."""
        if tree.origin(expr):
            s = tree.place(tree.replace(s), tree.origin(expr))
        if not self.flows(expr):
            self.out.append(tree.like(s, target, expr))
            return target
        return subset.handler(self, expr, self.source)(target, expr, s)

    def put(self, s, target, value, op):
        target = target or self.temp()       # after its operands, so that names count up in the order of the statements
        self.active.add(target.id)
        self.varied.add(target.id)
        stmt = tree.like(s, target, value)
        self.ops[stmt] = op
        self.out.append(stmt)
        return target

    def of_Name(self, target, expr, s):
        target = self.put(s, target, expr, Op('copy', expr))
        for known in (self.sequences, self.of_sequences):
            if expr.id in known:
                known.add(target.id)
        return target

    def of_BinOp(self, target, expr, s):
        rule = registry.operator(type(expr.op))
        left, right = self.atom(expr.left, s), self.atom(expr.right, s)
        if isinstance(expr.op, gast.Add) and (self.is_sequence(left) or self.is_sequence(right)):
            target = self.put(s, target, tree.replace(expr, left=left, right=right), Op('join', (left, right)))
            self.sequences.add(target.id)
            return target
        if isinstance(expr.op, gast.BitOr):
            return self.put(s, target, tree.replace(expr, left=left, right=right), Op('merge', [left, right], [None, None]))
        if isinstance(expr.op, gast.Mult) and (self.is_sequence(left) or self.is_sequence(right)):
            rule = registry.HELPERS['repeated']
        elif isinstance(expr.op, gast.Mult) and (self.is_matrix(expr.left) or self.is_matrix(expr.right)):
            rule = registry.operator(gast.MatMult)
        target = self.put(s, target, tree.replace(expr, left=left, right=right),
                          Op('rule', rule.bind([left, right], {}), rule))
        if rule.name == 'repeated':
            self.sequences.add(target.id)
        return target

    def is_matrix(self, expr):
        """Whether it names a sparse matrix of the older kind, of which `*` is the product of matrices."""
        known = self.sources.resolver(expr) if isinstance(expr, (gast.Name, gast.Attribute)) else UNKNOWN
        return is_product_kind(type(known))

    def is_sequence(self, atom):
        lists = gast.List, gast.Tuple, gast.ListComp
        if not isinstance(atom, gast.Name):
            return isinstance(atom, lists) or isinstance(atom, gast.BinOp) and not self.flows(atom) and any(
                isinstance(e, lists) for e in (atom.left, atom.right))
        made = self.aliases.bound.get(atom.id) if atom.id not in self.varied else None
        shown = made and all(not isinstance(e, gast.Name) and self.is_sequence(e) for e in made)
        return bool(atom.id in self.sequences or shown)

    def lists_for(self, function, call):
        """The parameters of a user function that get lists or tuples here, which it may join or repeat."""
        if not any(map(self.is_sequence, tree.arguments(call))):
            return ()
        summed = self.aliases.effects.summed(function, call)
        return tuple([p for p, given in summed.items() if all(map(self.is_sequence, given))])

    def of_UnaryOp(self, target, expr, s):
        rule = registry.operator(type(expr.op))
        operand = self.atom(expr.operand, s)
        return self.put(s, target, tree.replace(expr, operand=operand), Op('rule', rule.bind([operand], {}), rule))

    def of_Subscript(self, target, expr, s):
        subset.refuse_passive(expr, self.flows, self.source)
        if self.is_field(expr.value) or self.is_numbered(expr.value) or self.is_row(expr.value) \
                and not isinstance(expr.slice, gast.Slice):
            return self.of_field(target, expr, s)
        value = self.owner(expr.value, s)
        index = self.index(expr.slice, s)
        target = self.put(s, target, tree.replace(expr, value=value, slice=index), Op('index', (value, index)))
        known = self.sequences if isinstance(index, gast.Slice) else self.of_sequences
        if getattr(value, 'id', None) in known and not isinstance(index, gast.Tuple):
            self.sequences.add(target.id)
        return target

    def of_field(self, target, expr, s):
        if isinstance(expr, gast.Attribute) and expr.attr in OF_OPERATORS:
            raise subset.unsupported(expr, self.source, f'methods such as .{expr.attr}() of values with a derivative',
                                    'call a function with the value as argument')
        root, value, place = self.place(expr, s)
        return self.put(s, target, value, Op('field', (root, Place(place))))

    def index(self, index, s):
        """The index with every part that is not simple under a name."""
        if isinstance(index, gast.Tuple) and tree.starred(index.elts):
            return self.constant(tree.replace(index, elts=[tree.as_value(e, self.library) for e in index.elts]), s)
        if isinstance(index, gast.Tuple):
            return tree.replace(index, elts=[self.index(e, s) for e in index.elts])
        if isinstance(index, gast.Slice):
            parts = {k: getattr(index, k) for k in ('lower', 'upper', 'step')}
            return tree.replace(index, **{k: v if v is None else self.constant(v, s) for k, v in parts.items()})
        return self.constant(index, s)

    def of_Attribute(self, target, expr, s):
        if self.is_field(expr):
            return self.of_field(target, expr, s)
        rule, value = self.sources.rule_of(expr), self.atom(expr.value, s)
        return self.put(s, target, tree.replace(expr, value=value), Op('rule', rule.bind([value], {}), rule))

    def display(self, target, expr, s):
        elements = [self.atom(e, s) for e in expr.elts]
        target = self.put(s, target, tree.replace(expr, elts=elements), Op('display', elements))
        self.sequences.add(target.id)
        if elements and all(map(self.is_sequence, elements)):
            self.of_sequences.add(target.id)
        return target

    of_Tuple = of_List = display

    def of_Dict(self, target, expr, s):
        keys = [k if k is None or is_simple(k) else self.held(k, s) for k in expr.keys]
        values = [self.atom(v, s) for v in expr.values]
        op = Op('merge', values, keys) if None in keys else Op('display', values, keys)
        return self.put(s, target, tree.replace(expr, keys=keys, values=values), op)

    def of_IfExp(self, target, expr, s):
        return self.choose(target, self.test(expr.test, s), expr.body, expr.orelse, s)

    def of_BoolOp(self, target, expr, s):
        first, *rest = expr.values
        value = self.atom(first, s)
        last = rest[0] if len(rest) == 1 else tree.replace(expr, values=rest)
        pair = (last, value) if isinstance(expr.op, gast.And) else (value, last)
        return self.choose(target, self.test(value, s) if self.may_change(value) else value, *pair, s)

    def choose(self, target, test, body, orelse, s):
        target = target or self.temp()
        blocks = []
        for expr in (body, orelse):
            outer, known, self.out = self.out, dict(self.elements), []
            self.operation(target, expr, s)
            blocks.append(self.out)
            self.out, self.elements = outer, known
        self.out.append(tree.instead(gast.If(test=test, body=blocks[0], orelse=blocks[1]), s))
        return target

    def of_Call(self, target, expr, s):
        function = self.sources.resolver(expr.func)
        made = self.made(target, expr, function, s)
        if made is not None:
            return made
        receiver = []
        if function is UNKNOWN:
            rule = self.sources.rule_of(expr) if isinstance(expr.func, gast.Attribute) else None
            if rule is None or self.is_of_a_module(rule, expr):
                return self.dispatch(target, expr, s)
            receiver = [self.atom(expr.func.value, s)]
        else:
            rule = self.sources.resolver.placed(registry.lookup(function, self.mode), expr.func)
        if callees.derives(function) and not tree.is_starred(expr):
            func = self.atom(expr.args[0], s)
            return self.put(s, target, tree.replace(expr, args=[func, *expr.args[1:]]), Op('derivative', func))
        function, rule = table.chosen(function, rule, expr.keywords)
        if callees.makes_partial(function, expr):
            return self.partial(target, expr, s)
        if rule is None and callees.makes_object(function) and callees.kept_fields(function) is None:
            raise subset.unsupported(expr, self.source, 'objects of classes with an __init__ of their own',
                                    'pass the object, or its parts, as an argument')
        if tree.is_starred(expr) or rule is None and (registry.dispatched(function) is not None or callees.is_known_later(
                function, registry.custom(function) is not None)):
            return self.dispatch(target, expr, s)
        if rule is None:
            self.refuse_read_late(expr, s)
        function = self.for_its_effects(function, expr)
        changed = {id(e) for part in self.aliases.effects(function, expr) for e in part if self.is_lent(e)} if not rule else ()
        atom = lambda e: e if id(e) in changed else self.atom(e, s)  # noqa: E731
        args = [atom(a) for a in expr.args]
        keywords = [tree.replace(k, value=atom(k.value)) for k in expr.keywords]
        func = tree.replace(expr.func, value=receiver[0]) if receiver else expr.func
        value = tree.replace(expr, func=func, args=args, keywords=keywords)
        given = {k.arg: k.value for k in keywords}
        if rule is None:
            target = self.put(s, target, value, Op('call', (args, given), function, self.lists_for(function, value)))
            if any(self.aliases.effects(function, expr)):
                inside = [e.id for e in [*args, *given.values()] if isinstance(e, gast.Name)]
                self.effects[self.out[-1]] = [n for n in self.written if n in inside]
                self.elements = {}               # what was read before may be another by now
            return target
        try:
            bound = rule.bind(receiver + args, given)
        except ArgumentError as error:
            raise ReverseNotImplementedError(subset.locate(expr, self.source, error.bare)) from None
        target = self.put(s, target, value, Op('rule', bound, rule))
        if function in SEQUENCES:
            self.sequences.add(target.id)
        return target

    def is_of_a_module(self, rule, call):
        """Whether what an array's method takes for an axis or a shape has a derivative: `xp.reshape(y, shape)` of a module xp.

        Texts of ours have asked that already.
        """
        first = None if self.source.filename.startswith('<generated') or not call.args else call.args[0]
        if first is None or isinstance(first, (gast.Attribute, gast.Subscript)) or not self.flows(first) \
                or tree.is_starred(call) or not isinstance(call.func.value, gast.Name):         # `x.reshape(self.rows)`
            return False
        try:
            bound = rule.bind([call.func.value, *call.args], {k.arg: k.value for k in call.keywords})
        except ArgumentError:
            return True
        return not any(e is first and p in rule.differentiable for p, e in bound.items())

    def is_lent(self, expr):
        """Whether what a function writes into has a name, by which that is seen behind the call: a list that is lent, or what
        carries no derivative."""
        return isinstance(expr, gast.Name) and (expr.id in self.builders or not self.flows(expr))

    def dispatch(self, target, expr, s):
        """A call of something that is looked at when running."""
        func = pushed(expr, self.sources.resolver) or expr.func
        if func is not expr.func and callees.makes_object(self.sources.resolver(func)):
            raise subset.unsupported(expr, self.source, 'objects of classes with an __init__ of their own',
                                    'pass the object, or its parts, as an argument')
        looked_up = isinstance(func, gast.Attribute) and getattr(self.source, 'apart', False)      # by the log form, which may
        if looked_up or isinstance(func, gast.Attribute) and self.flows(func):
            raise subset.unsupported(expr, self.source, f'methods such as .{func.attr}() of values with a derivative',
                                    'call a function with the value as argument')
        if callees.too_starred(expr):
            raise subset.unsupported(expr, self.source, 'several * or ** in an active call, or arguments behind them',
                                    'put them together first')
        self.refuse_read_late(tree.replace(expr, func=func), s)
        func = self.atom(expr.func, s)
        args = [tree.replace(a, value=self.atom(a.value, s)) if isinstance(a, gast.Starred) else self.atom(a, s)
                for a in expr.args]
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        value = tree.replace(expr, func=func, args=args, keywords=keywords)
        return self.put(s, target, value, Op('dispatch', (func, args, keywords)))

    def refuse_read_late(self, call, s):
        """Refuse to give a call an object, or a method of one, that is written into after it: its adjoint may read it then.

        Of arrays and containers it is given copies.
        """
        if self.later is None:
            return
        own = [tree.load(n) for n in sorted(self.aliases.origins(call.func.id))] if isinstance(call.func, gast.Name) else []
        owner = [call.func.value] if isinstance(call.func, gast.Attribute) else []
        held = [e for e in [*own, *owner, *tree.arguments(call)] if not self.flows(e) and self.sources.is_object.inside(e)]
        if held and any(self.later(s, self.aliases.handed_on(e)) for e in held):
            raise subset.unsupported(call, self.source, 'calls that are given an object which is written into later',
                                    'pass what they read of it as arguments')

    def partial(self, target, expr, s):
        """`functools.partial(f, x, k=y)`: a function value that has captured x and y."""
        func, *args = [self.atom(a, s) for a in expr.args]
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        parts = [('__func__', func), *enumerate(args), *((k.arg, k.value) for k in keywords)]
        value = tree.replace(expr, args=[func, *args], keywords=keywords)
        return self.put(s, target, value, Op('partial', parts, self.sources.resolver(func)))

    # Attributes of objects

    def is_field(self, expr):
        """Whether the expression reads an attribute that is not one of arrays, of a value with a derivative."""
        return isinstance(expr, gast.Attribute) and self.sources.rule_of(expr) is None and self.flows(expr)

    def place(self, expr, s):
        """(name of the owner, the expression in terms of it, the expression in terms of a hole for its gradient)."""
        inner = expr.value
        if self.is_field(inner) or self.is_item(inner) and isinstance(expr, gast.Attribute) or self.is_numbered(inner) \
                or self.is_row(inner):
            root, value, hole = self.place(inner, s)
        else:
            root = value = self.owner(inner, s)
            hole = tree.load(HOLE)
        index = {'slice': self.index(expr.slice, s)} if isinstance(expr, gast.Subscript) else {}
        return root, tree.replace(expr, value=value, **index), tree.replace(expr, value=hole, **index)

    def is_item(self, expr):
        """Whether the expression picks one item of a list or dict that has a name or stands in an object."""
        return isinstance(expr, gast.Subscript) and self.flows(expr) \
            and (isinstance(expr.value, gast.Name) or self.is_field(expr.value)) \
            and not any(isinstance(n, (gast.Slice, gast.List)) for n in tree.walk(expr.slice))

    def is_row(self, expr):
        """Whether it is a row of a list of lists that changes."""
        return isinstance(expr, gast.Subscript) and getattr(expr.value, 'id', None) in self.builders.tables \
            and not isinstance(expr.slice, gast.Slice)

    def is_numbered(self, expr):
        """Whether it is an item of a list or array that stays as it is, by a number that the text does not show: `m[i]`."""
        if not isinstance(expr, gast.Subscript) or not self.is_item(expr) or isinstance(expr.slice, gast.Constant) \
                or self.sources.is_object(expr.value):
            return False
        owner = getattr(expr.value, 'id', None)
        flags = {n for n in tree.names(expr.slice, gast.Load) if any(
            isinstance(v, gast.Constant) and type(v.value) is bool for v in self.aliases.bound.get(n, ()))}
        return owner not in self.builders and owner not in self.buffers and not flags \
            and is_arithmetic(expr.slice, self.aliases.numbers)

    # Lists and arrays that change

    def change(self, s, change):
        """A statement that changes a builder."""
        value = change.value
        change = change._replace(path=tuple([self.constant(k, s) for k in change.path]))
        owner = subscripts(tree.load(change.name), change.path)
        if change.kind in ('append', 'appendleft'):
            value = self.atom(value, s) if self.flows(value) else value
            new = tree.replace(s, value=tree.method(owner, change.kind, value))
            self.ops[new] = Op(change.kind, (change.name, value), change)
        elif change.kind == 'insert':
            value = self.atom(value, s) if self.flows(value) else value
            key = self.place_in(change.key, s)
            new = tree.replace(s, value=tree.method(owner, 'insert', key, value))
            self.ops[new] = Op('insert', (change.name, value, self.position(change, owner, key, s)), change)
        elif change.kind == 'take':
            key = self.place_in(change.key, s)
            at = self.position(change, owner, key, s)
            target = tree.store(tree.target(s)) if tree.target(s) else self.temp()
            new = tree.like(s, target, tree.method(owner, 'pop', key))
            self.active.add(target.id)
            self.ops[new] = Op('take', (change.name, at), change)
        elif change.kind in ('pop', 'popleft', 'remove'):
            key = [self.constant(change.key, s)] if change.kind == 'remove' else []
            target = tree.store(tree.target(s)) if tree.target(s) else self.temp()
            new = tree.like(s, target, tree.method(owner, 'popleft' if change.kind == 'popleft' else 'pop', *key))
            self.active.add(target.id)
            self.ops[new] = Op(change.kind, (change.name, *key), change)
        else:
            value = self.atom(value, s) if self.flows(value) else value
            grows = change.name in tree.names(change.key, gast.Load)           # d[len(d)] = v: another key afterwards
            key = self.held(change.key, s) if grows else self.constant(change.key, s)
            place = subscripts(owner, [key])
            new = tree.replace(s, targets=[tree.replace(place, ctx=gast.Store())], value=value)
            old = [] if change.unique else [self.held(self.before(change, key), s, 'old')]
            self.ops[new] = Op('store', (change.name, value, key, *old), change)
        self.out.append(new)

    def place_in(self, key, s):
        """An atom for a place in a list, which is the same when the list has changed."""
        return key if tree.is_atom(key) else self.held(key, s, 'k')

    def position(self, change, owner, key, s):
        """The place in a list, counted from its beginning, at which something is inserted, or which is taken out of it."""
        if isinstance(key, gast.Constant) and (key.value == 0 or change.kind == 'take' and key.value > 0):
            return key
        if change.kind == 'take':
            counted = self.builtin('range', self.builtin('len', owner))
            return self.held(gast.Subscript(value=counted, slice=key, ctx=gast.Load()), s, 'k')
        front = gast.Subscript(value=owner, slice=gast.Slice(lower=None, upper=key, step=None), ctx=gast.Load())
        return self.held(self.builtin('len', front), s, 'k')

    def before(self, change, key):
        """What stands where a builder is stored into; it need not be like what comes there."""
        owner = tree.load(change.name)
        if self.builders.kinds[change.name] == 'dict' and not change.path:
            return tree.method(owner, 'get', key, tree.constant(0.0))             # that is added to, if the key is new
        return subscripts(owner, [*change.path, key])

    def write(self, s, write):
        """A statement that writes into a buffer; what it overwrites is kept for the way back."""
        value, index, op = write.value, write.index, write.op
        if op is not None and not isinstance(op, (gast.Add, gast.Sub)):
            part = gast.Subscript(value=tree.load(write.name), slice=index, ctx=gast.Load())
            value, op = gast.copy_location(gast.BinOp(left=part, op=op, right=value), s), None
        value = self.atom(value, s) if self.flows(value) else self.constant(value, s)
        keyed = op is None and is_key(index) and self.buffers.may_be_list(write.name)
        index = self.index(index, s)
        place = gast.Subscript(value=tree.load(write.name), slice=index, ctx=gast.Load())
        there = tree.method(place.value, 'get', index, tree.constant(0.0)) if keyed else place              # or the key is new
        old = place if is_element(place, self.buffers.ranks) else self.builtin('copy', there)
        old = self.held(old, s, 'old').id
        target = tree.replace(place, ctx=gast.Store())
        new = tree.like(s, target, value) if op is None else tree.replace(s, target=target, value=value) \
            if isinstance(s, gast.AugAssign) else tree.replace(s, value=tree.replace(s.value, args=[place.value, index, value]))
        self.ops[new] = Op('write' if op is None else 'update', (write.name, index, value, old), op)
        self.out.append(new)

    def as_it_is(self, name, s):
        """The name, or a copy of the builder of that name as it is now, if it may change before it is read again."""
        if not self.builders.unsettled(name.id, s):
            return name
        kind = 'dict' if self.builders.kinds[name.id] == 'dict' else 'list'
        copy = self.put(s, None, self.builtin(kind, name), Op('copy', name))
        if kind == 'list':
            self.sequences.add(copy.id)
        return tree.load(copy.id)

    def owner(self, expr, s):
        """An atom for what an element is taken of."""
        return expr if isinstance(expr, gast.Name) and expr.id in self.builders else self.atom(expr, s)

    # Calls that make containers and objects

    def for_its_effects(self, function, expr):
        """What is differentiated where a function with passes of its own is called.

        If it writes into what it is given nothing is computed again: that would write once more.
        """
        custom = registry.custom(function)
        inner = function.function if hasattr(type(function), 'wraps_function') else None
        if inner is None or not any(self.aliases.effects(inner, expr)):
            return function
        if custom is not None and custom.forward is None:
            return inner
        raise AliasError(subset.locate(expr, self.source, f'{inner.__name__} has a derivative of its own, and writes into what '
                                       'it is given, of which that tells nothing: let it return what it writes'))

    def made(self, target, expr, function, s):
        """`target = expr` for a call of that kind; None for any other call."""
        if self.mode != 'reverse':
            return None
        if function is dict and expr.keywords and not expr.args and all(k.arg for k in expr.keywords):
            keys = [tree.constant(k.arg) for k in expr.keywords]
            return self.display_as(target, expr, keys, [k.value for k in expr.keywords], s)
        if function is getattr and len(expr.args) == 2 and is_name(expr.args[1]):
            attribute = gast.Attribute(value=expr.args[0], attr=expr.args[1].value, ctx=gast.Load())
            return self.operation(target, gast.copy_location(attribute, expr), s)
        if function is dataclasses.replace and len(expr.args) == 1:
            return self.replaced(target, expr, expr.args[0], s)
        if function is UNKNOWN and isinstance(expr.func, gast.Attribute) and expr.func.attr == '_replace' and not expr.args:
            return self.replaced(target, expr, expr.func.value, s)
        if function in ITERATORS and not tree.starred(expr.args):
            return self.listed(target, expr, function, s)
        if function is zip and len(expr.args) == 1 and not expr.keywords:
            return self.turned(target, expr, s)
        if getattr(function, '__name__', None) == '_make' and is_plain_tuple(getattr(function, '__self__', None)) \
                and len(expr.args) == 1:
            values, rule = self.atom(expr.args[0], s), registry.lookup(list)
            return self.put(s, target, tree.replace(expr, args=[values]), Op('rule', rule.bind([values], {}), rule))
        parts = parts_of(function, expr) or kept_by(function, expr)
        if parts is None:
            return None
        if issubclass(function, tuple):
            keys = [tree.constant(function._fields.index(name)) for name in parts]
        else:
            keys = [Place(gast.Attribute(value=tree.load(HOLE), attr=name, ctx=gast.Load())) for name in parts]
        return self.display_as(target, expr, keys, list(parts.values()), s)

    def display_as(self, target, expr, keys, values, s):
        """A call whose arguments become parts of its value."""
        atoms = {id(v): self.atom(v, s) for v in values}
        value = tree.replace(expr, args=[atoms[id(a)] for a in expr.args],
                             keywords=[tree.replace(k, value=atoms[id(k.value)]) for k in expr.keywords])
        return self.put(s, target, value, Op('display', [atoms[id(v)] for v in values], keys))

    def replaced(self, target, expr, owner, s):
        """A copy in which some attributes are replaced."""
        if not all(k.arg for k in expr.keywords):
            return None
        owner = self.atom(owner, s)
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        if isinstance(expr.func, gast.Attribute) and expr.func.attr == '_replace':
            value = tree.replace(expr, func=tree.replace(expr.func, value=owner), keywords=keywords)
        else:
            value = tree.replace(expr, args=[owner], keywords=keywords)
        names = gast.Tuple(elts=[tree.constant(k.arg) for k in keywords], ctx=gast.Load())
        rule = registry.HELPERS['replaced']
        bound = rule.bind([owner, names, *(k.value for k in keywords)], {})
        return self.put(s, target, value, Op('rule', bound, rule))

    def listed(self, target, expr, function, s):
        """An iterator as a list, so that it can be read more than once."""
        args = [self.atom(a, s) for a in expr.args]
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        rule = registry.lookup(function)
        bound = rule.bind(args, {k.arg: k.value for k in keywords})
        value = self.builtin('list', tree.replace(expr, args=args, keywords=keywords))
        target = self.put(s, target, value, Op('rule', bound, rule))
        self.sequences.add(target.id)
        return target

    def turned(self, target, expr, s):
        """`zip(*rows)` as a list of columns."""
        rows, rule = self.atom(expr.args[0].value, s), registry.HELPERS['turned']
        value = self.builtin('list', tree.replace(expr, args=[tree.replace(expr.args[0], value=rows)]))
        target = self.put(s, target, value, Op('rule', rule.bind([rows], {}), rule))
        self.sequences.add(target.id)
        return target

    # Loops over things with a derivative, by index

    def by_index(self, s):
        length, at = self.view(s.iter, s)
        if length is None:
            raise subset.unsupported(s, self.source, 'loops without an end over values with a derivative',
                                    'write while True, or zip it with something finite')
        i = self.counter(s) or tree.store(self.names.fresh('i'))
        iterator = self.builtin('range', length)
        first = []
        bind(s.target, at(tree.load(i.id)), first, s)
        first = [t for t in first if not (tree.target(t) == i.id and isinstance(t.value, gast.Name))]
        for t in first:
            if not self.flows(t.value):          # the counter of an enumerate
                self.active -= set(stored(t.targets[0]))
                self.varied -= set(stored(t.targets[0]))
        return tree.replace(s, target=i, iter=iterator, body=first + s.body)

    def counter(self, s):
        """The name for the index of the elements in `for i, x in enumerate(xs)`, if it is the user's."""
        counts = isinstance(s.iter, gast.Call) and len(s.iter.args) == 1 and not s.iter.keywords \
            and self.sources.resolver(s.iter.func) is enumerate
        target = s.target.elts[0] if counts and isinstance(s.target, gast.Tuple) else None
        if isinstance(target, gast.Name):
            self.active.discard(target.id)
            self.varied.discard(target.id)
            return target
        return None

    def view(self, expr, s, most=None):
        """(length, index -> element) of something iterated over; the length of what has no end is None.

        most : how many elements are read of it, where it may have no end itself
        """
        function = self.sources.resolver(expr.func) if isinstance(expr, gast.Call) else None
        if function is zip and not tree.starred(expr.args):
            return self.side_by_side(expr, s)
        if function is enumerate:
            length, at = self.view(expr.args[0], s, most)
            start = [self.constant(e, s) for e in expr.args[1:] + [k.value for k in expr.keywords]]
            return length, lambda i: gast.Tuple(elts=[total(start + [i]), at(i)], ctx=gast.Load())
        if function is reversed:
            length, at = self.view(expr.args[0], s)
            length = length if tree.is_atom(length) else self.held(length, s, 'n')
            return length, lambda i: at(difference(difference(length, tree.constant(1)), i))
        if isinstance(function, type) and function in ENDLESS and not expr.keywords and len(expr.args) <= ENDLESS[function]:
            return self.endless(function, expr.args, s)
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and not expr.args \
                and expr.func.attr in ('items', 'values') and function is UNKNOWN:
            return self.dictionary(expr, s)
        if self.flows(expr):
            sequence = self.owner(expr, s)
        else:
            held = isinstance(expr, gast.Name)
            if held and any(map(self.makes_iterator, self.aliases.bound.get(expr.id, ()))):
                raise subset.unsupported(expr, self.source, 'iterators under a name, gone through beside values with a '
                                         'derivative,', 'make a list of it: list(...)')
            read = expr if most is None else self.builtin('first', expr, most)
            sequence = expr if held else self.held(self.builtin('list', read), s)
        return self.length(sequence, s), lambda i: subscript(sequence, i)

    def length(self, sequence, s):
        length = self.builtin('len', sequence)
        return self.held(length, s, 'n') if self.builders.unsettled(sequence.id, s) else length

    def side_by_side(self, expr, s):
        """`zip(...)`: as long as the shortest of its arguments."""
        strict = [literal(k.value) for k in expr.keywords]
        if [] in strict:
            raise subset.unsupported(expr, self.source, 'zip whose strict is no literal, over values with a derivative',
                                    'write strict=True or leave it out')
        last = [a for a in expr.args if self.may_have_no_end(a)]              # read as far as the others go
        views = {id(a): self.view(a, s) for a in expr.args if a not in last}
        known = list({gast.dump(n): n for n, _ in views.values() if n is not None}.values())
        most = (known[0] if len(known) == 1 else self.builtin('min', *known)) if known and not strict else None
        views.update((id(a), self.view(a, s, most)) for a in last)
        views = [views[id(a)] for a in expr.args]
        lengths = list({gast.dump(n): n for n, _ in views if n is not None}.values())
        length = lengths[0] if len(lengths) == 1 else \
            self.builtin('same_length' if strict and strict[0][0] else 'min', *lengths) if lengths else None
        return length, lambda i: gast.Tuple(elts=[at(i) for _, at in views], ctx=gast.Load())

    def may_have_no_end(self, expr):
        """Whether something without a derivative is iterated over that may be an iterator: the value of a call."""
        if self.flows(expr) or not isinstance(expr, (gast.Call, gast.GeneratorExp)):
            return False
        function = self.sources.resolver(expr.func) if isinstance(expr, gast.Call) else None
        method = isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and function is UNKNOWN
        return not method and function not in FINITE and not (isinstance(function, type) and function in ENDLESS) \
            and not facts.is_numpy(function)

    def makes_iterator(self, expr):
        """Whether an expression surely gives an iterator."""
        function = self.sources.resolver(expr.func) if isinstance(expr, gast.Call) else None
        made = isinstance(function, type) and (function.__module__ == 'itertools' or function in STEPS) or function is iter
        return isinstance(expr, gast.GeneratorExp) or made or generates(function)

    def endless(self, function, args, s):
        """`itertools.count`, `cycle` and `repeat`, of which somebody else says when to stop."""
        if function is itertools.count:
            start = [self.constant(e, s) for e in args] or [tree.constant(0)]
            step = start[1:]
            return None, lambda i: total(start[:1] + [gast.BinOp(left=i, op=gast.Mult(), right=step[0]) if step else i])
        if function is itertools.repeat:
            value = self.atom(args[0], s)
            return None, lambda i: value
        length, at = self.view(args[0], s)
        return None, lambda i: at(gast.BinOp(left=i, op=gast.Mod(), right=length))

    def dictionary(self, expr, s):
        owner = self.owner(expr.func.value, s)
        whole = tree.method(owner, 'keys') if is_derivative(self.source.function) else owner   # a tangent gives zeros
        keys = self.held(self.builtin('list', whole), s, 'keys')
        length = self.builtin('len', keys)
        if expr.func.attr == 'values':
            return length, lambda i: subscript(owner, subscript(keys, i))
        return length, lambda i: gast.Tuple(elts=[subscript(keys, i), subscript(owner, subscript(keys, i))],
                                            ctx=gast.Load())


def is_name(expr):
    return isinstance(expr, gast.Constant) and isinstance(expr.value, str) and expr.value.isidentifier()


def is_key(index):
    """Whether an index is a text, so that what has it is a dict."""
    if isinstance(index, gast.BinOp):
        return is_key(index.left) or is_key(index.right)
    return isinstance(index, gast.JoinedStr) or isinstance(index, gast.Constant) and isinstance(index.value, str)
