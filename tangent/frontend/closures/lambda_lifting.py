"""Functions inside functions become functions beside them, which take what they captured as keyword arguments.

    def f(x, w):                                def g(y, *, w):
        def g(y):                                   return w * y
            return w * y                 ->
        return g(x) + apply(g, x)               def f(x, w):
                                                    return g(x, w=w) + apply(functools.partial(g, w=w), x)

A call passes what the variables hold at the time of the call, which is what Python does. Where a function is a value, its
variables are read when it is handed on; if one of them may be bound anew while the value lives, that cannot be said in
this form.
"""
import ast
import dataclasses
import functools
import types

import gast

from tangent.frontend import scopes, subset, tree
from tangent.frontend.closures.shadowed import apart
from tangent.frontend.nested import NestedSource
from tangent.frontend.resolve import Resolver, imported, local_names
from tangent.frontend.scopes import DEFINITIONS, Positions, free, inside, outer_parts, own_names, parameters, rebound_outside
from tangent.runtime import facts


def converted(source, wrt, shared, effects, varied, may_write=False):
    """(the Source without functions inside that matter, name -> Nested or other object that it can read then).

    varied : (statements, names) -> the names to which a derivative may flow from these
    may_write : function values may write into what they captured
    """
    visible = getattr(source, 'visible', {})
    found = [n for n in inside(source.tree.body) if isinstance(n, (*DEFINITIONS, gast.Lambda))]
    if not found or any(isinstance(n, gast.AsyncFunctionDef) for n in found):       # the fence refuses these
        return source, visible
    function = source.function                   # of one code there may be others, which have captured something else
    key = id(function), source.tree.lineno, source.name, tuple(wrt), frozenset(source.methods.items()), source.decided
    if key not in shared.converted:
        source = dataclasses.replace(source, tree=apart(source.tree))
        shared.converted[key] = *_Convert(source, wrt, shared, effects, varied, may_write)(), function
    text, known, _ = shared.converted[key]
    return dataclasses.replace(source, tree=text), {**visible, **known}


class _Convert:
    def __init__(self, source, wrt, shared, effects, varied, may_write):
        self.source, self.shared, self.effects, self.may_write = source, shared, effects, may_write
        self.function = function = source.tree
        self.known = {}                  # emitted name -> Nested or other object
        self.local = local_names(function)
        self.positions = Positions(function)
        self.names = tree.Names(tree.all_names(function) | self.local
                                | set(shared) | set(source.visible if isinstance(source, NestedSource) else ()))
        self.varied = varied([s for s in inside(self.function.body) if isinstance(s, gast.stmt)], wrt)
        self.resolver = Resolver(source, self.local, imported(source.tree, source))
        self.definitions = {}            # name -> the definition (a tree) of a function that is bound once
        self.captured = {}               # the same name -> names it captures
        self.passed_on = {}              # the same name -> those of them that function values it makes have captured
        self.computed = {}               # id of a definition -> {parameter: name of the variable with its default}
        self.nested = {}

    def __call__(self):
        self.find()
        self.close()
        for name in self.definitions:
            self.nested[name] = self.register(name, name, self.captured[name])
        for name, node in self.definitions.items():
            self.finish(self.nested[name], node)
        body = self.block(self.function.body)
        return tree.replace(self.function, body=body), self.known

    # What there is

    def changes_later(self, names, s):
        """Whether what one of these variables holds may change after a statement."""
        number, loops = self.positions.at[id(s)]
        stmts = [t for t in inside(self.function.body) if isinstance(t, gast.stmt) and not names.isdisjoint(changed(t))]
        return any(at > number or set(around) & set(loops) for at, around in (self.positions.at[id(t)] for t in stmts))

    def find(self):
        """The functions that are bound once, by a `def` without decorators or a lambda."""
        bound = {}
        own = {id(n) for c in inside(self.function.body) if isinstance(c, gast.comprehension) for n in tree.walk(c.target)}
        for s in inside(self.function.body):
            if id(s) in own:
                continue
            if isinstance(s, DEFINITIONS):
                bound.setdefault(s.name, []).append(s)
                self.fit_for(s)
            elif isinstance(s, gast.Name) and isinstance(s.ctx, (gast.Store, gast.Del)):
                bound.setdefault(s.id, []).append(None)
            elif isinstance(s, (gast.Import, gast.ImportFrom)):
                for a in s.names:
                    bound.setdefault((a.asname or a.name).partition('.')[0], []).append(None)
        for s in inside(self.function.body):
            if tree.target(s) and isinstance(s.value, gast.Lambda) and bound[tree.target(s)] == [None] \
                    and self.times_called(tree.target(s)):
                bound[tree.target(s)] = [s.value]
        params = parameters(self.function.args)
        written = {n.value.id for n in inside(self.function.body) if isinstance(n, gast.Attribute)
                   and isinstance(n.ctx, gast.Store) and isinstance(n.value, gast.Name)}
        for name, nodes in bound.items():
            if len(nodes) == 1 and nodes[0] is not None and name not in params and name not in written \
                    and not scopes.decorators(nodes[0], self.resolver):
                self.definitions[name] = nodes[0]

    def times_called(self, name):
        """How often the name is called."""
        return sum(isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id == name
                   for n in tree.walk(self.function))

    def fit_for(self, node):
        """Refuse definitions that this form cannot say."""
        for n in inside(node.body):
            if isinstance(n, (gast.Yield, gast.YieldFrom)) and (self.unsettled(node) or not self.may_write):
                raise needs_log(n, self.source, 'generators inside the function', sorted(self.unsettled(node)))
            if isinstance(n, (gast.Nonlocal, gast.Global)):
                cells = [m for m in n.names if m in self.local] if isinstance(n, gast.Nonlocal) else ()
                raise needs_log(n, self.source, 'functions that change variables of the function around them', cells)
            cells = sorted((rebound_outside(n) - own_names(node)) & self.local) if isinstance(n, DEFINITIONS) else ()
            if cells:
                raise needs_log(n, self.source, 'functions that change variables of the function around them', cells)

    def unsettled(self, node):
        """What a generator has captured that may be bound anew: it reads that whenever it goes on."""
        captured = scopes.free(node) & self.local
        loops = [n for n in inside(self.function.body) if isinstance(n, (gast.For, gast.While))]
        again = {n for loop in loops for n in tree.names(loop, gast.Store)}
        stores = [n for s in self.function.body for n in tree.names(s, gast.Store)]
        return {n for n in captured if n in again or stores.count(n) > (n not in parameters(self.function.args))}

    def close(self):
        """What each function captures, that of the functions it calls included."""
        direct = {name: self.direct(node, name) for name, node in self.definitions.items()}
        self.captured = {name: {n for n in names if n not in self.definitions} for name, names in direct.items()}
        self.spread(self.captured, direct)
        self.passed_on = {name: self.kept_by(node) for name, node in self.definitions.items()}
        self.spread(self.passed_on, direct)

    def spread(self, found, direct):
        """Add to what is found for a function what is found for those it calls."""
        changed = True
        while changed:
            changed = False
            for name, names in direct.items():
                more = set().union(*(found[n] for n in names if n in self.definitions)) - found[name]
                found[name] |= more
                changed = changed or bool(more)

    def kept_by(self, node):
        """Variables that function values which a function makes have captured, and may read when its call is over."""
        names = scopes.held_inside(node, lets_go(self.resolver, self.effects)) & self.local
        functions = names & self.definitions.keys()
        return (names - functions).union(*(self.captured[n] for n in functions))

    def direct(self, node, name):
        """Variables that a function takes from this one, those with its computed defaults among them."""
        args = node.args
        positional = [a.id for a in args.posonlyargs + args.args]
        pairs = list(zip(positional[len(positional) - len(args.defaults):], args.defaults))
        pairs += zip([a.id for a in args.kwonlyargs], args.kw_defaults)
        self.computed[id(node)] = {p: self.names.fresh(f'{name}_{p}') for p, d in pairs if d is not None and not is_literal(d)}
        return free(node) & self.local | set(self.computed[id(node)].values())

    # New functions

    def register(self, name, wish, captured):
        nested = self.shared.nest(self.source, self.local - {name}, wish, tuple(sorted(captured)))
        self.known[nested.__name__] = nested
        return nested

    def finish(self, nested, node):
        """Give the function its source: what it captured are keyword-only parameters."""
        args, first, values, keyword_values = self.defaults(node, nested)
        captured = [tree.parameter(n) for n in nested.captured]
        args = tree.replace(args, kwonlyargs=args.kwonlyargs + captured, kw_defaults=args.kw_defaults + [None] * len(captured))
        inner = _Rewrite(self, own_names(node))
        body = node.body if isinstance(node.body, list) else [as_return(node.body)]
        body = first + [inner.visit(tree.clone(s)) for s in body]
        definition = tree.definition(nested.__name__, args, body, node)
        visible = {**getattr(self.source, 'visible', {}), **self.known}
        nested.source = NestedSource.of(self.source, definition, values=values, keyword_values=keyword_values, visible=visible)

    def defaults(self, node, nested):
        """(parameters, statements to begin with, positional defaults, keyword defaults).

        A default that is no literal is evaluated where the definition stands and captured; `...` takes its place.
        """
        args, first = node.args, []
        if all(d is None or is_literal(d) for d in [*args.defaults, *args.kw_defaults]):
            plain = args
        else:
            names = [a.id for a in args.posonlyargs + args.args][-len(args.defaults):] if args.defaults else []
            positional = [self.kept(p, d, node, first) for p, d in zip(names, args.defaults)]
            only = [d if d is None else self.kept(a.id, d, node, first) for a, d in zip(args.kwonlyargs, args.kw_defaults)]
            plain = tree.replace(args, defaults=positional, kw_defaults=only)
        bare = lambda a: tree.replace(a, annotation=None)  # noqa: E731
        plain = tree.replace(plain, posonlyargs=[bare(a) for a in plain.posonlyargs], args=[bare(a) for a in plain.args],
                             kwonlyargs=[bare(a) for a in plain.kwonlyargs])
        values = tuple(literal(d) for d in plain.defaults)
        keywords = {a.id: literal(d) for a, d in zip(plain.kwonlyargs, plain.kw_defaults) if d is not None}
        return plain, first, values, keywords

    def kept(self, parameter, default, node, first):
        if is_literal(default):
            return default
        name = self.computed[id(node)][parameter]
        stmt, = tree.statements(f'if {parameter} is ...:\n    {parameter} = {name}')
        for s in (stmt, *stmt.body):
            gast.copy_location(s, node)
            s.end_lineno, s.end_col_offset = node.lineno, len(self.source.line(node.lineno).encode())
        first.append(stmt)
        return tree.constant(...)

    def kept_defaults(self, node, s):
        """Parameter -> its computed default, as it is evaluated where the definition stands."""
        args = node.args
        positional = [a.id for a in args.posonlyargs + args.args]
        found = dict(zip(positional[len(positional) - len(args.defaults):], args.defaults))
        found.update(zip([a.id for a in args.kwonlyargs], args.kw_defaults))
        return {name: _Rewrite(self, set(), s).visit(tree.clone(found[p])) for p, name in self.computed[id(node)].items()}

    def defaults_of(self, node, s):
        """The statements that keep the computed defaults of a definition that is taken away."""
        return [gast.copy_location(gast.Assign(targets=[tree.store(name)], value=value, type_comment=None), s)
                for name, value in self.kept_defaults(node, s).items()]

    # Statements of the function

    def block(self, stmts):
        out = []
        for s in stmts:
            out += self.statement(s)
        return out or [tree.place(gast.Pass(), tree.Origin('primal'))]

    def statement(self, s):
        self.s = s
        if isinstance(s, DEFINITIONS):
            return self.defaults_of(s, s) if self.definitions.get(s.name) is s else [self.defined(s)]
        if tree.target(s) and self.definitions.get(tree.target(s)) is s.value:
            return self.defaults_of(s.value, s)
        rewrite = _Rewrite(self, set(), s)
        fields, blocks = {}, {field for field, _ in tree.blocks(s)}
        for field, value in gast.iter_fields(s):
            if field in blocks:
                fields[field] = self.block(value) if value else value
            elif isinstance(value, gast.AST):
                fields[field] = rewrite.root(tree.clone(value))
            elif isinstance(value, list):
                fields[field] = [rewrite.visit(tree.clone(v)) if isinstance(v, gast.AST) else v for v in value]
        return [tree.replace(s, **fields)]

    def defined(self, s):
        """`name = value` for a definition that is decorated, or is one of several of the name."""
        value = self.value_of(s, s.name, s, s.name)
        if s.name in free(s):                  # bound to what the decorators make of it
            raise needs_log(s, self.source, 'functions whose variable is bound anew while they are in use', [s.name])
        for decorator in reversed(scopes.decorators(s, self.resolver, scopes.KEEPING_VALUES)):
            decorator = _Rewrite(self, set(), s).visit(tree.clone(decorator))
            value = gast.copy_location(gast.Call(func=decorator, args=[value], keywords=[]), s)
        stmt = gast.copy_location(gast.Assign(targets=[tree.store(s.name)], value=value, type_comment=None), s)
        stmt.end_lineno, stmt.end_col_offset = s.lineno, len(self.source.line(s.lineno).encode())
        return stmt

    # Function values

    def new(self, node, wish):
        """A new function for a definition or lambda."""
        names = self.direct(node, wish)
        captured = {n for n in names if n not in self.definitions}
        captured = captured.union(*(self.captured[n] for n in names if n in self.definitions))
        nested = self.register(None, wish, captured)
        self.finish(nested, node)
        return nested

    def value_of(self, node, wish, s, holder=None):
        """The same as a value."""
        nested = self.new(node, wish)
        self.check(nested.captured, node, s, None if self.kept_by(node) else holder)
        return self.partial(nested, node, self.kept_defaults(node, self.s))

    def partial(self, nested, at, values=types.MappingProxyType({})):
        name = tree.load(nested.__name__)
        if not nested.captured:
            return gast.copy_location(name, at)
        written = set().union(*self.effects.written(nested))
        written &= set(nested.captured) & self.local
        if not self.may_write and any(self.is_stored(nested, n) or self.is_read_elsewhere(n, at) for n in written):
            raise needs_log(at, self.source, 'function values that write into variables of the function around them')
        keywords = [gast.keyword(arg=n, value=values.get(n) or tree.load(n)) for n in nested.captured]
        call = gast.Call(func=tree.expression(self.partial_name()), args=[name], keywords=keywords)
        return gast.copy_location(call, at)

    @functools.lru_cache(maxsize=1)  # noqa: B019
    def partial_name(self):
        for name, path in (('functools', 'functools.partial'), ('partial', 'partial')):
            if name not in self.local and self.resolver(tree.expression(path)) is functools.partial:
                return path
        name = 'functools' if 'functools' not in self.names.taken | set(self.source.globals) else self.names.fresh('functools')
        self.shared[name] = self.known[name] = functools
        return f'{name}.partial'

    def is_read_elsewhere(self, name, node):
        """Whether anybody but a function that is made here reads a variable: what that writes there is seen then."""
        own = {id(n) for n in tree.walk(self.definitions.get(getattr(node, 'id', None), node))}
        return any(getattr(n, 'id', None) == name and isinstance(n.ctx, gast.Load) and id(n) not in own
                   for s in self.function.body for n in tree.walk(s))

    def is_stored(self, nested, name):
        """Whether a function writes something into a captured variable that may have a derivative, and no constant."""
        doubtful = self.varied | local_names(nested.source.tree) - set(nested.captured)
        for s in inside(nested.source.tree.body):
            reads = tree.names(s, gast.Load) if isinstance(s, (gast.Assign, gast.AugAssign, gast.Expr)) else []
            if name in reads:
                reads.remove(name)
                if not doubtful.isdisjoint(reads):
                    return True
        return False

    def check_made(self, function, call, s, holder):
        """The same for the function values that a call of a function may give back."""
        called = free(function) & self.passed_on.keys()
        kept = self.kept_by(function).union(*(self.passed_on[n] for n in called))
        again = any(map(self.kept_by, scopes.functions_in(function))) or any(self.passed_on[n] for n in called)
        self.check(kept, call, s, None if again else holder)

    def check(self, captured, node, s, holder):
        """Refuse a function value that may be called after one of its variables has been bound anew."""
        if s is None or isinstance(s, gast.Return):
            return
        if not self.may_write and self.changes_later(self.local.intersection(captured), s):     # an adjoint needs it as it was
            raise needs_log(node, self.source, 'functions whose variable changes while they are in use')
        for name in sorted(captured):
            if name not in self.local:
                continue
            late = all(at >= self.positions.at[id(s)][0] for at, _ in self.positions.binds.get(name, ())) \
                and name not in parameters(self.function.args) and name in self.positions.binds
            alive = self.positions.rebound_between(name, s, holder) if scopes.is_only_called(self.function, holder) \
                else self.positions.may_be_rebound(name, s)
            if late or alive:
                raise needs_log(node, self.source, 'functions whose variable is bound anew while they are in use', [name])


class _Rewrite(gast.NodeTransformer):
    """Calls and values of nested functions in one statement; `own` are names that hide them."""

    def __init__(self, convert, own, s=None):
        self.convert, self.own, self.s, self.consumed, self.whole = convert, own, s, set(), None

    def root(self, expr):
        """Rewrite a part of the statement."""
        self.whole = expr
        return self.visit(expr)

    def nested(self, name):
        return self.convert.nested[name] if name in self.convert.definitions and name not in self.own else None

    def visit_Call(self, node):
        nested = self.nested(node.func.id) if isinstance(node.func, gast.Name) else None
        if self.s is not None:
            self.note(node)
        made_by = self.convert.definitions[node.func.id] if nested is not None else node.func
        if isinstance(node.func, gast.Lambda) and self.takes_part(node.func) and not outer_parts(node.func):
            nested = self.convert.new(node.func, 'fn')                # called where it stands
        if nested is None:
            return self.generic_visit(node)
        if self.s is not None and id(node) not in self.consumed:
            self.convert.check_made(made_by, node, self.s, self.holder(node))
        args = [self.visit(a) for a in node.args]
        keywords = [self.visit(k) for k in node.keywords]
        keywords += [gast.keyword(arg=n, value=tree.load(n)) for n in nested.captured]
        func = gast.copy_location(tree.load(nested.__name__), node.func)
        return tree.replace(node, func=func, args=args, keywords=keywords)

    def note(self, call):
        """Remember the function values that are done with when the call is."""
        if isinstance(call.func, gast.Call) and getattr(self.convert.resolver(call.func.func), '__module__',
                                                        '') == 'tangent.interfaces.grad':
            self.consumed.update(map(id, call.func.args))          # grad(lambda ...)(x)
        nested = self.nested(call.func.id) if isinstance(call.func, gast.Name) else None
        callee = nested or self.convert.resolver(call.func)
        for a in tree.arguments(call):
            if facts.of(callee).lets_go or self.convert.effects.lets_go(callee, call, a):
                self.consumed.add(id(a))

    def visit_Name(self, node):
        nested = self.nested(node.id) if isinstance(node.ctx, gast.Load) else None
        if nested is None:
            return node
        if self.s is not None and id(node) not in self.consumed:
            self.convert.check(nested.captured, node, self.s, None if self.convert.passed_on[node.id] else self.holder(node))
        return self.convert.partial(nested, node)

    def holder(self, node):
        """The name that holds the value after the statement, where nothing else does."""
        return tree.target(self.s) if self.whole is node else None

    def takes_part(self, node):
        """Whether a derivative may flow through what a lambda captures, which are variables of the function."""
        if self.s is None or not self.own.isdisjoint(free(node)):
            return False
        captured = (free(node) | {n for part in outer_parts(node) for n in tree.names(part, gast.Load)}) & self.convert.local
        return not self.convert.varied.isdisjoint(captured)

    def visit_Lambda(self, node):
        if not self.takes_part(node):
            if self.s is not None and id(node) not in self.consumed:        # it reads what is bound when it is called
                self.convert.check(free(node) - self.own, node, self.s, self.holder(node))
            return self.scope(node)
        s = None if id(node) in self.consumed else self.s
        return self.convert.value_of(node, tree.target(self.s) or 'fn', s, self.holder(node))

    def scope(self, node):
        outer, self.own = self.own, self.own | own_names(node)
        new = self.generic_visit(node)
        self.own = outer
        return new

    visit_FunctionDef = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = scope


def changed(s):
    """Names whose objects a statement changes, or may let others change."""
    call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
    given = [] if call is None else [*tree.arguments(call), getattr(call.func, 'value', None)]
    return tree.mutates(s) | {e.id for e in given if isinstance(e, gast.Name)}


def lets_go(resolver, effects):
    """Tells whether a function value is done with when the call (a tree) is that it is given to."""
    def is_let_go(call, arg):
        callee = resolver(call.func)
        return facts.of(callee).lets_go or effects.lets_go(callee, call, arg)
    return is_let_go


def needs_log(node, source, what, cells=()):
    """The error for function values that this form cannot say; functions that have them take the log form.

    cells : the variables that are in the way
    """
    error = subset.unsupported(node, source, what, 'write the function at the top level and pass it what it needs as '
                              'arguments')
    error.cells = cells
    return error


def as_return(expr):
    return gast.copy_location(gast.Return(value=expr), expr)


def is_literal(expr):
    """Whether a default is a constant: a list or dict is another at each definition, and may be written into."""
    try:
        hash(literal(expr))
    except (ValueError, TypeError, SyntaxError):
        return False
    return True


def literal(expr):
    return ast.literal_eval(gast.gast_to_ast(expr))
