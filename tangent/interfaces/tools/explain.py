"""`explain`: what is made of a function, line by line, and why.

    >>> tangent.explain(f, wrt='w')
    f(x, w) with respect to w (model.py:4)
        4 |    | def f(x, w):
        5 | A  |     y = numpy.tanh(w * x)
        6 |    |     print(y)
        7 | A T|     for layer in w:                           # keeps y
    ...

The facts are read off what was made: a line is active if some adjoint has it as its origin, a value is kept if the emitted
forward pass hands it to the tape or to the adjoint, and a call is dispatched if a run-time function stands in its place.
"""
import dataclasses

import gast

from tangent.analysis.effects import Effects
from tangent.analysis.kinds.values import described, join
from tangent.driver import variants
from tangent.driver.derivation import Derivation
from tangent.driver.interpreter import deriving
from tangent.driver.options import Options
from tangent.driver.questions import wanted
from tangent.emit.printer import expression_text
from tangent.emit.signature import params
from tangent.errors import file_name
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names
from tangent.frontend.source import original, unwrap
from tangent.interfaces.arguments import asks
from tangent.interfaces.tools.viewer import colours, explained, frame

DISPATCHERS = {'pullback': 0, 'call': 3}       # run-time function -> which of its arguments is the callee
SAVED = '_saved'          # behind the name of a function: what it has handed over for its adjoint
WIDTH = 60
LEGEND = 'A active, T kept for the backward pass, D dispatched when running'


@dataclasses.dataclass(frozen=True)
class Line:
    """One line of the user's.

    Attributes
    ----------
    number : int
    text : str
    active : bool
        Whether a derivative flows through it.
    kept : tuple of str
        What the forward pass keeps for its adjoint, on the tape or in the log, as expressions in the user's names.
    dispatched : tuple of str
        Calls whose derivative is looked up when running, each with the reason.
    """
    number: int
    text: str
    active: bool = False
    kept: tuple = ()
    dispatched: tuple = ()

    @property
    def flags(self):
        """`A`, `T` and `D`, or blanks in their places."""
        return ('A' if self.active else ' ') + ('T' if self.kept else ' ') + ('D' if self.dispatched else ' ')

    @property
    def note(self):
        """What is kept, and why something is dispatched, in words."""
        return '; '.join(['keeps ' + ', '.join(self.kept)] * bool(self.kept) + list(self.dispatched))

    def __str__(self):
        return self.shown(self.text)

    def shown(self, painted):
        """The line with its margin and note, given its text, which may be in colours."""
        margin = f'{self.number:5} |{self.flags}| '
        if not self.note:
            return (margin + painted).rstrip()
        return margin + painted + ' ' * (WIDTH - len(margin + self.text)) + f'  # {self.note}'


@dataclasses.dataclass(frozen=True)
class Explained:
    """One function: the one asked for, or one that it calls.

    Attributes
    ----------
    name, filename, parameters
    wrt : tuple of str
        The parameters with respect to which it is differentiated.
    form : {'plain', 'log'}
        Whether its derivative is written out backwards, or goes back through a log of what was done.
    why : str
        Why the log is needed.
    writes : tuple of str
        Parameters into whose arrays, lists or objects it may write.
    updates : tuple of str
        Parameters that it updates by `x += v`, which writes where they are arrays.
    lines : tuple of Line
    kinds : tuple of (str, str)
        What was taken for known of parameters and variables, where arguments were given: `('x', 'array (n0, 3)')`.
    """
    name: str
    filename: str
    parameters: tuple
    wrt: tuple
    form: str
    why: str
    writes: tuple
    updates: tuple
    lines: tuple
    kinds: tuple = ()

    def __str__(self):
        return '\n'.join([*self.head, *map(str, self.lines)])

    @property
    def text(self):
        return '\n'.join(line.text for line in self.lines)

    @property
    def head(self):
        """The lines of what is known of the function as a whole."""
        where = f'{file_name(self.filename)}:{self.lines[0].number}' if self.lines else self.filename
        head = f'{self.name}({", ".join(self.parameters)}) with respect to {", ".join(self.wrt)} ({where})'
        facts = []
        if self.form == 'log':
            facts.append('goes back through a log' + (f': {self.why}' if self.why else ''))
        if self.writes:
            facts.append('may write into ' + ', '.join(self.writes))
        if self.updates:
            facts.append('updates in place, if they are arrays: ' + ', '.join(self.updates))
        facts += [f'{name} : {kind}' for name, kind in self.kinds]
        return [head, *('      ' + f for f in facts)]

    def painted(self, paint):
        """The same lines as are printed, in the colours of `paint`, which takes the text of the function."""
        return [*self.head, *(line.shown(text) for line, text in zip(self.lines, paint(self.text).split('\n')))]


class Explanation(tuple):
    """What `explain` returns: an :class:`Explained` for the function and for each that it calls with a derivative."""

    def __str__(self):
        return '\n\n'.join(map(str, self)) + f'\n\n{LEGEND}'

    def painted(self):
        """The same for a terminal, in colours."""
        return '\n\n'.join('\n'.join(f.painted(colours.painted)) for f in self) + f'\n\n{LEGEND}'

    @property
    def html(self):
        """The same as a page."""
        return explained.page(self)

    def _repr_html_(self):
        return frame.framed(self.html, repr(self)[1:-1], sum(len(f.lines) for f in self))

    def __repr__(self):
        return f'<explanation of {", ".join(f.name for f in self)}>'


@asks
def explain(func, wrt=(0,), show=True, args=()):
    """Print, line by line, what is active, what is kept for the backward pass, and what is dispatched when running.

    Parameters
    ----------
    func : function
    wrt : int, str, or tuple of these
        Parameters, as for `tangent.grad`.
    show : bool
        Print the explanation.
    args : tuple
        Arguments of `func`: what is made for these is explained, with what is known of each variable then; without them
        what is made for such as the text of `func` lets one expect, which is what `tangent.source` shows.

    Returns
    -------
    Explanation
        A tuple of one :class:`Explained` for each function: `func`, and those of the user's that it calls.

    Raises
    ------
    TangentParseError, SourceError, ReverseNotImplementedError, ArgumentError, ArgumentTypeError
        As `tangent.grad` does, for functions that have no derivative.

    Examples
    --------
    >>> def f(x):
    ...     y = numpy.tanh(x)
    ...     return y * x
    >>> [line.active for line in tangent.explain(f, show=False)[0].lines]
    [False, True, True]
    """
    function, instance = unwrap(original(func))
    names, _ = wanted(function, wrt, instance is not None)
    options = variants.options_for(variants.derivative(func, wrt, Options()), args)
    derivation = Watched(options)
    with deriving():
        derivation.derive(function, names)
    groups = {function.__code__: []}
    for made in reversed(derivation.made):               # callees are made before their callers
        groups.setdefault(made.source.function.__code__, []).append(made)
    found = Explanation(Reading(group, derivation, names if code is function.__code__ else None).explained()
                        for code, group in groups.items())
    if show:
        print(found)
    return found


class Watched(Derivation):
    """A derivation that keeps what it knew of each function on the way.

    active : code object -> lines of the statements through which a derivative flows, of functions in the plain form
    """

    def __init__(self, *args):
        super().__init__(*args)
        self.active = {}

    def remember(self, normal):
        super().remember(normal)
        if hasattr(normal, 'ops'):
            found = list(normal.ops)
            last = normal.tree.body[-1]
            if isinstance(last.value, gast.Name) and last.value.id in normal.active:
                found.append(last)
            self.active[normal.source.function.__code__] = {tree.origin(s).line for s in found if tree.origin(s)}
        return normal


class Reading:
    """What the emitted functions of one function of the user's say about it."""

    def __init__(self, group, derivation, wrt):
        self.group, self.derivation, self.source = group, derivation, group[0].source
        self.resolver = Resolver(self.source)
        self.asked = wrt is not None
        self.wrt = wrt or next(demands[0] for (callee, demands, *_), twin in derivation.twins.items()
                               if any(m.tree.name in twin[:2] for m in group))
        self.active, self.kept, self.dispatched, self.tapes, self.texts = set(), {}, {}, set(), {}
        self.log = any(n.startswith('_grads') for made in group for n in params(made.tree))      # gradients by identity
        for made in group:
            self.read(made.tree)
        if not self.log:                  # the optimizer folds adjoints into those of other lines
            self.active |= derivation.active.get(self.source.function.__code__, set())

    def explained(self):
        writes, updates = Effects().written(self.source.function)
        why = self.derivation.logged_because
        return Explained(
            name=self.source.name, filename=self.source.filename, parameters=tuple(params(self.source.tree)),
            wrt=tuple(self.wrt), form='log' if self.log else 'plain',
            why=reason(why) if why and self.log and self.asked else '',
            writes=tuple(writes), updates=tuple(p for p in updates if p not in writes), lines=tuple(self.lines()),
            kinds=tuple(self.kinds()))

    def kinds(self):
        """(name, what is known of all that it is bound to) for names of the user's."""
        normal, found = self.derivation.inferred.get(self.source.function.__code__, (None, None))
        if found is None:
            return
        names = {}
        for name, kind in found.names.items():
            own = normal.base.get(name, name)
            names[own] = join(names[own], kind) if own in names else kind
        yield from ((name, described(kind)) for name, kind in names.items()
                    if kind is not None and name.strip('_') and is_user(name, self.source))

    def lines(self):
        for number, text in numbered(self.source):
            yield Line(number, text, number in self.active,
                       tuple(dict.fromkeys(self.kept.get(number, ()))), tuple(dict.fromkeys(self.dispatched.get(number, ()))))

    # Reading

    def read(self, function):
        self.primal = any(function.name == twin[0] for twin in self.derivation.twins.values())
        self.made_from = {}                                  # name -> (line, tree) of what it was assigned last
        self.line = function.lineno
        self.block(function.body)

    def block(self, stmts):
        for i, s in enumerate(stmts):
            origin = tree.origin(s)
            if origin and origin.role == 'adjoint':
                self.active.add(origin.line)
            elif origin and origin.line and origin.role != 'return':
                self.line = origin.line
            if tree.target(s) and is_tape(s) and not tree.is_none(s.value):        # None: there is nothing yet to be kept
                self.tapes.add(tree.target(s))
            self.calls(s)
            if tree.target(s) and origin and origin.role not in ('tape', 'adjoint'):
                self.made_from[tree.target(s)] = self.line, s.value
            self.ways_back(s)
            self.keep(s, stmts[i + 1:])
            for _, block in tree.blocks(s):
                self.block(block)

    def keep(self, s, following):
        """Note what a statement of the forward pass keeps: in the log, on the stack, or by handing it to the adjoint."""
        call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
        line = self.line
        if call and is_tape(s) and isinstance(call.func, gast.Attribute) and is_entry(call.args[0]):
            names, self.log = self.values(call.args[0]), True
        elif call and is_tape(s) and not self.log:           # what the next statement overwrites
            names = self.values(gast.Tuple(elts=call.args, ctx=gast.Load()))
            line = next((o.line for o in map(tree.origin, following) if o and o.line), line)
        elif self.primal and isinstance(s, gast.Return) and isinstance(s.value, gast.Tuple) \
                or self.log and call and is_tape(s):                                # what stands when a block ends
            for name in self.values(call.args[0] if call else s.value.elts[1]):
                where = self.made_from.get(name, (self.source.tree.lineno, None))[0]
                self.note(where, [name])
            return
        else:
            return
        self.note(line, names)

    def ways_back(self, s):
        """Name the two parts of `y, back = pullback(f)(x)`."""
        value = getattr(s, 'value', None)
        inner = value.func if isinstance(value, gast.Call) else None
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Tuple) and isinstance(inner, gast.Call) \
                and self.library_name(inner.func) == 'pullback':
            text = expression_text(self.folded(tree.replace(value, func=inner.args[0]), set()))
            names = [e.id for e in s.targets[0].elts]
            self.texts.update(zip(names, [text, f'the way back of {text}']))

    def values(self, expr):
        """Names in an expression, tapes left out."""
        return [n for n in tree.names(expr, gast.Load) if n not in self.tapes]

    def note(self, line, names):
        """Note what a line keeps, in words that tell something."""
        self.kept.setdefault(line, []).extend(filter(None, map(self.shown, names)))

    def shown(self, name):
        """A name of the user's as it stands, one of the library's as the expression it stands for; '' for our own counting."""
        if is_user(name, self.source) or name not in self.made_from:
            return name if is_user(name, self.source) or SAVED in name else self.texts.get(name, '')
        expr = self.made_from[name][1]
        return in_words(expr, self.library_name, lambda part: expression_text(self.folded(part, {name})))

    def folded(self, expr, seen):
        """The expression with names of the library's replaced by what they stand for."""
        inner = {n: self.folded(self.made_from[n][1], seen | {n}) for n in tree.names(expr, gast.Load)
                 if n in self.made_from and n not in seen and not is_user(n, self.source)}
        return tree.substitute(expr, inner)

    def calls(self, s):
        for part in tree.header(s):
            for node in tree.walk(part):
                at = DISPATCHERS.get(self.library_name(node.func)) if isinstance(node, gast.Call) else None
                if at is not None and len(node.args) > at:
                    if at:                                   # an entry of the log is made by the call itself
                        self.note(self.line, self.values(node.args[1]))
                    self.dispatched.setdefault(self.line, []).append(self.why_dispatched(node.args[at]))

    def library_name(self, func):
        if not isinstance(func, gast.Name) or is_user(func.id, self.source):
            return None
        return getattr(self.derivation.shared.get(func.id), '__name__', None)

    def why_dispatched(self, callee):
        text = expression_text(callee)
        name = tree.root_name(callee)
        if self.resolver(callee) is not UNKNOWN:
            return f'{text} is known, and derived when it is first called'
        if isinstance(callee, gast.Attribute):
            return f'{text} is a method of what {expression_text(callee.value)} is when running'
        if isinstance(callee, gast.Subscript):
            return f'{text} is an element'
        if name in params(self.source.tree):
            return f'{text} is a parameter'
        return f'{self.shown(text)} is a value'


def numbered(source):
    """(number, text) for the lines of a function."""
    last = max(getattr(n, 'end_lineno', 0) or 0 for n in gast.walk(source.tree))
    return [(number, source.line(number).rstrip()) for number in range(source.first, last + 1)]


def is_user(name, source):
    return name in local_names(source.tree)


def is_tape(s):
    origin = tree.origin(s)
    return bool(origin) and origin.role == 'tape'


def in_words(expr, library_name, print_):
    """What an expression of emitted text is for; '' for our own counting.

    library_name : the name in the library of what is called, or None
    print_ : prints an expression
    """
    call = expr.value if isinstance(expr, gast.Subscript) else expr
    helper = library_name(call.func) if isinstance(call, gast.Call) else None
    if helper == 'before':
        owner, index = map(expression_text, call.args)
        return f'{owner}[{index}] as it was'
    if helper in ('kept', 'copy'):
        return print_(call.args[0])
    if helper == 'cell_of':
        return expression_text(call.args[0].body)
    if helper in ('recorded', 'begun'):
        return f'how {expression_text(call.args[1])} was called'
    if isinstance(expr, gast.Constant) or isinstance(expr, (gast.List, gast.Tuple)) and not expr.elts:
        return ''
    return print_(expr)


def is_entry(expr):
    """Whether what is appended is an entry of a log: its number, and what its adjoint reads."""
    return isinstance(expr, gast.Tuple) and isinstance(expr.elts[0], gast.Constant)


def reason(error):
    """The construct that the plain form does not take, from its error."""
    return str(error).partition('\n')[0].partition(' are not supported')[0]
