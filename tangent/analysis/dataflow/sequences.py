"""Lists, tuples and dicts as the text shows them: what `xs + ys`, `xs * n` and `d | e` of them give holds what they hold."""
import gast

DISPLAYS = (gast.List, gast.Tuple, gast.Dict)
COMPREHENSIONS = (gast.ListComp, gast.DictComp)


class Sequences:
    """The names that may hold a list, tuple or dict.

    makes : whether a call gives one
    given : parameters that do
    nested : names of what may hold such a thing in its turn
    """

    def __init__(self, stmts, makes, given=()):
        self.makes, self.names, self.nested, stmts = makes, {*given}, set(), list(stmts)
        self.pairs = pairs = [p for s in stmts if isinstance(s, gast.Assign) for t in s.targets for p in paired(t, s.value)]
        before = None
        while before != (before := (len(self.names), len(self.nested))):
            self.names |= {name for name, value in pairs if self.may_be(value)}
            self.names |= {s.target.id for s in stmts if self.extends(s) and isinstance(s.target, gast.Name)}
            self.nested |= {name for name, value in pairs if self.holds_one(value)}

    def is_list(self, name):
        """Whether the text shows a list or tuple that the name may hold."""
        return any(n == name and isinstance(value, (gast.List, gast.Tuple, gast.ListComp)) for n, value in self.pairs)

    def extends(self, s):
        """Whether a statement may be `xs += [b]` for a list."""
        return isinstance(s, gast.AugAssign) and isinstance(s.op, gast.Add) and self.may_be(s.value)

    def may_be(self, expr):
        if isinstance(expr, gast.BinOp):
            return self.is_joined(expr)
        if isinstance(expr, gast.Call):
            return self.makes(expr)
        if isinstance(expr, gast.Subscript):
            return self.holds_one(expr.value)
        return isinstance(expr, DISPLAYS + COMPREHENSIONS) or isinstance(expr, gast.Name) and expr.id in self.names

    def holds_one(self, expr):
        if isinstance(expr, gast.Name):
            return expr.id in self.nested
        return isinstance(expr, DISPLAYS) and any(map(self.may_be, expr.values if isinstance(expr, gast.Dict) else expr.elts))

    def is_joined(self, expr):
        """Whether a binary operation may be one of lists or dicts."""
        return isinstance(expr.op, (gast.Add, gast.Mult, gast.BitOr)) and (self.may_be(expr.left) or self.may_be(expr.right))


def paired(target, value):
    """(name, tree of what it is bound to) for the names of a target; `v[0]` stands for a part of v."""
    if isinstance(target, gast.Name):
        return [(target.id, value)]
    if not isinstance(target, (gast.Tuple, gast.List)):
        return []
    parts = getattr(value, 'elts', ())
    if len(parts) != len(target.elts):
        parts = [gast.Subscript(value=value, slice=gast.Constant(value=0, kind=None), ctx=gast.Load())] * len(target.elts)
    return [pair for t, v in zip(target.elts, parts) for pair in paired(t, v)]
