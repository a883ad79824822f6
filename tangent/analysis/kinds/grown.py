"""Lists that a text makes, fills and empties, and hands to nobody who might keep them."""
from __future__ import annotations

import builtins

import gast

from tangent.frontend import tree
from tangent.runtime import facts

READING = frozenset([getattr(builtins, name) for name in (
    'len', 'sum', 'min', 'max', 'list', 'tuple', 'sorted', 'enumerate', 'zip', 'reversed', 'any', 'all')])
MADE_BY_AND_BY = enumerate, zip, reversed
HELPERS = 'init_grad', 'unstack', 'unarray', 'unsum', 'unextreme', 'array_size'   # which look at it
CHANGING = 'append', 'pop', 'insert', 'sort', 'reverse', 'clear'
ASKING = 'index', 'count'
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.GeneratorExp)
AT_ONCE = gast.ListComp, gast.SetComp, gast.DictComp


def grown_lists(function, called, lent, given=frozenset()):
    """Names that hold nothing but lists which the function makes itself, or is lent: nobody else has them, so that they hold
    what it puts into them, and what those put there to whom it lends them.

    called : from what a call calls to the function, or None
    lent : from a function and a call of it to the arguments that it reads and changes, and gives to nobody who keeps them
    given : parameters that hold such lists

        path = [start]                      `path`: it is asked, filled, and read by NumPy
        for shock in noise:
            path.append(0.9 * path[-1] + shock)
        return np.stack(path)
    """
    scan = scanned(function, called, lent)
    made = (scan.made | scan.copies & scan.changed) - set(tree.names(function.args, gast.Param))
    return (made | given - scan.made - scan.copies) - scan.lost


def borrowed(function, called, lent):
    """Parameters that the function does not keep, nor give back: a list that one of them is given holds what it did, and what
    the function puts there."""
    scan = scanned(function, called, lent)
    return frozenset(tree.names(function.args, gast.Param)) - scan.lost - scan.made - scan.copies


def scanned(function, called, lent):
    scan = _Scan(called, lent)
    for s in function.body:
        scan.look(s)
    scan.look_at_tape()
    return scan


class _Scan:
    def __init__(self, called, lent):
        self.called, self.lent, self.made, self.lost = called, lent, set(), set()
        self.copies = set()                # names of lists that are made of what others hold
        self.pushed: dict = {}             # mark -> names of what is pushed onto a tape
        self.popped: dict = {}             # mark -> names that it has where it is taken from there
        self.changed = set()               # names of what gets other elements

    def look(self, node):
        if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
            self.changed.add(tree.root_name(node))
        if isinstance(node, gast.Assign) and len(node.targets) == 1 \
                and len(pairs := tree.side_by_side(node.targets[0], node.value)) > 1:
            self.each(gast.Assign(targets=[t], value=v, type_comment=None) for t, v in pairs)      # `xs, ys = [], []`
        elif isinstance(node, gast.Name):
            self.lost.add(node.id)
        elif isinstance(node, gast.Assign) and tree.target(node) and self.copies_of(node.value):
            self.copies.add(tree.target(node))
            self.look(node.value)
        elif isinstance(node, AT_ONCE):
            self.gone_through(node)
        elif isinstance(node, SCOPES):
            self.lost.update(n.id for n in tree.walk(node) if isinstance(n, gast.Name))
            self.lost.add(getattr(node, 'name', None))
        elif isinstance(node, gast.Assign) and tree.target(node) and self.makes(node.value):
            self.made.add(tree.target(node))
            self.look(node.value)
        elif isinstance(node, gast.Assign) and tree.target(node) and self.is_taped(node.value, 'pop'):
            self.popped.setdefault(mark_of(node.value), set()).add(tree.target(node))
        elif self.is_taped(node, 'push'):
            self.pushed.setdefault(mark_of(node), set()).add(getattr(node.args[1], 'id', None))
            self.each(() if isinstance(node.args[1], gast.Name) else node.args[1:2])
        elif isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
            self.look(node.slice)
        elif isinstance(node, gast.Compare):
            self.each([e for e in [node.left, *node.comparators] if not isinstance(e, gast.Name)])
        elif isinstance(node, gast.UnaryOp | gast.If | gast.While) and is_asked(node):
            self.each(n for n in gast.iter_child_nodes(node) if not isinstance(n, gast.Name))
        elif isinstance(node, gast.Call):
            self.call(node)
        elif isinstance(node, gast.For) and isinstance(node.iter, gast.Name):
            self.each([node.target, *node.body, *node.orelse])
        else:
            self.each(gast.iter_child_nodes(node))

    def gone_through(self, node):
        """A comprehension that is run where it stands."""
        for part in node.generators:
            self.lost.update(tree.names(part.target, gast.Store))
            self.each(part.ifs if isinstance(part.iter, gast.Name) else [part.iter, *part.ifs])
        self.each(getattr(node, field) for field in ('elt', 'key', 'value') if hasattr(node, field))

    def look_at_tape(self):
        """What is taken from a tape is a list of the text's, too, which has the name that it had, or is read alone."""
        for mark, names in self.popped.items():
            pushed = self.pushed.get(mark, {None})
            if not pushed <= self.made - self.lost or pushed != names and names & self.changed:
                self.lost |= names | pushed
            self.made |= names
        self.lost.update(*(names for mark, names in self.pushed.items() if mark not in self.popped))

    def is_taped(self, node, name):
        """Whether it is `push(stack, value, mark)`, `pop(stack, mark)`."""
        return isinstance(node, gast.Call) and facts.is_helper(self.called(node.func), name)

    def each(self, nodes):
        for node in nodes:
            self.look(node)

    def call(self, node):
        method = node.func if isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name) else None
        if method is not None and method.attr in CHANGING and (not node.keywords or method.attr == 'sort'):
            self.changed.add(method.value.id)
            return self.each(tree.arguments(node))
        if method is not None and method.attr in ASKING:
            return self.each(node.args)
        function = self.called(node.func)
        reads = getattr(function, '__hash__', None) and function in READING or facts.is_helper(function, *HELPERS) \
            or facts.is_numpy(function) and not facts.of(function).writes
        if not reads:
            self.look(node.func)
        given = [*node.args, *(k.value for k in node.keywords)]
        if reads and len(given) == 1 and isinstance(given[0], gast.GeneratorExp) and function not in MADE_BY_AND_BY:
            return self.gone_through(given[0])
        lent = given if reads else self.lent(function, node)
        self.each([a for a in given if not (isinstance(a, gast.Name) and any(a is other for other in lent))])

    def makes(self, value):
        """Whether an expression makes a list that nobody else has."""
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
            return isinstance(value.left, gast.List)
        if isinstance(value, gast.Call):
            return facts.is_helper(self.called(value.func), *HELPERS)
        return isinstance(value, gast.List) and not tree.starred(value.elts)

    def copies_of(self, value):
        """Whether an expression makes such a list of what something else holds."""
        return isinstance(value, gast.ListComp) or isinstance(value, gast.Call) and self.called(value.func) in (list, sorted)


def is_asked(node):
    """Whether a statement or `not xs` asks whether there is anything in a list."""
    return isinstance(getattr(node, 'test', None), gast.Name) or isinstance(getattr(node, 'op', None), gast.Not)


def mark_of(call):
    """What a push and its pop have in common."""
    return tree.dotted(call.args[0]), getattr(call.args[-1], 'value', None)
