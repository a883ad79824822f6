"""A function that does nothing but make another stands where it is called: what it makes is a function of the caller's own.

    def kernel(scale):                          def total(xs, s):
        def k(a, b):                                def k(a, b):
            return math.exp(-(a - b) / scale)           return math.exp(-(a - b) / s)
        return k                          ->        return sum(k(x, 0.0) for x in xs)

    def total(xs, s):
        k = kernel(s)
        return sum(k(x, 0.0) for x in xs)
"""
from __future__ import annotations

import collections
import dataclasses

import gast

from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import local_names, resolver_of
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, own_names
from tangent.frontend.source import read
from tangent.normal.objects.text import is_plain_function


def written_out(source):
    """The Source with such functions written out, where they are called in statements of their own: `k = kernel(s)`."""
    function, resolver = source.tree, resolver_of(source)
    names = [n for n in tree.walk(function) if isinstance(n, gast.Name)]
    bound = collections.Counter(n.id for n in names if not isinstance(n.ctx, gast.Load))
    body = []
    for s in function.body:
        name, value = tree.target(s), getattr(s, 'value', None)
        made = None
        if name is not None and bound[name] == 1 and isinstance(value, gast.Call) and isinstance(value.func, gast.Name):
            made = made_by(source, resolver, bound, value, name)
        body += [s] if made is None else made
    same = len(body) == len(function.body) and all(a is b for a, b in zip(body, function.body))
    return source if same else dataclasses.replace(source, tree=tree.replace(function, body=body))


def made_by(source, resolver, bound, call, name):
    """The statements in place of `name = factory(...)`, or None.

    bound : name -> how often it is bound in the caller
    """
    factory = source_of(resolver(call.func))
    if factory is None or factory.filename != source.filename or factory.globals is not source.globals:
        return None
    front, made = parts(factory.tree, name)
    given = arguments(factory.tree, call)
    if made is None or given is None:
        return None
    inner = {n for s in tree.walk(made) if isinstance(s, (*DEFINITIONS, *COMPREHENSIONS, gast.Lambda)) for n in own_names(s)}
    own = [*given, *map(tree.target, front), made.name]
    outer = {n for s in (*front, made) for n in names_in(s)} - {*own}
    theirs, local = resolver_of(factory), local_names(source.tree)
    alike = all(n not in local and theirs.name(n) is resolver.name(n) for n in outer - inner)
    if len({*own}) < len(own) or inner & {*own, name} or not alike:
        return None
    names, renamed, out = tree.Names(local | outer | set(source.globals) | {*own}), {made.name: name}, []
    for n, value in [*given.items(), *((n, None) for n in own[len(given):-1])]:
        alone = isinstance(value, gast.Name) and bound[value.id] == 1 and value.id not in outer | {name}
        renamed[n] = value.id if alone else names.fresh(f'{name}_{n}')
        if value is not None and not alone:
            out.append(gast.copy_location(gast.Assign(targets=[tree.store(renamed[n])], value=value, type_comment=None), call))
    return [*out, *(tree.rename(s, renamed) for s in front), tree.replace(tree.rename(made, renamed), name=name)]


def source_of(factory):
    """The Source of a function of the user's that has captured nothing, or None."""
    if isinstance(factory, Nested):
        return None if factory.captured else factory.source
    if not is_plain_function(factory) or factory.__closure__:
        return None
    return read(factory)


def parts(function, name):
    """(the assignments in a function, the definition of what it then returns); the latter is None where it does more."""
    *front, last = [None] + [s for s in function.body if not tree.is_text(s)]
    front = front[1:]
    made = front.pop() if front and isinstance(front[-1], gast.FunctionDef) else None
    value = last.value if isinstance(last, gast.Return) else None
    if made is None and isinstance(value, gast.Lambda):
        body = [gast.copy_location(gast.Return(value=value.body), value)]
        made = tree.definition(name, value.args, body, value)
    elif made is None or not isinstance(value, gast.Name) or value.id != made.name or made.decorator_list:
        return front, None
    plain = all(isinstance(s, gast.Assign) and tree.target(s) for s in front)
    open_ = any(isinstance(n, (gast.Nonlocal, gast.Global, gast.Yield, gast.YieldFrom)) for n in tree.walk(made))
    return front, made if plain and not open_ else None


def arguments(function, call):
    """Parameter -> argument, in order; None where they are not known one by one."""
    taken = function.args
    params = [a.id for a in taken.posonlyargs + taken.args]
    given = {**dict(zip(params, call.args)), **{k.arg: k.value for k in call.keywords}}
    defaults = dict(zip(params[::-1], taken.defaults[::-1]))
    more = {p: defaults[p] for p in params if p not in given and isinstance(defaults.get(p), gast.Constant)}
    fits = not (taken.vararg or taken.kwarg or taken.kwonlyargs) and len(call.args) <= len(params) \
        and len(given) == len(call.args) + len(call.keywords) and {*given, *more} == {*params}
    return {**given, **more} if fits and not tree.starred(call.args) else None


def names_in(node):
    return {n.id for n in tree.walk(node) if isinstance(n, gast.Name)}
