"""What the words of a command line stand for: functions, parameters, arguments."""
from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import os
import pathlib
import sys
import traceback

import numpy

from tangent.errors import ArgumentError, TangentError


def wrt(text):
    """('w1', 2) from 'w1,2'."""
    return tuple(int(part) if part.isdigit() else part for part in (p.strip() for p in text.split(',')) if part)


def load(target):
    """The function that FILE.py:FUNCTION or MODULE:FUNCTION names; FUNCTION may be dotted."""
    place, colon, name = target.rpartition(':')
    if not (place and name):
        raise ArgumentError(f'{target!r}: expected FILE.py:FUNCTION or MODULE:FUNCTION')
    found = load_file(pathlib.Path(place)) if place.endswith('.py') else load_module(place)
    for part in name.split('.'):
        if not hasattr(found, part):
            raise ArgumentError(f'{place} has no function {name!r}')
        found = getattr(found, part)
    return found


def load_file(path):
    """The module of a file, executed as `python FILE` would: modules beside it can be imported."""
    if not path.is_file():
        raise ArgumentError(f'{path}: no such file')
    path = path.resolve()
    other = getattr(sys.modules.get(path.stem), '__file__', str(path)) != str(path)
    name = f'{path.stem}_file' if other else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    sys.modules[name] = module
    users_code(spec.loader.exec_module, module)
    module.__spec__ = None  # as a script has none: an exported module must not import it
    return module


def load_module(name):
    sys.path.insert(0, os.getcwd())
    return users_code(importlib.import_module, name)


def arguments(func, expressions):
    """The values of the expressions of `--at`; one tuple alone is the list of all arguments."""
    names = {'np': numpy, 'numpy': numpy, 'math': math, **vars(inspect.getmodule(func) or math)}
    values = [users_code(eval, f'({text})', names) for text in expressions]
    return values[0] if len(values) == 1 and isinstance(values[0], tuple) else tuple(values)


def users_code(run, *args):
    """`run(*args)`; an exception in the user's code becomes an error that says where it was raised."""
    try:
        return run(*args)
    except TangentError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        message = ''.join(traceback.format_exception_only(error)).rstrip()
        if not isinstance(error, SyntaxError) and last.line and last.filename != '<frozen importlib._bootstrap>':
            message = f'File "{last.filename}", line {last.lineno}, in {last.name}\n    {last.line}\n{message}'
        raise ArgumentError(message.strip()) from None
