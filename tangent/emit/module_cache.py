"""Modules on disk for compiled derivatives, so that Numba can keep their machine code.

Numba's cache asks of a function that its file is a real one that stays as it is, and that its module can be found by
name. So the text goes to a file of its own, named after all that decides about the machine code: the text, the files that
the user's functions come from, the constants they read, and the versions of this library and its fellows. The file is
written once, whole, and never again; what is in it is not read.
"""
import dataclasses
import functools
import hashlib
import importlib.metadata
import os
import pathlib
import sys
import tempfile
import types
import warnings

from tangent import errors
from tangent.emit import build
from tangent.emit.build import Part, Source
from tangent.frontend.source import assumed

PLAIN = (bool, int, float, complex, str, bytes, type(None))
RECURSIVE = 'it is recursive, or calls what is (numba issue 6061)'
LIBRARIES = {*sys.builtin_module_names, *sys.stdlib_module_names, 'numpy', 'scipy', 'numba', 'llvmlite', 'tangent'}


class NotCached(Exception):
    """Why the machine code of a derivative is not kept."""


def built(text, parts, library, name, flags, compiled, against=None, more=()):
    """The functions defined in `text`, by name, as `build.build` gives them; on disk if their machine code is to be kept.

    flags : function -> the options that it is compiled with
    compiled : (options, function) -> what the others see in its place
    against : why nothing is kept, if that is known
    more : what else decides about the machine code
    """
    if any(f.cache for f in flags.values()):
        try:
            if against is not None:
                raise NotCached(against)
            return on_disk(text, parts, library, name, flags, compiled, more)
        except NotCached as why:
            warnings.warn(f'the machine code of {name} is not kept on disk: {why}', RuntimeWarning, stacklevel=2)
    flags = {n: dataclasses.replace(f, cache=False) for n, f in flags.items()}
    return build.build(text, parts, library, name, {n: functools.partial(compiled, f) for n, f in flags.items()})


def single(function, flags, loops=None, text=None, more=()):
    """The compiled form of one function, of the text that it was built from or of the one that is given.

    loops : makes the function anew for types of arguments
    """
    def compiled(flags, f):
        found.append(flags.compile(f, loops and functools.partial(loops, f)))
        return found[-1]
    found: list = []
    name, code = function.__name__, function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    part = Part(name, function.__globals__, cells, function.__defaults__, function.__kwdefaults__)
    against = RECURSIVE if name in {*global_names(code), *cells} else None
    built(text or function.source, [part], {}, name, {name: flags}, compiled, against, more)
    return found[-1]


def on_disk(text, parts, library, name, flags, compiled, more):
    """The functions defined in `text`, with their names in a module on disk."""
    codes, emitted = codes_of(text, ''), {part.name for part in parts}
    spaces = {}
    for part in parts:
        names = {**part.namespace, **contents(part.cells), **library}
        spaces[part.name] = {n: names[n] for n in global_names(codes[part.name]) - emitted if n in names}
    digest = Digest()
    digest.add(text, versions(), *more)
    for part in parts:
        digest.value((part.defaults, sorted((part.kwdefaults or {}).items())))
        digest.value((flags[part.name].options, flags[part.name].loops))
        digest.names(global_names(codes[part.name]), spaces[part.name])
    path = written(text, f'{name}_{digest.hexdigest()[:24]}')
    module = sys.modules.setdefault(f'tangent_cache.{path.stem}', types.ModuleType(f'tangent_cache.{path.stem}'))
    codes = codes_of(text, str(path))
    source, functions, seen = Source(text), {}, {}
    errors.place_lines(str(path), getattr(text, 'places', {}))
    for part in parts:
        space = {**spaces[part.name], '__name__': module.__name__, '__builtins__': __builtins__}
        function = types.FunctionType(codes[part.name], space, part.name, part.defaults)
        function.__kwdefaults__, function.__dict__['source'] = part.kwdefaults, source
        functions[part.name] = function
        try:
            seen[part.name] = compiled(flags[part.name], function)
        except RuntimeError as error:            # Numba finds no place where it may write
            raise NotCached(str(error)) from None
    for function in functions.values():
        function.__globals__.update(seen)
    vars(module).update(seen)
    return functions


def codes_of(text, filename):
    whole = compile(text, filename, 'exec', dont_inherit=True)
    return {code.co_name: code for code in whole.co_consts if isinstance(code, types.CodeType)}


def global_names(code):
    """The names that a function and those inside it look up outside, and attributes."""
    return {*code.co_names, *(n for c in code.co_consts if isinstance(c, types.CodeType) for n in global_names(c))}


def contents(cells):
    found = {}
    for name, cell in cells.items():
        try:
            found[name] = cell.cell_contents
        except ValueError:
            raise NotCached(f'{name} has no value yet') from None
    return found


class Digest:
    """A digest of values: of all that may change what is compiled."""

    def __init__(self):
        self.hash, self.open, self.files = hashlib.sha256(), [], set()
        self.hexdigest = self.hash.hexdigest
        self.read: set = set()                  # (module, attribute) that were looked at

    def add(self, *texts):
        for text in texts:
            self.hash.update(repr(text).encode() + b'\0')

    def names(self, names, space):
        """What names of a function stand for, and what it may read of the user's modules among them."""
        for name in sorted(names & space.keys()):
            self.add(name)
            self.value(space[name])
            if isinstance(space[name], types.ModuleType):
                self.module(space[name], names)

    def module(self, module, names):
        if module.__name__.partition('.')[0] in LIBRARIES:
            return
        for name in sorted(names & vars(module).keys()):
            value = vars(module)[name]
            if (module, name) in self.read or isinstance(value, types.ModuleType) and value is sys.modules.get('tangent'):
                continue
            self.read.add((module, name))
            self.add(module.__name__, name)
            self.value(value)
            if isinstance(value, types.ModuleType):
                self.module(value, names)

    def value(self, value):
        plain = assumed(getattr(value, 'py_func', value))
        if isinstance(value, PLAIN):
            self.add(type(value).__name__, value)
        elif isinstance(value, (tuple, list)):
            self.add(type(value).__name__, len(value))
            for part in value:
                self.value(part)
        elif isinstance(value, frozenset):
            self.value(sorted(value))
        elif isinstance(value, types.ModuleType):
            self.add('module', value.__name__)
        elif isinstance(plain, types.FunctionType):
            self.function(plain)
        elif isinstance(value, type):
            self.add('class', value.__module__, value.__qualname__)
            if value.__module__.partition('.')[0] not in LIBRARIES:
                self.file(getattr(sys.modules.get(value.__module__), '__file__', None))
        elif hasattr(value, 'dtype') and hasattr(value, 'tobytes'):
            self.add('array', str(value.dtype), getattr(value, 'shape', ()), value.tobytes())
        elif type(value).__module__.startswith(('numba.core.types', 'numpy.dtypes')):
            self.add('type', str(value))
        elif isinstance(value, types.BuiltinFunctionType) or type(value).__name__ == 'ufunc':
            self.add('function', getattr(value, '__module__', None), value.__name__)
        else:
            raise NotCached(f'it reads a {type(value).__name__}')

    def function(self, function):
        """The file that it stands in, and what it reads."""
        if any(function is other for other in self.open):
            raise NotCached(RECURSIVE)
        self.add('function', function.__module__, function.__qualname__)
        if function.__module__.startswith(('tangent.', 'numpy', 'numba')):
            return                              # their versions are counted
        self.file(function.__code__.co_filename)
        self.open.append(function)
        cells = contents(dict(zip(function.__code__.co_freevars, function.__closure__ or ())))
        self.names({*global_names(function.__code__), *cells}, {**function.__globals__, **cells})
        self.open.pop()

    def file(self, path):
        if path in self.files:
            return
        self.files.add(path)
        try:
            self.add(path, hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest())
        except (OSError, TypeError):
            raise NotCached(f'{path} cannot be read') from None


@functools.cache
def versions():
    """What says which library, NumPy and Numba made the code; of the library itself, each file as it is."""
    found = [sys.version]
    for package in 'numba', 'llvmlite', 'numpy':
        try:
            found.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            found.append((package, None))
    for path in sorted(pathlib.Path(__file__).parent.parent.rglob('*.py')):
        stat = path.stat()
        found.append((path.name, stat.st_size, stat.st_mtime_ns))
    return found


def folder():
    """Where the modules lie: TANGENT_CACHE_DIR, or the place for caches of this system."""
    given = os.environ.get('TANGENT_CACHE_DIR')
    if given:
        return pathlib.Path(given)
    if sys.platform == 'win32':
        return pathlib.Path(os.environ.get('LOCALAPPDATA', pathlib.Path.home() / 'AppData' / 'Local')) / 'tangent' / 'Cache'
    if sys.platform == 'darwin':
        return pathlib.Path.home() / 'Library' / 'Caches' / 'tangent'
    return pathlib.Path(os.environ.get('XDG_CACHE_HOME') or pathlib.Path.home() / '.cache') / 'tangent'


def written(text, stem):
    """The path of the module, written unless it is there: under another name first, so that nobody sees half of it."""
    path = folder() / f'{stem}.py'
    if path.exists():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile('w', encoding='utf-8', dir=path.parent, suffix='.tmp', delete=False) as file:
            file.write(text)
        try:
            os.link(file.name, path)            # fails where another process was faster: its file stays
        except FileExistsError:
            pass
        except OSError:                         # a file system without links
            if not path.exists():
                os.replace(file.name, path)
        finally:
            pathlib.Path(file.name).unlink(missing_ok=True)
    except OSError as error:
        raise NotCached(f'{path.parent} cannot be written ({error})') from None
    return path
