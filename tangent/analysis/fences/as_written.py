"""What is asked of a function as it was written, before any of it is rewritten."""
import functools
import sys

import gast

from tangent.analysis.activity import by_name
from tangent.analysis.effects import writes
from tangent.analysis.fences.implicit import refuse_implicit
from tangent.analysis.fences.keys import Keys, first_change, first_key
from tangent.analysis.fences.late_reads import LateReads
from tangent.analysis.fences.lazy import Lazy
from tangent.analysis.fences.texts import first_read
from tangent.analysis.generators import is_generator_call, stepped
from tangent.analysis.kinds import classes, special
from tangent.errors import PLACES
from tangent.frontend import subset, tree
from tangent.frontend.dependencies import is_installed
from tangent.frontend.nested import generates
from tangent.frontend.resolve import Resolver, pushed, resolver_of
from tangent.runtime import facts
from tangent.runtime.facts import is_helper

ASKED = sys.exc_info, getattr(sys, 'exception', sys.exc_info)                           # the latter from Python 3.11 on


def refuse_as_written(source, wrt, effects, forward=False):
    """Refuse iterators that read what has changed, and keys with a derivative, that reach a result from the names `wrt`.

    forward : whether it is for forward mode, which has lists in the place of other iterators
    """
    resolver = resolver_of(source)
    if effects.sight:
        refuse_implicit(source, resolver, effects, by_name(source.tree, resolver, wrt, effects).varied, forward)
    refuse_deleted(source, resolver)
    nodes = source.inner
    refuse_defaults(source, nodes)
    refuse_held(source, wrt, effects, resolver)
    refuse_asked(source, wrt, effects, resolver)
    refuse_iterators(source, wrt, effects, resolver, forward)
    refuse_until(source, nodes, resolver, forward)
    refuse_registers(source, nodes, resolver)
    refuse_classes(source, nodes, resolver)
    refuse_orders(source, nodes, resolver, effects)
    node = first_read(source.tree, resolver, wrt, effects, source.filename in PLACES)
    if node is not None:
        what = 'numbers that are read from a text or from bytes made of a value with a derivative'
        raise subset.unsupported(node, source, what, 'compute with the value itself')
    keys = Keys(source.tree, resolver)
    node = first_key(source.tree, keys, wrt)
    if node is not None:
        raise subset.unsupported(node, source, 'keys of dicts and elements of sets that are read as numbers with a derivative',
                                'keep the numbers in a list beside it')
    node = first_change(source.tree, keys, lambda: by_name(source.tree, resolver, wrt, effects).varied, effects)
    if node is not None:
        raise subset.unsupported(node, source, 'objects that are changed, with a derivative, where they are keys of a dict or '
                                'in a set,', 'go through a list of them')


def refuse_updated(source):
    """Refuse `a += b` where `a` is an object that the function makes, of a class that says itself what that does: it is no
    `a + b`, and whoever holds the object sees it."""
    function, held, resolver = source.tree, {}, Resolver(source)
    for s in (s for s in tree.every(function.body) if isinstance(s, gast.Assign)):
        kind = resolver(s.value.func) if isinstance(s.value, gast.Call) else held.get(getattr(s.value, 'id', None))
        if isinstance(kind, type):
            held.update(dict.fromkeys((n for t in s.targets for n in tree.names(t, gast.Store)), kind))
    for s in (s for s in tree.every(function.body) if isinstance(s, gast.AugAssign)):
        kind = held.get(getattr(s.target, 'id', None))
        if kind is not None and classes.defined(kind, f'i{special.ARITHMETIC.get(type(s.op))}') is not None:
            raise subset.unsupported(s, source, f'updates of objects in place by an operator of {kind.__name__}',
                                    'call a method that does it')


def refuse_classes(source, nodes, resolver):
    """Refuse `type('T', (), {'f': lambda self: ...})`: what becomes of functions inside is no method of the class; and numbers
    with operators of their own, which would be taken for numbers."""
    inside = {n.name for n in nodes if isinstance(n, gast.FunctionDef)}
    for n in nodes:
        kind = resolver(n.func) if isinstance(n, gast.Call) else None
        if isinstance(kind, type) and issubclass(kind, (float, int, complex)) and any(
                classes.defined(kind, f'{side}{name}') for name in special.ARITHMETIC.values() for side in ('', 'r')):
            raise subset.unsupported(n, source, f'objects of {kind.__name__}, a number whose operators are code of its own,',
                                    'write what they do as functions of plain numbers')
        if isinstance(n, gast.Call) and len(n.args) == 3 and resolver(n.func) is type and any(
                isinstance(e, gast.Lambda) or isinstance(e, gast.Name) and e.id in inside for e in tree.walk(n)):
            raise subset.unsupported(n, source, 'classes made by type() of functions inside',
                                    'define the class at the top level')


def refuse_generators(source, nested, wrt, effects):
    """The same for what forward mode goes through, of the generators inside the function, which `nested` knows by name."""
    if any(map(generates, nested.values())):
        refuse_iterators(source, wrt, effects, Resolver(source, None, nested), True)


def refuse_iterators(source, wrt, effects, resolver, forward):
    nodes = source.inner
    steps = stepwise(source.tree, nodes, resolver) if forward else frozenset()
    lazy = Lazy(resolver, effects, forward, steps)
    loops = [n for n in nodes if isinstance(n, (gast.For, gast.comprehension))]
    headers = {id(n.iter) for n in loops if lazy.in_loops(n.iter)}
    if any(id(n) not in headers and lazy(n) for n in nodes):
        found = LateReads(source.tree, resolver, effects, lazy, by_name(source.tree, resolver, wrt, effects).varied).first()
        if found is not None and found[1]:
            raise subset.unsupported(found[0], source, 'iterators that read what has a derivative after it has been changed',
                                    'write list(...) around it to read it at once, or a loop over indices')
        if found is not None:
            raise subset.unsupported(found[0], source, 'iterators with a derivative that are gone through twice, or by next(),',
                                    'make a list of it: list(...)')
    named = None if forward else next((n for n in nodes if isinstance(n, gast.Assign) and lazy.is_pushed(n.value)), None)
    if named is not None and not all(taken_at_once(source.tree, stmts, lazy, resolver) for stmts in each_block(source.tree)):
        raise subset.unsupported(named, source, 'views of dicts with a derivative under a name',
                                'make a list of it: list(d.values())')
    taken = {id(e) for n in nodes for e in taken_in_order(n, resolver)}
    for n in nodes if forward else ():
        if id(n) not in headers | taken and lazy.in_loops(n) and effects.acts(resolver(n.func)):
            raise subset.unsupported(n, source, 'generators that write between their values, in forward mode,',
                                    'write for v in ... around the call of the generator')


def each_block(function):
    return [function.body, *(block for s in tree.every(function.body) for _, block in tree.blocks(s))]


def taken_at_once(function, stmts, lazy, resolver):
    """Whether all views among the statements are given, by the next one, to what goes through the whole of them."""
    checks = [s for s in stmts if isinstance(s, gast.Expr) and is_helper(resolver(getattr(s.value, 'func', s)))]
    stmts = [s for s in stmts if s not in checks]
    for s, after in zip(stmts, [*stmts[1:], None]):
        if isinstance(s, gast.Assign) and lazy.is_pushed(s.value):
            call = after.value if isinstance(after, gast.Assign) else None
            whole = isinstance(call, gast.Call) and pushed(call, resolver) is not None \
                and facts.of(resolver(pushed(call, resolver))).takes_all
            reads = [n for t in [after, *checks] for n in tree.names(t, gast.Load)] if whole else []
            every = tree.names(function, gast.Load)
            if not whole or any(every.count(n) > reads.count(n) for n in tree.names(s.targets[0], gast.Store)):
                return False
    return True


def stepwise(function, nodes, resolver):
    """The calls of generators (their `id`) that forward mode, too, goes through step by step."""
    first = [n.args[0] for n in nodes if isinstance(n, gast.Call) and n.args and resolver(n.func) is next]
    made = [call for calls in stepped(function, resolver).values() for call in calls]
    return frozenset(id(e) for e in [*made, *first] if is_generator_call(e, resolver))


def refuse_deleted(source, resolver):
    """Refuse `del` of names where a handler tells whether they are bound: a derivative keeps them."""
    places = [s for s in tree.every(source.tree.body) if isinstance(s, gast.Delete)]
    deleted = {t.id for s in places for t in s.targets if isinstance(t, gast.Name)}
    for s in tree.every(source.tree.body) if deleted else ():
        if isinstance(s, gast.Try) and any(catches(h.type, UnboundLocalError, resolver) for h in s.handlers):
            inner = [n for part in s.body for n in tree.walk(part) if isinstance(n, gast.Name) and n.id in deleted]
            if any(not isinstance(n.ctx, gast.Store) for n in inner):
                raise subset.unsupported(s, source, 'handlers that tell whether a name was deleted', 'set it to None')


def refuse_defaults(source, nodes):
    """Refuse `g.__defaults__` of a function that the function defines, whose default values become something else."""
    inside = {n.name for n in nodes if isinstance(n, gast.FunctionDef)}
    inside |= {tree.target(n) for n in nodes if isinstance(n, gast.Assign) and isinstance(n.value, gast.Lambda)}
    for node in nodes:
        if isinstance(node, gast.Attribute) and node.attr in ('__defaults__', '__kwdefaults__', '__closure__') \
                and getattr(node.value, 'id', None) in inside:
            raise subset.unsupported(node, source, 'uses of what a function inside has for default values',
                                    'keep it under a name of its own')


def refuse_held(source, wrt, effects, resolver):
    """Refuse `p.args` and `p.keywords` of what `functools.partial` makes: its gradient, as its tangent, is by places."""
    partials = tree.bound_to(source.tree, lambda e: isinstance(e, gast.Call) and resolver(e.func) is functools.partial)
    flow = by_name(source.tree, resolver, wrt, effects) if partials else None
    for node in source.inner if partials else ():
        if isinstance(node, gast.Attribute) and node.attr in ('args', 'keywords') \
                and getattr(node.value, 'id', None) in partials and flow.flows(node):
            raise subset.unsupported(node, source, f'uses of the .{node.attr} of a functools.partial',
                                    'keep what it is given under a name of its own')


def refuse_asked(source, wrt, effects, resolver):
    """Refuse `sys.exc_info()` and `sys.exception()` where what the exception carries reaches a result: it has no derivative.
    Its class carries nothing."""
    if is_installed(source.filename) or source.filename in PLACES:             # contextlib asks for what its contexts get
        return
    classes_of = {id(n.value) for n in source.inner if isinstance(n, gast.Subscript) and getattr(n.slice, 'value', None) == 0}
    calls = [n for n in source.inner if isinstance(n, gast.Call) and facts.is_one(resolver(n.func), ASKED)
             and id(n) not in classes_of]
    flow = by_name(source.tree, resolver, wrt, effects) if calls and wrt is not None else None
    for s in tree.every(source.tree.body) if flow is not None else ():
        inside = {id(n) for part in tree.header(s) for n in tree.walk(part)}
        found = next((n for n in calls if id(n) in inside), None)
        bound = tree.names(s, gast.Store) if isinstance(s, gast.Assign) else ()
        if found is not None and (isinstance(s, gast.Return) or flow.matters(bound)):
            raise subset.unsupported(found, source, 'exceptions that sys gives, whose values may have a derivative,',
                                    'write except ... as error')


def refuse_until(source, nodes, resolver, forward):
    """Refuse, in forward mode, iterators by `iter(f, end)` that are no headers of loops, as the log form does when running."""
    headers = {id(n.iter) for n in nodes if isinstance(n, gast.For)}
    for node in nodes if forward else ():
        if isinstance(node, gast.Call) and len(node.args) == 2 and id(node) not in headers and resolver(node.func) is iter:
            raise subset.unsupported(node, source, 'iterators by iter(f, end), but for the header of a loop, in forward mode',
                                    'write for v in iter(f, end): ...')


def refuse_registers(source, nodes, resolver):
    """Refuse functions by the class of their argument that are made in the function: it is their registry that is read."""
    for node in nodes:
        if isinstance(node, (gast.Name, gast.Attribute)) and resolver(node) is functools.singledispatch:
            raise subset.unsupported(node, source, 'functions of singledispatch that are made inside the function',
                                    'define them at the top level')


def refuse_orders(source, nodes, resolver, effects):
    """Refuse orders by `functools.cmp_to_key(f)` that are no `key=`, where `f` may write: they are compared like numbers."""
    if source.filename in PLACES:                      # a text of ours, in which keys have names
        return
    calls = [n for n in nodes if isinstance(n, gast.Call)]
    keys = {id(k.value) for n in calls for k in n.keywords if k.arg == 'key'}
    for node in (n for n in calls if n.args and id(n) not in keys and resolver(n.func) is functools.cmp_to_key):
        function = resolver(node.args[0])
        if not effects.knows(function) or writes(effects.of(function)):
            raise subset.unsupported(node, source, 'orders by cmp_to_key of what may write, but for key=',
                                    'write sorted(xs, key=functools.cmp_to_key(f))')


def catches(kind, error, resolver):
    """Whether `except kind:` catches an error, for all that is known."""
    kinds = kind.elts if isinstance(kind, gast.Tuple) else [kind]
    found = [BaseException if k is None else resolver(k) for k in kinds]
    return any(not isinstance(k, type) or issubclass(error, k) for k in found)


def taken_in_order(node, resolver):
    """Of what a loop or a call goes through: what forward mode, too, takes when Python does."""
    if isinstance(node, gast.Call) and facts.of(resolver(node.func)).takes_all:
        return node.args[:1]
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], (gast.Tuple, gast.List)):
        return [node.value]
    if isinstance(node, (gast.For, gast.comprehension)) and isinstance(node.iter, gast.Call) \
            and isinstance(node.target, gast.Tuple) and any(resolver(node.iter.func) is f for f in (zip, enumerate)):
        return node.iter.args
    return [node.value] if isinstance(node, gast.YieldFrom) else []
