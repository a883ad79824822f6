"""What a function imports itself: its names are known like global ones, if they can mean one thing only."""
from __future__ import annotations

import importlib

import gast

from tangent.frontend import tree

MISSING = object()


def imported(function, source):
    """Name -> module or object, for the names that the function binds by imports alone."""
    found, other = {}, set(tree.names(function, gast.Store)) | set(tree.names(function.args, gast.Param))
    for node in tree.walk(function):
        if isinstance(node, gast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition('.')[0]
                note(found, name, load(alias.name if alias.asname else name))
        elif isinstance(node, gast.ImportFrom) and not node.level:
            for alias in node.names:
                note(found, alias.asname or alias.name, member(node.module, alias.name))
    return {name: thing for name, thing in found.items()
            if thing is not MISSING and name not in other and source.globals.get(name, thing) is thing}


def note(found, name, thing):
    found[name] = thing if found.get(name, thing) is thing else MISSING


def load(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return MISSING


def member(module, name):
    found = load(module)
    if found is MISSING:
        return MISSING
    value = getattr(found, name, MISSING)
    return value if value is not MISSING else load(f'{module}.{name}')
