"""One operation a statement, where a derivative flows; everything else stays as the user wrote it.

    y = numpy.tanh(w * x[i + 1]) * len(names)
 ->
    t = x[i + 1]; t2 = w * t; t3 = numpy.tanh(t2); y = t3 * len(names)

The statements that carry a derivative come with an :class:`Op`, which says what they do: the rule and its arguments, an
index, a display, a call of a function whose source will be differentiated. Names made here fold back after differentiation.
"""
from __future__ import annotations

import gast

from tangent.analysis import callees
from tangent.analysis.activity import stored
from tangent.analysis.attributes import Fields, Place
from tangent.analysis.mutated_arrays import NONE
from tangent.analysis.ops import Op, is_simple, like
from tangent.emit.library import find
from tangent.errors import ArgumentError, ReverseNotImplementedError
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN, pushed
from tangent.normal.constructors import SEQUENCES, Makers
from tangent.normal.iteration import Iteration
from tangent.normal.three_address_lists import Changes
from tangent.runtime.references import table
from tangent.templates.language import registry


class Split(Fields, Makers, Iteration, Changes):
    """Splits the active statements of a function; see the module."""

    mode = 'reverse'

    def __init__(self, source, names, library, activity, aliases, buffers=NONE):
        self.source, self.names, self.sources, self.library, self.aliases = source, names, activity.sources, library, aliases
        self.varied, self.active = set(activity.varied), set(activity.active)
        self.builders, self.buffers = aliases.builders, buffers
        self.ops, self.temps, self.effects = {}, set(), {}
        self.written = ()                # buffers that a call in the statement at hand writes into
        self.elements = {}               # element read in the statement at hand -> its name
        self.sequences = set()           # names that surely hold a list or tuple
        self.out = []

    # Questions

    def flows(self, expr):
        """Whether a derivative flows through the expression."""
        return not self.varied.isdisjoint(self.sources(expr))

    def concerns(self, stmts):
        """Whether a derivative flows through any of the statements (blocks included)."""
        for s in stmts:
            if isinstance(s, gast.With) or s in self.buffers.writes or s in self.buffers.calls \
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
        self.written = self.buffers.calls.get(s, ())
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
            self.out.append(tree.place(gast.copy_location(check, s), tree.Origin('guard')))

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
        test = s.test if tree.is_atom(s.test) else self.held(s.test, s, 'c')
        body, orelse = self.block(s.body), self.block(s.orelse)
        self.out.append(tree.replace(s, test=test, body=body, orelse=orelse))

    def While(self, s):
        self.out.append(tree.replace(s, body=self.block(s.body)))

    def For(self, s):
        if self.flows(s.iter) and not self.active.isdisjoint(stored(s.target)):
            s = self.by_index(s)
        elif isinstance(s.iter, gast.Call) and self.sources.resolver(s.iter.func) is range:
            args = [a if is_simple(a) else self.held(a, s, 'n') for a in s.iter.args]
            s = tree.replace(s, iter=tree.replace(s.iter, args=args))
        self.out.append(tree.replace(s, body=self.block(s.body)))

    def With(self, s):
        """`with insert_grad_of(x, x2) as dx:` stands for `x2 = x`; its body waits for the backward pass."""
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
        self.out.append(like(s, name, expr))
        return tree.load(name.id)

    def atom(self, expr, s):
        """An atom for the value of the expression, computed by statements put out before."""
        if not self.flows(expr):
            return self.constant(expr, s)
        if isinstance(expr, gast.Name):
            return self.as_it_is(expr, s)
        if not (isinstance(expr, gast.Subscript) or self.is_field(expr)) or not is_simple(expr):
            return tree.load(self.operation(None, expr, s).id)
        key = gast.dump(expr)                # `x[i]` read twice in one statement is one name
        if key not in self.elements:
            self.elements[key] = self.operation(None, expr, s).id
        return tree.load(self.elements[key])

    def constant(self, expr, s):
        """A passive expression as an atom: as it stands if it will mean the same in the backward pass."""
        changed = lambda names: any(self.aliases.is_mutated(n) or self.builders.unsettled(n, s) for n in names)  # noqa: E731
        if changed(tree.names(expr, gast.Load)) and not isinstance(expr, gast.Constant):
            found = expr if isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)) else self.held(expr, s)
            lent = isinstance(expr, (gast.Subscript, gast.Attribute)) or changed(self.aliases.lent(expr))
            return self.held(self.builtin('copy', found), s) if lent else found
        return expr if is_simple(expr) else self.held(expr, s)

    def operation(self, target, expr, s):
        """`target = expr`, with a new name for a target that is None; the target."""
        if not self.flows(expr):
            self.out.append(like(s, target, expr))
            return target
        handler = getattr(self, 'of_' + type(expr).__name__, None)
        if handler is None:
            subset.refuse_active(expr, self.source)
            raise subset.unsupported(expr, self.source, f'{type(expr).__name__} expressions through which a derivative '
                                    'flows', 'split the expression into assignments')
        return handler(target, expr, s)

    def put(self, s, target, value, op):
        target = target or self.temp()       # after its operands, so that names count up in the order of the statements
        self.active.add(target.id)
        self.varied.add(target.id)
        stmt = like(s, target, value)
        self.ops[stmt] = op
        self.out.append(stmt)
        return target

    def of_Name(self, target, expr, s):
        target = self.put(s, target, expr, Op('copy', expr))
        if self.is_sequence(expr):
            self.sequences.add(target.id)
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
        return type(known).__module__.startswith('scipy.sparse') and type(known).__name__.endswith('_matrix')

    def is_sequence(self, atom):
        return isinstance(atom, (gast.List, gast.Tuple)) or isinstance(atom, gast.Name) and atom.id in self.sequences

    def of_UnaryOp(self, target, expr, s):
        rule = registry.operator(type(expr.op))
        operand = self.atom(expr.operand, s)
        return self.put(s, target, tree.replace(expr, operand=operand), Op('rule', rule.bind([operand], {}), rule))

    def of_Subscript(self, target, expr, s):
        if not self.flows(expr.value):
            raise subset.unsupported(expr, self.source, 'np.mgrid, np.ogrid and their like around values with a derivative',
                                    'use numpy.linspace or numpy.meshgrid')
        if self.is_field(expr.value):
            return self.of_field(target, expr, s)
        value = self.owner(expr.value, s)
        index = self.index(expr.slice, s)
        return self.put(s, target, tree.replace(expr, value=value, slice=index), Op('index', (value, index)))

    def of_field(self, target, expr, s):
        root, value, place = self.place(expr, s)
        return self.put(s, target, value, Op('field', (root, Place(place))))

    def index(self, index, s):
        """The index with every part that is not simple under a name."""
        if isinstance(index, gast.Tuple) and any(isinstance(e, gast.Starred) for e in index.elts):
            return self.constant(tree.replace(index, elts=[self.as_value(e) for e in index.elts]), s)
        if isinstance(index, gast.Tuple):
            return tree.replace(index, elts=[self.index(e, s) for e in index.elts])
        if isinstance(index, gast.Slice):
            parts = {k: getattr(index, k) for k in ('lower', 'upper', 'step')}
            return tree.replace(index, **{k: v if v is None else self.constant(v, s) for k, v in parts.items()})
        return self.constant(index, s)

    def as_value(self, index):
        """The index as an expression of its own: `slice(1, None)` for `1:`."""
        if not isinstance(index, gast.Slice):
            return index
        parts = [tree.constant(None) if p is None else p for p in (index.lower, index.upper, index.step)]
        return tree.call(self.library('slice'), *(parts if index.step is not None else parts[:2]))

    def of_Attribute(self, target, expr, s):
        if self.is_field(expr):
            return self.of_field(target, expr, s)
        rule, value = self.sources.rule_of(expr), self.atom(expr.value, s)
        return self.put(s, target, tree.replace(expr, value=value), Op('rule', rule.bind([value], {}), rule))

    def display(self, target, expr, s):
        elements = [self.atom(e, s) for e in expr.elts]
        target = self.put(s, target, tree.replace(expr, elts=elements), Op('display', elements))
        self.sequences.add(target.id)
        return target

    of_Tuple = of_List = display

    def of_Dict(self, target, expr, s):
        keys = [k if k is None or is_simple(k) else self.held(k, s) for k in expr.keys]
        values = [self.atom(v, s) for v in expr.values]
        op = Op('merge', values, keys) if None in keys else Op('display', values, keys)
        return self.put(s, target, tree.replace(expr, keys=keys, values=values), op)

    def of_IfExp(self, target, expr, s):
        test = expr.test if tree.is_atom(expr.test) else self.held(expr.test, s, 'c')
        return self.choose(target, test, expr.body, expr.orelse, s)

    def of_BoolOp(self, target, expr, s):
        first, *rest = expr.values
        value = self.atom(first, s)
        last = rest[0] if len(rest) == 1 else tree.replace(expr, values=rest)
        pair = (last, value) if isinstance(expr.op, gast.And) else (value, last)
        return self.choose(target, value, *pair, s)

    def choose(self, target, test, body, orelse, s):
        target = target or self.temp()
        blocks = []
        for expr in (body, orelse):
            outer, known, self.out = self.out, dict(self.elements), []
            self.operation(target, expr, s)
            blocks.append(self.out)
            self.out, self.elements = outer, known
        self.out.append(tree.place(gast.copy_location(gast.If(test=test, body=blocks[0], orelse=blocks[1]), s),
                                   tree.origin(s)))
        return target

    def of_Call(self, target, expr, s):
        function = self.sources.resolver(expr.func)
        made = self.made(target, expr, function, s)
        if made is not None:
            return made
        receiver = []
        if function is UNKNOWN:
            rule = self.sources.rule_of(expr) if isinstance(expr.func, gast.Attribute) else None
            if rule is None:
                return self.dispatch(target, expr, s)
            receiver = [self.atom(expr.func.value, s)]
        else:
            rule = self.sources.resolver.placed(registry.lookup(function, self.mode), expr.func)
        if callees.derives(function) and not callees.is_starred(expr):
            func = self.atom(expr.args[0], s)
            return self.put(s, target, tree.replace(expr, args=[func, *expr.args[1:]]), Op('derivative', func))
        function, rule = table.chosen(function, rule, expr.keywords)
        if callees.makes_partial(function, expr):
            return self.partial(target, expr, s)
        if rule is None and callees.makes_object(function):
            raise subset.unsupported(expr, self.source, 'objects of classes with an __init__ of their own',
                                    'pass the object, or its parts, as an argument')
        if callees.is_starred(expr) or rule is None and callees.is_known_later(function):
            return self.dispatch(target, expr, s)
        args = [self.atom(a, s) for a in expr.args]
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        func = tree.replace(expr.func, value=receiver[0]) if receiver else expr.func
        value = tree.replace(expr, func=func, args=args, keywords=keywords)
        given = {k.arg: k.value for k in keywords}
        if rule is None:
            target = self.put(s, target, value, Op('call', (args, given), function))
            if any(self.aliases.effects(function, expr)):
                self.effects[self.out[-1]] = self.written
            return target
        try:
            bound = rule.bind(receiver + args, given)
        except ArgumentError as error:
            raise ReverseNotImplementedError(subset.locate(expr, self.source, str(error))) from None
        target = self.put(s, target, value, Op('rule', bound, rule))
        if function in SEQUENCES:
            self.sequences.add(target.id)
        return target

    def dispatch(self, target, expr, s):
        """A call of something that is looked at when running."""
        func = pushed(expr, self.sources.resolver) or expr.func
        if func is not expr.func and callees.makes_object(self.sources.resolver(func)):
            raise subset.unsupported(expr, self.source, 'objects of classes with an __init__ of their own',
                                    'pass the object, or its parts, as an argument')
        if isinstance(func, gast.Attribute) and self.flows(func):
            raise subset.unsupported(expr, self.source, f'methods such as .{func.attr}() of values with a derivative',
                                    'call a function with the value as argument')
        if callees.too_starred(expr):
            raise subset.unsupported(expr, self.source, 'several * or ** in an active call, or arguments behind them',
                                    'put them together first')
        func = self.atom(expr.func, s)
        args = [tree.replace(a, value=self.atom(a.value, s)) if isinstance(a, gast.Starred) else self.atom(a, s)
                for a in expr.args]
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        value = tree.replace(expr, func=func, args=args, keywords=keywords)
        return self.put(s, target, value, Op('dispatch', (func, args, keywords)))

    def partial(self, target, expr, s):
        """`functools.partial(f, x, k=y)`: a function value that has captured x and y."""
        func, *args = [self.atom(a, s) for a in expr.args]
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        parts = [('__func__', func), *enumerate(args), *((k.arg, k.value) for k in keywords)]
        value = tree.replace(expr, args=[func, *args], keywords=keywords)
        return self.put(s, target, value, Op('partial', parts, self.sources.resolver(func)))
