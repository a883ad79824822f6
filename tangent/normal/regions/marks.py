"""What is done at the end of statements, however they are left, stands behind them while it is worked on.

    try:                         with 'tried':                   'tried'
        y = divide(x, n)             y = divide(x, n)            y = divide(x, n)
    finally:               ->    with 'last':              ->    'end'
        np.seterr(**old)             np.seterr(**old)            'last'
                                                                 np.seterr(**old)
                                                                 'end'

The adjoint of statements that an error has left is asked for by nobody: what follows of it is that of statements in a row. So
they stand in a row, with marks, for all rooms but the optimizer, which moves nothing into a block and nothing out of one. The
text that is emitted has the `try`, or the `with` (see `contexts`), again (see `written`).
"""
import gast

from tangent.frontend import subset, tree
from tangent.frontend.subset import Region, region

TRIED, LAST, LEFT, END = 'tried', 'last', 'left', 'end'        # `left`: the context that was entered before
NOTHING = (None, None, None)


def around(mark, body, s):
    """The statements as a region, at the place of another."""
    item = gast.withitem(context_expr=tree.constant(mark), optional_vars=None)
    return gast.copy_location(gast.With(items=[item], body=body, type_comment=None), s)


def in_a_row(function):
    """The function with marks for its regions."""
    found = any(region(s) is not None for s in tree.every(function.body))
    return tree.replace(function, body=marked(function.body)) if found else function


def marked(stmts):
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: marked(block) for field, block in tree.blocks(s)})
        mark = region(s)
        out += [s] if mark is None else [sign(mark, s), *s.body, sign(Region.of(END, mark.number), s)]
    return out


def sign(mark, s):
    return tree.instead(gast.Expr(value=tree.constant(mark)), s)


def mark_of(s):
    """The Region of which a statement is the beginning, or END, or None."""
    value = s.value.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant) else None
    return value if isinstance(value, Region) else None


def in_blocks(function):
    """The function with regions for the marks."""
    found = any(mark_of(s) is not None for s in tree.every(function.body))
    return tree.replace(function, body=unmarked(function.body)) if found else function


def unmarked(stmts):
    blocks, begun = [[]], []
    for s in stmts:
        mark = mark_of(s)
        if mark is None:
            blocks[-1].append(tree.replace(s, **{field: unmarked(block) for field, block in tree.blocks(s)}))
        elif mark != END:
            begun.append(s)
            blocks.append([])
        else:
            first, body = begun.pop(), blocks.pop()
            blocks[-1] += [tree.place(around(mark_of(first), body, first), tree.origin(first))] if body else []
    return blocks[0]


def refuse(function, ops, active, kept, source):
    """Refuse what is done at the end of statements where a derivative flows through it: an error, too, would go there.

    kept : names for what it reads
    """
    within = 0
    for s in tree.every(function.body):
        mark = mark_of(s)
        within += mark in (LAST, LEFT) or bool(within and mark == TRIED)
        within -= bool(within and mark == END)
        if within and s in ops or tree.target(s) in kept and tree.target(s) in active:
            raise subset.unsupported(s, source, 'finally blocks, and contexts that are left, with a derivative',
                                     'write what is done there behind the block')
