"""What a text of ours reads, written out as text: the definitions of a module that runs on its own.

    module = Exported(...)
    module.function(f, namespaces)       what `f` reads of the user's is written before it; names that mean two things get two

Functions are written from their source, classes from what they define, values as expressions. What has to be there when a
definition is run (bases, decorators, defaults, the parts of a value) stands before it; what a body reads may stand anywhere.
"""
import ast
import builtins
import collections
import dataclasses
import enum
import functools
import importlib.util
import io
import keyword
import sys
import tokenize
import types

import gast
import numpy

from tangent.driver.dispatch.compiled import Compiled, Pushed
from tangent.emit.printer import emit
from tangent.emit.public import name_of
from tangent.errors import ArgumentError, SourceError
from tangent.eventlog.statements import bare
from tangent.frontend import tree
from tangent.frontend.resolve import contents
from tangent.frontend.scopes import free
from tangent.frontend.source import read
from tangent.runtime.array_api import LATER

LIMIT = 10_000           # elements of an array that is written out
ABSENT = object()
GENERATED = frozenset('__dict__ __weakref__ __module__ __doc__ __qualname__ __annotations__ __match_args__ __firstlineno__ '
                      '__static_attributes__ __dataclass_fields__ __dataclass_params__ __abstractmethods__ _abc_impl '
                      '__orig_bases__ __parameters__ __annotate__ __annotate_func__ __annotations_cache__ '
                      '__classcell__'.split())

NONE_LATER: dict = {}         # what stands for values that are not computed yet, where there are none


class Exported:
    """A module on its way.

    main : the module that is not to be imported: that of the script
    standalone : whether it is to run without this library
    """

    def __init__(self, main=None, standalone=None):
        self.main, self.standalone = main, standalone
        self.imports, self.parts = set(), []             # lines, and the text of definitions in their order
        self.names, self.objects = {}, {}                # name -> object, id of an object -> (its name, itself)
        self.pending = {}                                # name -> object that bodies read: written once what they stand in is

    # Names

    def replaced(self, thing):
        """What stands for a function, or an error, of ours in a module that is to do without us."""
        if isinstance(thing, (Compiled, Pushed)):
            thing = thing.text
        if thing is LATER and self.standalone is not None:
            return NONE_LATER
        home = getattr(thing, '__module__', None) or ''
        if self.standalone is None or not isinstance(home, str) or not home.startswith(('tangent.runtime', 'tangent.errors')):
            return thing
        if isinstance(thing, type) and issubclass(thing, Exception):
            return next(k for k in thing.__mro__ if k.__module__ == 'builtins')
        return self.standalone.get(getattr(thing, '__name__', None), thing)

    def reserve(self, name, thing):
        """Let a name of the text stand for an object."""
        self.names[name] = thing
        self.objects.setdefault(id(thing), (name, thing))

    def name(self, thing, preferred, later=False):
        """The name of an object in the module, under which it is written; `later`: after what is being written now."""
        thing = self.replaced(thing)
        if getattr(builtins, getattr(thing, '__name__', ''), None) is thing:
            return thing.__name__
        found = self.objects.get(id(thing))
        if found is not None:
            if not later and found[0] in self.pending:
                self.write(found[0], self.pending.pop(found[0]))
            return found[0]
        name = preferred if preferred.isidentifier() and not keyword.iskeyword(preferred) else 'value'
        if self.names.get(name, thing) is not thing or hasattr(builtins, name):
            name = tree.Names({*self.names, *dir(builtins)}).fresh(name)
        self.reserve(name, thing)
        if later:
            self.pending[name] = thing
        else:
            self.write(name, thing)
        return name

    def write(self, name, thing):
        """Write an object under its name."""
        text = self.imported(name, thing)
        if text is not None:
            self.imports.add(text)
        elif self.standalone is not None and self.is_inner(thing):
            raise ArgumentError(f'the text calls {name_of(thing) or name}, which cannot do without tangent: give the arguments '
                                'of a call as well, for which the text is plainer, or export without standalone=True')
        elif isinstance(thing, types.FunctionType) and self.of_class(name, thing):
            return
        elif isinstance(thing, types.FunctionType):
            self.parts.append(self.function(name, thing))
        elif isinstance(thing, type):
            self.parts.append(self.class_of(name, thing))
        else:
            self.parts.append(f'{name} = {self.expression(thing, name, whole=True)}\n')

    def is_inner(self, thing):
        """Whether it is a part of ours that a module cannot take along: it derives, or keeps records."""
        home = getattr(thing, '__module__', None) or getattr(thing, '__name__', None) or ''
        known = home.startswith('tangent.runtime') and isinstance(thing, types.FunctionType)
        return home.partition('.')[0] == 'tangent' and not known and home != 'tangent.interfaces.tools.standalone'

    def finish(self):
        while self.pending:
            name = next(iter(self.pending))
            self.write(name, self.pending.pop(name))

    def imported(self, name, thing):
        """The import that gives an object its name; None where there is none."""
        ours = (getattr(thing, '__module__', None) or getattr(thing, '__name__', None) or '').partition('.')[0] == 'tangent'
        if ours and self.standalone is not None:
            return None
        if isinstance(thing, types.ModuleType):
            if thing is self.main or not findable(thing.__name__):
                raise ArgumentError(f'{name} cannot be written out: the module {thing.__name__} is nowhere to be found')
            return f'import {thing.__name__}' + ('' if name == thing.__name__ else f' as {name}')
        if public := name_of(thing):
            return f'from tangent.utils import {public}' + ('' if name == public else f' as {name}')
        home, own = getattr(thing, '__module__', None), getattr(thing, '__name__', None) or getattr(thing, '__qualname__', None)
        if isinstance(thing, numpy.ufunc):
            home = 'numpy' if getattr(numpy, own, None) is thing else 'scipy.special'
        if isinstance(home, str) and isinstance(own, str) and importable(home, own, thing):
            return f'from {home} import {own}' + ('' if name == own else f' as {name}')
        return None

    # Functions

    def function(self, name, function, indent=''):
        """The definition of a function by a name."""
        try:
            source = read(function)
        except SourceError as error:
            raise ArgumentError(f'{name} cannot be written out: {error.bare}') from None
        definition = tree.replace(source.tree, name=name, decorator_list=[], returns=None)
        space = {**function.__globals__, **{n: contents(cell, ABSENT) for n, cell in source.closure.items()}}
        mapping = {}
        for n in sorted(free(definition)):
            if n in ('__class__',) or space.get(n, ABSENT) is ABSENT:
                continue
            new = self.name(space[n], n, later=True)
            if new != n:
                mapping[n] = new
        args = self.with_defaults(tree.rename(bare(definition.args), mapping), function)
        body = [tree.rename(s, mapping) for s in definition.body]
        return str(emit([tree.replace(definition, args=args, body=body)], [source.comments]))

    def with_defaults(self, args, function):
        """A signature with the defaults that the function has, as expressions."""
        value = lambda thing: gast.parse(self.expression(thing, 'default'), mode='eval').body  # noqa: E731
        return tree.replace(args, defaults=[value(v) for v in function.__defaults__ or ()], kw_defaults=[
            value(function.__kwdefaults__[a.id]) if a.id in (function.__kwdefaults__ or {}) else None for a in args.kwonlyargs])

    def of_class(self, name, function):
        """Write the function of a method or a property as what its class has; whether it is one."""
        first, *rest = function.__qualname__.split('.')
        kind = function.__globals__.get(first)
        if not rest or not isinstance(kind, type):
            return False
        found = functools.reduce(lambda owner, n: getattr(owner, n, None), rest, kind)
        path = '.'.join(rest) if found is function else next(
            (f'{".".join(rest)}.{part}' for part in ('fget', '__func__') if getattr(found, part, None) is function), None)
        if path is not None:
            self.parts.append(f'{name} = {self.name(kind, first)}.{path}\n')
        return path is not None

    # Classes

    def class_of(self, name, kind):
        """The definition of a class: its bases, its methods as they are now, and its values."""
        if issubclass(kind, tuple) and hasattr(kind, '_fields') and kind.__bases__ == (tuple,):
            self.imports.add('import collections')
            defaults = [self.expression(v, 'default') for v in kind._field_defaults.values()]
            more = f', defaults=[{", ".join(defaults)}]' if defaults else ''
            return f'{name} = collections.namedtuple({name!r}, {list(kind._fields)!r}{more})\n'
        if not kind.__flags__ & 1 << 9 or type(kind) not in (type, enum.EnumMeta, type(collections.abc.Sized)):
            raise ArgumentError(f'{name} cannot be written out (it is a {type(kind).__name__}): define it in a module that can '
                                'be imported')
        bases = [self.name(base, base.__name__) for base in kind.__bases__ if base is not object]
        head = self.decorated(kind) + f'class {name}' + (f'({", ".join(bases)}):\n' if bases else ':\n')
        body = [self.member(n, value) for n, value in self.members(kind).items()]
        text = '\n'.join(body) if any('\n' in part.strip() for part in body) else ''.join(body)
        return head + (textwrap_indent(text) or '    pass\n')

    def members(self, kind):
        """Name -> what a class defines itself, without what Python or a decorator has put there."""
        if issubclass(kind, enum.Enum):
            return {n: member.value for n, member in kind.__members__.items()} | {
                n: v for n, v in vars(kind).items() if isinstance(v, (types.FunctionType, property)) and not n.startswith('_')}
        fields = {}
        if dataclasses.is_dataclass(kind) and '__dataclass_fields__' in vars(kind):
            fields = {f.name: f for f in dataclasses.fields(kind) if f.name in vars(kind).get('__annotations__', {f.name: 0})}
        slots = vars(kind).get('__slots__', ())
        left = {n: v for n, v in vars(kind).items() if n not in GENERATED and n not in fields and n not in slots
                and not isinstance(v, (types.MemberDescriptorType, types.GetSetDescriptorType)) and not is_generated(v)
                and not (n == '__hash__' and v is None)}
        return {**fields, **left}

    def member(self, name, value):
        """What stands in a class for what it has by a name."""
        if isinstance(value, dataclasses.Field):
            return self.field(value)
        for mark, kind in (('staticmethod', staticmethod), ('classmethod', classmethod)):
            if isinstance(value, kind):
                return f'@{mark}\n' + self.function(name, value.__func__)
        if isinstance(value, property):
            parts = [f'@{mark}\n' + self.function(name, f) for mark, f in (
                ('property', value.fget), (f'{name}.setter', value.fset), (f'{name}.deleter', value.fdel)) if f is not None]
            return '\n'.join(parts)
        if isinstance(value, functools.cached_property):
            self.imports.add('import functools')
            return '@functools.cached_property\n' + self.function(name, value.func)
        if isinstance(value, types.FunctionType):
            return self.function(name, value)
        return f'{name} = {self.expression(value, name)}\n'

    def field(self, field):
        """A field of a dataclass."""
        known = {'init': True, 'repr': True, 'hash': None, 'compare': True, 'kw_only': False}
        given = [f'{k}={getattr(field, k)!r}' for k, usual in known.items() if getattr(field, k) != usual]
        for k in ('default', 'default_factory'):
            if getattr(field, k) is not dataclasses.MISSING:
                given.insert(0, f'{k}={self.expression(getattr(field, k), k)}')
        text = '' if not given else f' = {given[0][8:]}' if len(given) == 1 and given[0].startswith('default=') \
            else f' = dataclasses.field({", ".join(given)})'
        return f'{field.name}: object{text}\n'

    def decorated(self, kind):
        if '__dataclass_params__' not in vars(kind):
            return ''
        self.imports.add('import dataclasses')
        known = {'init': True, 'repr': True, 'eq': True, 'order': False, 'unsafe_hash': False, 'frozen': False}
        options = [f'{k}={getattr(kind.__dataclass_params__, k)}' for k, usual in known.items()
                   if getattr(kind.__dataclass_params__, k) != usual]
        return '@dataclasses.dataclass' + (f'({", ".join(options)})' if options else '') + '\n'

    # Values

    def expression(self, thing, hint, whole=False):
        """An expression for a value; `whole`: what is to stand behind its own name, which is not used for it."""
        if not whole and id(thing) in self.objects and not isinstance(thing, (bool, int, str, float, type(None))):
            return self.name(thing, hint)
        found = self.plain(thing, hint)
        if found is not None:
            return found
        if isinstance(thing, (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, numpy.ufunc)):
            if getattr(builtins, getattr(thing, '__name__', ''), None) is thing:
                return thing.__name__
            return self.name(thing, getattr(thing, '__name__', hint).rpartition('.')[2])
        if isinstance(thing, types.MethodType):
            return f'{self.expression(thing.__self__, "owner")}.{thing.__name__}'
        if isinstance(thing, functools.partial):
            self.imports.add('import functools')
            given = [self.expression(v, 'value') for v in (thing.func, *thing.args)]
            given += [f'{k}={self.expression(v, k)}' for k, v in thing.keywords.items()]
            return f'functools.partial({", ".join(given)})'
        inner = getattr(thing, 'py_func', None)
        if isinstance(inner, types.FunctionType) and hasattr(thing, 'targetoptions'):
            self.imports.add('import numba')
            options = ''.join(f', {k}={v!r}' for k, v in thing.targetoptions.items() if k != 'nopython')
            return f'numba.njit({self.name(inner, f"{inner.__name__}_in_python")}{options})'
        if isinstance(inner, types.FunctionType) and type(thing).__name__ == 'checkpoint':
            if self.standalone is not None:                            # it saves memory, and changes no number
                return self.name(inner, f'{inner.__name__}_in_python')
            self.imports.add('import tangent')
            return f'tangent.checkpoint({self.name(inner, f"{inner.__name__}_in_python")})'
        return self.made(thing, hint)

    def plain(self, thing, hint):
        """The expression for numbers, texts, arrays and containers; None for others."""
        if type(thing) is numpy.ndarray and thing.size <= LIMIT and thing.dtype.names is None:
            self.imports.add('import numpy')
            parts = self.expression(thing.tolist(), hint)
            return f'numpy.array({parts}, dtype={str(thing.dtype)!r})' + ('' if thing.size else f'.reshape({thing.shape})')
        if isinstance(thing, numpy.generic) and not isinstance(thing, (numpy.void, numpy.datetime64, numpy.timedelta64)):
            self.imports.add('import numpy')
            return f'numpy.{type(thing).__name__}({self.expression(thing.item(), hint)})'
        kind = type(thing)
        if kind is float and (thing != thing or thing in (float('inf'), -float('inf'))):
            return f"float('{thing}')"
        if kind in (bool, int, float, complex, str, bytes, type(None), type(...), range, slice):
            return '...' if thing is ... else repr(thing)
        ends = {list: '[]', tuple: '()', set: '{}'}.get(kind)
        if ends and (thing or kind is not set):
            parts = [self.expression(v, hint) for v in thing]
            return ends[0] + ', '.join(parts) + (',' if kind is tuple and len(parts) == 1 else '') + ends[1]
        if kind is dict:
            return '{' + ', '.join(f'{self.expression(k, hint)}: {self.expression(v, hint)}' for k, v in thing.items()) + '}'
        return None

    def made(self, thing, hint):
        """The expression that makes an object: as its class says that it is pickled, or of its attributes."""
        kind = type(thing)
        refusal = ArgumentError(f'{hint} cannot be written out (it is a {kind.__name__}): pass it to the function as an '
                                'argument, or define it in a module that can be imported')
        if kind.__module__.partition('.')[0] == 'tangent':
            raise refusal
        try:
            reduced = thing.__reduce_ex__(2)
        except TypeError:
            raise refusal from None
        if isinstance(reduced, str):
            raise refusal
        parts = [*tuple(reduced), None, None, None]
        make, given, state, items = parts[0], parts[1], parts[2], parts[3:]
        if getattr(make, '__name__', '') == '__newobj__' and kind.__new__ is object.__new__:
            if state is not None and not isinstance(state, dict) and not isinstance(state, tuple):
                raise refusal
            fields = state if isinstance(state, dict) or state is None else {**(state[0] or {}), **(state[1] or {})}
            if RESTORED not in self.parts:
                self.parts.insert(0, RESTORED)
                self.names['_restored'] = RESTORED
            return f'_restored({self.name(kind, kind.__name__)}, {self.expression(fields or {}, hint)})'
        if state is not None or any(part is not None for part in items) or not callable(make):
            raise refusal
        return f'{self.expression(make, hint)}({", ".join(self.expression(v, hint) for v in given)})'


RESTORED = '''def _restored(kind, fields):
    made = object.__new__(kind)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made
'''


def textwrap_indent(text):
    return ''.join(f'    {line}' if line.strip() else line for line in text.splitlines(True))


def is_generated(value):
    """Whether it is a method that a decorator such as `dataclass` has written."""
    code = getattr(getattr(value, '__wrapped__', value), '__code__', None)
    return code is not None and code.co_filename in ('<string>', dataclasses.__file__, collections.__file__)


def findable(module):
    try:
        return importlib.util.find_spec(module) is not None
    except (ValueError, ImportError):
        return False


def importable(module, name, value):
    known = module not in ('__main__', 'builtins') and module in sys.modules
    return known and getattr(sys.modules[module], name, None) is value and findable(module)


def renamed(text, mapping):
    """A text with names renamed, comments and all: not attributes, nor keywords of calls."""
    if not mapping:
        return text
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    lines, depth, places = text.splitlines(True), 0, []
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None]):
        if token.type == tokenize.OP:
            depth += (token.string in '([{') - (token.string in ')]}')
        elif token.type == tokenize.NAME and token.string in mapping and getattr(before, 'string', '') != '.' \
                and not (depth and getattr(after, 'string', '') == '='):
            places.append(token)
    for token in reversed(places):
        row, column = token.start
        line = lines[row - 1]
        lines[row - 1] = line[:column] + mapping[token.string] + line[column + len(token.string):]
    return ''.join(lines)


def read_names(text):
    """Names that the functions of a text read and do not bind."""
    names, bound = set(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            (names if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return names
