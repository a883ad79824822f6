"""From a Python function to its syntax tree: what the user wrote, where it stands, and the names it sees.

The text is the one `inspect` would show. It is compared with the code object that is loaded, because a file that was
edited after it was imported would otherwise be differentiated in place of the function that runs.
"""
import __future__

import ast
import contextlib
import dataclasses
import functools
import inspect
import io
import os
import tokenize
import types
import weakref
from collections.abc import Mapping
from typing import NamedTuple

import gast

from tangent.errors import ArgumentTypeError, SourceError, TangentError
from tangent.frontend import code_match, dependencies, generated, inner_classes
from tangent.frontend import lines as places
from tangent.frontend.tree import clone, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
TRACERS = ('jax', 'jaxlib', 'torch', 'tensorflow')           # libraries that differentiate by tracing


@dataclasses.dataclass(frozen=True, eq=False)
class Source:
    """One function as its author wrote it. Locations in the tree are those of the file.

    Attributes
    ----------
    tree : gast.FunctionDef
        The definition; a lambda becomes `def name(args): return expression`.
    filename : str
        As the code object names it (also `<ipython-input-3>` and the like).
    first : int
        Line number of the first line, decorators included.
    lines : tuple of str
        The lines of the whole file; `lines[lineno - 1]` ends in its newline.
    comments : dict
        Line number -> (text with its `#`, whether it stands on a line of its own).
    function : types.FunctionType
        The plain function, free of bindings and dispatchers.
    instance : object
        What a bound method is bound to, else None.
    sight : frozenset of type
        The classes whose objects may take part in what it does, see `analysis.kinds`.
    comms : frozenset of str
        Names in the tree of communicators, of which nobody's method writes into anything; see `analysis.messages`.
    channels : tuple of str and objects
        Communicators from outside by which it, or what it calls, sends: dotted names that it has for them, or themselves.
    methods : dict
        Names in the tree that stand for methods of these: name -> `kinds.methods.Method`.
    listed : frozenset of str
        Parameters that get lists or tuples where it is called.
    globals, closure, defaults, kwdefaults
        Its namespace, live; `closure` maps names to cells, those of classes that it defines among them, see `inner_classes`.
    tried, decided
        What a `nested.NestedSource` may have.
    """
    tree: gast.FunctionDef
    filename: str
    first: int
    lines: tuple
    comments: dict
    function: types.FunctionType
    instance: object = None
    sight: frozenset = frozenset()
    comms: frozenset = frozenset()
    channels: tuple = ()
    methods: Mapping = dataclasses.field(default_factory=dict)
    listed: frozenset = frozenset()

    name = property(lambda self: self.tree.name)
    globals = property(lambda self: self.function.__globals__)
    defaults = property(lambda self: self.function.__defaults__ or ())
    kwdefaults = property(lambda self: self.function.__kwdefaults__ or {})

    @property
    def tried(self):
        return None

    @property
    def decided(self):
        return ()

    @functools.cached_property
    def nodes(self):
        """All nodes of the tree. Nobody changes a tree that is in a Source: one with another tree is another Source."""
        return walk(self.tree)

    @functools.cached_property
    def inner(self):
        """The nodes of the statements, one statement after the other."""
        return [n for s in self.tree.body for n in walk(s)]

    @property
    def closure(self):
        made = {name: types.CellType(kind) for name, kind in inner_classes.classes(self.function).items()}
        return {**dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or ())), **made}

    @property
    def captured(self):
        """Names of the variables of the user's that it has captured."""
        return set(self.function.__code__.co_freevars).difference(self.library)

    @property
    def library(self):
        """Names in its closure that are not the user's, for a derivative of ours."""
        return getattr(getattr(self.function, 'source', None), 'library', ())

    @property
    def parameters(self):
        """Names of the parameters in order of the signature, `*args` and `**kwargs` without their stars."""
        code = self.function.__code__
        count = code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames[:count])
        rest = list(code.co_varnames[count:])
        if code.co_flags & inspect.CO_VARARGS:
            names.insert(code.co_argcount, rest.pop(0))
        if code.co_flags & inspect.CO_VARKEYWORDS:
            names.append(rest.pop(0))
        return tuple(names)

    def line(self, lineno):
        """A line of the file without its newline; '' outside the file."""
        return self.lines[lineno - 1].rstrip('\r\n') if 0 < lineno <= len(self.lines) else ''

    def segment(self, node):
        """The text of a node as it stands in the file; '' for a node that was not read from it."""
        place = [getattr(node, key, None) for key in ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')]
        if None in place:
            return ''
        lineno, start, end_lineno, end = place
        rows = [row.encode() for row in self.lines[lineno - 1:end_lineno]]
        if not rows:
            return ''
        rows[-1] = rows[-1][:end]
        rows[0] = rows[0][start:]
        return b''.join(rows).decode(errors='replace')

    def one_line(self, node):
        """The text of a node on one line, comments left out and breaks between its rows closed."""
        text = self.segment(node)
        return _join_rows(text) if '\n' in text else text


def read(function):
    """Read the source of a function.

    Parameters
    ----------
    function : function, lambda, bound method or Numba dispatcher

    Returns
    -------
    Source

    Raises
    ------
    SourceError
        The source cannot be read, or it is not the source of the code that is loaded.
    ArgumentTypeError
        The object is no function; the message says what to pass instead.
    """
    plain, instance = unwrap(function)
    dependencies.note(plain)
    code = plain.__code__
    refuse_tracers(plain)
    try:
        found = _found(plain)
        definition = clone(found.tree)
    except RecursionError:
        raise SourceError(f'the source of {plain.__qualname__} nests too deeply to be read ({code.co_filename}:'
                          f'{code.co_firstlineno}): give parts of its longest expression names') from None
    if code.co_flags & __future__.annotations.compiler_flag:
        strip_annotations(definition)
    made = inner_classes.classes(plain, definition)
    return Source(inner_classes.without(definition, made), code.co_filename, found.first, found.lines, found.comments, plain,
                  instance, listed=plain.__dict__.get('lists_given', frozenset()) if is_derivative(plain) else frozenset())


def strip_annotations(definition):
    """Without the annotations of functions inside: where the module keeps them as texts, Python looks up no name in them."""
    for inner in walk(definition):
        if isinstance(inner, gast.FunctionDef) and inner is not definition:
            inner.returns = None
            for node in walk(inner.args):
                if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Param):
                    node.annotation = None


def classes_inside(function):
    """Name -> class, of classes that a function defines and that stand around it for who reads it, see `inner_classes`."""
    if inner_classes.bodies(function):
        with contextlib.suppress(TangentError):
            read(function)
    return inner_classes.classes(function)


def refuse_tracers(function):
    """Refuse functions of libraries that trace: what is below them is no Python that computes."""
    library = (getattr(function, '__module__', None) or '').partition('.')[0]
    if library in TRACERS:
        raise SourceError(f'the source of {function.__name__} is not read: it is a function of {library}, which traces what it '
                          'is given. Write it with the functions of NumPy')


class Found(NamedTuple):
    """The definition of a code object, and the lines of the file in which it was found."""
    lines: tuple
    tree: gast.FunctionDef
    first: int
    comments: dict


_kept: dict = {}            # id of a code object -> Found: the file may be another by now


def keep(code, found):
    if id(code) not in _kept:
        _kept[id(code)] = found
        weakref.finalize(code, _kept.pop, id(code), None)


def original(function):
    """The function as it was written, for one that `tangent.differentiable` or `driver.variants` has made callable."""
    function = assumed(function)
    compiled = getattr(function, 'py_func', None)
    if hasattr(compiled, 'written_out'):           # a derivative that Numba compiles: it is written for that alone
        function = compiled
    inner = getattr(function, 'tangent', None) if isinstance(function, types.FunctionType) else None
    if inner is None and hasattr(function, 'written_out') and isinstance(function, types.FunctionType):
        inner = function.tangent = function.written_out()
    return inner if isinstance(inner, types.FunctionType) else function


def assumed(function, classes=frozenset()):
    """Of a derivative that looks at its arguments the one that is called where these classes take part; others as they are."""
    if not isinstance(function, types.FunctionType) or 'variants' not in function.__dict__ or undressed(function):
        return function
    plain = function.variants.of(classes)
    return getattr(plain, '__func__', plain)


def undressed(function):
    """Whether it is one of the user's to which `functools.wraps` has given all that a derivative of ours has, which it has no
    more: it is not that derivative."""
    inner = function.__dict__.get('__wrapped__') if isinstance(function, types.FunctionType) else None
    held = getattr(inner, '__dict__', None)
    if not held or 'variants' not in held or function.__dict__.get('variants') is not held['variants'] \
            or function.__code__.co_filename.startswith((PACKAGE, '<generated')):
        return False
    for name in [n for n in OURS if n in held and function.__dict__.get(n) is held[n]]:
        del function.__dict__[name]
    return True


PACKAGE = os.path.dirname(os.path.dirname(__file__))
OURS = '''assumed made_of notes plain source texts variants parts captures by_text lent lists_given in_complex written_out
    tangent jit __numba__ _ipython_display_ _repr_html_ _repr_markdown_'''.split()          # what derivatives have


def is_manager(function):
    """Whether a function is what `contextlib.contextmanager` makes of a generator function."""
    code = function.__code__
    return code.co_filename == contextlib.__file__ and code.co_name == 'helper' and hasattr(function, '__wrapped__')


def uncompiled(function):
    """The function that a dispatcher of Numba's compiles, the generator function of a context manager; others as they are."""
    if isinstance(function, types.FunctionType) and is_manager(function):
        return function.__wrapped__
    plain = getattr(function, 'py_func', None) if callable(function) else None
    return plain if isinstance(plain, types.FunctionType) and not isinstance(function, types.FunctionType) else function


def is_derivative(function):
    """Whether it is one that we have emitted, and none of the user's that stands in the same text (see `note_captures`)."""
    return isinstance(getattr(function, 'source', None), str) and not hasattr(function, 'carried')


def keeps_to_itself(function):
    """Whether it is a derivative that writes into nothing of its caller's: any but twins of forward mode, marked `lent`."""
    return is_derivative(function) and not getattr(function, 'lent', False)


def takes_from_tape(function):
    """Whether it is a derivative that takes from its tape, which nobody else reads, and writes into gradients of its own: its
    text does not tell its effects, as that of others does, marked `by_text`: of tangents, of adjoints that write in place."""
    return is_derivative(function) and not getattr(function, 'by_text', False)


def unwrap(function):
    """The plain function behind a method or a Numba dispatcher, and what the method is bound to."""
    instance = None
    while not isinstance(function, types.FunctionType):
        if isinstance(function, types.MethodType):
            instance, function = function.__self__, function.__func__
        elif isinstance(function, staticmethod):
            function = function.__func__
        else:
            function = _dispatched(function)
    return function, instance


def _dispatched(thing):
    """The Python function behind a dispatcher of Numba or of NumPy."""
    if not isinstance(thing, type):
        for attribute in ('py_func', '_implementation'):
            inner = getattr(thing, attribute, None)
            if isinstance(inner, types.FunctionType):
                return inner
    raise _not_a_function(thing)


def _not_a_function(thing):
    name = getattr(thing, '__qualname__', None) or getattr(thing, '__name__', None) or repr(thing)
    wrapped = getattr(thing, '__wrapped__', None)
    if isinstance(thing, type):
        return ArgumentTypeError(f'{name} is a class, not a function: '
                                 'pass a function that makes the object and returns a number')
    if isinstance(thing, functools.partial):
        inner = getattr(thing.func, '__name__', repr(thing.func))
        return ArgumentTypeError(f'a functools.partial of {inner} has no source of its own: '
                                 f'pass a lambda or a function that calls {inner}')
    if isinstance(thing, classmethod):
        return ArgumentTypeError(f'{name} is an unbound classmethod: pass it as an attribute of its class')
    if not callable(thing):
        return ArgumentTypeError(f'{thing!r:.60} is of type {type(thing).__name__}, not a function: '
                                 'pass the function itself, not its result')
    if isinstance(wrapped, types.FunctionType):
        refuse_tracers(wrapped)
        return SourceError(f'the source of {name} cannot be read: it is a {type(thing).__name__} around a Python '
                           f'function. Pass that function: {name}.__wrapped__')
    if isinstance(type(thing).__call__, types.FunctionType):
        return ArgumentTypeError(f'an object of class {type(thing).__name__} is not a function: '
                                 'pass its method __call__, or a function that calls it')
    example = '' if '.' in name else f', such as lambda x: {name}(x)'
    return SourceError(f'the source of {name} cannot be read: it is not written in Python. '
                       f'Pass a Python function that calls it{example}')


def _texts(function):
    """The texts, as lists of lines, in which the function may stand."""
    found = list(places.candidates(function))
    if not found:
        raise unreadable(function)
    return found


def _found(plain):
    """What was found of a function, which is kept for as long as its code lives."""
    code, written = plain.__code__, generated.found(plain)
    if written is None and id(code) in _kept:
        return _kept[id(code)]
    lines, node, path = written or _looked_up(plain)
    first = _first(node)
    found = Found(tuple(lines), _tree(node, path), first, _comments(lines, first, node.end_lineno))
    keep(code, found)
    return found


def _looked_up(plain):
    """(the lines, the node of the function in them, its ancestors)."""
    texts = _texts(plain)
    for lines in texts:
        try:
            module = _parse(''.join(lines), plain.__code__.co_filename, plain.__qualname__)
            return lines, *_find(module, plain.__code__, lines, plain.__qualname__)
        except SourceError:
            if len(texts) == 1 and plain.__code__.co_filename not in ('<string>', '<stdin>'):     # else it was a guess
                raise
    raise unreadable(plain)


def unreadable(function):
    return SourceError(f'the source of {function.__qualname__} cannot be read (its code comes from '
                       f'{function.__code__.co_filename!r}): {places.way_out(function)}')


@functools.lru_cache(maxsize=32)
def _parse_text(text, filename):
    return ast.parse(text, filename)


def _parse(text, filename, name):
    try:
        return _parse_text(text, filename)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SourceError(f'the source of {name} cannot be read: {filename} does not parse ({error}). If the file '
                          'was edited after it was imported, import it anew') from None


def _first(node):
    return min([node.lineno] + [d.lineno for d in getattr(node, 'decorator_list', ())])


def _candidates(module, line):
    """(node, ancestors) of every definition and lambda whose code begins on the line, in order of the text."""
    found = []

    def visit(node, path):
        if isinstance(node, FUNCTIONS + (ast.Lambda,)) and _first(node) == line:
            found.append((node, path))
        for child in ast.iter_child_nodes(node):
            end = getattr(child, 'end_lineno', None)
            if end is None or isinstance(node, ast.JoinedStr) or _first(child) <= line <= end:
                visit(child, path + (node,))

    visit(module, ())
    return found


def _find(module, code, lines, name):
    """The node whose code is the one that is loaded, and its ancestors."""
    line = code.co_firstlineno
    place = f'{code.co_filename}:{line}'
    shown = lines[line - 1].strip() if line <= len(lines) else ''
    kinds = ast.Lambda if code.co_name == '<lambda>' else FUNCTIONS
    same_name = [(node, path) for node, path in _candidates(module, line)
                 if isinstance(node, kinds) and getattr(node, 'name', '<lambda>') == code.co_name]
    matching = [(node, path) for node, path in same_name if code_match.matches(node, path, code)]
    if not matching:
        raise SourceError(
            f'the source of {name} is not that of the code that is loaded: {place} reads\n    {shown}\n'
            'The file was probably edited after it was imported: import it anew'
            + ('. For several lambdas on a line: put each on a line of its own' if len(same_name) > 1 else ''))
    if len(matching) > 1:
        matching = [pair for pair in matching if code_match.same_place(*pair, code)] or matching
    if len(matching) > 1 and len({ast.dump(node) for node, _ in matching}) > 1:
        raise SourceError(f'the source of {name} is ambiguous: {place} reads\n    {shown}\n'
                          'Put each lambda on a line of its own')
    return matching[0]


def _tree(node, path):
    """The definition as a gast tree of its own, with the private names of its class spelled out; without its decorators, which
    ran when it was defined, and may know all functions of the module."""
    tree = gast.ast_to_gast(_as_def(node, path))
    tree.decorator_list = []
    scope = next((n for n in reversed(path) if isinstance(n, ast.ClassDef)), None)
    if scope is not None:
        _mangle(tree, scope.name)
    return tree


def _as_def(node, path):
    """A definition as it is; a lambda as a definition that is named after the variable it is assigned to."""
    if not isinstance(node, ast.Lambda):
        return node
    params = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
    name = _assigned_name(path[-1], node)
    if name is None or name in params:
        name = 'fn'
    body = ast.copy_location(ast.Return(value=node.body), node.body)
    definition = ast.FunctionDef(name=name, args=node.args, body=[body], decorator_list=[], returns=None,
                                 type_comment=None)
    definition.type_params = []
    return ast.copy_location(definition, node)


def _assigned_name(parent, node):
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
    elif isinstance(parent, (ast.AnnAssign, ast.NamedExpr)):
        target = parent.target
    else:
        return None
    return target.id if isinstance(target, ast.Name) else None


def _mangle(tree, class_name):
    """Give private names (`__x` inside a class) the names that the interpreter gives them."""
    prefix = '_' + class_name.lstrip('_')
    fields = {gast.Name: 'id', gast.Attribute: 'attr', gast.keyword: 'arg'}

    def visit(node):
        field = fields.get(type(node))
        name = field and getattr(node, field)
        if name and name.startswith('__') and not name.endswith('__') and prefix != '_':
            setattr(node, field, prefix + name)
        for child in gast.iter_child_nodes(node):
            if not isinstance(child, gast.ClassDef):
                visit(child)

    visit(tree)


def _comments(lines, first, last):
    """Comments between two lines and just below, as long as they are indented deeper than the definition."""
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    while last < len(lines) and lines[last].lstrip().startswith('#') and \
            len(lines[last]) - len(lines[last].lstrip()) > indent:
        last += 1
    text = ''.join(lines[first - 1:last])
    found = {}
    if '#' not in text:
        return found
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found[first + token.start[0] - 1] = (token.string, token.line.lstrip().startswith('#'))
    except (tokenize.TokenError, SyntaxError):
        pass    # a lambda may end in the middle of a bracket: what came before it counts
    return found


def _join_rows(text):
    """Rows of one expression or statement on one line: comments and continuations left out, strings kept."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f'({text}\n)').readline))
    except (tokenize.TokenError, SyntaxError):
        return ' '.join(text.split())
    parts, previous = [], None
    for token in tokens[1:]:
        if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER):
            continue
        if previous is not None:
            parts.append(_gap(previous, token))
        parts.append(token.string)
        previous = token
    return ''.join(parts[:-2])


def _gap(left, right):
    if left.end[0] == right.start[0]:
        return ' ' * (right.start[1] - left.end[1])
    return '' if left.string in '([{' or right.string in ')]}' else ' '
