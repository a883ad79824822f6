"""References as short as a call needs them: without what they do with arguments that it leaves out.

Whether an argument is given, and which flag or word is, stands in the text of most calls. What depends on these alone is
decided here, so that the derivative shows the one case that is meant, and Numba sees values of one type.
"""
from __future__ import annotations

import ast
import functools
import inspect
import linecache

WORDS = type(None), bool, str
NOTHING = object()


def arguments(function, args, keywords):
    """What a call gives, by the names of the parameters of `function`."""
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            break
        names.append(parameter.name)
    return dict(zip(names, args)) | keywords


def word(tree):
    """The flag or the word that a tree is."""
    value = getattr(tree, 'value', NOTHING)
    return value if isinstance(value, WORDS) else NOTHING


def as_given(function, args, keywords):
    """The function that does what `function` does in calls with these arguments, which are trees."""
    given = {name: word(value) for name, value in arguments(function, args, keywords).items()}
    defaults = {p.name: p.default for p in inspect.signature(function).parameters.values() if p.default is not p.empty}
    return pruned(function, tuple((name, value) for name, value in (defaults | given).items() if value is not NOTHING))


@functools.cache
def pruned(function, known):
    """The function with values in place of the names of some of its parameters, and with what they decide decided."""
    definition, = ast.parse(inspect.getsource(function)).body
    stored = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    before, body = ast.dump(definition), Known({name: value for name, value in known if name not in stored}).block(definition.body)
    definition.body = body
    if ast.dump(definition) == before:
        return function
    text = ast.unparse(ast.fix_missing_locations(definition)) + '\n'
    file = f'<{function.__module__}.{function.__name__} {len(linecache.cache)}>'
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    made: dict = {}
    exec(compile(text, file, 'exec', dont_inherit=True), function.__globals__, made)
    return made[function.__name__]


class Known(ast.NodeTransformer):
    """Constants in place of names; of an `if` whose test is known, the part that is taken."""

    def __init__(self, values):
        self.values = values

    def block(self, statements):
        return [s for old in statements for new in [self.visit(old)] for s in (new if isinstance(new, list) else [new])]

    def visit_Name(self, node):
        known = isinstance(node.ctx, ast.Load) and node.id in self.values
        return ast.Constant(self.values[node.id]) if known else node

    def visit_If(self, node):
        return self.taken(node, self.block)

    def visit_IfExp(self, node):
        return self.taken(node, self.visit)

    def taken(self, node, visit):
        node.test = self.visit(node.test)
        if any(isinstance(n, (ast.Name, ast.Call)) for n in ast.walk(node.test)):
            node.body, node.orelse = visit(node.body), visit(node.orelse)
            return node
        return visit(node.body if eval(ast.unparse(node.test)) else node.orelse)

    def visit_BoolOp(self, node):
        """`x is None or ...` with one part known."""
        short, parts = isinstance(node.op, ast.Or), []
        for part in map(self.visit, node.values):
            if any(isinstance(n, (ast.Name, ast.Call)) for n in ast.walk(part)):
                parts.append(part)
            elif bool(eval(ast.unparse(part))) == short:
                return ast.BoolOp(node.op, [*parts, part]) if parts else part
        return ast.Constant(not short) if not parts else parts[0] if len(parts) == 1 else ast.BoolOp(node.op, parts)
