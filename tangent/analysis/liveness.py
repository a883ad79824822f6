"""Frames: small questions about the blocks of a forward and a backward pass."""
import gast

from tangent.frontend import tree

TAPE = tree.Origin('tape')


def adjoint_of(s):
    place = tree.origin(s)
    return place._replace(role='adjoint') if place else tree.Origin('adjoint')


def merged(terms, bound):
    """The terms of an operation with equal ones for one name made one: `2 * by * x` for `y = x * x`."""
    if len(terms) != 2:
        return terms
    (p, first), (q, second) = terms.items()
    if not isinstance(bound[p], gast.Name) or gast.dump(bound[p]) != gast.dump(bound[q]) or isinstance(first, list) \
            or gast.dump(first) != gast.dump(second):
        return terms
    return {p: twice(first)}


def twice(expr):
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Mult):
        return tree.replace(expr, left=twice(expr.left))
    return gast.BinOp(left=tree.constant(2), op=gast.Mult(), right=expr)


def passes():
    return tree.place(gast.Pass(), TAPE)


def in_front_of_guard(body, stmts):
    if body and tree.is_guard(body[-1]):
        return body[:-1] + stmts + body[-1:]
    return body + stmts


def mutates_in_place(block):
    return any(isinstance(n, gast.AugAssign) or isinstance(n, (gast.Subscript, gast.Attribute))
               and isinstance(n.ctx, gast.Store) for s in block.body for n in tree.walk(s))


def exposed(stmts, defined=()):
    """Names that the statements read before they define them."""
    found, known = set(), set(defined)
    _exposed(stmts, known, found)
    return found


def defined(stmts):
    """Names that the statements surely define."""
    known: set = set()
    _exposed(stmts, known, set())
    return known


def _exposed(stmts, known, found):
    for s in stmts:
        found |= tree.reads(s) - known
        if isinstance(s, gast.If):
            paths = set(known), set(known)
            for block, path in zip((s.body, s.orelse), paths):
                _exposed(block, path, found)
            known |= paths[0] & paths[1]
        elif isinstance(s, (gast.For, gast.While)):
            inner = known | tree.writes(s)
            _exposed(s.body, inner, found)
        else:
            for _, block in tree.blocks(s):
                _exposed(block, set(known), found)
            known |= tree.writes(s)


def values_of(reverse, stmts):
    """Text of a call -> the name that has its value, for calls of functions whose rules may ask for it: `c = cos(x)`.

    Each name in it means one value: it is bound once, and where anything is changed in place it has to be a number.
    """
    found = {}
    for s in stmts:
        op, name = reverse.ops.get(s), tree.target(s)
        if op is None or not name or not isinstance(s.value, gast.Call) or op.kind in ('call', 'dispatch') or s.value.keywords:
            continue
        args = [getattr(a, 'id', None) for a in s.value.args]
        number = (tree.dotted(s.value.func) or '').startswith('math.')
        if len(args) == 1 and args[0] and all(reverse.means_one(n, number) for n in [name, *args]):
            found[gast.dump(s.value)] = name
    return found


def named(expr, values):
    """The tree with names for calls whose value has one."""
    if isinstance(expr, gast.Call) and gast.dump(expr) in values:
        return tree.load(values[gast.dump(expr)])
    fields = {}
    for key, value in expr.__dict__.items():
        if type(value) is list:
            new = [named(v, values) if isinstance(v, gast.AST) else v for v in value]
            if any(a is not b for a, b in zip(new, value)):
                fields[key] = new
        elif isinstance(value, gast.expr):
            new = named(value, values)
            if new is not value:
                fields[key] = new
    return tree.replace(expr, **fields) if fields else expr


def entered(reverse, stmts):
    """The statements with copies, on entry, of the arrays given to the function that it writes into: the caller's own are left
    alone. What looks at what was given comes before them."""
    made = [tree.assign(p, reverse.call('copy', tree.load(p)), tree.Origin('primal')) for p in reverse.normal.copied]
    at = next((k for k, s in enumerate(stmts) if tree.origin(s).role != 'guard'), len(stmts)) if made else 0
    return stmts[:at] + made + start_tape(stmts[at:], reverse.library)


def start_tape(stmts, library):
    """The statements with the tape made before the first of them, if they use one."""
    if '_stack' not in library.given:
        return stmts
    library('Stack')
    return [tree.assign(library('_stack'), tree.call(library('Stack')), TAPE)] + stmts
