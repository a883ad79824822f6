"""Handlers of the user's catch what the user's code raises, not what the library refuses while a derivative runs.

    except ValueError:               except TangentError:
        y = x                 ->         raise
                                     except ValueError:
                                         y = x

A context that may swallow what is raised in its block is asked afterwards: what was refused there is raised again.
"""
import contextlib
import sys

import gast

from tangent import errors
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN, Resolver
from tangent.frontend.source import Source
from tangent.runtime import facts

TRANSPARENT = frozenset(sys.stdlib_module_names - {'contextlib', 'unittest'}) | {'numpy', 'numba', 'cupy', 'scipy', 'tangent'}


def let_through(made, shared, names):
    """The function with a handler of its own for what the library raises, wherever one of the user's would take that.

    names : those of the functions that are emitted
    """
    blocks = [s for s in tree.every(made.tree.body) if isinstance(s, gast.With) and subset.region(s) is None
              or isinstance(s, gast.Try) and s.handlers]
    if not blocks or not isinstance(made.source, Source):
        return made.tree
    resolver = Resolver(made.source)
    taking = {id(s) for s in blocks if may_refuse(s.body, shared, names) and (
        swallows(s.items, resolver) and not is_asked(s) if isinstance(s, gast.With) else takes_refusals(s.handlers, resolver))}
    if not taking:
        return made.tree
    taken = tree.Names({n.id for n in tree.walk(made.tree) if isinstance(n, gast.Name)} | set(resolver.mentioned))
    name = 'TangentError'
    while shared.get(name, errors.TangentError) is not errors.TangentError or name in resolver.mentioned:
        name = f'{name}_'
    shared[name] = errors.TangentError
    return tree.replace(made.tree, body=with_handlers(made.tree.body, taking, name, taken))


def may_refuse(body, shared, names):
    """Whether statements call what is looked at while running."""
    called = {n.func.id for s in body for n in tree.walk(s) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)}
    return any(n in names or n in shared for n in called)


def is_asked(s):
    """Whether that was written for a derivative which is differentiated again."""
    handlers = s.body[0].handlers if len(s.body) == 1 and isinstance(s.body[0], gast.Try) else []
    return any(getattr(h.type, 'id', '').rstrip('_') == 'TangentError' for h in handlers)


def swallows(items, resolver):
    """Whether a context may keep what is raised from going on: of Python's and NumPy's those of contextlib alone."""
    for item in items:
        expr = item.context_expr
        kind = resolver(expr.func if isinstance(expr, gast.Call) else expr)
        kind = resolver.value(expr) if kind is UNKNOWN else kind
        home = facts.home(kind) or facts.home(type(kind))
        if kind is UNKNOWN or kind is contextlib.ExitStack or kind is contextlib.suppress \
                or home not in TRANSPARENT and home != 'contextlib':
            return True
    return False


def takes_refusals(handlers, resolver):
    """Whether handlers catch errors of the library's that they do not name."""
    for handler in handlers:
        kinds = handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type]
        found = [BaseException if kind is None else resolver(kind) for kind in kinds]
        if any(isinstance(kind, type) and issubclass(kind, errors.TangentError) for kind in found):
            return False
        if any(kind is UNKNOWN or kind in BUILT_ON for kind in found):
            return True
    return False


OURS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TangentError)]
BUILT_ON = frozenset(base for kind in OURS for base in kind.__mro__)


def with_handlers(stmts, taking, name, taken):
    out = []
    for s in stmts:
        new = tree.replace(s, **{field: with_handlers(block, taking, name, taken) for field, block in tree.blocks(s)}) \
            if any(id(inner) in taking for inner in tree.every([s])) else s
        if id(s) in taking and isinstance(s, gast.With):
            out += asked_afterwards(new, name, taken)
            continue
        if id(s) in taking:
            new = tree.replace(new, handlers=[handler(name, None, [raised(None)], s), *new.handlers])
        out.append(new)
    return out


def asked_afterwards(s, name, taken):
    """A `with` statement, and behind it what its context may have swallowed of the library's."""
    refused, error = taken.fresh('refused'), taken.fresh('error')
    keep = [tree.assign(refused, tree.load(error)), raised(None)]
    block = gast.Try(body=s.body, handlers=[handler(name, tree.store(error), keep, s)], orelse=[], finalbody=[])
    test = gast.Compare(left=tree.load(refused), ops=[gast.IsNot()], comparators=[tree.constant(None)])
    again = gast.If(test=test, body=[raised(tree.load(refused))], orelse=[])
    made = [tree.assign(refused, tree.constant(None)), tree.replace(s, body=[placed(block, s)]), again]
    return [placed(t, s) for t in made]


def handler(kind, name, body, s):
    return placed(gast.ExceptHandler(type=tree.load(kind), name=name, body=[placed(t, s) for t in body]), s)


def raised(exc):
    return gast.Raise(exc=exc, cause=None)


def placed(stmt, s):
    """The statement and those in it that have no place yet, at the place of another."""
    for node in tree.walk(stmt):
        if isinstance(node, (gast.stmt, gast.ExceptHandler)) and tree.origin(node) is None:
            tree.place(node, tree.origin(s))
    return stmt
