"""Small tools on syntax trees: build, read, replace. Every compiler room uses them; none of them knows a derivative.

Trees are `gast` trees. They are never changed in place once a room has handed them on: :func:`replace` makes the
changed copy. A statement carries, beside its `lineno`, an `origin` (an :class:`Origin`), which says which line of the
user's it stands for; like `lineno` it is a location, not a fact.
"""
import dataclasses
import keyword
from typing import NamedTuple

import gast
from gast import AST


class Origin(NamedTuple):
    """Where a statement comes from.

    role : 'primal' (the user's own), 'adjoint' (its gradient), 'tape', 'seed', 'inserted' (by insert_grad_of)
    line : line number in the user's file (0 where there is none)
    text : the user's statement on one line, quoted by `# Grad of: ...`
    part : where the line is one of emitted text, what part of it, as `ast` prints it: parts stand for other lines of the user's
        (see `emit.folded`). Of one statement they are none the less.
    """
    role: str
    line: int = 0
    text: str = ''
    part: str = ''

    def __eq__(self, other):
        return tuple(self)[:3] == tuple(other)[:3] if isinstance(other, Origin) else False

    def __hash__(self):
        return hash(tuple(self)[:3])


JOINED = Origin('primal')        # of what gives one name to the values of several paths; told apart by its identity


@dataclasses.dataclass(frozen=True)
class Func:
    """What goes from room to room: one function in normal form, with what is known of its names.

    tree : the FunctionDef
    base : name -> the name people know it by ('x2' -> 'x'); a name that is absent is its own base
    temps : names made by the library for parts of expressions; they fold back into formulas
    pure : dotted names of calls without effect whose value depends on their arguments alone ('np.tanh', 'unbroadcast')
    library : library name -> the name it has in this function ('numpy' -> 'np', 'push' -> 'push'), free of collisions
    arrays : name -> number of axes (or None) of what surely is an array of numbers, so that what is written into it is copied
    cheap : how many operations cost no more than a tape does where the text runs
    independent : whether loops whose trips are independent run backwards trip by trip
    known : what is known of the kinds of its parameters, a `kinds.infer.Known`, or None
    writing : names of methods that may write, since a class of the user's defines such
    generators : names that hold generators, whose code runs where they are gone through
    quiet : whether `with` statements say no more than how NumPy and Python report what they meet, see `subset.is_quiet`
    tried : whether it is seen which statements of its forward pass raise, see `outlined.attempts`
    alike : groups of parameters for which those who call it may give one array twice
    """
    tree: gast.FunctionDef
    base: dict
    temps: frozenset
    pure: frozenset
    library: dict
    arrays: dict = dataclasses.field(default_factory=dict)
    cheap: int = 4
    independent: bool = False
    known: object = None
    writing: frozenset = frozenset()
    generators: frozenset = frozenset()
    quiet: bool = False
    tried: bool = False
    alike: tuple = ()


PURE_METHODS = frozenset('''all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot
    flatten item max mean min prod ptp ravel repeat reshape round sort_ squeeze std sum swapaxes take tolist trace
    transpose var keys values items get index count'''.split())


LOAD, STORE = gast.Load(), gast.Store()               # which hold nothing, as in what Python parses


def load(name):
    return gast.Name(name, LOAD, None, None)


def store(name):
    return gast.Name(name, STORE, None, None)


def parameter(name):
    return gast.Name(id=name, ctx=gast.Param(), annotation=None, type_comment=None)


def targets(*names):
    """What `a = ...` or `a, b = ...` assigns to."""
    return store(names[0]) if len(names) == 1 else gast.Tuple(elts=[store(n) for n in names], ctx=gast.Store())


def constant(value):
    return gast.Constant(value=value, kind=None)


def expression(text):
    """The gast tree of an expression written as text."""
    if text.isidentifier() and text.isascii() and not keyword.iskeyword(text):            # most are the names of what is called
        made = load(text)
        made.__dict__.update(lineno=1, col_offset=0, end_lineno=1, end_col_offset=len(text))
        return made
    return gast.parse(text, mode='eval').body


def statements(text):
    """The gast trees of statements written as text."""
    return gast.parse(text).body


def call(name, /, *args, **keywords):
    """The call `name(*args, **keywords)`; `name` may be dotted."""
    return gast.Call(func=expression(name), args=list(args),
                     keywords=[gast.keyword(arg=k, value=v) for k, v in keywords.items()])


def method(owner, name, *args):
    """The call `owner.name(*args)`."""
    return gast.Call(func=gast.Attribute(value=owner, attr=name, ctx=gast.Load()), args=list(args), keywords=[])


def as_value(index, library):
    """An index as it is written outside of brackets: `slice(1, None)` for `1:`; `library` has the name of the builtin."""
    if isinstance(index, gast.Tuple):
        return replace(index, elts=[as_value(e, library) for e in index.elts])
    if isinstance(index, gast.Slice):
        parts = [index.lower, index.upper] + ([index.step] if index.step is not None else [])
        return call(library('slice'), *(constant(None) if p is None else p for p in parts))
    return index


def as_index(expr, name):
    """An index as it is written in brackets, from what `as_value` makes of it; `name` is that of the builtin in the text."""
    if isinstance(expr, gast.Tuple):
        return replace(expr, elts=[as_index(e, name) for e in expr.elts])
    if name is None or not is_call(expr, name):
        return expr
    ends = [None if is_none(e) else e for e in expr.args] + [None]
    return gast.Slice(lower=ends[0], upper=ends[1], step=ends[2])


def starred(exprs):
    """Whether one of these is `*expr`."""
    return any(isinstance(e, gast.Starred) for e in exprs)


def is_starred(call):
    """Whether how many arguments a call has shows only when it runs."""
    return starred(call.args) or any(k.arg is None for k in call.keywords)


def is_copy(expr):
    """Whether it calls the method by which lists, dicts, sets and arrays are copied."""
    return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr == 'copy' \
        and not arguments(expr)


def assign(target, value, origin=None):
    """`target = value`; a target is a name or a tree in store context."""
    target = store(target) if isinstance(target, str) else target
    return place(gast.Assign(targets=[target], value=value, type_comment=None), origin)


def definition(name, args, body, s):
    """`def name(args): body`, in the place of `s`."""
    made = gast.FunctionDef(name=name, args=args, body=body, decorator_list=[], returns=None, type_comment=None, type_params=[])
    return gast.copy_location(made, s)


def instead(made, s):
    """A statement just made, in the place of another."""
    return place(gast.copy_location(made, s), origin(s))


def like(s, target, value):
    """`target = value` at the place of the statement."""
    return instead(gast.Assign(targets=[target], value=value, type_comment=None), s)


def place(stmt, origin):
    """The statement itself, with its origin set (for statements just made)."""
    stmt.origin = origin
    if not hasattr(stmt, 'lineno'):
        stmt.lineno = stmt.end_lineno = origin.line if origin else 0
        stmt.col_offset = stmt.end_col_offset = 0
    return stmt


def origin(stmt):
    return getattr(stmt, 'origin', None)


def role(node):
    """The role of a statement, see `Origin`, or None."""
    found = origin(node)
    return found.role if found else None


def part_of(expr, origin):
    """The expression with a note of the statement that it was, to stand inside of another one."""
    if origin is None or not origin.line or isinstance(expr, (gast.Name, gast.Constant)):
        return expr
    return replace(expr, origin=origin)


def replace(node, **fields):
    """A copy of the node with some fields changed; locations and origin stay."""
    new = node.__class__.__new__(node.__class__)
    new.__dict__.update(node.__dict__, **fields)
    return new


def clone(node):
    """A deep copy of a tree (many times faster than `copy.deepcopy`); nodes without fields are shared."""
    fields = node.__dict__
    if not fields:
        return node
    new = node.__class__.__new__(node.__class__)
    copies = new.__dict__
    copies.update(fields)
    for key, value in fields.items():
        if isinstance(value, AST):
            if value.__dict__:
                copies[key] = clone(value)
        elif type(value) is list:
            copies[key] = [clone(v) if isinstance(v, AST) else v for v in value]
    return new


def dotted(expr):
    """'numpy.linalg.norm' for a Name or a chain of Attributes on a Name, else None."""
    if type(expr) is gast.Name:
        return expr.id
    parts = []
    while isinstance(expr, gast.Attribute):
        parts.append(expr.attr)
        expr = expr.value
    if not isinstance(expr, gast.Name):
        return None
    return '.'.join([expr.id] + parts[::-1])


def bound_to(node, holds):
    """The names of a function that are bound to nothing but what a test holds for, each time by an assignment of its own."""
    nodes = walk(node)
    found = [target(s) for s in nodes if isinstance(s, gast.Assign) and target(s) and holds(s.value)]
    if not found:
        return set()
    bound = [n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
    bound += [n.name for n in nodes if isinstance(n, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef))]
    return {name for name in found if bound.count(name) == found.count(name)}


def target(stmt):
    """The name that `name = value` defines, else None."""
    if type(stmt) is gast.Assign and len(stmt.targets) == 1 and type(stmt.targets[0]) is gast.Name:
        return stmt.targets[0].id
    return None


def parts_of(call):
    """What a call is given: arguments, keywords, and the owner of a method or the function value itself."""
    owner = call.func.value if isinstance(call.func, gast.Attribute) else call.func
    return [owner, *arguments(call)]


def arguments(call):
    """The arguments of a call, those with keywords among them; `*a` and `**k` as they stand."""
    return [*call.args, *(k.value for k in call.keywords)]


def root(expr):
    """What stands before all indices and attributes: `x` of `x.a[i].b`."""
    while isinstance(expr, (gast.Attribute, gast.Subscript, gast.Starred)):
        expr = expr.value
    return expr


def with_root(expr, other):
    """The expression with another one before all indices and attributes."""
    return other if expr is root(expr) else replace(expr, value=with_root(expr.value, other))


def root_name(expr):
    """The name that stands there, or None."""
    return getattr(root(expr), 'id', None)


def blocks(stmt):
    """(field, statements) for each block of a compound statement (the handlers of a try are statements of a block)."""
    fields = BLOCKS_OF[type(stmt)]
    return [(field, block) for field in fields if type(block := getattr(stmt, field, None)) is list] if fields else ()


class BlocksOf(dict):
    """Class of nodes -> its fields that are blocks."""

    def __missing__(self, kind):
        fields = () if kind is gast.Lambda else ('body', 'handlers', 'orelse', 'finalbody')
        self[kind] = tuple(f for f in fields if f in kind._fields)
        return self[kind]


BLOCKS_OF = BlocksOf()
TRIES = tuple(kind for kind in (gast.Try, getattr(gast, 'TryStar', None)) if kind)             # `except*` from Python 3.11 on


def header(stmt):
    """The expressions that a statement evaluates itself, outside its blocks (targets included)."""
    found = []
    HEADERS[type(stmt)](stmt, found)
    return found


def walk(node):
    """The node and all below it, as `gast.walk` gives them but many times faster; contexts and operators left out."""
    found = [node]
    if type(node) is NAME and node.annotation is not None:
        found.append(node.annotation)
    for node in found:
        kind = type(node)
        if kind is not NAME and kind is not CONSTANT:
            BELOW[kind](node, found)
    return found


NAME, CONSTANT = gast.Name, gast.Constant
# Fields that hold a list of nodes, but for those of some classes; lists that may hold None or texts; what is a node for sure
LISTS = frozenset('''args bases body cases comparators decorator_list defaults elts finalbody generators handlers ifs items
    keywords kwd_patterns kwonlyargs ops orelse patterns posonlyargs targets type_ignores type_params values'''.split())
SINGLE = {'FunctionDef': ('args',), 'AsyncFunctionDef': ('args',), 'Lambda': ('args', 'body'), 'IfExp': ('body', 'orelse'),
          'Expression': ('body',)}
MIXED = frozenset(('keys', 'kw_defaults', 'kwd_attrs', 'names'))
SURE = frozenset('elt func left right slice target test'.split())        # (a loop may be made before what it goes through)
TEXTS = frozenset('id attr kind arg type_comment is_async'.split())


class Adders(dict):
    """Class of nodes -> a function that adds what a node of it holds to a list, in order. It is written for that class, so that
    no field is asked for what it never holds:

        def add(node, found):                               # of gast.Call
            found.append(node.func)
            found += node.args
            found += node.keywords

    without : fields that are left out, of a class
    """

    def __init__(self, without):
        super().__init__()
        self.without = without

    def lines(self, kind):
        fields = () if kind is CONSTANT else kind._fields
        return [adding(kind, f) for f in fields if f not in TEXTS and f not in self.without(kind)]

    def __missing__(self, kind):
        space = {'AST': AST}
        exec('\n    '.join(['def add(node, found):', *self.lines(kind), 'pass']), space)
        self[kind] = space['add']
        return self[kind]


def adding(kind, field):
    """The statement by which a function of `Adders` adds what a field holds."""
    if field in MIXED:
        return f'found += [n for n in node.{field} if isinstance(n, AST)]'
    if field in LISTS and field not in SINGLE.get(kind.__name__, ()):
        return f'found += node.{field}'
    return f'found.append(node.{field})' if field in SURE else f'if isinstance(node.{field}, AST): found.append(node.{field})'


class Below(Adders):
    """The same for `walk`, which asks no name for an annotation: those of parameters come with these."""

    def lines(self, kind):
        found = super().lines(kind)
        if kind is not gast.arguments:
            return found
        names = "found += [n.annotation for n in found[start:] if getattr(n, 'annotation', None)]"
        return ['start = len(found)', *found, names]


BELOW = Below(lambda kind: ('ctx', 'op'))
PARTS = Adders(lambda kind: ('ctx',))
HEADERS = Adders(lambda kind: () if kind.__name__ in SINGLE and not issubclass(kind, gast.stmt) else BLOCKS_OF[kind])


def every(stmts):
    """The statements and all in their blocks, in the order of the text."""
    for s in stmts:
        yield s
        for _, block in blocks(s):
            yield from every(block)


def walk_scope(stmts):
    """Every node of the statements, nested functions left out."""
    pending = list(stmts)[::-1]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)):
            pending += children(node)[::-1]


def side_by_side(target, value):
    """(target, value) of `a = 1`, and of `a, b = 1, 2` one by one."""
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts):
        return [pair for t, v in zip(target.elts, value.elts) for pair in side_by_side(t, v)]
    return [(target, value)]


def is_guard(s):
    """The `if stop: break` at the end of a loop body."""
    return isinstance(s, gast.If) and len(s.body) == 1 and isinstance(s.body[0], gast.Break)


def is_none(expr):
    """Whether an expression is the literal None."""
    return isinstance(expr, gast.Constant) and expr.value is None


def located(new, old):
    """The tree where the old one stands, as far as its parts have no places of their own."""
    for node in walk(new):
        if not getattr(node, 'lineno', None):
            gast.copy_location(node, old)
    return new


def acts(expr):
    """Whether an expression may do something each time that it is evaluated."""
    return any(isinstance(n, (gast.Call, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)) for n in walk(expr))


def is_ellipsis(expr):
    """Whether an expression is the literal `...`."""
    return isinstance(expr, gast.Constant) and expr.value is Ellipsis


def is_text(s):
    """Whether a statement is nothing but a literal, as docstrings are."""
    return isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant)


def negation(test):
    """The tree of `not test`."""
    return gast.UnaryOp(op=gast.Not(), operand=test)


def as_read(target):
    """The target of an assignment as an expression."""
    return replace(target, ctx=gast.Load())


def names_called(function):
    """The names that calls in the function have in front of their arguments."""
    return {n.func.id for n in walk(function) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)}


def every_block(stmts):
    """The list of statements and all those in its blocks."""
    yield stmts
    for s in stmts:
        for _, block in blocks(s):
            yield from every_block(block)


def is_call(expr, name):
    """Whether the expression calls the function of that name."""
    return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) and expr.func.id == name


def children(node):
    """The nodes right below an expression, but for its context."""
    found = []
    PARTS[type(node)](node, found)
    return found


def with_children(node, change, skip=()):
    """The node with `change` applied to each child, itself if no child changed."""
    fields = {}
    for field, old in node.__dict__.items():
        if type(old) is list:
            if not old or field in skip:
                continue
            new = [change(item) if isinstance(item, AST) else item for item in old]
            if any(a is not b for a, b in zip(new, old)):
                fields[field] = new
        elif isinstance(old, AST) and old.__dict__ and field not in skip:      # contexts and operators are bare
            new = change(old)
            if new is not old:
                fields[field] = new
    return replace(node, **fields) if fields else node


def exchange(node, others):
    """The tree with other nodes in place of some of it: `others` has them by the `id` of the old ones."""
    return others[id(node)] if id(node) in others else with_children(node, lambda child: exchange(child, others))


def all_names(node):
    """The names that are read, bound or deleted in a tree, the parameters of functions too."""
    return {n.id for n in walk(node) if isinstance(n, gast.Name)}


def names(node, ctx):
    if type(node) is gast.Name and node.annotation is None:
        return [node.id] if type(node.ctx) is ctx else []
    return [n.id for n in walk(node) if type(n) is gast.Name and type(n.ctx) is ctx]


def reads(stmt):
    """Names that a statement reads in its own header (not in its blocks); `x += v` and `x[i] = v` read `x`."""
    found = {n for part in header(stmt) for n in names(part, gast.Load)}
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        found.add(stmt.target.id)
    return found


def writes(stmt):
    """Names that a statement binds in its own header (loop targets, assignments, imports, with ... as)."""
    if isinstance(stmt, (gast.Import, gast.ImportFrom)):
        return {(a.asname or a.name).partition('.')[0] for a in stmt.names}
    return {n for part in header(stmt) for n in names(part, gast.Store)}


def mutates(stmt):
    """Names of the objects that a statement changes in place: the base of `x[i] = v`, of `x.a = v`, and `x` of `x += v`."""
    targets = stmt.targets if isinstance(stmt, gast.Assign) else [stmt.target] if isinstance(stmt, gast.AugAssign) else []
    found = set()
    for t in targets:
        if isinstance(t, (gast.Subscript, gast.Attribute)):
            found |= {root_name(t)} - {None}
        elif isinstance(t, gast.Name) and isinstance(stmt, gast.AugAssign):
            found.add(t.id)
    return found


class _Substitute(gast.NodeTransformer):
    def __init__(self, mapping):
        self.mapping = mapping

    def visit_Name(self, node):
        if isinstance(node.ctx, gast.Load) and node.id in self.mapping:
            return clone(self.mapping[node.id])
        return node


def substitute(node, mapping):
    """A copy of the tree with loads of the names in `mapping` replaced by the trees there."""
    if not any(n in mapping for n in names(node, gast.Load)):
        return node
    return _Substitute(mapping).visit(clone(node))


def rename(node, mapping):
    """A copy of the tree with names (loads and stores) renamed."""
    new = node.__class__.__new__(node.__class__)
    known = new.__dict__
    known.update(node.__dict__)
    if type(node) is gast.Name:
        new.id = mapping.get(node.id, node.id)
        return new
    for key, value in node.__dict__.items():
        if type(value) is list:
            known[key] = [rename(v, mapping) if isinstance(v, AST) else v for v in value]
        elif isinstance(value, AST) and value.__dict__:
            known[key] = rename(value, mapping)
    return new


def is_atom(expr):
    """A name, a literal, a signed literal."""
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, (gast.USub, gast.UAdd)):
        expr = expr.operand
        return isinstance(expr, gast.Constant)
    return isinstance(expr, (gast.Name, gast.Constant))


def is_pure_method(func, name, modules, writing=()):
    """Whether what is called is a method without effect, of a value: `x.clip`, not `np.clip`; `writing` are no such names."""
    return isinstance(func, gast.Attribute) and func.attr in PURE_METHODS and func.attr not in writing \
        and (name is None or name.partition('.')[0] not in modules)


class Names:
    """Gives out names that are not taken, the same ones on every run: `t`, `t2`, `t3` ..."""

    def __init__(self, taken):
        self.taken = set(taken)
        self.next = {}

    def fresh(self, base):
        """`base` if it is free, else `base2`, `base3` ...; for a base that ends in a digit `base_2` ..."""
        name, k = base, self.next.get(base, 2)
        while name in self.taken or keyword.iskeyword(name):              # the tangent of `el`
            name = f'{base}_{k}' if base[-1].isdigit() else f'{base}{k}'
            k += 1
        self.next[base] = k
        self.taken.add(name)
        return name
