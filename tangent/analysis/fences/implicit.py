"""What Python calls where no text says so: how objects are copied, hashed, shown and measured, which derivatives do not follow.

    def __hash__(self):                      copy.copy(p)          where the class of p has a __copy__
        self.seen = self.seen + self.v       [*p], list(p)         where its __len__ writes something
"""
import copy
import sys

import gast

from tangent.analysis.effects import Effects
from tangent.analysis.kinds.classes import COPYING, SHOWING, defined
from tangent.analysis.kinds.special import is_fact
from tangent.errors import TangentError
from tangent.frontend import subset, tree
from tangent.frontend.dependencies import path_of, remembered, stays
from tangent.frontend.source import original, read
from tangent.templates.python import mutations

WRITERS = mutations.names(lambda m: m.writes)
LENGTHS = 'len', 'length_hint'
READ = 'iter', 'getitem'
HELD = gast.Name, gast.Attribute, gast.Subscript, gast.Call           # what may be such an object
TEXTS = 'str', 'repr', 'format', 'join'


def refuse_implicit(source, resolver, effects, varied, forward=False):
    """Refuse objects that write when they are hashed or shown, copies of objects that say how they are copied, and lists of
    what may be an object that writes when it is asked for its length."""
    for kind in sorted(effects.sight, key=lambda kind: kind.__qualname__):
        found = writing(kind, effects.sight)
        if found is not None:
            place, where = found
            raise subset.unsupported(place, where, 'special methods that write, such as __hash__ and __repr__,',
                                    'write in a method that is called by its name')
    if any(writing(kind, effects.sight, LENGTHS) for kind in effects.sight if any(defined(kind, name) for name in READ)):
        refuse_measured(source, resolver, varied)
    lacking = [f for kind in effects.sight if (f := defined(kind, 'missing')) is not None
               and not stays(f.__code__.co_filename)] if forward else []
    if lacking:
        where = read(original(lacking[0]))
        raise subset.unsupported(where.tree, where, '__missing__ of dicts, in forward mode,', 'write d.setdefault(key, value)')
    if not any(defined(kind, name) for kind in effects.sight for name in COPYING):
        return
    for node in source.inner:
        args = tree.arguments(node) if isinstance(node, gast.Call) else []
        given = {n for a in args for n in tree.names(a, gast.Load)}
        copies = args and is_copy(resolver, node.func) and not varied.isdisjoint(given)
        if copies and not of_keywords(node, resolver, source) or any(is_copy(resolver, a) for a in args if tree.dotted(a)):
            raise subset.unsupported(node, source, 'copies by copy.copy and copy.deepcopy where classes say how to copy',
                                    'call a method of the class that makes the copy')


def refuse_measured(source, resolver, varied):
    """Refuse what Python makes lists of, which asks for their length first."""
    nodes = source.inner
    for expr in (e for n in nodes for e in lists_made_of(n, resolver)):
        ours = getattr(resolver(getattr(expr, 'func', expr)), '__module__', '') == 'builtins'          # range(n), zip(x, y)
        if isinstance(expr, HELD) and not ours and not varied.isdisjoint(tree.names(expr, gast.Load)):
            raise subset.unsupported(expr, source, 'lists of what may be an object whose __len__ writes something',
                                    'write a loop: for v in ...')


def lists_made_of(node, resolver):
    """What a node makes a list of."""
    if isinstance(node, gast.Starred):
        return [node.value]
    if isinstance(node, gast.Call):
        extends = isinstance(node.func, gast.Attribute) and node.func.attr == 'extend'
        return node.args[:1] if extends or any(resolver(node.func) is f for f in (list, tuple, sorted)) else []
    if isinstance(node, gast.AugAssign):
        return [node.value] if isinstance(node.op, gast.Add) and not isinstance(node.target, gast.Subscript) else []
    stores = [t for t in getattr(node, 'targets', ()) if isinstance(t, gast.Subscript) and isinstance(t.slice, gast.Slice)]
    return [node.value] if stores and isinstance(node, gast.Assign) else []


def is_copy(resolver, expr):
    found = resolver(expr)
    return found is copy.copy or found is copy.deepcopy


def of_keywords(node, resolver, source):
    """Whether a call is `copy.copy(kwargs)` of the function's own `**kwargs`: Python makes that a dict, and so is its copy."""
    name = getattr(source.tree.args.kwarg, 'id', None)
    own = [n for n in source.inner if isinstance(n, gast.Assign) and n.value is node and tree.target(n) == name]
    bound = [n for n in source.inner if isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Load)]
    return resolver(node.func) is copy.copy and getattr(node.args[0], 'id', '') == name and len(bound) == len(own)


@remembered
def writing(kind, sight, names=SHOWING):
    """(place, Source) of what a special method of a class writes that may be no fact; None where there is none."""
    for name in names:
        method = defined(kind, name)
        if method is None or is_packaged(kind):                           # those show nothing of the user's
            continue
        try:
            source = read(original(method))
        except TangentError:
            continue
        body = source.tree.body
        declared = {n for s in tree.every(body) if isinstance(s, (gast.Global, gast.Nonlocal)) for n in s.names}
        own = {n for s in body for n in tree.names(s, gast.Store)} - declared
        place = next((s for s in tree.every(body) if names is LENGTHS or may_write(s, own)), None)
        done = Effects(sight=sight).of(method)
        if place is not None and (done.writes or done.outside.stores):
            return place, source
    return None


def is_packaged(kind):
    """Whether a class is one of a package, also where it writes methods of its classes itself, as attrs does."""
    return stays(path_of(sys.modules.get(kind.__module__)))


def may_write(s, own):
    """Whether a statement may put anything but a fact into something; `own` are the names that the function binds."""
    calls = [n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)]
    if any(changes(n) or n is getattr(s, 'value', None) and isinstance(s, gast.Expr) for n in calls
           if tree.root_name(n.func) not in own):
        return True
    if not isinstance(s, (gast.Assign, gast.AugAssign, gast.AnnAssign)) or isinstance(s.value, gast.JoinedStr):
        return False
    function = getattr(s.value, 'func', None)
    named = getattr(function, 'id', None) or getattr(function, 'attr', None)
    targets = s.targets if isinstance(s, gast.Assign) else [s.target]
    return not is_fact(s.value) and named not in TEXTS and not all(getattr(t, 'id', None) in own for t in targets)


def changes(call):
    return isinstance(call.func, gast.Attribute) and call.func.attr in WRITERS
