"""What there is to read in a text: statements, expressions, calls of helpers, names."""
import ast
import builtins
import inspect
import textwrap
import types
from typing import NamedTuple

import numpy as np

import tangent

PACKAGE = __name__.rpartition('.')[0]
OF_CONTAINERS = {name for kind in (list, dict, np.ndarray) for name in dir(kind)} - {'take'}    # that of our logs is a helper


class Counts(NamedTuple):
    """What is counted, of all functions of a text together.

    statements, expressions : nodes of the tree; neither docstrings nor the heads of functions
    helpers : calls of functions of the run time
    names : variables that are neither in the function nor gradients (`b` and the name) of those that are
    logged : whether the text keeps a log
    """
    statements: int
    expressions: int
    helpers: int
    names: int
    logged: bool


def by_hand(program, args):
    """Counts of the adjoint, and of the functions that it calls and the program does not."""
    known = of_program(program, args)
    tree = parsed([thing for thing in reached([program.adjoint]) if thing not in known])
    return counts(tree, parsed(known), set(program.adjoint.__globals__))


def emitted(program, args, derivative, *given):
    """Counts of what `tangent.source` prints, for the arguments given or without."""
    tree = ast.parse(tangent.source(derivative, *given))
    return counts(tree, parsed(of_program(program, args)), set(program.function.__globals__))


def counts(tree, program, seen):
    """Counts of a text whose reader knows the program, and the names `seen` from where it stands."""
    known = words(program)
    visible = seen | words(program, ('id', 'arg', 'name')) | set(dir(builtins))
    nodes = [node for node in ast.walk(tree) if not is_docstring(node)]
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    new = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} - known
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    functions = [f for f in called if isinstance(f, ast.Name) and f.id not in visible | defined | new]
    methods = [f for f in called if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and f.value.id in new
               and f.attr not in known | OF_CONTAINERS]
    statements = [node for node in nodes if isinstance(node, ast.stmt) and not isinstance(node, (ast.FunctionDef, ast.Pass))]
    expressions = sum(isinstance(node, ast.expr) for node in nodes) - sum(map(is_docstring, ast.walk(tree)))
    return Counts(len(statements), expressions, len(functions) + len(methods), len(new - {f'b{name}' for name in known}),
                  '_grads' in new)


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def words(tree, fields=('id', 'arg', 'name', 'attr')):
    """All names and attributes of a text."""
    return {getattr(node, field) for node in ast.walk(tree) for field in fields if hasattr(node, field)}


# Which functions a program is made of

def of_program(program, args):
    """The functions and classes of a program: those that it names, and those of its arguments."""
    return reached([program.function, *filter(is_ours, classes(args))])


def reached(things):
    """Functions and classes, and those that they name, at any remove."""
    for thing in things:
        captured = {} if isinstance(thing, type) else inspect.getclosurevars(thing).nonlocals
        seen = {**vars(inspect.getmodule(thing)), **captured}
        things += [seen[name] for name in read(parsed([thing])) if is_ours(seen.get(name)) and seen[name] not in things]
    return things


def read(tree):
    """The names that a text reads and does not set, in order."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)} | {node.arg for node in ast.walk(tree)
                                                                              if isinstance(node, ast.arg)}
    return [name for name in dict.fromkeys(node.id for node in names) if name not in bound]


def is_ours(thing):
    """Whether it is a function or class of the programs."""
    return isinstance(thing, (types.FunctionType, type)) and thing.__module__.startswith(f'{PACKAGE}.')


def parsed(things):
    return ast.parse('\n'.join(textwrap.dedent(inspect.getsource(thing)) for thing in things))


def classes(value):
    """The classes of a value and of what is in it, in order."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else \
        vars(value).values() if hasattr(value, '__dict__') else ()
    return list(dict.fromkeys([type(value), *(kind for part in parts for kind in classes(part))]))
