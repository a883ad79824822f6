"""Methods that Python calls where no call stands: by operators, comparisons, tests of truth, `len`, `in` and attributes.

    a < b             __lt__ of a, or __gt__ of b            if t:             __bool__ of t, or else __len__
    x in xs           __contains__ of xs                     ~a, a | b         __invert__, __or__
    p.area            a property, or __getattr__          with p as q:      __enter__ and __exit__

Most do no more than make a new object, or tell a fact: which of two is less. A method *acts* if it may write into something,
or if it gives what is no fact although the operator has no derivative for numbers: `a // b`, a comparison that makes an object.
Where a class that takes part defines one that acts, the operator is a call of something unknown, which may write into all that
it is given.
"""
import functools

import gast

from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import remembered
from tangent.frontend.source import original, read
from tangent.templates.python import mutations

ARITHMETIC = {gast.Add: 'add', gast.Sub: 'sub', gast.Mult: 'mul', gast.Div: 'truediv', gast.MatMult: 'matmul', gast.Pow: 'pow',
              gast.Mod: 'mod', gast.FloorDiv: 'floordiv', gast.LShift: 'lshift', gast.RShift: 'rshift', gast.BitAnd: 'and',
              gast.BitOr: 'or', gast.BitXor: 'xor'}
UNARY = {gast.USub: 'neg', gast.UAdd: 'pos', gast.Invert: 'invert'}
OPERATORS = {**ARITHMETIC, **UNARY}
COMPARED = {gast.Lt: 'lt', gast.LtE: 'le', gast.Gt: 'gt', gast.GtE: 'ge', gast.Eq: 'eq', gast.NotEq: 'ne'}
WHOLE = {'invert', 'round', *(f'{r}{n}' for n in 'floordiv lshift rshift and or xor divmod'.split() for r in ('', 'r'))}
TRUTH = 'bool', 'len'
THROUGH = 'iter', 'next', 'getitem'
CONTEXT = 'enter', 'exit'
BUILTINS = {**{name: (name,) for name in ('len', 'round', 'float', 'abs', 'int', 'complex')},
            **dict.fromkeys(('list', 'tuple', 'zip'), THROUGH), 'reversed': ('reversed', 'getitem'), 'bool': TRUTH,
            'next': ('next',), 'divmod': ('divmod', 'rdivmod'), 'pow': ('pow', 'rpow'),
            **dict.fromkeys(('min', 'max'), ('lt', 'gt')), 'sorted': (*THROUGH, 'lt'), 'sum': (*THROUGH, 'add', 'radd')}
ITERATES = frozenset('list tuple zip zipped enumerate enumerated set frozenset dict iter map filter any all sorted sum'
                     .split())
LISTED = 'range list tuple zip enumerate sorted reversed dict set frozenset map filter'.split()     # they give no object
NAMES = frozenset([*OPERATORS.values(), *(f'{k}{n}' for n in ARITHMETIC.values() for k in 'ri'), *COMPARED.values(), *TRUTH,
                   *THROUGH, *'missing contains getattr getattribute round divmod rdivmod float abs int'.split()])
FACTS = 'isinstance', 'issubclass', 'callable', 'hasattr', 'bool', 'len', 'all', 'any', 'hash', 'id', 'type'
TOLD = 'all', 'any', 'allclose', 'array_equal', 'startswith', 'endswith', 'isdisjoint', 'issubset', 'issuperset'


def methods_run(node):
    """[(names of the methods that Python may call at this node itself, what they are given)]."""
    if isinstance(node, gast.BinOp):
        name = ARITHMETIC[type(node.op)]
        return [((name, f'r{name}'), [node.left, node.right])]
    if isinstance(node, gast.AugAssign):
        name = ARITHMETIC[type(node.op)]
        return [((name, f'r{name}', f'i{name}'), [tree.as_read(node.target), node.value])]
    if isinstance(node, gast.UnaryOp) and type(node.op) in UNARY:
        return [((UNARY[type(node.op)],), [node.operand])]
    if isinstance(node, gast.Compare):
        return [compared(op, pair) for op, pair in zip(node.ops, zip([node.left, *node.comparators], node.comparators))]
    if isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Load):
        return [(('getitem', 'missing'), [node.value, node.slice])]
    if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
        return [((f'.{node.attr}', 'getattr'), [node.value])]
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
        return [(BUILTINS.get(node.func.id, ()), node.args), (THROUGH, iterated(node))]
    if (through := gone_through(node)) is not None:
        return [(THROUGH, [through])]
    if isinstance(node, gast.With):
        return [(CONTEXT, [item.context_expr, *given_as(item)]) for item in node.items]
    return [(TRUTH, [e]) for e in tested(node)]


def compared(op, pair):
    name = COMPARED.get(type(op))
    if name is not None:
        return ('eq', 'ne') if name in ('eq', 'ne') else ('lt', 'le', 'gt', 'ge'), list(pair)        # some ask for others
    return ('contains', 'eq', 'iter', 'next') if isinstance(op, (gast.In, gast.NotIn)) else (), list(pair)


def gone_through(node):
    """What a node itself goes through, one thing after the other, where that may be an object; else None."""
    found = None
    if isinstance(node, (gast.For, gast.comprehension)):
        found = node.iter
    elif isinstance(node, (gast.Starred, gast.YieldFrom)) and not isinstance(getattr(node, 'ctx', None), gast.Store):
        found = node.value
    elif isinstance(node, gast.Assign) and any(isinstance(t, (gast.Tuple, gast.List)) for t in node.targets):
        found = node.value
    return None if found is None or is_listed(found) else found


def iterated(call):
    """The arguments that a call of a builtin goes through, where they may be objects."""
    name = call.func.id
    found = call.args if name in ITERATES or name in ('min', 'max') and len(call.args) == 1 else []
    found = found[1:] if name in ('map', 'filter') else found[:1] if name in ('sum', 'enumerate', 'iter') else found
    return [e for e in found if not is_listed(e) and not isinstance(e, gast.Starred)]


def is_listed(expr):
    """Whether an expression surely gives a container or an iterator of Python's own."""
    made = isinstance(expr, gast.Call) and (getattr(expr.func, 'id', None) in LISTED
                                            or getattr(expr.func, 'attr', None) in mutations.VIEWS)
    return made or isinstance(expr, (gast.Constant, gast.Tuple, gast.List, gast.Set, gast.Dict, gast.ListComp, gast.SetComp,
                                     gast.DictComp, gast.GeneratorExp))


def given_as(item):
    """What stands behind `as`, as it is read: that may be the context itself."""
    return [tree.load(n) for n in tree.names(item.optional_vars, gast.Store)] if item.optional_vars is not None else []


def tested(node):
    """The expressions whose truth is asked for by a node itself, and that may be anything."""
    found = []
    if isinstance(node, (gast.If, gast.While, gast.IfExp, gast.Assert)):
        found = [node.test]
    elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        found = [node.operand]
    elif isinstance(node, gast.BoolOp):
        found = node.values
    elif isinstance(node, gast.comprehension):
        found = node.ifs
    return [e for e in found if not is_fact(e) and not isinstance(e, gast.BoolOp)]


def is_fact(expr):
    """Whether the value of an expression surely is True, False or a number that tells a fact."""
    if isinstance(expr, gast.BoolOp):
        return all(map(is_fact, expr.values))
    if isinstance(expr, gast.IfExp):
        return is_fact(expr.body) and is_fact(expr.orelse)
    if isinstance(expr, gast.Call):
        return getattr(expr.func, 'id', None) in FACTS or getattr(expr.func, 'attr', None) in TOLD
    return isinstance(expr, (gast.Constant, gast.Compare)) or isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.Not) \
        or isinstance(expr, gast.Name) and expr.id == 'NotImplemented'


def given(node, acting, is_sure=lambda expr: False):
    """What a node itself hands to methods that act, of all that may be an object; `is_sure`: what is none."""
    if not acting:
        return []
    return [e for names, operands in methods_run(node) if not acting.isdisjoint(names) for e in operands
            if not isinstance(e, (gast.Constant, gast.Slice)) and not is_sure(e)]


@remembered
def tells(function):
    """Whether what a method gives surely is a fact: True, False or NotImplemented."""
    code = getattr(function, '__code__', None)
    if code is None or code.co_filename.startswith('<') or code.co_filename == functools.__file__:    # what decorators make
        return True
    try:
        body = read(original(function)).tree.body
    except TangentError:
        return False
    returned = [n.value for n in tree.every(body) if isinstance(n, gast.Return)]
    return all(e is None or is_fact(e) for e in returned)
