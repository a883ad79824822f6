"""Which names surely hold numbers or arrays, and which are added to in place: facts about a normal form."""
import collections
import operator

import gast

from tangent.analysis.dataflow.solve import closure
from tangent.analysis.shapes import NUMBER
from tangent.frontend import quote, tree
from tangent.runtime import facts
from tangent.templates.language import registry


def indexed(ops):
    """Names that may be sequences for all that is known: what is read by a single index, unpacked, or makes up such.

    What is doubled is, too, if it is kept or handed to others, who may do that.
    """
    found = {op.args[0].id for op in ops.values() if op.kind in ('unpack', 'field')
             or op.kind == 'index' and not isinstance(op.args[1], (gast.Slice, gast.Tuple))}
    found |= {e.id for op in ops.values() if op.kind == 'join' for e in op.args if isinstance(e, gast.Name)}
    handed = {n for s, op in ops.items() if hands_on(op) for n in tree.names(s.value, gast.Load)}
    graph = made_of(ops)
    return closure(found, graph) | closure(handed, graph) & doubled(ops)


def made_of(ops):
    """Name -> names of lists whose elements it has if they are lists: of what is copied, sliced, joined or repeated."""
    graph = {}
    for s, op in ops.items():
        names = []
        if op.kind == 'copy' or op.kind == 'index' and isinstance(op.args[1], gast.Slice):
            names = [op.args if op.kind == 'copy' else op.args[0]]
        elif joins_or_repeats(s, op):
            names = [s.value.left, s.value.right]
        for n in names:
            if isinstance(n, gast.Name):
                graph.setdefault(tree.target(s), set()).add(n.id)
    return graph


def joins_or_repeats(s, op):
    """Whether it is `x + y` or `x * y`, which lists have as numbers do."""
    return op.kind == 'rule' and isinstance(s.value, gast.BinOp) and isinstance(s.value.op, (gast.Add, gast.Mult))


def doubled(ops):
    """Names of `x + x` and `x * 2`: the gradient of a number looks at no shape there, and would not notice a list."""
    return {tree.target(s) for s, op in ops.items() if joins_or_repeats(s, op) and (
        quote.same(s.value.left, s.value.right) or any(isinstance(e, gast.Constant) for e in (s.value.left, s.value.right)))}


def returned(function):
    """Names whose values a function returns."""
    return {s.value.id for s in tree.every(function.body) if isinstance(s, gast.Return) and isinstance(s.value, gast.Name)}


def joined(known, ops):
    """The names among `known` that hold lists or tuples, and what is made of them."""
    graph = {}
    for made, names in made_of(ops).items():
        for n in names:
            graph.setdefault(n, set()).add(made)
    return closure(known, graph)


def hands_on(op):
    """Whether what a statement reads is kept in a container, or handed to a function: others may take it apart there."""
    if op.kind == 'rule':
        return op.what.name in TAKEN_APART
    return op.kind in ('display', 'append', 'appendleft', 'store', 'call', 'dispatch', 'partial', 'derivative')


def joined_lists(function, ops):
    """Names that surely hold lists or tuples, as arrays and numbers beside them would not: whatever binds them makes one."""
    makers = {}
    for s in tree.every(function.body):
        for n in tree.writes(s):
            makers.setdefault(n, []).append(s)
    found = set(makers)

    def lists(value):
        if isinstance(value, gast.Name):
            return value.id in found
        if isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice):
            return lists(value.value)
        if isinstance(value, gast.BinOp):
            count = isinstance(value.op, gast.Mult) and isinstance(value.right, gast.Constant)
            return lists(value.left) and (count or isinstance(value.op, gast.Add) and lists(value.right))
        return isinstance(value, (gast.List, gast.Tuple))

    def made(s):
        op = ops.get(s)
        rule = op.what.name if op is not None and op.kind == 'rule' else None
        return tree.target(s) and (rule in LISTED or op is None and tree.is_none(s.value) or lists(s.value))

    while surplus := {n for n in found if not all(map(made, makers[n]))}:
        found -= surplus
    return found


def tuple_lengths(function):
    """Name -> how many elements it has, for names that are bound once, to a tuple that the text shows or one made of such."""
    every = list(tree.every(function.body))
    times, found = collections.Counter(n for s in every for n in tree.writes(s)), {}

    def length(value):
        if isinstance(value, gast.Tuple):
            return None if tree.starred(value.elts) else len(value.elts)
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Add):
            both = length(value.left), length(value.right)
            return None if None in both else sum(both)
        return found.get(value.id) if isinstance(value, gast.Name) else None

    for s in every:
        if tree.target(s) and times[tree.target(s)] == 1:
            found[tree.target(s)] = length(s.value)
    return {n: count for n, count in found.items() if count is not None}


LISTED = frozenset('list tuple sorted zip reversed enumerate'.split())
PUT_TOGETHER = frozenset('numpy.' + name for name in 'stack concatenate vstack hstack dstack column_stack block'.split())
TAKEN_APART = LISTED | frozenset('sum max min numpy.array numpy.asarray numpy.asanyarray'.split())


def numbers(function, ops, active, shapes, sequences, buffers, is_object, listed=()):
    """Names that surely hold numbers or arrays: what arithmetic (other than + and *, which lists have too) works on.

    listed : names that are known to hold lists or tuples, with which functions of NumPy calculate as well
    """
    unset = {tree.target(s) for s in tree.every(function.body) if tree.target(s) and tree.is_none(s.value)}
    found = {n for n, shape in shapes.of.items() if shape == NUMBER} - unset
    found |= {n.value.id for n in tree.walk(function) if isinstance(n, gast.Attribute)
              and isinstance(n.value, gast.Name) and n.attr in ARRAY_ATTRIBUTES and not is_object(n.value)}
    tables = {n.value.id for n in tree.walk(function) if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name)
              and isinstance(n.slice, gast.Constant) and isinstance(n.slice.value, str)}
    arrays = {n for n in buffers.names - tables if n in buffers.given or not buffers.may_be_list(n)}
    found |= arrays
    found |= {op.args[2].id for op in ops.values() if op.kind in ('write', 'update')
              and isinstance(op.args[2], gast.Name)}
    groups, graph = [], {}                 # names that are numbers if one of them is, or if another is
    bound = collections.Counter(map(tree.target, tree.every(function.body)))
    taken_apart = {op.args[0].id for op in ops.values() if op.kind == 'unpack'}
    for s in tree.every(function.body):
        if tree.target(s) and isinstance(s.value, gast.Name):
            if s.value.id in taken_apart:           # a tuple here, where it may be a number elsewhere
                taken_apart.add(tree.target(s))
                if bound[tree.target(s)] > 1:
                    continue
            groups.append({tree.target(s), s.value.id})
        elif tree.target(s) and isinstance(s.value, gast.Constant) and type(s.value.value) in (int, float, complex):
            found.add(tree.target(s))
    for s, op in ops.items():
        if op.kind == 'index' and any(isinstance(n, gast.Slice) for n in tree.walk(op.args[1])):
            groups.append({tree.target(s), op.args[0].id})         # a slice of an array is an array
        if op.kind == 'index' and isinstance(op.args[1], gast.Tuple):
            found.add(op.args[0].id)
        if op.kind != 'rule' or facts.of(op.what.name).sequence or op.what.shape == 'container':
            continue
        structured = facts.of(op.what.name).structured if '.' not in op.what.name else None
        if structured is not None:
            for p, e in op.args.items():
                if p in structured and isinstance(e, gast.Name):
                    graph.setdefault(e.id, set()).add(tree.target(s))
            continue
        names = {e.id for e in op.args.values() if isinstance(e, gast.Name)} | {tree.target(s)}
        if isinstance(s.value, gast.BinOp) and isinstance(s.value.op, gast.MatMult):
            found |= names
        elif isinstance(s.value, gast.BinOp) and isinstance(s.value.op, (gast.Add, gast.Mult)):
            groups.append(names)
            two = all(isinstance(e, gast.Name) for e in op.args.values()) or names.isdisjoint(sequences)
            if isinstance(s.value.op, gast.Mult) and names <= active and two:    # lists are repeated by integers only
                found |= names
            if any(isinstance(v, float) for e in op.args.values() if e is not None for v in registry.literal(e)):
                found |= names
        else:
            found |= names if op.what.kind == 'elementwise' else {tree.target(s)}
    for group in groups:
        for n in group:
            graph.setdefault(n, set()).update(group)
    either = (perhaps_sequences(function, ops) | set(listed)) - arrays | handed_on_as_none(function, ops)
    return closure(found - either, {n: to - either for n, to in graph.items() if n not in either})


def perhaps_sequences(function, ops):
    """Names with which a function calculates on one path and which may be lists on another, where it takes them apart.

    It asks for their kind, or does the one in one branch and the other in the other.
    """
    return asked_for_kind(function) & _apart_and_operands(function.body, ops)[0] \
        | taken_apart_elsewhere(function.body, ops, _apart_and_operands) | made_arrays(function, ops)


def is_extreme_of_several(value):
    """Whether it is `max(a, b)`, which takes nothing apart."""
    return isinstance(value, gast.Call) and tree.dotted(value.func) in ('max', 'min') and len(value.args) > 1


def made_arrays(function, ops):
    """Names of which one path makes an array (`y = 2 * np.asarray(x)`) and which another hands on under the name of that
    (`y = x`), and that name: they may hold lists where nobody makes an array of them."""
    every = [s for s in tree.every(function.body) if tree.target(s)]
    made, bound, found = {}, {}, set()
    for s in every:
        op = ops.get(s)
        if op is not None and (op.kind == 'display' or op.kind == 'rule' and (
                op.what.name in TAKEN_APART | PUT_TOGETHER and not is_extreme_of_several(s.value))):
            for name in tree.names(s.value, gast.Load):
                made.setdefault(name, set()).add(tree.target(s))
        if isinstance(s.value, gast.Name):
            bound.setdefault(tree.target(s), set()).add(s.value.id)
    if made.keys().isdisjoint(n for sources in bound.values() for n in sources):
        return found
    reads, copies = {}, {}
    for s in every:
        for name in tree.names(s.value, gast.Load):
            for graph in (reads, copies) if isinstance(s.value, gast.Name) else (reads,):
                graph.setdefault(name, set()).add(tree.target(s))
    for target, sources in bound.items():
        handed = closure(sources, bound)
        for name in made.keys() & handed if len(sources) > 1 else ():
            if closure(made[name], reads) & sources:
                found |= {target} | handed & closure({name}, copies)
    return found


def handed_on_as_none(function, ops):
    """Names that may hold None where they are kept or handed to others (`seen.append(last)`): the text binds them to it, or
    asks whether they are. What comes back from there is None, too, which `+` does not add.
    """
    copies = {}
    unset = {n.left.id for n in tree.walk(function) if asks_for_none(n) and isinstance(n.left, gast.Name)}
    for s in tree.every(function.body):
        if tree.target(s) and isinstance(s.value, gast.Name):
            copies.setdefault(s.value.id, set()).add(tree.target(s))
        elif tree.target(s) and (tree.is_call(s.value, 'init_grad') or tree.is_call(s.value, 'zero_tangent')):
            copies.setdefault(getattr(s.value.args[0], 'id', None), set()).add(tree.target(s))          # that of None is None
        elif tree.target(s) and tree.is_none(s.value) and tree.origin(s) is not tree.JOINED:
            unset.add(tree.target(s))
    if not unset:
        return unset
    return closure(unset, copies) & {n for s, op in ops.items() if hands_on(op) for n in tree.names(s.value, gast.Load)}


def _apart_and_operands(stmts, ops):
    """(names that statements take apart as lists are, names they calculate with)."""
    done = [ops[s] for s in tree.every(stmts) if s in ops]
    apart = {op.args[0].id for op in done if op.kind in ('index', 'unpack') and isinstance(op.args[0], gast.Name)}
    given = {True: apart, False: set()}
    for op in done:
        if op.kind == 'rule':
            given[op.what.name in TAKEN_APART].update(e.id for e in op.args.values() if isinstance(e, gast.Name))
    return given[True], given[False]


def asked_for_kind(function):
    """Names of which a function asks for their kind: `isinstance(p, list)`; and those of the tangents of functions that it
    calls, `pushforward(f, x, dx, df=df)`, which may be numbers where no function is called."""
    calls = [n for n in tree.walk(function) if isinstance(n, gast.Call)]
    asked = {n.args[0].id for n in calls if n.args and isinstance(n.args[0], gast.Name)
             and (tree.dotted(n.func) or '').rpartition('.')[2] in KIND_TESTS}
    return asked | {k.value.id for n in calls for k in n.keywords if k.arg == 'df' and isinstance(k.value, gast.Name)}


def numbers_unset(stmts, numbers):
    """The statements with 0.0 for the None of a number that a path leaves unbound: its gradient is a number, too."""
    out = []
    for s in stmts:
        if tree.target(s) in numbers and tree.origin(s) is tree.JOINED and tree.is_none(s.value):
            s = tree.replace(s, value=tree.constant(0.0))
        blocks = {field: numbers_unset(block, numbers) for field, block in tree.blocks(s)}
        same = all(len(b) == len(getattr(s, f)) and all(map(operator.is_, b, getattr(s, f))) for f, b in blocks.items())
        out.append(s if same else tree.replace(s, **blocks))
    return out


def asks_for_none(test):
    """Whether an expression is `x is None` or `x is not None`."""
    return isinstance(test, gast.Compare) and isinstance(test.ops[0], (gast.Is, gast.IsNot)) \
        and tree.is_none(test.comparators[0])


def perhaps_none(function, ops, elements=False):
    """Names unpacked from something that may hold None in their place: in a function that compares with None, those with
    which nothing is calculated on some path. And those that may hold a text, for that is asked.

    elements : names of elements that are read one by one, too
    """
    every = {t for op in ops.values() if op.kind == 'unpack' for t in op.args[1:]}
    compares = any(map(asks_for_none, tree.walk(function)))
    unpacked = every if compares else set()
    if elements and compares:
        unpacked = unpacked | {tree.target(s) for s, op in ops.items() if op.kind == 'index'}
    numbers = _calculated_with(function.body, ops, unpacked)[1] if unpacked else set()
    return unpacked - numbers | every & asked_for_text(function) if every else unpacked - numbers


def asked_for_text(function):
    """Names of which a function asks whether they hold a text."""
    return {n.args[0].id for n in tree.walk(function) if isinstance(n, gast.Call) and len(n.args) == 2
            and isinstance(n.args[0], gast.Name)
            and (tree.dotted(n.func), tree.dotted(n.args[1])) == ('isinstance', 'str')}


KIND_TESTS = frozenset('isinstance type hasattr callable isscalar'.split())


def several_kinds(function, ops):
    """Elements that may be numbers on one path and something else on another, for all that the function asks and does.

    It asks for their kind (`isinstance(p, list)`, `p is None`), takes them from a display whose parts are of several kinds,
    or takes them apart in one branch and calculates with them in the other.
    """
    elements = {tree.target(s): op.args[0] for s, op in ops.items() if op.kind == 'index'}
    if not elements:
        return set()
    copies = [(tree.target(s), s.value.id) for s in tree.every(function.body)
              if tree.target(s) and isinstance(s.value, gast.Name)]
    graph = {}
    for pair in copies:
        for name in pair:
            graph.setdefault(name, set()).update(pair)
    asked = {n.left.id for n in tree.walk(function) if asks_for_none(n) and isinstance(n.left, gast.Name)}
    asked |= asked_for_kind(function)
    asked |= taken_apart_elsewhere(function.body, ops, _parts_and_operands)
    made = {tree.target(s): s.value for s in tree.every(function.body) if tree.target(s)}
    displays = gast.List, gast.Tuple, gast.Dict
    containers = {n for n, value in made.items() if isinstance(value, displays) or tree.is_none(value)}
    mixed = {n for n, value in made.items() if isinstance(value, displays)
             and any(tree.is_none(e) or isinstance(e, gast.Name) and e.id in containers for e in tree.children(value))}
    mixed = closure(mixed, graph)
    return {n for n in closure(asked, graph) if n in elements} | {
        n for n, owner in elements.items() if isinstance(owner, gast.Name) and owner.id in mixed}


def taken_apart_elsewhere(stmts, ops, told):
    """Names of which one branch takes parts, and with which the other calculates, as `told` of statements."""
    found = set()
    for s in tree.every(stmts):
        if isinstance(s, gast.If):
            (parts, used), (other_parts, other_used) = (told(block, ops) for block in (s.body, s.orelse))
            found |= (parts - used) & (other_used - other_parts) | (other_parts - other_used) & (used - parts)
    return found


def _parts_and_operands(stmts, ops):
    done = [ops[s] for s in tree.every(stmts) if s in ops]
    parts = {op.args[0].id for op in done if op.kind in ('unpack', 'index', 'field') and isinstance(op.args[0], gast.Name)}
    return parts, {e.id for op in done if op.kind == 'rule' for e in op.args.values() if isinstance(e, gast.Name)}


def _calculated_with(stmts, ops, asked):
    """(names with which these statements calculate on every path, those that are bound in a block which does so)."""
    found, sure = set(), set()
    for s in reversed(stmts):
        blocks = [_calculated_with(block, ops, asked) for _, block in tree.blocks(s)]
        if blocks:
            join = set.intersection if isinstance(s, gast.If) else set.union
            found |= join(*(f for f, _ in blocks))
            sure |= set.union(*(b for _, b in blocks))
        op = ops.get(s)
        if op is not None and (op.kind in ('rule', 'index', 'write', 'update')
                               or op.kind == 'copy' and tree.target(s) in found):
            found |= tree.reads(s)
        sure |= asked & tree.writes(s) & found
    return found, sure


ARRAY_ATTRIBUTES = frozenset('shape ndim size dtype T sum mean dot reshape ravel flatten astype transpose max min'.split())


def accumulators(stmts, ops):
    """Carried names that a loop body only updates: `s = s + t`, with no other use of `s`."""
    found = {}
    for s in stmts:
        for _, block in tree.blocks(s):
            found.update(accumulators(block, ops))
        if not isinstance(s, (gast.For, gast.While)):
            continue
        defined = {tree.target(t): t for t in s.body if tree.target(t)}
        uses = {}
        for t in tree.every(s.body):
            for n in tree.names(t, gast.Load) if not any(tree.blocks(t)) else tree.reads(t):
                uses[n] = uses.get(n, 0) + 1
        for t in s.body:
            if tree.origin(t) and t.origin.role == 'carry' and isinstance(t.value, gast.Name):
                update = defined.get(t.value.id)
                op = ops.get(update)
                carried = tree.target(t)
                if op is not None and op.kind == 'rule' and op.what.kind == 'elementwise' and uses.get(carried) == 1 \
                        and any(isinstance(e, gast.Name) and e.id == carried for e in op.args.values()):
                    found[t.value.id] = {carried}
    return found
