"""Messages between processes: methods of communicators as the functions that they are.

    comm.Recv(u[-1], source=left)           at = envelope()
                                            u[-1] = Received(u[-1], comm, source=left, at=at)
    total = comm.allreduce(x)               total = allreduced(x, comm)
    comm.send(x, dest=1)                    done = sent(x, comm, 1)

`templates.parallel.mpi` says which stands for which. A derivative flows through all of them: what is sent may reach the
result of another process, and what is received may be made of the arguments of another. The world between stands in the
graph of what depends on what as one more name, on which all that is received depends, and which depends on all that is sent.
"""
import ast
import collections
import dataclasses
import re
import sys
import types
import weakref

import gast

from tangent.analysis.messages.waits import Waits
from tangent.emit.library import find
from tangent.errors import TangentError
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, Resolver, imported, local_names
from tangent.frontend.source import original, read, uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry

WORLD = '<world>'                  # the name that stands for all other processes
LIBRARY = 'mpi4py.MPI'
COMPILED = 'numba_mpi'
EVIDENT = frozenset('''bcast allreduce allgather alltoall sendrecv exscan isend irecv ssend Get_rank Get_size rank size
    barrier Barrier Shift Get_coords Get_cart_rank'''.split())
WORDS = frozenset(['dest', 'source', 'sendtag', 'recvtag'])        # keywords that only methods of communicators have
NAMED = re.compile(r'.*comm(_\w+|\d*)')
COUNTED = 'Gatherv', 'Scatterv', 'Allgatherv', 'Alltoallv'         # they have counts, said or not
AT_ROOT = 'Reduce', 'Gather', 'Gatherv'           # the root alone has a buffer to receive into
UNSURE = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.comprehension, gast.ListComp, gast.GeneratorExp, gast.SetComp,
          gast.DictComp)
SILENT = frozenset('isend issend ibsend irecv Isend Issend Ibsend Irsend Irecv send ssend bsend'.split())      # without a value
PASSIVE = frozenset('''Get_rank Get_size rank size Barrier barrier Ibarrier Free Disconnect Abort Probe Iprobe probe iprobe
    Get_name Set_name name Get_group group Get_attr Set_attr Is_inter Is_intra Compare Get_topology Get_topo topo Get_dim
    Get_coords Get_cart_rank Shift coords dims periods ndim dim Get_neighbors Get_neighbors_count neighbors nneighbors
    Get_dist_neighbors Get_errhandler Set_errhandler Get_info Set_info is_inter is_intra topology handle py2f toint
    inoutedges indegree outdegree back'''.split())                # methods and attributes that bring nothing with a derivative
ONE_SIDED = frozenset('''Put Get Accumulate Get_accumulate Fetch_and_op Compare_and_swap Rput Rget Raccumulate
    Rget_accumulate'''.split())
BLOCKS = {'Gather': ['recvbuf'], 'Allgather': ['recvbuf'], 'Scatter': ['sendbuf'], 'Alltoall': ['sendbuf', 'recvbuf'],
          'Reduce_scatter_block': ['sendbuf']}        # buffers whose count is that of each block
IN_PLACE = 'Allreduce', 'Reduce', 'Scan', 'Exscan'


def resolved(source, shared=None):
    """The source with such methods as functions; `shared` gets what the new names denote."""
    if LIBRARY not in sys.modules:
        return source
    registry.declare_extras()
    found = Messages(source)
    new = found.function()
    if not found.made and not found.changed:
        return source
    find('watch_exceptions')()         # the others wait for a process that ends before its first message, too
    objects = {name: find(helper) for helper, name in found.made.items()}
    if shared is not None:
        shared.update(objects)
        shared.update(found.outside)
    methods = {name: Helper(thing) for name, thing in objects.items()}
    return dataclasses.replace(source, tree=new, methods={**source.methods, **methods}, comms=source.comms | found.comms,
                               channels=(*sorted(found.own), *found.outside.values()))


@dataclasses.dataclass(frozen=True)
class Helper:
    """A function of the run time under a name that stands in a source; see `Source.methods`."""
    function: types.FunctionType


class Messages(gast.NodeTransformer):
    """Rewrites a function; `made` are the functions of the run time that it calls now: name -> name in the text."""

    def __init__(self, source):
        function = source.tree
        self.source, self.made, self.changed = source, {}, False
        self.front, self.apart = [], []    # statements in front of the one at hand, and calls that become such
        inside = {**imported(function, source), **getattr(source, 'visible', {})}
        self.resolver = Resolver(source, local_names(function), inside)
        self.names = tree.Names(tree.all_names(function) | {function.name})
        self.mpi = sys.modules[LIBRARY]
        self.attributes = {n.attr for n in tree.walk(function) if isinstance(n, gast.Attribute)}
        self.comms = set()                 # names of communicators
        self.own = set()                   # communicators from outside by which two processes speak to each other: names
        self.outside = {}                  # name -> communicator, of those that have no name here
        self.bound_here = collections.Counter(n.id for n in tree.walk(function)
                                              if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store))
        self.used = {}                     # text of an owner -> names of its attributes
        for n in tree.walk(function):
            if isinstance(n, gast.Attribute):
                self.used.setdefault(tree.dotted(n.value), set()).add(n.attr)
            if isinstance(getattr(n, 'func', None), gast.Attribute) and not WORDS.isdisjoint(k.arg for k in n.keywords):
                self.used.setdefault(tree.dotted(n.func.value), set()).add(f'{n.func.attr}=')
        self.parameters = set(tree.names(function.args, gast.Param))
        self.given = {}                    # name -> what it is bound to
        for n in tree.walk(function):
            if isinstance(n, gast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], gast.Name):
                self.given.setdefault(n.targets[0].id, []).append(n.value)

    def function(self):
        function = tree.clone(self.source.tree)
        function.body = self.spelled_out(function.body)
        self.speaking = {s.name for s in tree.every(function.body) if isinstance(s, gast.FunctionDef)
                         and any(self.meant(n) is not None for n in gast.walk(s))}
        self.waits = Waits(function, self)
        body = self.block(function.body)
        start = [self.assigned(tree.store(n), v, body[0]) for n, v in self.waits.start()]
        self.note_callees()
        comms = [gast.Expr(value=tree.call(self.name('adjoint_comm'), self.there(path)))
                 for path in [*sorted(self.own), *self.outside]]
        return tree.replace(function, body=[tree.located(s, body[0]) for s in comms] + start + body)

    # Where all processes of a communicator are: at the start of the function that the user calls

    def note_callees(self):
        """Add the communicators by which functions send that are called here."""
        for call in [n for n in self.source.nodes if isinstance(n, gast.Call)]:
            for function in filter(communicates, callees(call, self.resolver)):
                for expr in tree.arguments(call):
                    if tree.dotted(expr) and self.is_comm(expr):
                        self.note_own(expr)
                for channel in CHANNELS.get(uncompiled(function), ()) if isinstance(function, types.FunctionType) else ():
                    self.note_channel(channel)

    def note_own(self, expr):
        """Note a communicator by which two processes speak to each other, if it comes from outside."""
        path = tree.dotted(expr)
        first = path.partition('.')[0] if path else None
        if path and first not in self.bound_here:
            self.own.add(path)             # all its processes are where the function begins, only some here
        elif path == first and first is not None:
            for value in self.given.get(first, ()):
                if tree.dotted(value) and tree.dotted(value).partition('.')[0] not in {*self.bound_here, *self.parameters}:
                    self.own.add(tree.dotted(value))

    def note_channel(self, comm):
        names = [path for path in self.own if self.resolver.value(tree.expression(path)) is comm]
        names += [name for name, thing in self.source.globals.items() if thing is comm and name not in self.bound_here
                  and name not in self.parameters]
        if names:
            self.own.add(names[0])
        elif all(thing is not comm for thing in self.outside.values()):
            self.outside[self.names.fresh('comm')] = comm

    def there(self, path):
        """A communicator where a function begins: nothing where the attribute is looked at or made only later."""
        expr = tree.expression(path)
        owner = tree.root_name(expr)
        if isinstance(expr, gast.Attribute) and owner in self.parameters and self.is_looked_at(expr, owner):
            return tree.call('getattr', expr.value, tree.constant(expr.attr), tree.constant(None))
        return expr

    def is_looked_at(self, expr, owner):
        tests = [n.test for n in self.source.nodes if isinstance(n, (gast.If, gast.IfExp, gast.While, gast.Assert))]
        stored = any(isinstance(n, gast.Attribute) and n.attr == expr.attr and isinstance(n.ctx, gast.Store)
                     for n in self.source.nodes)
        return stored or any(owner in tree.names(test, gast.Load) for test in tests)

    def spelled_out(self, stmts):
        """The statements with loops for comprehensions of such messages: `[comm.Isend(x, dest=i) for i in nodes]`."""
        out = []
        for s in stmts:
            for field, block in tree.blocks(s):
                setattr(s, field, self.spelled_out(block))
            value = s.value if isinstance(s, (gast.Assign, gast.Expr)) else None
            if isinstance(value, gast.ListComp) and any(self.meant(n) is not None and called_as(n) in SILENT
                                                        for n in tree.walk(value.elt)):
                out += [tree.located(t, s) for t in self.loops(s, value)]
            else:
                out.append(s)
        return out

    def loops(self, s, value):
        own = [n for g in value.generators for n in tree.names(g.target, gast.Store)]
        value = tree.with_children(value, lambda n: n)
        new = {n: self.names.fresh(n) for n in own}
        for n in tree.walk(value):
            if isinstance(n, gast.Name) and n.id in new:
                n.id = new[n.id]
        name = self.names.fresh('requests')
        inner = gast.Expr(value=tree.method(tree.load(name), 'append', value.elt))
        for g in reversed(value.generators):
            for test in reversed(g.ifs):
                inner = gast.If(test=test, body=[inner], orelse=[])
            inner = gast.For(target=g.target, iter=g.iter, body=[inner], orelse=[], type_comment=None)
        start = tree.assign(name, gast.List(elts=[], ctx=gast.Load()))
        return [start, inner] + ([tree.replace(s, value=tree.load(name))] if isinstance(s, gast.Assign) else [])

    # Whose method is it?

    def is_comm(self, expr):
        """Whether an expression is taken for a communicator."""
        found = self.looks_like_comm(expr)
        if found and tree.dotted(expr):
            self.comms.add(tree.dotted(expr))
        return found

    def looks_like_comm(self, expr):
        known = self.resolver(expr) if tree.dotted(expr) else UNKNOWN
        known = self.resolver.value(expr) if known is UNKNOWN and tree.dotted(expr) else known
        if known is not UNKNOWN:
            return isinstance(known, self.mpi.Comm)
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute):
            return self.makes(expr.func.attr) and self.is_comm(expr.func.value)
        name = name_of(expr)
        values = self.given.get(name, ()) if isinstance(expr, gast.Name) else ()
        if any(not isinstance(v, gast.Name) and self.is_comm(v) for v in values):
            return True
        used = self.used.get(tree.dotted(expr), ())
        return NAMED.fullmatch(name) is not None or not self.is_defined(used) and any(
            n in EVIDENT or n[-1] == '=' and n[:-1] in registry.MESSAGES or n[0].isupper() and n in registry.MESSAGES
            for n in used)

    def is_defined(self, used):
        """Whether a class in sight that is none of communicators has one of the methods, as those that stand for them do."""
        kinds = [kind for kind in self.source.sight if not issubclass(kind, self.mpi.Comm)]
        return any(callable(getattr(kind, n, None)) for kind in kinds for n in used if n in registry.MESSAGES)

    @staticmethod
    def makes(name):
        return name in registry.MESSAGES and registry.MESSAGES[name].text is None

    def meant(self, node):
        """The Message that a call sends, or None."""
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
            return self.called(node)
        found = registry.MESSAGES.get(node.func.attr)
        if found is None or not self.is_comm(node.func.value):
            return self.called(node)
        if any(w in found.value for w in ('dest', 'source')) or 'checkpointed' in self.names.taken | self.attributes:
            self.note_own(node.func.value)
        return found

    def called(self, node):
        """The Message of a call of a function that sends: one of numba_mpi."""
        known = self.resolver(node.func) if isinstance(node, gast.Call) and COMPILED in sys.modules else UNKNOWN
        if facts.home(known) != COMPILED:
            return None
        found = registry.CALLED.get(known)
        if found is None and registry.lookup(known) is None:
            raise subset.unsupported(node, self.source, f'{known.__name__}, a message without a derivative rule,',
                                     'use one that docs/mpi.md names')
        return found

    # Statements

    def block(self, stmts):
        out = []
        for s in stmts:
            behind = self.waits.behind(s)
            new = self.statement(s)
            for t in [*(new if isinstance(new, list) else [new]), *behind]:
                out.append(tree.located(t, s))
        return out

    def statement(self, s):
        if isinstance(s, gast.Expr) and (found := self.meant(s.value)) is not None and found.text is not None \
                and s.value not in self.waits.sites:
            return self.whole(s, self.generic_visit(s.value), found)
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and (
                any(map(communicates, callees(s.value, self.resolver, self.source.sight))) or hands_on(s.value, self.resolver)
                or tree.dotted(s.value.func) in self.speaking):
            s, self.changed = self.assigned(tree.store(self.names.fresh('done')), s.value, s), True
        front, self.front = self.front, []
        self.apart = self.taken_apart(s)
        s = self.with_parts(s)
        front, self.front = self.front, front
        return [*front, s] if front else s

    def with_parts(self, s):
        for field, block in tree.blocks(s):
            setattr(s, field, self.block(block))
        for field, value in gast.iter_fields(s):
            if field in ('body', 'orelse', 'finalbody', 'handlers') and isinstance(value, list):
                continue
            if isinstance(value, gast.AST):
                setattr(s, field, self.visit(value))
            elif isinstance(value, list) and value and isinstance(value[0], gast.AST):
                setattr(s, field, [self.visit(v) for v in value])
        return s

    def taken_apart(self, s):
        """The messages of a simple statement that become statements in front of it, as one does that has no value."""
        whole = isinstance(s, gast.Assign) and self.meant(s.value) is not None      # that of an element may be left out
        if any(tree.blocks(s)) or whole and all(isinstance(t, gast.Name) for t in s.targets):
            return []
        found = list(self.messages(s, False))
        silent = [n for n, _ in found if called_as(n) in SILENT]
        inside = next((n for n, inside in found if inside and n in silent), None)
        if inside is not None:
            raise subset.unsupported(inside, self.source, f'{called_as(inside)} in a part of an expression that may not be run',
                                     'make it a statement of its own')
        parts = [n for p in tree.walk(s) for n in tree.walk(p.slice if isinstance(p, gast.Subscript) else p)
                 if isinstance(p, (gast.Subscript, gast.JoinedStr))]             # through which no derivative flows
        return [n for n, inside in found if not inside] if silent or whole or any(n in parts for n, _ in found) else []

    def messages(self, node, inside):
        """(call, whether it may not be run or several times) for the messages of an expression, in the order of Python."""
        for child in tree.children(node):
            yield from self.messages(child, inside or isinstance(node, UNSURE))
        if self.meant(node) is not None and self.meant(node).text is not None:
            yield node, inside

    def whole(self, s, call, found):
        """The statements that stand for a call that is one itself."""
        bound, parts = self.bound(call, found)
        out = [tree.located(t, s) for t in self.once(found, bound)]
        for text in self.text(call, found, bound, parts).split('; '):
            target, value, before = self.value(call, text, bound, parts)
            out += [self.assigned(tree.store(n), v, s) for n, v in before]
            if target is None or isinstance(target, gast.Constant):
                out.append(self.assigned(tree.store(self.names.fresh('done')), value, s))
            elif blocking(called_as(call)) in AT_ROOT and not isinstance(target, gast.Subscript):
                held = self.names.fresh('held')
                test = gast.Compare(left=tree.clone(target), ops=[gast.IsNot()], comparators=[tree.constant(None)])
                array = next((e for e in (target.body, target.orelse) if not tree.is_none(e)), None) \
                    if isinstance(target, gast.IfExp) else target
                write = self.assigned(self.written(array), tree.load(held), s)
                out += [self.assigned(tree.store(held), value, s),
                        tree.located(gast.If(test=test, body=[write], orelse=[]), s)]
            else:
                out.append(self.assigned(self.written(target), value, s))
        return out

    def once(self, found, bound):
        """Statements in front of a message whose buffer does something when it is evaluated: it is both read and written."""
        written = {text.partition('[...] = ')[0] for text in found.value.split('; ') if '[...] = ' in text}
        if not any(tree.acts(bound[n]) and not self.shapes(bound[n]) for n in written & {*bound}):
            return []
        out = []
        for name, expr in bound.items():
            if expr is not None and tree.acts(expr):
                bound[name] = tree.load(self.names.fresh(name))
                out.append(tree.assign(bound[name].id, expr))
        return out

    def shapes(self, expr):
        """Whether it is another shape of an array that has a name: `v.reshape(-1)`, `v[0].ravel()`."""
        if isinstance(expr, gast.Call) and called_as(expr) in ('reshape', 'ravel', 'view', 'transpose'):
            return isinstance(expr.func, gast.Attribute) and not any(map(tree.acts, [expr.func.value, *expr.args]))
        return False

    def assigned(self, target, value, s):
        return tree.located(gast.Assign(targets=[target], value=value, type_comment=None), s)

    def written(self, buffer):
        """What is assigned to where a buffer is received into: a part of an array, or the whole of what has the name."""
        if isinstance(buffer, gast.Subscript) and (isinstance(buffer.slice, (gast.Slice, gast.Tuple)) or self.is_row(buffer)):
            return tree.replace(tree.clone(buffer), ctx=gast.Store())
        return gast.Subscript(value=tree.clone(buffer), slice=tree.constant(...), ctx=gast.Store())

    def is_row(self, buffer):
        """Whether it is surely a row of an array, which an assignment writes into; in a list it would put another there."""
        name = getattr(buffer.value, 'id', None)
        made = self.given.get(name, ())
        return name not in tree.names(self.source.tree.args, gast.Param) and 0 < len(made) == self.bound_here[name] \
            and all(isinstance(v, gast.Call) and facts.is_numpy(f := self.resolver(v.func)) and facts.of(f).numeric
                    for v in made)

    # Expressions

    def visit_FunctionDef(self, node):
        return node                        # its own function

    visit_Lambda = visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def refuse_handed_on(self, call):
        """Refuse messages in a lambda that a function of a library calls: it would not go back through them."""
        function = self.resolver(call.func)
        if function is UNKNOWN or isinstance(function, types.FunctionType) and not facts.in_library(function):
            return
        for node in [n for a in tree.arguments(call) if isinstance(a, gast.Lambda) for n in tree.walk(a.body)]:
            if self.meant(node) is not None:
                raise subset.unsupported(node, self.source, f'{called_as(node)} in a lambda that {called_as(call)} calls',
                                         'write a loop')

    def visit_Attribute(self, node):
        node = self.generic_visit(node)
        owner, instead = self.resolver.value(node.value) if tree.dotted(node.value) else UNKNOWN, ''
        if node.attr in ONE_SIDED and (isinstance(owner, self.mpi.Win) or owner is UNKNOWN and 'win' in name_of(node.value)):
            instead = 'use Send and Recv, or a reduction'
        elif node.attr not in PASSIVE and not node.attr.startswith('__') and node.attr not in registry.MESSAGES \
                and self.is_comm(node.value) \
                and any(hasattr(kind, node.attr) for kind in (self.mpi.Cartcomm, self.mpi.Distgraphcomm, self.mpi.Intercomm)):
            instead = 'use one that docs/mpi.md names'
        if instead:
            raise subset.unsupported(node, self.source, f'{node.attr}, a message without a derivative rule,', instead)
        return node

    def visit_Call(self, node):
        self.refuse_handed_on(node)
        found, waits, call = self.meant(node), node in self.waits.waits, node
        node = self.generic_visit(node)
        if waits:
            return self.waited(node)
        if found is None:
            return node
        if found.text is None:
            return tree.located(tree.call(self.name(found.value), node), node)
        bound, parts = self.bound(node, found)
        if call in self.waits.sites:
            noted, bound['buf'] = self.waits.noted(call)
            self.front += [tree.located(t, node) for t in noted]
        text = self.text(node, found, bound, parts)
        if registry.CALLED.get(self.resolver(node.func)) is found:
            self.front += self.whole(node, node, found)
            return tree.located(tree.constant(0), node)                     # the status of what went well
        if '[...] = ' in text and node.func.attr[0] == 'I':
            self.front += self.whole(node, node, found)
            return tree.located(tree.call(self.name('null_request')), node)
        if '[...] = ' in text:
            raise subset.unsupported(node, self.source, f'{called_as(node)} inside of an expression',
                                     'it writes into a buffer: make it a statement of its own')
        _, value, before = self.value(node, text, bound, parts)
        if call in self.waits.sites:
            value = self.waits.in_place(call, value)
        named = {n: gast.NamedExpr(target=tree.store(n), value=v) for n, v in before}
        value = tree.located(tree.substitute(value, named), node)
        if call in self.apart and not isinstance(value, gast.NamedExpr):
            name = self.names.fresh('request')
            self.front.append(self.assigned(tree.store(name), value, node))
            return tree.located(tree.load(name), node)
        if isinstance(value, gast.NamedExpr):
            self.front.append(self.assigned(tree.store(value.target.id), value.value, node))
            return tree.located(tree.load(value.target.id), node)
        return value

    def waited(self, node):
        """What stands for a wait: with requests of ours, each knows then where its message came from."""
        helper = self.waits.helper(node)
        args = node.args if self.of_requests(node.func) else [node.func.value, *node.args]
        return tree.located(tree.call(self.name(helper), *args, **{k.arg: k.value for k in node.keywords}), node)

    def of_requests(self, func):
        """Whether it is a function of the class of requests: `MPI.Request.Waitall`."""
        owner = self.resolver(func.value) if tree.dotted(func.value) else UNKNOWN
        return isinstance(owner, type) and issubclass(owner, self.mpi.Request)

    def text(self, call, found, bound, parts):
        """The text that a call stands for; `MPI.IN_PLACE` becomes the buffer that it names."""
        op, sent = bound.get('op'), bound.get('sendbuf')
        if 'operator' in bound and getattr(self.resolver(bound['operator']), 'name', None) != 'SUM':
            raise subset.unsupported(call, self.source, f'{called_as(call)} by another operation than Operator.SUM',
                                     'use the methods of mpi4py')
        if any(map(self.is_in_place, tree.walk(sent) if sent is not None else ())):
            choice = isinstance(sent, gast.IfExp) and 'sendbuf_part' not in parts and 'recvbuf_part' not in parts
            if blocking(called_as(call)) not in IN_PLACE or not (self.is_in_place(sent) or choice):
                raise subset.unsupported(call, self.source, f'MPI.IN_PLACE in {called_as(call)}', 'send a copy of the block')
            bound['sendbuf'] = tree.exchange(sent, {id(n): tree.clone(bound['recvbuf']) for n in tree.walk(sent)
                                                    if self.is_in_place(n)})
            if 'recvbuf_part' in parts:
                parts['sendbuf_part'] = tree.clone(parts['recvbuf_part'])
        return found.by if op is not None and found.by is not None and self.resolver(op) is not self.mpi.SUM else found.value

    def is_in_place(self, expr):
        return bool(tree.dotted(expr)) and self.resolver(expr) is self.mpi.IN_PLACE

    def value(self, call, text, bound, parts):
        """(the buffer that is written into or None, what stands for the call, [(name, value)] of what comes before)."""
        left, _, right = text.rpartition('[...] = ')
        before = []
        if 'at=at' in right:
            before.append((self.names.fresh('at'), tree.call(self.name('envelope'))))
            bound = {**bound, 'at': tree.load(before[0][0])}
        target, part = bound.get(left), f'{left}_part'
        value = self.filled(tree.expression(right), self.reduced(call, right, bound, parts), parts)
        if part in parts and part not in right:
            times = self.times(call, left, bound)
            value = tree.call(self.name('with_picked'), tree.clone(target), parts[part], value, *times)
        return target, tree.located(value, call), before

    def reduced(self, call, text, bound, parts):
        """The arguments with counts and datatypes beside an array, where the text has no place for them."""
        found = dict(bound)
        for name in [n for n in bound if f'{n}_part' in parts and f'{n}_part' not in text]:
            found[name] = tree.call(self.name('picked'), bound[name], parts[f'{name}_part'], *self.times(call, name, bound))
        return found

    @staticmethod
    def times(call, name, bound):
        """How often the count of a buffer is meant: for the block of each process."""
        if name not in BLOCKS.get(blocking(called_as(call)), ()):
            return []
        return [gast.Attribute(value=tree.clone(bound['comm']), attr='size', ctx=gast.Load())]

    def filled(self, node, bound, parts):
        """The text with what the call gives; keywords that it leaves out are left out."""
        if isinstance(node, gast.Call):
            keywords = [tree.replace(k, value=self.filled(k.value, bound, parts)) for k in node.keywords
                        if k.value.id in bound or k.value.id in parts]
            return tree.replace(node, func=tree.load(self.name(node.func.id)), keywords=keywords,
                                args=[self.filled(a, bound, parts) for a in node.args])
        if isinstance(node, gast.Name):
            return tree.clone(bound.get(node.id) or parts[node.id])
        return tree.with_children(node, lambda n: self.filled(n, bound, parts))

    def bound(self, call, found):
        """(parameter -> argument, buffer_part -> what stands beside the array) of a call."""
        form = ast.parse(found.text, mode='eval').body
        names = [a.id for a in form.args] + [k.arg for k in form.keywords]
        if tree.starred(call.args) or any(k.arg not in names for k in call.keywords) \
                or len(call.args) > len(names):
            raise subset.unsupported(call, self.source, f'these arguments of {called_as(call)}',
                                     f'write it as {found.text}')
        bound = {'comm': getattr(call.func, 'value', None), **dict(zip(names, call.args)),
                 **{k.arg: k.value for k in call.keywords}}
        missing = [a.id for a in form.args if a.id not in bound]
        if missing:
            raise subset.unsupported(call, self.source, f'{called_as(call)} without {missing[0]}',
                                     f'write it as {found.text}')
        parts = {}
        for name in [n for n in bound if n.endswith('buf') and called_as(call)[0].isupper()]:
            bound[name], rest = self.taken_from_list(bound[name])
            if rest is not None:
                parts[f'{name}_part'] = rest
            if blocking(called_as(call)) in COUNTED and f'{name}_part' in found.value:
                parts.setdefault(f'{name}_part', gast.Tuple(elts=[], ctx=gast.Load()))
        return bound, parts

    def taken_from_list(self, expr):
        """(the array of a buffer, what stands beside it in a list or None); some processes may have None instead."""
        if isinstance(expr, gast.IfExp) and (tree.is_none(expr.body) or tree.is_none(expr.orelse)):
            some, none = ('orelse', 'body') if tree.is_none(expr.body) else ('body', 'orelse')
            array, rest = self.taken_from_list(getattr(expr, some))
            nothing = gast.Tuple(elts=[], ctx=gast.Load())
            beside = None if rest is None else gast.IfExp(test=tree.clone(expr.test), **{some: rest, none: nothing})
            return tree.replace(expr, **{some: array}), beside
        if isinstance(expr, (gast.List, gast.Tuple)) and expr.elts:
            array, *rest = expr.elts
            whole = not rest or len(rest) == 1 and self.is_plain_type(rest[0])
            return array, None if whole else gast.Tuple(elts=rest, ctx=gast.Load())
        value = self.given.get(getattr(expr, 'id', None), [None])[-1]
        if self.bound_here[getattr(expr, 'id', None)] == 1 and isinstance(value, (gast.List, gast.Tuple, gast.IfExp)):
            return self.taken_from_name(expr, value)
        return expr, None

    def taken_from_name(self, name, value):
        """The same where a list has a name, which is bound once."""
        listed = next((v for v in ([value.body, value.orelse] if isinstance(value, gast.IfExp) else [value])
                       if not tree.is_none(v)), None)
        if not isinstance(listed, (gast.List, gast.Tuple)) or not listed.elts:
            return name, None
        first = gast.Subscript(value=tree.clone(name), slice=tree.constant(0), ctx=gast.Load())
        further = gast.Slice(lower=tree.constant(1), upper=None, step=None)
        rest = gast.Subscript(value=tree.clone(name), slice=further, ctx=gast.Load())
        if listed is value:
            return first, rest
        test = gast.Compare(left=tree.clone(name), ops=[gast.IsNot()], comparators=[tree.constant(None)])
        return (gast.IfExp(test=test, body=first, orelse=tree.constant(None)),
                gast.IfExp(test=tree.clone(test), body=rest, orelse=gast.Tuple(elts=[], ctx=gast.Load())))

    def is_plain_type(self, expr):
        if isinstance(expr, gast.Constant):
            return expr.value is None or isinstance(expr.value, str)
        known = self.resolver(expr) if tree.dotted(expr) else UNKNOWN
        return isinstance(known, self.mpi.Datatype) and known.is_predefined

    def name(self, helper):
        if helper not in self.made:
            self.made[helper] = self.names.fresh(helper)
        return self.made[helper]


def blocking(name):
    """The name of a method between all that waits: `Allreduce` for `Iallreduce`."""
    return name[1:].capitalize() if name[0] == 'I' else name


def called_as(call):
    """The name by which a function or a method is called."""
    return getattr(call.func, 'attr', None) or getattr(call.func, 'id', '')


def name_of(expr):
    """The last name of an expression, in small letters."""
    return (getattr(expr, 'attr', None) or getattr(expr, 'id', '')).lower()


# What has been taken for a function is written as a method again

class Plain(gast.NodeTransformer):
    """Writes sends, and what all take part in, as mpi4py has them, where it is clear that this is a communicator."""

    def __init__(self, shared, source):
        self.shared, self.source = shared, source

    def visit_Call(self, node):
        node = self.generic_visit(node)
        found = self.shared.get(getattr(node.func, 'id', None))
        method = PLAIN.get(getattr(found, '__name__', None)) if facts.is_helper(found) else None
        if method is None or len(node.args) < 2 or not self.is_comm(node.args[1]) \
                or any(k.arg == 'part' for k in node.keywords):
            return node
        func = gast.Attribute(value=node.args[1], attr=method, ctx=gast.Load())
        return tree.replace(node, func=gast.copy_location(func, node), args=[node.args[0], *node.args[2:]])

    def is_comm(self, expr):
        known = self.source.globals.get(expr.id) if isinstance(expr, gast.Name) else None
        return isinstance(expr, (gast.Name, gast.Attribute)) and (
            NAMED.fullmatch(name_of(expr)) is not None or isinstance(known, sys.modules[LIBRARY].Comm))


PLAIN = {'sent': 'send', 'isent': 'isend', 'Sent': 'Send', 'Isent': 'Isend', 'bcast': 'bcast', 'summed': 'reduce',
         'allreduced': 'allreduce', 'collected': 'gather', 'allgathered': 'allgather', 'scattered': 'scatter',
         'alltoall': 'alltoall', 'scanned': 'scan', 'exscanned': 'exscan'}


def plainly(function, shared, source):
    """An emitted function with methods of mpi4py for what stands for these."""
    if LIBRARY not in sys.modules or not any(n in shared for s in function.body for n in tree.names(s, gast.Load)
                                             if getattr(shared.get(n), '__name__', None) in PLAIN):
        return function
    return tree.replace(function, body=[Plain(shared, source).visit(tree.clone(s)) for s in function.body])


# Which functions communicate

KNOWN: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
CHANNELS: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()          # function -> communicators by which it sends


def among_others(resolver):
    """Whether a function that is known only when running may send messages: where others are, or the text itself sends."""
    if LIBRARY not in sys.modules:
        return False
    mpi = sys.modules[LIBRARY]
    return bool(resolver.comms) or mpi.Is_initialized() and not mpi.Is_finalized() and mpi.COMM_WORLD.size > 1


def communicates(function):
    """Whether a function may send or receive messages, it or one that it calls."""
    if LIBRARY not in sys.modules or function is UNKNOWN:
        return False
    function = uncompiled(function.__func__ if isinstance(function, types.MethodType) else function)
    rule = registry.lookup(function)
    if rule is not None:
        return bool(rule.always)
    if facts.in_library(function) or not isinstance(function, (types.FunctionType, Nested)):
        return False
    if function not in KNOWN:
        KNOWN[function] = False              # of functions that call each other the others tell
        KNOWN[function] = sends(function)
    return KNOWN[function]


def called_for_messages(source):
    """The functions that a source calls as statements, for what they send or receive."""
    if LIBRARY not in sys.modules:
        return []
    resolver = Resolver(source, None, getattr(source, 'visible', {}))
    calls = [n.value for n in source.nodes if isinstance(n, gast.Expr) and isinstance(n.value, gast.Call)]
    return [f for call in calls for f in callees(call, resolver) if communicates(f)]


def hands_on(call, resolver):
    """Whether a call is given a function that sends or receives messages, to call it."""
    return LIBRARY in sys.modules and not facts.is_ours(resolver(call.func)) and any(
        communicates(resolver(a)) for a in tree.arguments(call) if tree.dotted(a))


def sends(function):
    try:
        source = resolved(function.source if isinstance(function, Nested) else read(original(function)))
    except TangentError:
        return False
    resolver = Resolver(source, None, getattr(source, 'visible', {}))
    comms = [resolver.value(tree.expression(c)) if isinstance(c, str) else c for c in source.channels]
    CHANNELS[function] = [c for c in comms if isinstance(c, sys.modules[LIBRARY].Comm)]
    calls = [n for n in source.nodes if isinstance(n, gast.Call)]
    params = tree.names(source.tree.args, gast.Param)
    given = [resolver(a) for n in calls for a in tree.arguments(n) if tree.dotted(a)]       # to call it: `checkpoint(layer)(x)`
    return any(communicates(f) for n in calls for f in callees(n, resolver)) or any(map(communicates, given)) or any(
        getattr(n.func, 'id', None) in params for n in calls) and among_others(resolver)     # and it may be given what sends


def callees(call, resolver, sight=()):
    """The functions that a call may call, as far as they are known; those of classes in sight for methods of what is not."""
    found, func = resolver(call.func), call.func
    if isinstance(found, types.MethodType):
        return [found.__func__]
    if found is not UNKNOWN or not isinstance(func, gast.Attribute):
        return [found]
    owner = resolver.value(func.value) if tree.dotted(func.value) else UNKNOWN
    kinds = sight if owner is UNKNOWN else [type(owner)]
    return [f for kind in kinds if isinstance(f := getattr(kind, func.attr, None), types.FunctionType)]
