"""Lists that a text makes, fills and empties, and hands to nobody who might change them."""
from __future__ import annotations

import builtins

import gast

from tangent.frontend import tree
from tangent.runtime import facts

READING = frozenset([getattr(builtins, name) for name in (
    'len', 'sum', 'min', 'max', 'list', 'tuple', 'sorted', 'enumerate', 'zip', 'reversed', 'any', 'all')])
HELPERS = 'init_grad', 'unstack', 'unarray', 'unsum', 'unextreme', 'array_size'   # which look at it
CHANGING = 'append', 'pop', 'insert', 'sort', 'reverse', 'clear'
ASKING = 'index', 'count'
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
          gast.GeneratorExp)


def grown_lists(function, called):
    """Names that hold nothing but lists which the function makes itself: nobody else has them, so that they hold what it puts
    into them.

    called : from what a call calls to the function, or None

        path = [start]                      `path`: it is asked, filled, and read by NumPy
        for shock in noise:
            path.append(0.9 * path[-1] + shock)
        return np.stack(path)
    """
    scan = _Scan(called)
    for s in function.body:
        scan.look(s)
    scan.look_at_tape()
    return (scan.made | scan.copies & scan.changed) - scan.lost - set(tree.names(function.args, gast.Param))


class _Scan:
    def __init__(self, called):
        self.called, self.made, self.lost = called, set(), set()
        self.copies = set()                # names of lists that are made of what others hold
        self.pushed: dict = {}             # mark -> names of what is pushed onto a tape
        self.popped: dict = {}             # mark -> names that it has where it is taken from there
        self.changed = set()               # names of what gets other elements

    def look(self, node):
        if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
            self.changed.add(tree.root_name(node))
        if isinstance(node, gast.Name):
            self.lost.add(node.id)
        elif isinstance(node, gast.Assign) and tree.target(node) and self.copies_of(node.value):
            self.copies.add(tree.target(node))
            self.look(node.value)
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
        self.each([a for a in [*node.args, *(k.value for k in node.keywords)] if not (reads and isinstance(a, gast.Name))])

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
