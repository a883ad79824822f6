"""A function that does nothing but make others stands where it is called: what it makes are functions of the caller's own.

    def counter(start):                         def total(xs, s):
        n = start                                   add_n = s
        def add(v):                                 def add(v):
            nonlocal n                                  nonlocal add_n
            n += v                                      add_n += v
        def get():                                  def get():
            return n              ->                    return add_n
        return add, get                             for x in xs:
                                                        add(x)
    def total(xs, s):                               return get()
        add, get = counter(s)
        for x in xs:
            add(x)
        return get()

So it is where what it makes is called at once, `return scaled(2.0)(x)`.
"""
import collections
import dataclasses
from typing import NamedTuple

import gast

from tangent.frontend import tree
from tangent.frontend.closures.spread import may_be_spread, of_calls, rest_of
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import local_names, resolver_of
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, own_names, rebound_outside
from tangent.frontend.source import read
from tangent.normal.objects.text import is_plain_function


def written_out(source):
    """The Source with such functions written out, where they are called in statements of their own: `k = kernel(s)`."""
    function, resolver = source.tree, resolver_of(source)
    names = [n for n in tree.walk(function) if isinstance(n, gast.Name)]
    body, fresh = [], tree.Names({n.id for n in names} | set(source.globals)).fresh
    stmts = [new for s in function.body for new in called_at_once(s, resolver, fresh)]
    bound = collections.Counter(n.id for part in (function.args, *stmts) for n in tree.walk(part)
                                if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load))
    for s in stmts:
        targets = targets_of(s)
        once = targets and isinstance(s.value, gast.Call) and all(bound[n] == 1 for n in targets)
        made = made_by(source, resolver, bound, s, targets) if once and isinstance(s.value.func, gast.Name) else None
        body += [s] if made is None else made
    same = len(body) == len(function.body) and all(a is b for a, b in zip(body, function.body))
    return source if same else dataclasses.replace(source, tree=tree.replace(function, body=body))


def called_at_once(s, resolver, fresh):
    """`h = factory(s); y = h(x)` for `y = factory(s)(x)`; the statement itself for others."""
    call = s.value if isinstance(s, (gast.Assign, gast.Return, gast.Expr)) else None
    made = getattr(call, 'func', None) if isinstance(call, gast.Call) else None
    named = isinstance(made, gast.Call) and isinstance(made.func, gast.Name) and not tree.is_starred(made)
    factory = source_of(resolver(made.func)) if named else None
    found = parts(factory.tree, [factory.name]) if factory is not None else None
    if found is None:
        return [s]
    name = fresh(found.values[0])
    first = gast.copy_location(tree.assign(name, made), s)
    return [first, tree.replace(s, value=tree.replace(call, func=gast.copy_location(tree.load(name), made)))]


def plain(source, function, call):
    """(Source, call) of a function with a parameter for each argument, in the place of one with `*args` or `**more`."""
    rest = rest_of(function, call.args, [k.arg for k in call.keywords])
    if rest is None or not may_be_spread(source.tree):
        return source, call
    nested, more = of_calls(source, rest)
    return nested.source, tree.replace(call, keywords=[tree.replace(k, arg=more.get(k.arg, k.arg)) for k in call.keywords])


def targets_of(s):
    """The names that `k = ...` or `a, b = ...` binds, or None."""
    target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
    targets = target.elts if isinstance(target, gast.Tuple) else [target]
    return [t.id for t in targets] if all(isinstance(t, gast.Name) for t in targets) else None


def made_by(source, resolver, bound, s, targets):
    """The statements in place of `a, b = factory(...)`, or None.

    bound : name -> how often it is bound in the caller
    """
    factory = source_of(resolver(s.value.func))
    if factory is None or not in_one_file(factory, source) or tree.is_starred(s.value):
        return None
    factory, call = plain(factory, resolver(s.value.func), s.value)
    made, given = parts(factory.tree, targets), arguments(factory.tree, call)
    if made is None or given is None or len(made.values) != len(targets):
        return None
    inner = {n for d in made.body for f in tree.walk(d) if isinstance(f, (*DEFINITIONS, *COMPREHENSIONS, gast.Lambda))
             for n in own_names(f)}
    own = [*given, *made.names]
    outer = {n for b in made.body for n in tree.all_names(b)} - {*own}
    local = local_names(source.tree)
    alike = mean_the_same(outer - inner, factory, resolver, local)
    if len({*own}) < len(own) or inner & {*own, *targets} or not alike:
        return None
    names, out = tree.Names(local | outer | set(source.globals) | {*own}), []
    renamed = dict(zip(made.values, targets))
    anew = set().union(*(rebound_outside(d) for d in made.body if isinstance(d, gast.FunctionDef)))
    for n, value in [*given.items(), *((n, None) for n in made.names if n not in renamed)]:
        alone = isinstance(value, gast.Name) and bound[value.id] == 1 and value.id not in outer.union(targets, anew) \
            and n not in anew
        renamed[n] = value.id if alone else names.fresh(f'{targets[0]}_{n}')
        if value is not None and not alone:
            out.append(gast.copy_location(gast.Assign(targets=[tree.store(renamed[n])], value=value, type_comment=None), s))
    return [*out, *(with_names(b, renamed) for b in made.body)]


def in_one_file(function, source):
    """Whether two Sources are of one file, read as it was loaded."""
    return function.filename == source.filename and function.globals is source.globals


def mean_the_same(names, function, resolver, local):
    """Whether names that a function has from around it mean the same in another one, with its resolver and variables."""
    theirs = resolver_of(function)
    return all(n not in local and theirs.name(n) is resolver.name(n) for n in names)


def with_names(s, renamed):
    """A statement of the factory with the names that it has in the caller."""
    s = tree.rename(s, renamed)                                      # all of it is a copy
    for node in tree.walk(s):
        if isinstance(node, gast.FunctionDef):
            node.name = renamed.get(node.name, node.name)
        elif isinstance(node, gast.Nonlocal):
            node.names = [renamed.get(n, n) for n in node.names]
    return s


def source_of(factory):
    """The Source of a function of the user's that has captured nothing, or None."""
    if isinstance(factory, Nested):
        return None if factory.captured else factory.source
    if not is_plain_function(factory) or factory.__closure__:
        return None
    return read(factory)


class Factory(NamedTuple):
    """What a function that makes others does: assignments and definitions, and the names whose values it gives back.

    names : those that its statements bind
    """
    body: list
    names: list
    values: list


def parts(function, targets):
    """The Factory of a function, or None where it does more, or gives back no function."""
    *front, last = [None] + [s for s in function.body if not tree.is_text(s)]
    value = last.value if isinstance(last, gast.Return) else None
    values, body = [], front[1:]
    for e, name in zip(value.elts if isinstance(value, gast.Tuple) else [value], targets):
        if isinstance(e, gast.Lambda):
            body.append(tree.definition(name, e.args, [gast.copy_location(gast.Return(value=e.body), e)], e))
            e = tree.load(name)
        values.append(getattr(e, 'id', None))
    made = {s.name for s in body if isinstance(s, gast.FunctionDef)}
    names = [s.name if isinstance(s, gast.FunctionDef) else tree.target(s) for s in body]
    several = isinstance(value, gast.Tuple) and len(value.elts) != len(targets)
    if several or None in names or not made.intersection(values) or not {*values} <= {*names} or len({*values}) < len(values):
        return None
    return Factory(body, names, values) if all(map(is_plain, body)) else None


def is_plain(s):
    """Whether a statement is an assignment, or the definition of a function that keeps to the names around it."""
    if isinstance(s, gast.Assign):
        return True
    return not s.decorator_list and not any(isinstance(n, (gast.Global, gast.Yield, gast.YieldFrom)) for n in tree.walk(s))


def arguments(function, call):
    """Parameter -> argument, in order; None where they are not known one by one."""
    taken = function.args
    params, named = [a.id for a in taken.posonlyargs + taken.args], [a.id for a in taken.kwonlyargs]
    given = {**dict(zip(params, call.args)), **{k.arg: k.value for k in call.keywords}}
    defaults = {**dict(zip(params[::-1], taken.defaults[::-1])), **dict(zip(named, taken.kw_defaults))}
    more = {p: defaults[p] for p in params + named if p not in given and isinstance(defaults.get(p), gast.Constant)}
    fits = not (taken.vararg or taken.kwarg) and len(call.args) <= len(params) \
        and len(given) == len(call.args) + len(call.keywords) and {*given, *more} == {*params, *named}
    return {**given, **more} if fits and not tree.starred(call.args) else None
