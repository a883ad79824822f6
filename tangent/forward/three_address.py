"""What forward mode takes apart: the user's own statements, where a derivative flows, into one operation each.

Nothing is reversed in forward mode, so nothing has to be kept: names may be bound again, objects written into, loops left
in the middle, as the user wrote it. Beside the statements of `split`, these carry an :class:`Op`:

    x[i] = v, x.a = v      'store'     (target, value)
    x += v, x[i] *= v      'update'    (target, value), the Rule of the operator
    x.append(v)            'mirror'    a call that does to the tangent what it does to the value
    for v in xs            'loop'      the Heads of the loop
    f(x)                   'effect'    as 'call', for what it writes into its arguments
    v = x[i], v = x.a      'place'     x
    return v               'return'    v
    g = numbered(x)        'pairs'     as 'call', where pairs stand for a generator (see `analysis.generators`)
    v = next(g)            'next'      (g, what it gives at its end)
    t = pairs_apart(g)       'drain'     g
    raise v                'raise'     v
    except E as v:         'caught'    v, at the start of the block
"""
import dataclasses
import types
from collections.abc import Mapping

import gast

from tangent.analysis.activity import stored
from tangent.analysis.generators import is_generator_call
from tangent.analysis.kinds.classes import made_by
from tangent.errors import ForwardNotImplementedError, ReverseNotImplementedError
from tangent.forward.statements import VIEWS, breaks, loop_heads
from tangent.frontend import callees, subset, tree
from tangent.frontend.resolve import UNKNOWN, pushed, with_pushed
from tangent.normal import constructors
from tangent.normal.ops import is_simple
from tangent.normal.three_address import ITERATORS, Op, Split
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

MIRRORED = mutations.names(lambda m: m.tangents == 'mirror')
REORDERING = mutations.names(lambda m: m.tangents == 'reorder')      # done to a value and its tangent at once
PARALLEL = (list, tuple, dict, zip, reversed, iter, next)      # made of tangents as they are of values


class ForwardSplit(Split):
    """Splits the active statements of a function whose names may have many definitions; see the module.

    own : parameters of which `x += v` is to leave the caller's array alone, and which have no other name
    methods : names of methods that classes in sight define
    looked_at : functions that stand for what Python runs, which is known only when running
    attempts : the number of try statements around
    carries : whether a handler may ask an exception for what has a derivative
    throws : whether a call may raise such an exception
    stepped : names under which pairs stand for generators, see `analysis.generators`
    iterating : name of an iterator, which is made a list for what goes through all of it -> how often it is read
    """

    mode = 'forward'
    own: frozenset = frozenset()
    methods: frozenset = frozenset()
    iterating: Mapping = types.MappingProxyType({})
    looked_at: frozenset = frozenset()
    stepped: frozenset = frozenset()
    attempts, carries, throws = 0, False, staticmethod(lambda call: False)

    def concerns(self, stmts):
        return any(self.touches(s) or any(self.concerns(block) for _, block in tree.blocks(s)) for s in stmts)

    def touches(self, s):
        """Whether the statement itself (its blocks left out) carries a derivative."""
        if self.stepped and self.stepped_names(s):
            return True
        if isinstance(s, (gast.Assign, gast.AugAssign)):
            taken = self.taken(s.value) | self.written_in(s) if isinstance(s.value, gast.Call) else ()
            return not self.active.isdisjoint(self.bound(s)) or not self.active.isdisjoint(taken) or self.calls_value(s.value) \
                or any(map(self.is_part_of_value, s.targets if isinstance(s, gast.Assign) else [s.target]))
        if isinstance(s, (gast.For, gast.Return)) or isinstance(getattr(s, 'value', None), gast.Yield):
            return True
        if isinstance(s, gast.With):
            return any(self.flows(item.context_expr) for item in s.items)
        if isinstance(s, gast.ExceptHandler):
            return s.name is not None and s.name.id in self.active
        if isinstance(s, gast.Raise):
            return self.carries and s.exc is not None and (self.flows(s.exc) or holds_values(s.exc))
        if isinstance(s, gast.Delete):
            return any(not self.active.isdisjoint(stored(t)) or self.is_part_of_value(t) for t in s.targets
                       if not isinstance(t, gast.Name))
        return isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and self.writes(s)

    def stepped_names(self, s):
        """The generators with pairs that a statement takes something from."""
        return self.stepped.intersection(n for part in tree.header(s) for n in tree.names(part, gast.Load))

    def taken(self, call):
        """Names of what a call takes something from: `v = xs.pop()`, `v = next(it)`."""
        if self.sources.resolver(call.func) is next:
            return self.aliases.handed_on(call.args[0])
        return self.aliases.written(call, False)

    def is_part_of_value(self, target):
        """Whether a target is a part of something with a derivative that has no name: `f(x)[0]`."""
        return isinstance(target, (gast.Subscript, gast.Attribute)) and not isinstance(tree.root(target), gast.Name) \
            and self.flows(tree.root(target))

    def writes(self, s):
        """Whether a call made for its effect writes into something with a derivative."""
        if self.calls_value(s.value) or self.throws(s.value) and any(map(self.flows, tree.arguments(s.value))):
            return True
        return not self.active.isdisjoint(self.aliases.written(s.value, True) | self.written_in(s))

    def written_in(self, s):
        """Names of what the functions called in a statement write into."""
        return {n for t, n in self.aliases.writes + self.aliases.updates if t is s}

    def calls_value(self, expr):
        """Whether it is the call of a function value that has a derivative: it may write into what that has captured."""
        return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) and expr.func.id in self.active \
            and self.sources.resolver(expr.func) is UNKNOWN

    def statement(self, s):
        self.elements = {}
        if self.stepped and not isinstance(s, gast.For):
            s = self.whole(s)
        handler = getattr(self, type(s).__name__, None)
        if not self.concerns([s]):
            self.passive(s)
        elif handler is not None:
            handler(s)
        else:
            self.If(s)

    def is_step(self, expr):
        """Whether it is `next(g)` of a generator with pairs."""
        return isinstance(expr, gast.Call) and self.sources.resolver(expr.func) is next \
            and getattr(expr.args[0], 'id', None) in self.stepped

    def whole(self, s):
        """The statement with values in the place of generators with pairs, which it goes through."""
        if not self.stepped_names(s):
            return s
        skip = {field for field, _ in tree.blocks(s)}
        return tree.replace(s, **{field: [self.taken_apart(e, s) for e in part] if isinstance(part, list) else
                                  self.taken_apart(part, s) for field, part in gast.iter_fields(s) if field not in skip})

    def taken_apart(self, expr, s):
        if isinstance(expr, gast.Name) and expr.id in self.stepped:
            return self.as_it_is(expr, s)
        if not isinstance(expr, gast.AST) or self.is_step(expr):
            return expr
        return tree.replace(expr, **{field: [self.taken_apart(e, s) for e in part] if isinstance(part, list) else
                                     self.taken_apart(part, s) for field, part in gast.iter_fields(expr)})

    def If(self, s):
        self.out.append(tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)}))

    While = If

    def Try(self, s):
        self.attempts += 1
        self.If(s)
        self.attempts -= 1

    def ExceptHandler(self, h):
        """The tangent of an exception comes with it."""
        known = h.name is not None and h.name.id in self.active
        start = tree.instead(gast.Expr(value=tree.load(h.name.id)), h) if known else None
        if known:
            self.ops[start] = Op('caught', h.name.id)
        self.out.append(tree.replace(h, body=[start] * known + self.block(h.body)))

    def Raise(self, s):
        if not self.flows(s.exc):
            self.put_as(s, Op('raise', None))
            return
        error = self.atom(s.exc, s)
        self.put_as(tree.replace(s, exc=error), Op('raise', error))

    def With(self, s):
        for item in s.items:
            bound = () if item.optional_vars is None else stored(item.optional_vars)
            if not self.active.isdisjoint(bound) and self.aliases.writes_when_left(item):
                raise subset.unsupported(s, self.source, 'contexts that write, when they are left, into what they give',
                                        'make the context before the with statement, under a name')
        self.If(s)

    def For(self, s):
        blocks = {field: self.block(block) for field, block in tree.blocks(s)}
        if not self.flows(s.iter) or self.active.isdisjoint(stored(s.target)) and not self.stepped_names(s):
            self.out.append(tree.replace(s, **blocks))
            return
        self.elements = {}
        heads = loop_heads(s.target, s.iter, self.sources.resolver)
        leaves = self.attempts or breaks(s.body)
        heads = [h if h.kind == 'count' else h._replace(kind='pairs') if getattr(h.iter, 'id', None) in self.stepped else
                 h._replace(iter=self.iterated(h.iter, s, leaves)) for h in heads]
        self.put_as(tree.replace(s, **blocks), Op('loop', heads))

    def iterated(self, expr, s, leaves):
        """What is iterated over: a name, `d.items()` and its kin of one, or the call of a generator.

        leaves : whether the loop may be left early: a generator that has no name ends there
        """
        if is_generator_call(expr, self.sources.resolver):
            return self.given(expr, s)
        if leaves and self.is_unknown_call(expr):
            call, self.ops[call] = self.dispatched(expr, s)
            return call
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in VIEWS \
                and not expr.args and self.flows(expr):
            return tree.replace(expr, func=tree.replace(expr.func, value=self.path(expr.func.value, s)))
        return self.atom(expr, s) if self.flows(expr) else expr

    def is_unknown_call(self, expr):
        """Whether it is the call of what is known only when running: it may give a generator."""
        if not isinstance(expr, gast.Call) or not self.flows(expr) or self.sources.resolver(expr.func) is not UNKNOWN:
            return False
        builtin = {*VIEWS, *MIRRORED} - self.methods
        known = isinstance(expr.func, gast.Attribute) and (expr.func.attr in builtin or self.sources.rule_of(expr) is not None)
        return not known and not is_get(expr) and pushed(expr, self.sources.resolver) is None

    def Return(self, s):
        value = tree.constant(None) if s.value is None else s.value
        made_of = [self.aliases.handed_on(e) for e in (value.elts if isinstance(value, gast.Tuple) else [value])]
        if isinstance(value, gast.Tuple) and not tree.starred(value.elts):
            value = tree.replace(value, elts=[self.atom(e, s) for e in value.elts])
        else:
            value = self.atom(value, s)
        self.put_as(tree.replace(s, value=value), Op('return', value, made_of))

    def Delete(self, s):
        targets = [t if isinstance(t, gast.Name) else self.settled(t, s) for t in s.targets]
        targets = [tree.replace(t, slice=self.told_before(t.slice, t.value, s)) if isinstance(t, gast.Subscript) else t
                   for t in targets]
        self.put_as(tree.replace(s, targets=targets), Op('mirror', (s, ())))

    def Assign(self, s):
        target, = s.targets
        if isinstance(s.value, gast.Yield):
            raise subset.unsupported(s, self.source, 'values sent into a generator', 'pass them as arguments')
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            value = self.atom(s.value, s)
            target = self.settled(target, s)
            self.put_as(tree.replace(s, targets=[target], value=value), Op('store', (target, value)))
        else:
            super().Assign(s)

    def AugAssign(self, s):
        if isinstance(s.target, gast.Name) and s.target.id in self.own:
            value = gast.BinOp(left=tree.load(s.target.id), op=s.op, right=s.value)
            return super().Assign(tree.like(s, s.target, value))
        rule = registry.FORWARD.get(type(s.op)) or registry.operator(type(s.op))
        value = self.atom(s.value, s)
        target = self.settled(s.target, s)
        return self.put_as(tree.replace(s, target=target, value=value), Op('update', (target, value), rule))

    def Expr(self, s):
        """A call made for what it writes into its arguments."""
        call = s.value
        if isinstance(call, gast.Yield):
            made_of = self.aliases.handed_on(call.value)
            value = self.atom(call.value, s) if call.value is not None else tree.constant(None)
            self.put_as(tree.replace(s, value=tree.replace(call, value=value)), Op('yield', value, [made_of]))
            return
        function = self.sources.resolver(call.func)
        if function is UNKNOWN and isinstance(call.func, gast.Attribute) and call.func.attr not in self.methods \
                and (kind := 'mirror' if call.func.attr in MIRRORED else 'reorder' if call.func.attr in REORDERING else None):
            call = self.mirrored(call, s)
            self.put_as(tree.replace(s, value=call), Op(kind, (call.func.value, call.args)))
        elif function is UNKNOWN or self.is_looked_at(function) or made_by(function) is not None \
                or registry.dispatched(function) is not None or pushed(call, self.sources.resolver) is not None:
            value, op = self.dispatched(call, s)
            self.put_as(tree.replace(s, value=value), op)
        elif self.is_step(call):
            self.put_as(tree.replace(s, value=call), self.next(call, s)[1])
        elif function is next:
            call = self.given(call, s)
            self.put_as(tree.replace(s, value=call), Op('mirror', (call.args[0], (0,))))
        elif registry.lookup(function, self.mode) is None and writes_into(function):
            places = facts.of(function.__name__).values
            self.put_as(tree.replace(s, value=self.given(call, s)), Op('mirror', (call.args[0], places)))
        else:
            call = self.given(call, s)
            keywords = {k.arg: k.value for k in call.keywords}
            self.put_as(tree.replace(s, value=call), Op('effect', (call.args, keywords), function))

    def is_looked_at(self, function):
        return any(function is f for f in self.looked_at)

    def pairs(self, call, s):
        """A name for a generator with pairs."""
        name = self.temp()
        self.stepped |= {name.id}
        return tree.load(self.operation(name, call, s).id)

    def next(self, call, s):
        """(`next(g)` of a generator with pairs, its Op)."""
        generator, *default = call.args
        if not isinstance(generator, gast.Name):                    # next(numbered(x))
            generator = self.pairs(generator, s)
        default = [self.atom(e, s) for e in default]
        return tree.replace(call, args=[generator, *default]), Op('next', (generator, *default))

    # Parts

    def put_as(self, stmt, op):
        self.ops[stmt] = op
        self.out.append(stmt)

    def settled(self, target, s):
        """A target whose indices can be evaluated twice."""
        if self.is_part_of_value(target):
            target = rooted(target, lambda base: self.atom(base, s))
        if isinstance(target, gast.Subscript):
            return tree.replace(target, value=self.settled(target.value, s), slice=self.index(target.slice, s))
        if isinstance(target, gast.Attribute):
            return tree.replace(target, value=self.settled(target.value, s))
        if not isinstance(target, gast.Name):
            raise subset.unsupported(target, self.source, 'assignments into a value without a name',
                                    'give the value a name first')
        return target

    def given(self, call, s):
        """The call with atoms as arguments."""
        self.plain(call)
        return tree.replace(call, args=[self.atom(a, s) for a in call.args],
                            keywords=[tree.replace(k, value=self.atom(k.value, s)) for k in call.keywords])

    def plain(self, call):
        if tree.is_starred(call):
            raise subset.unsupported(call, self.source, '* and ** in an active call', 'write the arguments one by one')

    def mirrored(self, call, s):
        """`x.method(args)` of a container, for a method that can be applied to its tangent in the same way."""
        if call.func.attr == 'update' and call.args and not self.is_dict(call.args[0]):
            call = tree.replace(call, args=[self.builtin('dict', call.args[0]), *call.args[1:]])
        call = self.given(call, s)
        if not isinstance(tree.root(call.func), gast.Name):           # `d.setdefault(k, []).append(v)`: a name for the list
            call = tree.replace(call, func=rooted(call.func, lambda base: self.atom(base, s)))
        owner = self.settled(call.func.value, s)
        args = [self.told_before(a, owner, s) for a in call.args]
        return tree.replace(call, func=tree.replace(call.func, value=owner), args=args)

    def told_before(self, expr, owner, s):
        """What an index or an argument is before its owner is changed: the same is done to the tangent after that."""
        if isinstance(expr, gast.Slice):
            ends = {field: self.told_before(e, owner, s) for field, e in gast.iter_fields(expr) if e is not None}
            return tree.replace(expr, **ends)
        if isinstance(expr, gast.Tuple):
            return tree.replace(expr, elts=[self.told_before(e, owner, s) for e in expr.elts])
        family = self.aliases.family(tree.root_name(owner)) | {tree.root_name(owner)}
        return expr if tree.is_atom(expr) or family.isdisjoint(tree.names(expr, gast.Load)) else self.held(expr, s)

    def is_dict(self, expr):
        """Whether what a dict is updated from is one, for all that is known, and no pairs."""
        return not self.flows(expr) or isinstance(expr, gast.Dict) \
            or isinstance(expr, gast.Name) and not self.is_sequence(expr) and not self.aliases.sequences.is_list(expr.id) \
            or isinstance(expr, (gast.Subscript, gast.Attribute))

    def constant(self, expr, s):
        """A passive expression as an atom: as it stands where nothing can change it before it is read."""
        changes = any(self.aliases.is_mutated(n) for n in tree.names(expr, gast.Load)) or self.runs_code(s) and any(
            isinstance(n, (gast.Attribute, gast.Subscript)) for n in tree.walk(expr))
        return expr if tree.is_atom(expr) or is_simple(expr) and not changes else self.held(expr, s)

    def put(self, s, target, value, op):
        if op.kind in ('dispatch', 'call', 'mirror'):
            self.elements = {}             # what was read before may have changed
        if op.kind == 'call' and target is not None and target.id in self.stepped:
            op = Op('pairs', op.args, op.what)
        return super().put(s, target, value, op)

    def runs_code(self, s):
        """Whether the statement calls functions that may change what attributes and elements hold."""
        for part in tree.header(s):
            for n in tree.walk(part):
                if isinstance(n, gast.Call):
                    found = self.sources.resolver(n.func)
                    if found is UNKNOWN and self.sources.rule_of(n) is None if isinstance(n.func, gast.Attribute) \
                            else registry.lookup(found, self.mode) is None:
                        return True
        return False

    def as_it_is(self, name, s):
        return tree.load(self.put(s, None, name, Op('drain', name)).id) if name.id in self.stepped else name

    def is_part(self, expr):
        return isinstance(expr, (gast.Subscript, gast.Attribute))

    def of_Subscript(self, target, expr, s):
        subset.refuse_passive(expr, self.flows, self.source)
        value = self.path(expr.value, s)
        return self.put(s, target, tree.replace(expr, value=value, slice=self.index(expr.slice, s)), Op('place', value))

    def owner(self, expr, s):
        return self.atom(expr, s)

    def path(self, expr, s):
        """What an element or attribute is read of: the path to it from a name."""
        if isinstance(expr, gast.Subscript) and self.flows(expr.value):
            return tree.replace(expr, value=self.path(expr.value, s), slice=self.index(expr.slice, s))
        if isinstance(expr, gast.Attribute) and self.sources.rule_of(expr) is None:
            return tree.replace(expr, value=self.path(expr.value, s))
        return self.atom(expr, s)

    def of_Attribute(self, target, expr, s):
        if super_of(expr) is not None:
            self.refuse_super(expr)
        rule = self.sources.rule_of(expr)
        if rule is None:
            value = self.path(expr.value, s)
            return self.put(s, target, tree.replace(expr, value=value), Op('place', value))
        value = self.atom(expr.value, s)
        return self.put(s, target, tree.replace(expr, value=value), Op('rule', rule.bind([value], {}), rule))

    def refuse_super(self, expr):
        raise ForwardNotImplementedError(subset.locate(
            expr, self.source, 'what super() finds is not called here: call it, or name the class that has it'))

    def dispatch(self, target, expr, s):
        return self.put(s, target, *self.dispatched(expr, s))

    def dispatched(self, expr, s):
        """(the call of something that is looked at when running, its Op)."""
        func = expr.func
        above = super_of(func)
        if self.is_looked_at(self.sources.resolver(func)):
            pass
        elif above is not None:
            func = tree.replace(func, value=tree.replace(above, args=[above.args[0], self.atom(above.args[1], s)]))
        elif isinstance(func, gast.Attribute) and self.flows(func.value):
            func = tree.replace(func, value=self.path(func.value, s))
        else:
            func = self.atom(func, s)
        method = self.method(expr)
        args = [tree.replace(a, value=self.atom(a.value, s)) if isinstance(a, gast.Starred) else self.atom(a, s)
                for a in expr.args[method is not None:]]
        if method is not None:                 # pushed forward again: its tangent is that of its owner
            method = tree.replace(method, value=self.path(method.value, s))
            args.insert(0, with_pushed(expr.args[0], method, self.sources.resolver))
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        value = tree.replace(expr, func=func, args=args, keywords=keywords)
        return value, Op('dispatch', (func, args, keywords))

    def method(self, call):
        """`x.f` of `pushforward(x.f, ...)`, where x has a derivative; else None."""
        found = pushed(call, self.sources.resolver)
        return found if isinstance(found, gast.Attribute) and self.flows(found) else None

    def of_Call(self, target, expr, s):
        function = self.sources.resolver(expr.func)
        if function is super:
            self.refuse_super(expr)
        if function is UNKNOWN and is_get(expr) and not self.flows(expr.func.value):
            return self.operation(target, spelt_out(expr), s)
        if function is UNKNOWN and isinstance(expr.func, gast.Attribute) and expr.func.attr in MIRRORED - self.methods:
            call = self.mirrored(expr, s)
            return self.put(s, target, call, Op('mirror', (call.func.value, call.args)))
        if self.is_looked_at(function) or function is None:            # what could not be imported: the call raises
            return self.dispatch(target, expr, s)
        if function is next and (self.is_step(expr) or is_generator_call(expr.args[0], self.sources.resolver)):
            return self.put(s, target, *self.next(expr, s))
        if function is next and len(expr.args) == 2 and not self.flows(expr.args[0]):        # what is given at its end flows
            iterator, default = (self.atom(e, s) for e in expr.args)
            call = tree.replace(expr, args=[self.builtin('with_zeros', iterator), default])
            return self.put(s, target, call, Op('next', (iterator, default)))
        if expr.args and facts.of(function).takes_all and is_generator_call(expr.args[0], self.sources.resolver) \
                and self.flows(expr.args[0]):
            taken = self.as_it_is(self.pairs(expr.args[0], s), s)
            expr = tree.replace(expr, args=[taken, *expr.args[1:]])
        plain = function is dict and all(k.arg for k in expr.keywords) or not expr.keywords \
            or function is zip and [k.arg for k in expr.keywords] == ['strict']
        parts = constructors.parts_of(function, expr)
        if parts is not None and len(parts) < len(fields_of(function)):           # the tangents of defaults are zeros
            return self.dispatch(target, expr, s)
        if function is dict and expr.args and isinstance(pairs := expr.args[0], gast.Call) \
                and self.sources.resolver(pairs.func) in ITERATORS:              # they can be gone through once
            expr = tree.replace(expr, args=[self.builtin('list', pairs)])
        if facts.of(function).takes_all and expr.args and getattr(expr.args[0], 'id', None) in self.iterating \
                and (function in (max, min, sorted) or self.iterating[expr.args[0].id] > 1) and self.flows(expr.args[0]):
            taken = self.put(s, self.temp(), self.builtin('all_given', expr.args[0]), Op('make', ()))
            expr = tree.replace(expr, args=[tree.load(taken.id), *expr.args[1:]])
        if function in PARALLEL and plain and not tree.is_starred(expr) or parts:
            target = self.put(s, target, self.given(expr, s), Op('make', ()))
            if function in (list, tuple):
                self.sequences.add(target.id)
            return target
        if registry.lookup(function, self.mode) is None and (callees.makes_object(function) or is_exception(function)):
            return self.dispatch(target, expr, s)
        rule = registry.lookup(function) if function is not UNKNOWN else None
        if rule is not None and registry.lookup(function, self.mode) is None:
            raise ForwardNotImplementedError(subset.locate(
                expr, self.source, f'{rule.name} has a rule for reverse mode alone; register one for forward mode with '
                '@tangent.tangents.tangent_'))
        try:
            return super().of_Call(target, expr, s)
        except ReverseNotImplementedError as error:
            raise ForwardNotImplementedError(str(error)) from None


def is_exception(function):
    return isinstance(function, type) and issubclass(function, BaseException)


def holds_values(error):
    """Whether an exception without a derivative is made of values: of more than a message."""
    return isinstance(error, gast.Call) and any(
        not isinstance(e, gast.JoinedStr) and not isinstance(getattr(e, 'value', None), str) for e in tree.arguments(error))


def is_get(call):
    """Whether it is `d.get(key, default)` of names and constants."""
    return isinstance(call.func, gast.Attribute) and call.func.attr == 'get' and isinstance(call.func.value, gast.Name) \
        and len(call.args) == 2 and all(isinstance(a, (gast.Name, gast.Constant)) for a in call.args) and not call.keywords


def spelt_out(call):
    """`d[key] if key in d else default` for `d.get(key, default)`."""
    key, default = call.args
    test = gast.Compare(left=key, ops=[gast.In()], comparators=[call.func.value])
    value = gast.Subscript(value=call.func.value, slice=key, ctx=gast.Load())
    return gast.copy_location(gast.IfExp(test=test, body=value, orelse=default), call)


def fields_of(kind):
    return kind._fields if issubclass(kind, tuple) else dataclasses.fields(kind)


def super_of(func):
    """`super(Kind, self)` of `super(Kind, self).method`, else None."""
    owner = func.value if isinstance(func, gast.Attribute) else None
    return owner if tree.is_call(owner, 'super') and len(owner.args) == 2 else None


def rooted(expr, name):
    """`x.a[i]` with what `name` gives for x in its place."""
    if isinstance(expr, (gast.Subscript, gast.Attribute)):
        return tree.replace(expr, value=rooted(expr.value, name))
    return name(expr)


def writes_into(function):
    """Whether it is one of NumPy's functions that write into their first argument, linear in what they write."""
    name = getattr(function, '__name__', None)
    if function is object.__setattr__:
        return True
    if name == 'at':
        return getattr(function.__self__, '__name__', None) in ('add', 'subtract')
    return bool(facts.of(name).values) and facts.is_numpy(function)
