"""Lists and dicts that a text makes, fills and empties, and hands to nobody who might keep them.

A table is such a list of lists of which no row has another name by which it is changed.
"""
import builtins
import collections
import itertools

import gast

from tangent.frontend import tree
from tangent.frontend.scopes import inside
from tangent.runtime import facts

READING = frozenset([getattr(builtins, name) for name in (
    'len', 'sum', 'min', 'max', 'list', 'tuple', 'sorted', 'enumerate', 'zip', 'reversed', 'any', 'all')])
LIST, TABLE = 'list', 'table'
MADE_BY_AND_BY = enumerate, zip, reversed
HELPERS = 'init_grad', 'unstack', 'unarray', 'unsum', 'unextreme', 'array_size'   # which look at it
CHANGING = 'append', 'pop', 'insert', 'sort', 'reverse', 'clear'
ASKING = 'index', 'count'
LOOKING = 'get', 'keys', 'values', 'items'           # of a dict
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.GeneratorExp)
AT_ONCE = gast.ListComp, gast.SetComp, gast.DictComp


def grown_lists(function, called, callees, given=frozenset()):
    """(names that hold nothing but lists which the function makes itself, or is lent: nobody else has them, so that they hold
    what it puts into them, and what those put there to whom it lends them; those of them that may be tables).

    called : from what a call calls to the function, or None
    callees : says of a function and a call of it which arguments it reads and changes, and gives to nobody who keeps them, nor
        for tables their rows (`lent`), and of a function whether it gives back a list that it has made (`gives`), a LIST or a
        TABLE; a tuple for the parts of a tuple
    given : parameters that hold such lists

        path = [start]                      `path`: it is asked, filled, and read by NumPy
        for shock in noise:
            path.append(0.9 * path[-1] + shock)
        return np.stack(path)
    """
    scan = scanned(function, called, callees)
    made = (scan.made | scan.copies) - set(tree.names(function.args, gast.Param))
    found = (made | given - scan.made - scan.copies - scan.returned) - scan.lost - scan.rows.keys()
    others = scan.lost | scan.made | scan.copies
    rows = {row for row, tables in scan.rows.items() if tables <= found - scan.let_go and row not in others}
    return found | rows, found - scan.let_go | rows


def borrowed(function, called, callees):
    """Parameter -> (LIST or TABLE, whether it is changed) for those that the function does not keep, nor give back: a list that
    one of them is given holds what it did, and what the function puts there."""
    scan = scanned(function, called, callees)
    found = set(tree.names(function.args, gast.Param)) - scan.lost - scan.made - scan.copies - scan.returned
    return {p: (LIST if p in scan.let_go else TABLE, p in scan.changed) for p in found}


def given_back(function, called, callees):
    """LIST or TABLE if a function gives back one that it has made and nobody else has, else None; a tuple of such for the parts
    of a tuple."""
    last = function.body[-1]
    returns = [n for n in inside(function.body) if isinstance(n, gast.Return)]
    if returns != [last] or last.value is None:
        return None
    scan = scanned(function, called, callees)
    own = (scan.made | scan.copies) - scan.lost - set(tree.names(function.args, gast.Param))
    parts = last.value.elts if isinstance(last.value, gast.Tuple) else [last.value]
    names = [getattr(e, 'id', None) for e in parts]
    lists = [names.count(n) == 1 and n in own if n else scan.makes(e) or scan.copies_of(e) for n, e in zip(names, parts)]
    found = tuple([None if not made else LIST if n in scan.let_go or n is None and not scan.is_table(e) else TABLE
                   for made, n, e in zip(lists, names, parts)])
    return found if isinstance(last.value, gast.Tuple) else found[0]


def gone_through(target, iterated, called):
    """(name, the name of that of which it is an element) of what a loop binds: `for p, g in zip(ps, gs)`."""
    if isinstance(iterated, gast.Name):
        return [(t, iterated.id) for t in tree.names(target, gast.Store)]
    if not isinstance(iterated, gast.Call) or iterated.keywords:
        return []
    parts = target.elts if isinstance(target, (gast.Tuple, gast.List)) else []
    owner = iterated.func.value if isinstance(iterated.func, gast.Attribute) and not iterated.args else None
    if isinstance(owner, gast.Name) and iterated.func.attr in ('items', 'values'):
        return gone_through(parts[-1] if iterated.func.attr == 'items' and len(parts) == 2 else target, owner, called)
    function = called(iterated.func)
    if function is enumerate and len(parts) == 2 and len(iterated.args) == 1:
        return gone_through(parts[1], iterated.args[0], called)
    if function is zip and len(parts) == len(iterated.args):
        return [pair for each in zip(parts, iterated.args) for pair in gone_through(*each, called)]
    return gone_through(target, iterated.args[0], called) if function is reversed and len(iterated.args) == 1 else []


def elements_of(holders, nodes, called):
    """Names that stand for nothing but elements of these, wherever they are bound."""
    found, bound = collections.Counter(), collections.Counter()
    for s in nodes:
        if isinstance(s, (gast.For, gast.comprehension)):
            found.update(name for name, holder in gone_through(s.target, s.iter, called) if holder in holders)
        elif isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            bound[s.target.id] -= 1
        elif isinstance(s, gast.Name) and isinstance(s.ctx, gast.Store):
            bound[s.id] += 1
    return {name for name, count in found.items() if bound[name] == count}


def scanned(function, called, callees):
    scan = _Scan(called, callees, given_up(function))
    for s in function.body:
        scan.look(s)
    scan.look_at_tape()
    for row, tables in scan.rows.items():
        if row in scan.bare | scan.changed:
            scan.let_go |= tables
    return scan


def given_up(function):
    """`id`s of the nodes where a name is read for the last time: it is bound once, and anew each time that the node is reached.

        for i in range(n):
            row = []
            for j in range(m):
                row.append(f(i, j))
            table.append(row)                # this one
    """
    bound: dict = {}
    read: dict = {}
    order = itertools.count()

    def look(stmts, path, loops):
        path = (*path, id(stmts))
        for s in stmts:
            at, inner = next(order), (*loops, id(s)) if isinstance(s, (gast.For, gast.While)) else loops
            for n in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Name)):
                to = read if isinstance(n.ctx, gast.Load) else bound
                to.setdefault(n.id, []).append((at, path, inner, id(n)))
            for _, block in tree.blocks(s):
                look(block, path, inner)
    look(function.body, (), ())
    found, params = set(), set(tree.names(function.args, gast.Param))
    for name in read.keys() & bound.keys() - params:
        last = max(at for at, *_ in read[name])
        here = [each for each in read[name] if each[0] == last]
        _, path, loops, _ = bound[name][0]
        if len(here) == len(bound[name]) == 1 and here[0][1][:len(path)] == path and here[0][2] == loops:
            found.add(here[0][3])
    return found


class _Scan:
    def __init__(self, called, callees, given_up):
        self.called, self.callees, self.given_up, self.made, self.lost = called, callees, given_up, set(), set()
        self.copies = set()                # names of lists that are made of what others hold
        self.pushed: dict = {}             # mark -> names of what is pushed onto a tape
        self.popped: dict = {}             # mark -> names that it has where it is taken from there
        self.changed = set()               # names of what gets other elements
        self.returned = set()              # names of what is given back, when nothing is done any more
        self.rows: dict = {}               # name that a loop binds -> names of the lists that this goes through
        self.let_go = set()                # names of lists whose elements, if they are lists, may have other names
        self.bare = set()                  # names that stand for themselves

    def look(self, node):
        look = LOOKS.get(type(node))
        if look is None:
            self.each(tree.children(node))
        else:
            look(self, node)

    def name(self, node):
        if isinstance(node.ctx, gast.Load):
            self.bare.add(node.id)
        self.lost.add(node.id)

    def assign(self, node):
        self.let_go.update(self.filled_with_others(node))
        target = tree.target(node)
        if len(node.targets) == 1 and len(pairs := tree.side_by_side(node.targets[0], node.value)) > 1:
            self.each(gast.Assign(targets=[t], value=v, type_comment=None) for t, v in pairs)      # `xs, ys = [], []`
        elif (given := self.given_by_call(node)) is not None:
            self.made.update(given)
            self.look(node.value)
        elif target and (self.copies_of(node.value) or self.makes(node.value)):
            (self.copies if self.copies_of(node.value) else self.made).add(target)
            self.look(node.value)
        elif isinstance(node.value, gast.Name) and all(isinstance(t, gast.Tuple) for t in node.targets):      # `a, b = xs`
            self.let_go.add(node.value.id)
            self.each(node.targets)
        elif target and self.is_taped(node.value, 'pop'):
            self.popped.setdefault(mark_of(node.value), set()).add(target)
        else:
            self.each(tree.children(node))

    def gives_back(self, node):
        parts = node.value.elts if isinstance(node.value, gast.Tuple) else [] if node.value is None else [node.value]
        self.returned.update(e.id for e in parts if isinstance(e, gast.Name))
        self.each(e for e in parts if not isinstance(e, gast.Name))

    def tries(self, node):
        if node.finalbody:
            self.lost.update(n.id for n in tree.walk(node) if isinstance(n, gast.Name))        # something may be done then
        else:
            self.each(tree.children(node))

    def display(self, node):
        self.each(e for e in tree.children(node) if id(e) not in self.given_up)

    def scope(self, node):
        self.lost.update(n.id for n in tree.walk(node) if isinstance(n, gast.Name))
        self.lost.add(getattr(node, 'name', None))

    def subscript(self, node):
        if not isinstance(node.ctx, gast.Load):
            self.changed.add(tree.root_name(node))
        if isinstance(node.value, gast.Name):
            if isinstance(node.ctx, gast.Load):
                self.let_go.add(node.value.id)
            self.look(node.slice)
        elif is_element(node.value) and not isinstance(node.slice, gast.Slice):
            self.each([node.value.slice, node.slice])
        else:
            self.each(tree.children(node))

    def compares(self, node):
        self.each(e for e in [node.left, *node.comparators] if not isinstance(e, gast.Name))

    def asks(self, node):
        asked = is_asked(node)
        self.each(n for n in tree.children(node) if not (asked and isinstance(n, gast.Name)))

    def loop(self, node):
        self.goes_through(node.target, node.iter)
        self.each([*([] if isinstance(node.target, gast.Name) else [node.target]), *node.body, *node.orelse])

    def gone_through(self, node):
        """A comprehension that is run where it stands."""
        for part in node.generators:
            self.goes_through(part.target, part.iter)
            self.each(part.ifs)
        self.each(getattr(node, field) for field in ('elt', 'key', 'value') if hasattr(node, field))

    def goes_through(self, target, iterated):
        """A loop binds a target to what it goes through: the rows of a table, for one."""
        if isinstance(iterated, gast.Name) or is_element(iterated):
            name = iterated.id if isinstance(iterated, gast.Name) else None
            if isinstance(target, gast.Name):
                self.rows.setdefault(target.id, set()).add(name) if name else None
                self.lost.update(() if name else [target.id])
            elif name:
                self.let_go.add(name)
            self.look(iterated.slice) if name is None else None
        else:
            self.lost.update(tree.names(target, gast.Store))
            if not (isinstance(iterated, gast.Call) and self.called(iterated.func) is range):
                self.let_go.update(tree.names(iterated, gast.Load))
            self.look(iterated)

    def filled_with_others(self, s):
        """The names of lists into which an assignment puts what may be a list that has another name."""
        elements = [t.value.id for t in s.targets if is_element(t)] if not self.is_new(s.value) else []
        return elements + ([tree.target(s)] if tree.target(s) and not self.is_table(s.value) else [])

    def is_table(self, value):
        """Whether an expression makes a list of no list that has another name."""
        if isinstance(value, gast.BinOp):
            return isinstance(value.op, gast.Mult) and isinstance(value.left, gast.List) and self.is_table(value.left)
        if isinstance(value, (gast.List, gast.Dict)):
            return all(map(self.is_new, value.elts if isinstance(value, gast.List) else value.values))
        return isinstance(value, gast.ListComp) and self.is_new(value.elt) \
            or isinstance(value, gast.Call) and self.callees.gives(self.called(value.func)) == TABLE

    def is_new(self, value):
        """Whether an expression gives no list that has another name."""
        if isinstance(value, gast.Name):
            return id(value) in self.given_up
        if isinstance(value, gast.Call):
            return self.callees.gives(self.called(value.func)) in (LIST, TABLE) or facts.of(self.called(value.func)).numeric
        return isinstance(value, (gast.Constant, gast.BinOp, gast.UnaryOp, gast.List, gast.ListComp))

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
        if self.is_taped(node, 'push'):
            self.pushed.setdefault(mark_of(node), set()).add(getattr(node.args[1], 'id', None))
            return self.each(() if isinstance(node.args[1], gast.Name) else node.args[1:2])
        method = node.func if isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name) else None
        if method is not None and method.attr in CHANGING and (not node.keywords or method.attr == 'sort'):
            self.changed.add(method.value.id)
            if method.attr not in ('append', 'clear', 'reverse') or not all(map(self.is_new, node.args)):
                self.let_go.add(method.value.id)
            return self.each(a for a in tree.arguments(node) if method.attr != 'append' or id(a) not in self.given_up)
        if method is not None and method.attr in LOOKING and not node.keywords:
            self.let_go.add(method.value.id)
            return self.each(node.args)
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
        lent = {id(a): LIST for a in given} if reads else self.callees.lent(function, node)
        for a in given:
            if isinstance(a, gast.Name) and id(a) in lent:
                self.changed.update([] if reads else [a.id])
                self.let_go.update([] if lent[id(a)] == TABLE or function is len else [a.id])
            elif reads and is_element(a) and function in (len, sum, min, max):
                self.look(a.slice)
            else:
                self.look(a)

    def makes(self, value):
        """Whether an expression makes a list that nobody else has."""
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
            return isinstance(value.left, gast.List)
        if isinstance(value, gast.Call):
            return facts.is_helper(self.called(value.func), *HELPERS)
        if isinstance(value, gast.Dict):
            return None not in value.keys
        return isinstance(value, gast.List) and not tree.starred(value.elts)

    def given_by_call(self, s):
        """The names that an assignment binds to lists which a function that is called has made; None if there are no such."""
        target = s.targets[0] if len(s.targets) == 1 and isinstance(s.value, gast.Call) else None
        if not isinstance(target, (gast.Name, gast.Tuple)):
            return None
        given = self.callees.gives(self.called(s.value.func))
        if isinstance(target, gast.Name):
            return [target.id] if given in (LIST, TABLE) else None
        fits = isinstance(given, tuple) and len(given) == len(target.elts) and any(given) \
            and all(isinstance(t, gast.Name) for t in target.elts)
        if fits:
            self.let_go.update(t.id for t, own in zip(target.elts, given) if own == LIST)
            return [t.id for t, own in zip(target.elts, given) if own]
        return None

    def copies_of(self, value):
        """Whether an expression makes such a list of what something else holds."""
        return isinstance(value, (gast.ListComp, gast.DictComp)) \
            or isinstance(value, gast.Call) and self.called(value.func) in (list, sorted)


LOOKS = {gast.Name: _Scan.name, gast.Assign: _Scan.assign, gast.Return: _Scan.gives_back,
         **dict.fromkeys(tree.TRIES, _Scan.tries),
         gast.Subscript: _Scan.subscript, gast.Compare: _Scan.compares, gast.Call: _Scan.call, gast.For: _Scan.loop,
         **dict.fromkeys((gast.List, gast.Dict), _Scan.display), **dict.fromkeys(AT_ONCE, _Scan.gone_through),
         **dict.fromkeys(SCOPES, _Scan.scope), **dict.fromkeys((gast.UnaryOp, gast.If, gast.While), _Scan.asks)}


def is_element(node):
    """Whether it is `xs[i]`."""
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and not isinstance(node.slice, gast.Slice)


def is_asked(node):
    """Whether a statement or `not xs` asks whether there is anything in a list."""
    return isinstance(getattr(node, 'test', None), gast.Name) or isinstance(getattr(node, 'op', None), gast.Not)


def mark_of(call):
    """What a push and its pop have in common."""
    return tree.dotted(call.args[0]), getattr(call.args[-1], 'value', None)
