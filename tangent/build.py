"""From text to functions: the last room.

The functions run in the user's own globals, live, and nothing is added to these. What the library brings (helpers,
twins) and what the user's function had captured reach them as closure cells. The text is kept in `linecache` for as
long as a function made from it lives, so that tracebacks, pdb, profilers and `inspect` show its lines.
"""
from __future__ import annotations

import ast
import itertools
import linecache
import types
import weakref
from typing import Mapping, NamedTuple, Sequence

_numbers = itertools.count(1)


class Part(NamedTuple):
    """What one function of the text needs beside its text.

    namespace : the globals it runs in; never written to
    cells : the user's closure cells by name; shared, so that rebinding is followed
    defaults, kwdefaults : as in `__defaults__` and `__kwdefaults__`; those written in the text are not evaluated
    """
    name: str
    namespace: dict
    cells: Mapping[str, types.CellType] = types.MappingProxyType({})
    defaults: tuple | None = None
    kwdefaults: dict | None = None


class Source(str):
    """The text of a derivative, as `df.source`. While it lives, `linecache` has its lines."""


def build(text: str, parts: Sequence[Part], library: Mapping[str, object] | None = None,
          filename_hint: str = '') -> dict[str, types.FunctionType]:
    """The functions defined in `text`, by name.

    Parameters
    ----------
    text : what `emit` printed.
    parts : one for each function of the text; these functions see each other by name.
    library : name -> object for names that are the library's; they hide globals of the same name.
    filename_hint : shown in tracebacks, `<tangent dfdx 1>`; by default the name of the first function.
    """
    filename = f'<tangent {filename_hint or parts[0].name} {next(_numbers)}>'
    source = _remember(filename, text)
    definitions = {node.name: node for node in ast.parse(text, filename).body}
    shared = {name: types.CellType(value) for name, value in (library or {}).items()}
    twins = {part.name: types.CellType() for part in parts}
    functions = {}
    for part in parts:
        cells = {**shared, **part.cells, **twins}
        code = _code(definitions[part.name], filename, cells)
        closure = tuple(cells[name] for name in code.co_freevars)
        function = types.FunctionType(code, part.namespace, part.name, part.defaults, closure)
        function.__kwdefaults__ = part.kwdefaults
        function.source = source
        twins[part.name].cell_contents = functions[part.name] = function
    return functions


def _code(definition, filename, cells):
    """The code of a function whose free names are the ones in `cells`; its line numbers are those of the text.

    A name is free where a function around it binds it, so a function around it is made, compiled, and thrown away.
    """
    names = [ast.arg(name) for name in cells if name != definition.name]
    arguments = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
    maker = ast.FunctionDef(name='maker', args=arguments, body=[definition], decorator_list=[], type_params=[])
    module = ast.fix_missing_locations(ast.Module(body=[maker], type_ignores=[]))
    outer = _constant(compile(module, filename, 'exec', dont_inherit=True), 'maker')
    return _unqualified(_constant(outer, definition.name))


def _constant(code, name):
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


def _unqualified(code):
    """The code without `maker.<locals>.` in the names that profilers and tracebacks show (Python 3.11 and later)."""
    if not hasattr(code, 'co_qualname'):
        return code
    constants = tuple(_unqualified(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_qualname=code.co_qualname.removeprefix('maker.<locals>.'), co_consts=constants)


def _remember(filename, text):
    """The text, entered into `linecache` (without a time stamp, so that `checkcache` lets it be) until it dies."""
    source = Source(text)
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    weakref.finalize(source, linecache.cache.pop, filename, None).atexit = False
    return source
