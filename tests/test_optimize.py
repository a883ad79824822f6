"""The optimizer: each pass by its own first words, what must not change, and random programs before and after."""
import ast
import doctest
import importlib
import pkgutil
import re

import gast
import numpy as np
import pytest

from tangent import optimize, tree
from tangent.optimize import cfg

PURE = frozenset('np.sin np.cos np.tanh np.exp np.dot np.zeros_like np.sum np.reshape unbroadcast unreduce_like range len'.split())
MODULES = [m.name for m in pkgutil.iter_modules(optimize.__path__)]


def function(text, base=None, role='adjoint', params=None):
    """A record for a program given as text; what it reads and does not bind becomes its parameters."""
    body = gast.parse(text).body
    nodes = [n for stmt in body for n in gast.walk(stmt)]
    called = {n.func.id for n in nodes if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)}
    bound = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    read = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)}
    params = sorted(read - bound - called - {'np'}) if params is None else params
    definition = gast.parse(f'def f({", ".join(params)}): pass').body[0]
    definition.body = body
    for node in nodes:
        if isinstance(node, (gast.stmt, gast.ExceptHandler)):
            tree.place(node, tree.Origin(role))
    temps = frozenset(n for n in bound if re.fullmatch(r'b?[tuvc]\d*', n))
    return tree.Func(definition, base or {}, temps, PURE, {})


def text(func):
    lines = [ast.unparse(gast.gast_to_ast(stmt)) for stmt in func.tree.body]
    return '\n'.join(lines) if any('\n' in line for line in lines) else '; '.join(lines)


def show(step, program, **known):
    """Print what a pass makes of a program."""
    print(text(step(function(program, **known))))


@pytest.mark.parametrize('name', MODULES)
def test_first_words(name):
    module = importlib.import_module(f'tangent.optimize.{name}')
    failed, _ = doctest.testmod(module, extraglobs={'show': show})
    assert not failed
