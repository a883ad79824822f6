"""Which statement has the wrong derivative: each is checked by itself, with the values that it had when the function ran.

The function is run once, and watched. What each line read is kept, for a few of the times that it ran. Then every statement is
made a function of what it read, derived, and held against finite differences, in the order in which the lines were done: those
of a callee come before the line that calls it. Of the first that fails, the operations are checked, those inside first.
"""
import ast
import collections
import copy
import itertools
import linecache
import types
from typing import NamedTuple

import numpy as np

from tangent.emit.build import Part, build
from tangent.errors import PLACES, CheckError, Place, file_name, line_text
from tangent.frontend.source import original, unwrap
from tangent.interfaces.debugging.expressions import inside_first
from tangent.interfaces.debugging.statements import header, statement_of
from tangent.interfaces.debugging.watch import watching
from tangent.numba import options as compiled
from tangent.runtime.pytree import leaves

MANY = 48                     # runs of a line that are looked at where a few have shown nothing
LATER = ast.Yield, ast.YieldFrom, ast.Await
COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
OPERATIONS = ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.Attribute, ast.IfExp, *COMPREHENSIONS


class Run(NamedTuple):
    """A line when it ran: its statement, what it read (dotted names with their values), and the globals of its function."""
    node: ast.AST
    values: dict
    globals: dict


class Lines:
    """The runs of each line of the user's: those whose numbers `keeps` takes, and the last one.

    runs : (file, line) -> runs
    last : (file, line) -> the last one
    counts : (file, line) -> how often it ran
    unseen : (file, line) of those of which something cannot be looked at alone
    """

    def __init__(self, keeps):
        self.keeps = keeps
        self.runs: dict = {}
        self.last: dict = {}
        self.counts: collections.Counter = collections.Counter()
        self.begun: dict = {}                          # frame -> its line and Run, not done yet
        self.unseen: dict = {}

    def event(self, frame, event, what):
        key, run = self.begun.pop(id(frame), (None, None))
        if key:
            self.counts[key] += 1
            self.runs.setdefault(key, [])
            if self.keeps(key, self.counts[key]):
                self.runs[key].append(run)
            else:
                self.last[key] = run
        if event != 'line' or frame.f_lineno == frame.f_code.co_firstlineno and frame.f_code.co_filename in PLACES:
            return
        file, line = frame.f_code.co_filename, frame.f_lineno
        statement = statement_of(frame)
        if statement is not None:
            self.begun[id(frame)] = (file, line), Run(statement.node, read(statement, frame), frame.f_globals)

    def watch(self, function, args, keywords):
        """Run a function; whether that worked."""
        try:
            with watching(self.event, alone=True):
                function(*copied(args), **copied(keywords))
        except Exception:
            return False
        return True

    def first_wrong(self, check, compile_=None):
        """What to say of the first line that is wrong by itself, in the order in which lines were done; None where none is."""
        for key, runs in self.runs.items():
            found = wrong_at(key, [*runs, *([self.last[key]] if key in self.last else [])], check, compile_)
            if found:
                return found
            if found is None:
                self.unseen[key] = None
        return None


def is_power(number):
    return number & (number - 1) == 0


def read(statement, frame):
    """Name or dotted name -> value, for what the statement can read: numbers and arrays as they are now."""
    held, found = frame.f_locals, {}
    for part in header(statement.node):
        for node in ast.walk(part):
            path = dotted(node)
            if path and path[0] in held:
                value = held[path[0]]
                try:
                    for name in path[1:]:
                        value = getattr(value, name)
                except Exception:
                    continue
                found['.'.join(path)] = copied(value) if is_active(value) else value
    return found


def dotted(node):
    """The names of `a.b.c`; nothing for anything else."""
    path = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    return (node.id, *path[::-1]) if isinstance(node, ast.Name) else ()


def is_active(value):
    return not isinstance(value, types.ModuleType) and any(np.asarray(leaf).dtype.kind in 'fc' for leaf in leaves(value))


def copied(value):
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def statement(function, args, keywords, check):
    """What is known of the statement whose derivative is wrong, as lines of a message; '' where the function cannot be watched.

    check : raises a CheckError where the derivative of a function is wrong at given arguments
    """
    plain, instance = unwrap(original(function))
    given = (instance, *args) if instance is not None else tuple(args)
    lines = Lines(lambda key, k: is_power(k))
    if not lines.watch(plain, given, keywords):
        return ''
    found = lines.first_wrong(check)
    if found is None and max(lines.counts.values(), default=0) > 2:
        counts = lines.counts
        lines = Lines(lambda key, k: k % -(-counts[key] // MANY) == 0)
        found = lines.first_wrong(check) if lines.watch(plain, given, keywords) else None
    flags = compiled.flags_of(function)
    if found is None and flags is not None:
        found = lines.first_wrong(check, flags.compile)
    return found or all_agree(lines)


def all_agree(lines):
    """What to say where no statement is wrong by itself: which were not looked at, if there are such."""
    if not lines.runs:
        return ''
    number, unseen = len(lines.runs), [f'\n      {place_in_words(*key)}' for key in lines.unseen]
    if unseen:
        return f'\n    {number - len(unseen)} of its {number} statements agree by themselves with finite differences; these ' \
               f'cannot be looked at alone:{"".join(unseen)}'
    return f'\n    each of its {number} statements by itself agrees with finite differences: what is wrong is how they are ' \
           'put together'


def wrong_at(key, runs, check, compile_=None):
    """What to say of a line one of whose runs has a wrong derivative; '' where none has, None where that is not known."""
    unseen = False
    for run in runs:
        for whole in wholes(run.node):
            said = complaint(whole, run, check, compile_)
            unseen |= said is None
            if not said:
                continue
            if not isinstance(whole, ast.stmt) and compile_ is None:
                return in_words(key, *within(whole, run, check))
            return in_words(key, ast.unparse(whole), said)
    return None if unseen else ''


def within(whole, run, check):
    """(the text of the first operation inside that is wrong, what the check says)."""
    for path in inside_first([whole]):
        node = path[-1]
        inner = any(isinstance(p, (*COMPREHENSIONS, ast.Lambda)) for p in path[:-1])
        if isinstance(node, OPERATIONS) and not inner:
            said = complaint(node, run, check)
            if said:
                return ast.unparse(node), said
    return ast.unparse(whole), complaint(whole, run, check)


def wholes(node):
    """What is checked of a statement: the values that it computes, and itself where it writes into an array."""
    yield from (n.value for part in header(node) for n in ast.walk(part) if isinstance(n, ast.NamedExpr))
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield node.value
        if len(targets) == 1 and (isinstance(node, ast.AugAssign) or isinstance(targets[0], ast.Subscript)) \
                and isinstance(getattr(targets[0], 'value', targets[0]), ast.Name):
            yield node
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield from node.value.args
        yield node.value
    elif isinstance(node, (ast.Return, ast.AnnAssign, ast.Expr)) and node.value is not None:
        yield (node.value.value if isinstance(node.value, (ast.Yield, ast.YieldFrom)) else None) or node.value
    elif isinstance(node, ast.For):
        yield node.iter
    elif isinstance(node, ast.Match):
        yield node.subject


_numbers = itertools.count(1)


def complaint(node, run, check, compile_=None):
    """What the check says of an expression or a statement as a function of what it reads; '' where nothing is wrong, None where
    it cannot be looked at alone."""
    inputs = Inputs(run)
    body = inputs.visit(copy.deepcopy(node))
    taken = {name: run.values[text] for name, text in inputs.given.items()}
    if not taken:
        return ''
    if any(isinstance(n, LATER) for n in ast.walk(node) if not isinstance(node, COMPREHENSIONS)):
        return None
    lines = [f'return {ast.unparse(body)}']
    if isinstance(body, ast.stmt):
        target = body.targets[0] if isinstance(body, ast.Assign) else body.target
        lines = [ast.unparse(body), f'return {ast.unparse(getattr(target, "value", target))}']
    name = f'statement_{next(_numbers)}'
    text = f'def {name}({", ".join(taken)}):\n    ' + '\n    '.join(lines) + '\n'
    cells = {n: types.CellType(v) for n, v in run.values.items() if '.' not in n and n not in taken}
    try:
        function = build(text, [Part(name, run.globals, cells)])[name]
        if not is_active(function(*copied(tuple(taken.values())))):
            return ''
        check(compile_(function) if compile_ else function, tuple(taken.values()))
    except CheckError as error:
        said = error.bare.replace(name, 'it')
        for given, text in inputs.given.items():
            said = said.replace(f' by {given}', f' by {text}')
        return said
    except Exception:
        return None
    return ''


class Inputs(ast.NodeTransformer):
    """Makes parameters of the names and attributes that hold numbers: `self.w` becomes `self_w`.

    given : parameter -> name or dotted name
    """

    def __init__(self, run):
        self.run, self.given = run, {}

    def parameter(self, node):
        text = '.'.join(dotted(node))
        if not text or text not in self.run.values or not is_active(self.run.values[text]):
            return None
        name = text.replace('.', '_')
        while self.given.get(name, text) != text or name != text and name in self.run.values:
            name += '_'
        self.given[name] = text
        return ast.copy_location(ast.Name(name, node.ctx), node)

    def visit_Name(self, node):
        return self.parameter(node) or node

    def visit_NamedExpr(self, node):
        return self.visit(node.value)

    def visit_Attribute(self, node):
        return self.parameter(node) or self.generic_visit(node)


def place_in_words(file, line):
    place = PLACES.get(file, {}).get(line) or Place(file, line)
    return f'{file_name(place.file)}:{place.line}: {line_text(place.file, place.line)}'


def in_words(key, operation, said):
    file, line = key
    place = PLACES.get(file, {}).get(line) or Place(file, line)
    text = line_text(place.file, place.line)
    rows = [f'the statement whose derivative is wrong: {place_in_words(*key)}']
    if file in PLACES:
        way = 'the backward pass of ' if place.backward else ''
        rows.append(f'  in {way}its derivative: {linecache.getline(file, line).strip()}')
    rows.append(f'  in {operation}: {said}' if operation != text else f'  {said}')
    return ''.join(f'\n    {row}' for row in rows)
