"""Messages between processes in the log form: the terms of their rules, evaluated when the backward pass comes to them."""
import functools
import inspect

import gast

from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.quote import Fill
from tangent.runtime.zeros import ZeroGrad, init_grad
from tangent.templates.language import registry


def by_rule(record, f, args):
    """The call of a function whose rule has terms that are written whatever has a derivative."""
    rule = registry.lookup(f)
    bound = inspect.signature(f).bind(*args, **record.keywords)
    bound.apply_defaults()
    value = f(*args, **record.keywords)
    given = [*bound.arguments]

    def backward(grads, g):
        if g is None or type(g) is ZeroGrad:
            g = None if value is None else init_grad(value)
        found = {}
        for name in rule.parameters:
            if name in rule.partials:
                code, names = compiled(f, name)
                term = eval(code, {n: find(n) for n in names}, {**bound.arguments, rule.result: value, 'gradient': g})
                found[name] = term
                if given.index(name) < len(args):
                    found[given.index(name)] = term
        return found
    record.structured = isinstance(value, (list, tuple, dict))
    record.backward = backward
    return value


@functools.lru_cache(maxsize=256)
def compiled(f, name):
    """(the code of the term of a parameter, names of the functions that it calls)."""
    rule = registry.lookup(f)
    term = Fill({}, {rule.result: tree.load('gradient')}, set())(rule.partials[name])
    names = {n.func.id for n in tree.walk(term) if isinstance(n, gast.Call)}
    expression = gast.fix_missing_locations(gast.Expression(body=term))
    return compile(gast.gast_to_ast(expression), f'<{rule.name}>', 'eval'), names
