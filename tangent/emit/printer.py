"""The text that people read: from syntax trees to Python source.

astor prints expressions and simple statements, in this file alone. Headers of compound statements, comments and blank
lines are set here, line breaks in `layout`. The text is the same on every Python version that we run on.
"""
import ast
import math
import threading
import types
import warnings
from collections.abc import Mapping, Sequence

import gast

from tangent import errors
from tangent.emit.comments import DEFINITIONS, attach, group_of, has_elif, is_compound, is_docstring, paragraph, title
from tangent.emit.folded import Folded
from tangent.emit.line_breaks import WIDTH, lay_out
from tangent.frontend import tree
from tangent.frontend.tree import Origin

with warnings.catch_warnings():     # astor looks for node classes that newer Pythons have given up
    warnings.simplefilter('ignore', DeprecationWarning)
    import astor
    from astor.op_util import Precedence, get_op_symbol

NOWHERE = Origin('')


class Text(str):
    """Emitted text; of its lines `places` says for which :class:`errors.Place` of the user's they stand, `also` for which other
    lines of that file parts of them do, and `roles` as what part of the derivative, in the words of `frontend.tree.Origin`
    (and 'docstring')."""

    places: Mapping = types.MappingProxyType({})
    also: Mapping = types.MappingProxyType({})
    roles: Mapping = types.MappingProxyType({})


def emit(functions: Sequence[gast.FunctionDef], comments=(), notes: Mapping[int, list] | None = None,
         starts=None, files: Sequence[str] = ()) -> Text:
    """The module text of some functions.

    Parameters
    ----------
    functions : the trees, in the order in which they are printed.
    comments : line number -> (text, own_line), the user's comments; or a list with one such dict for each function.
    notes : id(statement) -> comment lines of ours to print over that statement.
    starts : set of the lines on which the user's statements begin, or a list with one for each function. With it a
        comment disappears together with its statement; without it, it moves down to the next statement that is left.
    files : the file that each function comes from.
    """
    texts, first = [], 1
    places: dict = {}
    roles: dict = {}
    also: dict = {}
    for i, function in enumerate(functions):
        own = comments if isinstance(comments, Mapping) else comments[i] if i < len(comments) else {}
        lines = starts[i] if isinstance(starts, (list, tuple)) else starts
        writer = _Writer(attach(function, own, lines), notes or {})
        writer.statement(function, 0)
        texts.append('\n'.join(writer.lines) + '\n')
        if i < len(files):
            places.update((first + k, errors.Place(files[i], *found)) for k, found in writer.found())
        roles.update((first + k, role or 'primal') for k, role in writer.roles.items())
        also.update((first + k, lines) for k, lines in writer.also.items())
        first += len(writer.lines) + 2
    text = Text('\n\n'.join(texts))
    text.places, text.also, text.roles = places, also, roles
    return text


def expression_text(expr: gast.AST) -> str:
    """One expression on one line."""
    return ''.join(_parts(expr, Precedence.Tuple))


def statement_text(stmt: gast.AST) -> str:
    """One statement on one line, of a compound statement its header: what `# Grad of: ...` quotes."""
    if not is_compound(stmt):
        return ''.join(_parts(stmt))
    header, _ = next(_clauses(stmt))
    return ''.join(header)


class _Writer:
    """Lines of one function; knows where comments and blank lines go."""

    def __init__(self, attached, notes):
        self.lines = []
        self.origins = {}            # index of a line -> the user's line, 0 where there is none
        self.roles = {}              # index of a line -> the role of its statement
        self.also = {}               # index of a line -> other lines of the user's, for which parts of its statement stand
        self.folded = {}             # index of a line -> its Folded, where that is so
        self.above, self.behind = attached
        self.notes = notes

    def block(self, stmts, indent, function=False, group=None):
        gap = paragraph(stmts) if function else None
        for i, stmt in enumerate(stmts):
            if i == gap:
                self.lines.append('')
            if i and i != gap and (isinstance(stmt, DEFINITIONS) or isinstance(stmts[i - 1], DEFINITIONS)):
                self.lines.append('')
            for note in self.notes.get(id(stmt), ()):
                self.comment('# ' + note, indent)
            heading, group = title(stmts, i, group)
            if heading:
                self.comment(heading, indent)
            if function and i == 0 and is_docstring(stmt):
                text = _docstring(stmt.value.value, indent)
                self.roles.update(dict.fromkeys(range(len(self.lines), len(self.lines) + len(text)), 'docstring'))
                self.lines += text
            else:
                self.statement(stmt, indent)

    def comment(self, text, indent):
        room = max(WIDTH - indent, 20)
        self.lines.append(' ' * indent + (text if len(text) <= room else text[:room - 4].rstrip() + ' ...'))

    def statement(self, stmt, indent, keyword=''):
        for text in self.above.get(id(stmt), ()):
            self.lines.append(' ' * indent + text)
        where = getattr(stmt, 'origin', None) or Origin('', getattr(stmt, 'lineno', 0))
        first_line = len(self.lines)
        if not is_compound(stmt):
            self.put(_parts(stmt), indent, self.behind.get(id(stmt), ()), where)
            self.note_parts(stmt, where, first_line)
            return
        if isinstance(stmt, tree.TRIES) and not stmt.handlers and not stmt.finalbody:    # nothing is left of it
            self.block(stmt.body, indent)
            return
        for decorator in getattr(stmt, 'decorator_list', ()):
            self.put(['@', *_parts(decorator)], indent)
        for header, block in _clauses(stmt):
            first = block is getattr(stmt, 'body', None)
            self.put([keyword if first else '', *header], indent, self.behind.get(id(stmt), ()) if first else (), where)
            if first:
                self.note_parts(stmt, where, first_line)
            if isinstance(stmt, gast.Match):
                self.cases(stmt.cases, indent + 4)
            else:
                self.block(block, indent + 4, isinstance(stmt, DEFINITIONS), group_of(stmt))
        if has_elif(stmt):
            self.otherwise(stmt.orelse[0], indent)

    def note_parts(self, stmt, where, first):
        """What is folded into a statement, or into its header, stands for lines of its own."""
        header, own = list(tree.header(stmt)), range(first, len(self.lines))
        origins = [o for part in header for n in tree.walk(part) if (o := n.__dict__.get('origin')) and o.line]
        lines = {o.line for o in origins} - {where.line}
        if lines:
            self.also.update(dict.fromkeys(own, tuple(sorted(lines))))
        if lines or where.part or any(o.part for o in origins):
            self.folded.update(dict.fromkeys(own, Folded(header, where, expression_text)))

    def otherwise(self, stmt, indent):
        for note in self.notes.get(id(stmt), ()):
            self.comment('# ' + note, indent)
        self.statement(stmt, indent, 'el')

    def cases(self, cases, indent):
        for case in cases:
            guard = [' if ', *_parts(case.guard)] if case.guard else []
            self.put(['case ', _pattern(case.pattern), *guard, ':'], indent)
            self.block(case.body, indent + 4)

    def put(self, parts, indent, behind=(), where=NOWHERE):
        """A statement or header, for that line of the user's; a trailing comment of theirs stays where there is room."""
        if len(parts) > 1 and parts[0] == 'el':
            parts = ['el' + parts[1], *parts[2:]]
        lines = lay_out(parts, indent)
        behind = list(behind)
        if behind and len(lines[-1]) + 2 + len(behind[-1]) <= WIDTH:
            lines[-1] += '  ' + behind.pop()
        self.lines += [' ' * indent + text for text in behind] + lines
        for k in range(len(self.lines) - len(lines), len(self.lines)):
            self.origins[k], self.roles[k] = where.line, where.role

    def found(self):
        """(index of a line, (the user's line, whether it is of the backward pass, its Folded)) for all that stand for one.

        The backward pass begins with the first adjoint; a function in which nothing is the user's own is all of it.
        """
        roles = self.roles.values()
        start = min((k for k, role in self.roles.items() if role == 'adjoint'), default=len(self.lines))
        if 'adjoint' in roles and 'primal' not in roles:
            start = 0
        return [(k, (line, k >= start, self.folded.get(k))) for k, line in self.origins.items() if line]


# ---------------------------------------------------------------------------------------- statements

def _clauses(stmt):
    """(parts of the header, block) for each clause of a compound statement; `elif` is left to the caller."""
    if isinstance(stmt, DEFINITIONS):
        yield _definition(stmt), stmt.body
    elif isinstance(stmt, gast.If):
        yield ['if ', *_parts(stmt.test), ':'], stmt.body
    elif isinstance(stmt, (gast.For, gast.AsyncFor)):
        yield [_asynchronous(stmt) + 'for ', *_parts(stmt.target, Precedence.Tuple), ' in ',
               *_parts(stmt.iter, Precedence.Tuple), ':'], stmt.body
    elif isinstance(stmt, gast.While):
        yield ['while ', *_parts(stmt.test), ':'], stmt.body
    elif isinstance(stmt, (gast.With, gast.AsyncWith)):
        yield [_asynchronous(stmt) + 'with ', *_with_items(stmt.items), ':'], stmt.body
    elif isinstance(stmt, gast.Match):
        yield ['match ', *_parts(stmt.subject), ':'], stmt.cases
    else:
        yield ['try:'], stmt.body
        for handler in stmt.handlers:
            yield _handler(handler, isinstance(stmt, gast.TryStar)), handler.body
    if getattr(stmt, 'orelse', None) and not has_elif(stmt):
        yield ['else:'], stmt.orelse
    if getattr(stmt, 'finalbody', None):
        yield ['finally:'], stmt.finalbody


def _asynchronous(stmt):
    return 'async ' if isinstance(stmt, (gast.AsyncFor, gast.AsyncWith, gast.AsyncFunctionDef)) else ''


def _definition(stmt):
    if isinstance(stmt, gast.ClassDef):
        bases = _parts(gast.Call(func=gast.Name(stmt.name, gast.Load(), None, None), args=stmt.bases,
                                 keywords=stmt.keywords))
        return ['class ', *(bases if stmt.bases or stmt.keywords else [stmt.name]), ':']
    returns = [' -> ', *_parts(stmt.returns)] if stmt.returns else []
    return [f'{_asynchronous(stmt)}def ', stmt.name, '(', *_parts(stmt.args), ')', *returns, ':']


def _with_items(items):
    parts = []
    for item in items:
        parts += [', '] * bool(parts) + _parts(item.context_expr)
        parts += [' as ', *_parts(item.optional_vars)] if item.optional_vars else []
    return parts


def _handler(handler, star):
    kind = [' ', *_parts(handler.type)] if handler.type else []
    return ['except*' if star else 'except', *kind, *([' as ', handler.name.id] if handler.name else []), ':']


def _pattern(pattern):
    """Patterns of `match`, which astor does not know; the interpreter's own printer does, on every version alike.

    It writes names as they are, so strings go to it as names, in quotes of ours.
    """
    class Quote(ast.NodeTransformer):
        def visit_Constant(self, node):
            return ast.Name(_quoted(node.value)) if isinstance(node.value, (str, bytes)) else node

    return ast.unparse(Quote().visit(gast.gast_to_ast(pattern)))


def _docstring(value, indent):
    """Triple quotes, and the indentation of the place where it stands."""
    first, *rest = value.expandtabs().split('\n')
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    lines = [first] + [(' ' * indent + line[margin:]).rstrip() for line in rest]
    if rest and not rest[-1].strip():
        lines[-1] = ' ' * indent
    text = '\n'.join(lines)
    raw = '\\' in text and '"""' not in text and text[-1] not in '\\"'
    if not raw:
        text = text.replace('\\', '\\\\').replace('"""', '\\"\\"\\"')
        text = text[:-1] + '\\"' if text.endswith('"') else text
    text = ''.join(c if c.isprintable() or c == '\n' else repr(c)[1:-1] for c in text)
    return (' ' * indent + 'r' * raw + f'"""{text}"""').split('\n')


# ---------------------------------------------------------------------------------------- expressions

def _parts(node, precedence=Precedence.Comma):
    """The fragments that astor prints for an expression or a simple statement; see `layout` for what they promise."""
    if type(node) is gast.Name:
        return [node.id]
    node, printer = _as_ast(node), PRINTER.printer
    printer.result.clear()
    if isinstance(node, ast.expr):
        node._pp = precedence
    printer.visit(node)
    return [part for part in printer.result if part]


ALIKE = {getattr(gast, name): (getattr(ast, name), tuple(f for f in getattr(gast, name)._fields if f != 'type_comment'))
         for name in '''Assign Attribute AugAssign BinOp BoolOp Call Compare Constant Dict Expr IfExp List Return Slice Starred
         Subscript Tuple UnaryOp keyword'''.split()}                   # which are in `ast` as in `gast`
BARE = {kind: getattr(ast, kind.__name__) for group in (gast.operator, gast.unaryop, gast.cmpop, gast.boolop)
        for kind in group.__subclasses__() if kind.__module__.startswith('gast')}


def _as_ast(node):
    """What `gast.gast_to_ast` makes of a node, without its places, and several times faster."""
    if isinstance(node, list):
        return [_as_ast(n) for n in node]
    kind = type(node)
    if kind is gast.Name:
        return ast.Name(node.id, ast.Load())
    if kind in ALIKE:
        made, fields = ALIKE[kind]
        known = node.__dict__
        return made(**{f: _as_ast(known[f]) for f in fields if f in known})
    if kind in BARE:
        return BARE[kind]()
    return gast.gast_to_ast(node) if isinstance(node, ast.AST) else node


def _set(precedence, *nodes):
    for node in nodes:
        if node is not None:
            node._pp = precedence


class _Printer(astor.SourceGenerator):
    """astor's printer, mended where a person would write something else.

    It leaves parentheses where a parent does not say how tightly it binds (`{(1): 2}`), glues annotations to their
    defaults, loses positional-only defaults, wraps strings, and breaks f-strings that hold quotes. Powers and quotes are
    those of black and ruff, which then change nothing in a text of ours.
    """
    quote = '"'             # where neither kind of quotes needs fewer escapes

    def newline(self, node=None, extra=0):
        pass

    def visit_Return(self, node):
        _set(Precedence.Return, node.value)
        self.write('return ' if node.value else 'return')
        self.conditional_write(node.value)

    def visit_Raise(self, node):
        _set(Precedence.Comma, node.exc, node.cause)
        super().visit_Raise(node)

    def visit_Delete(self, node):
        self.write('del ')
        self.comma_list(node.targets)

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, (str, bytes)):
            self.write(_quoted(value, self.quote))
        elif isinstance(value, bool) or not isinstance(value, (int, float, complex)):
            self.write('...' if value is Ellipsis else repr(value))
        elif isinstance(value, complex):
            self.complex(node, value)
        elif value != value:
            with self.delimit(node, ast.Sub()):
                self.write('1e1000', ' - ', '1e1000')
        elif _is_negative(value):
            with self.delimit(node, ast.USub()):
                self.write('-', _number(-value))
        else:
            with self.delimit(node):
                self.write(_number(value))

    def complex(self, node, value):
        if value.real == 0 and math.copysign(1, value.real) > 0 and not value.imag < 0:
            self.write(_imaginary(value.imag))
            return
        with self.delimit(node, ast.Add()):
            real = '1e1000' if math.isinf(value.real) else repr(complex(0, abs(value.real)))[:-1]
            sign = ' - ' if value.imag < 0 else ' + '
            self.write('-' if value.real < 0 else '', real, sign, _imaginary(abs(value.imag)))

    def visit_BinOp(self, node):
        """`x**2`, but `x[i] ** 2`."""
        start = len(self.result)
        super().visit_BinOp(node)
        right = node.right.left if _is_power(node.right) else node.right
        if _is_power(node) and not isinstance(node.left, ast.UnaryOp) and _is_plain(node.left) and _is_plain(right):
            at = self.result.index(' ** ', start)
            self.result[at] = '**'

    def visit_UnaryOp(self, node):
        """`-(x**2)`: what binds more tightly than the sign in front of it stands in parentheses."""
        if not _is_power(node.operand):
            return super().visit_UnaryOp(node)
        with self.delimit(node, node.op):
            self.write(get_op_symbol(node.op), ' ' if isinstance(node.op, ast.Not) else '')
            _set(Precedence.highest, node.operand)
            self.visit(node.operand)

    def visit_Tuple(self, node):
        if len(node.elts) == 1 and self.get__pp(node) != Precedence.Subscript or (
                self.get__pp(node) == Precedence.Subscript and any(isinstance(e, ast.Starred) for e in node.elts)):
            _set(Precedence.highest, node)
        super().visit_Tuple(node)

    def visit_Starred(self, node):
        _set(Precedence.BitOr, node.value)
        super().visit_Starred(node)

    def visit_Slice(self, node):
        """Blanks around the colon as soon as a bound is a formula, as formatters write it."""
        _set(Precedence.Comma, node.lower, node.upper, node.step)
        bounds = [b for b in (node.lower, node.upper, node.step) if b is not None]
        blank = '' if all(map(_is_simple, bounds)) else ' '
        self.conditional_write(node.lower)
        self.write(blank if node.lower else '', ':', blank if node.upper else '')
        self.conditional_write(node.upper)
        if node.step is not None:
            self.write(blank if node.upper else '', ':', blank, node.step)

    def visit_Dict(self, node):
        _set(Precedence.Comma, *node.keys)
        for key, value in zip(node.keys, node.values):
            _set(Precedence.Comma if key else Precedence.BitOr, value)
        with self.delimit('{}'):
            for i, (key, value) in enumerate(zip(node.keys, node.values)):
                self.write(', ' if i else '')
                self.conditional_write(key)
                self.write(': ' if key else '**', value)

    def visit_ListComp(self, node):
        _set(Precedence.Comma, node.elt)
        super().visit_ListComp(node)

    def visit_SetComp(self, node):
        _set(Precedence.Comma, node.elt)
        super().visit_SetComp(node)

    def visit_DictComp(self, node):
        _set(Precedence.Comma, node.key, node.value)
        super().visit_DictComp(node)

    def visit_YieldFrom(self, node):
        _set(Precedence.Comma, node.value)
        super().visit_YieldFrom(node)

    def visit_Lambda(self, node):
        with self.delimit(node) as delimiters:
            _set(delimiters.p, node.body)
            arguments = node.args
            some = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
            self.write('lambda ' if some or arguments.vararg or arguments.kwarg else 'lambda')
            self.visit_arguments(arguments)
            self.write(': ', node.body)

    def visit_arg(self, node):
        _set(Precedence.Comma, node.annotation)
        super().visit_arg(node)

    def visit_arguments(self, node):
        plain = node.posonlyargs + node.args
        defaults = [None] * (len(plain) - len(node.defaults)) + node.defaults
        items = [(arg, default) for arg, default in zip(plain, defaults)]
        if node.posonlyargs:
            items.insert(len(node.posonlyargs), ('/', None))
        if node.vararg:
            items.append((('*', node.vararg), None))
        elif node.kwonlyargs:
            items.append(('*', None))
        items += zip(node.kwonlyargs, node.kw_defaults)
        if node.kwarg:
            items.append((('**', node.kwarg), None))
        for i, (arg, default) in enumerate(items):
            self.write(', ' if i else '', *(arg if isinstance(arg, tuple) else (arg,)))
            if default is not None:
                _set(Precedence.Comma, default)
                self.write(' = ' if getattr(arg, 'annotation', None) else '=', default)

    def visit_JoinedStr(self, node):
        """One line, in quotes that the expressions inside do not use, so that every Python can read it."""
        pieces = list(_pieces(node, "'"))
        plain = ''.join(text for is_text, text in pieces if is_text)
        quotes = [_quotes_for(plain, self.quote), *_QUOTES]
        inner = [text for is_text, text in pieces if not is_text]
        quote = next((q for q in [*quotes, '"""', "'''"] if not any(q in text for text in inner)), '"')
        body = ''.join(_escape(text, quote[0]) if is_text else text for is_text, text in pieces)
        self.write(f'f{quote}{body}{quote}')


_QUOTES = ['"', "'"]


def _number(value):
    if isinstance(value, int):
        return repr(value) if value.bit_length() < 4096 else hex(value)     # decimal digits are limited
    text = '1e1000' if math.isinf(value) else float.__repr__(value)
    return text.replace('e+0', 'e').replace('e+', 'e').replace('e-0', 'e-')


def _imaginary(value):
    if value != value:
        return '(1e1000j - 1e1000j)'
    return '1e1000j' if math.isinf(value) else repr(complex(0, value))


def _is_simple(expr):
    if isinstance(expr, ast.UnaryOp) and not isinstance(expr.op, ast.Not):
        expr = expr.operand
    return isinstance(expr, (ast.Name, ast.Constant))


def _is_negative(value):
    return value < 0 or isinstance(value, float) and math.copysign(1, value) < 0


def _is_power(node):
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)


def _is_plain(operand):
    """Whether a power of it, or by it, is written without blanks."""
    if isinstance(operand, ast.UnaryOp) and not isinstance(operand.op, ast.Not):
        return _is_plain(operand.operand)
    while isinstance(operand, ast.Attribute):
        operand = operand.value
    if isinstance(operand, ast.Constant):
        value = operand.value
        return value is None or isinstance(value, complex) or isinstance(value, (int, float)) and not _is_negative(value)
    return isinstance(operand, ast.Name)


class _Mine(threading.local):
    """The printer of a thread, which prints one thing after another: to make one takes longer than most of what it prints."""

    def __init__(self):
        self.printer = _Printer('    ')


PRINTER = _Mine()


def _pieces(joined, quote):
    """(is it text, the text) for each piece of an f-string, or of a format specification; strings in it have those quotes."""
    for value in joined.values:
        if not isinstance(value, ast.FormattedValue):
            yield True, value.value.replace('{', '{{').replace('}', '}}')
            continue
        lambdas = any(isinstance(n, ast.Lambda) for n in ast.walk(value.value))
        printer = _Printer('    ')
        printer.quote = quote
        _set(Precedence.Or if lambdas else Precedence.FormattedValue, value.value)
        printer.visit(value.value)
        text = ''.join(printer.result)
        yield False, '{' + ' ' * text.startswith('{') + text
        if value.conversion != -1:
            yield False, '!' + chr(value.conversion)
        if value.format_spec is not None:
            yield False, ':'
            yield from _pieces(value.format_spec, quote)
        yield False, '}'


def _quotes_for(text, preferred='"'):
    """Those that need fewer escapes."""
    other = _QUOTES[preferred == '"']
    return other if text.count(preferred) > text.count(other) else preferred


def _quoted(value, preferred='"'):
    """A string, or bytes."""
    if isinstance(value, bytes):
        value, prefix = ''.join(map(chr, value)), 'b'
        text = repr(b'"' + value.encode('latin1'))
    else:
        prefix, text = '', repr('"' + value)
    quote = _quotes_for(value, preferred)
    return prefix + quote + _requoted(text[len(prefix) + 2:-1], quote) + quote


def _escape(text, quote):
    return _requoted(repr('"' + text)[2:-1], quote)


def _requoted(body, quote):
    """From what stands between single quotes, where each single quote in it is escaped."""
    return body if quote == "'" else body.replace("\\'", "'").replace('"', '\\"')
