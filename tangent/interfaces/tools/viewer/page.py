"""The page of a derivative: what the script of the page is given to show, and the files it is put together from."""
import dataclasses
import difflib
import inspect
import os

import gast

from tangent.analysis.kinds.values import described
from tangent.frontend import tree
from tangent.interfaces.tools.explain import Explained, Line, numbered
from tangent.interfaces.tools.viewer import colours, progress
from tangent.interfaces.tools.viewer.frame import static, written
from tangent.interfaces.tools.viewer.recording import PASSES

ROOMS = {'normal': 'one operation a statement, one name for each definition',
         'desugared': 'longer words for the shorter ones, before each step notes in a log what it did',
         'split': 'one operation a statement, where a derivative flows',
         'reverse': 'the function with its adjoint, and every tape operation',
         'forward': 'the tangents beside the values'}
MOST = 150_000                   # lines of a film; what comes after that many is left out


def of_view(view, whole=True):
    """The page of a View as HTML; without the other modes, rooms and the film, if it is not to be `whole`."""
    own = view.options.mode, view.options.optimized
    recordings = view.recordings if whole else {own: view.own}
    lines = Lines()
    blocks = side(view, recordings)
    files = {file: k for k, file in enumerate(dict.fromkeys(
        [b.filename for b in blocks] + [r.place[0] for rec in recordings.values() for r in rec.rows if r.place]))}
    firsts = {}
    for source in dict.fromkeys(s for found in recordings.values() for s in found.sources):
        firsts.update(((source.filename, line), first) for line, first in first_lines(source).items())
    data = {
        'title': view.title, 'own': name_of(own), 'name': view.function.__name__,
        'blocks': [block_data(b, files[b.filename], lines, firsts, measured(view.profile)) for b in blocks],
        'panels': {name_of(key): panel_data(found, files, lines)
                   for key, found in progress.bar(recordings.items(), 'writing the page', len(recordings))},
        'assumed': assumptions(view), 'module': lines.of(view.exported) if whole else [],
    }
    data['lines'] = lines.html
    body = static('view.html').replace('@noscript@', without_script(view))
    return written(view.title, body, static('view.js'), data)


class Lines:
    """Each line once, as HTML: texts are lists of numbers of lines."""

    def __init__(self):
        self.html, self.numbers = [], {}

    def of(self, text):
        """The numbers of the lines of a text."""
        rows = text.split('\n') if text else []
        if '"""' in text or "'''" in text:                   # what a line is depends on those before it
            return [self.number(shown, shown) for _, shown in zip(rows, colours.lines_of_html(text) + [''] * len(rows))]
        new = [row for row in dict.fromkeys(rows) if row.strip() and ('', row) not in self.numbers]
        for row, shown in zip(new, colours.lines_of_html('\n'.join(new))):
            self.numbers['', row] = self.number(shown, shown)
        return [self.numbers['', row] if row.strip() else self.number('', '') for row in rows]

    def number(self, key, shown):
        if key not in self.numbers:
            self.numbers[key] = len(self.html)
            self.html.append(shown)
        return self.numbers[key]


# The user's side

def side(view, recordings):
    """An Explained for each function of the user's, those inside others left out: they stand there."""
    found = list(view.explanation)
    there = {(e.filename, line.number) for e in found for line in e.lines}
    for source in [s for rec in recordings.values() for s in rec.sources]:
        if (source.filename, source.first) not in there:
            found.append(plain(source))
            there |= {(source.filename, line.number) for line in found[-1].lines}
    return merged(found)


def plain(source):
    lines = tuple(Line(number, text) for number, text in numbered(source))
    return Explained(source.name, source.filename, source.parameters, (), 'plain', '', (), (), lines)


def merged(blocks):
    """The blocks of which none lies inside another, with the marks of these."""
    outer = []
    for block in sorted(blocks, key=lambda b: -len(b.lines)):
        numbers = {line.number for line in block.lines}
        around = next((k for k, b in enumerate(outer) if b.filename == block.filename and b.lines
                       and numbers <= {line.number for line in b.lines}), None)
        if around is None:
            outer.append(block)
            continue
        marks = {line.number: line for line in block.lines}
        outer[around] = dataclasses.replace(outer[around], lines=tuple(
            joined(line, marks[line.number]) if line.number in marks else line for line in outer[around].lines))
    first = {id_of(b): k for k, b in enumerate(blocks)}
    return sorted(outer, key=lambda b: first[id_of(b)])


def id_of(block):
    return block.filename, block.lines[0].number if block.lines else 0, block.name


def joined(one, other):
    return dataclasses.replace(one, active=one.active or other.active,
                               kept=tuple(dict.fromkeys(one.kept + other.kept)),
                               dispatched=tuple(dict.fromkeys(one.dispatched + other.dispatched)))


def first_lines(source):
    """Line -> the first line of the statement, or of the header, to which it belongs: that is what links know."""
    found = {}
    for s in tree.walk(source.tree):
        if isinstance(s, gast.stmt) and getattr(s, 'end_lineno', None):
            parts = [n for part in tree.header(s) for n in tree.walk(part)] if tree.blocks(s) else [s]
            last = max((getattr(n, 'end_lineno', None) or 0 for n in parts), default=0)
            found.update((line, s.lineno) for line in range(s.lineno, last + 1))
    return found


def block_data(block, file, lines, firsts, profile):
    numbers = lines.of(block.text)
    rows = [[k, f'{file}:{firsts.get((block.filename, line.number), line.number)}', line.number, line.flags, line.note]
            for k, line in zip(numbers, block.lines)]
    for row in rows:
        row += [profile[block.filename, row[2]]] if (block.filename, row[2]) in profile else []
    return {'head': block.head[0], 'facts': [fact.strip() for fact in block.head[1:len(block.head) - len(block.kinds)]],
            'kinds': list(map(list, block.kinds)), 'rows': rows}


def measured(profile):
    """(file, line) -> (forward seconds, backward seconds, forward bytes, backward bytes)."""
    rows = getattr(profile, 'rows', None) or ()
    return {(row[0], row[1]): list(row[3:7]) for row in rows}


# The derivative's side

def name_of(key):
    mode, optimized = key
    return f'{mode} {"optimized" if optimized else "raw"}'


def panel_data(found, files, lines):
    """A Recording for the script."""
    if found.error:
        return {'error': found.error}
    def rows(given):
        numbers = lines.of('\n'.join(row.text for row in given))
        return [[k, keys(row), row.role] for k, row in zip(numbers, given)]

    def keys(row):
        if not row.place or row.place[0] not in files:
            return ''
        return ' '.join(f'{files[row.place[0]]}:{line}' for line in (row.place[1], *row.also))
    rooms = [{'name': s.step, 'function': s.function, 'about': ROOMS.get(s.step, ''), 'rows': rows(s.rows)}
             for s in found.shots if not s.is_pass]
    return {'rows': rows(found.rows), 'main': found.main, 'rooms': rooms, 'films': films(found.shots, rows)}


def films(shots, rows):
    """For each function what the passes of the optimizer made of it, frame by frame, with what came and went."""
    found, spent = [], 0
    for shot in shots:
        if not shot.is_pass:
            last, frames = rows(shot.rows), []
            if shot.step in ('reverse', 'forward'):
                found.append({'function': shot.function, 'frames': frames})
                frames.append({'step': shot.step, 'about': ROOMS[shot.step], 'rows': [[*row, ' '] for row in last]})
            continue
        spent += len(shot.rows)
        if spent > MOST or not found:
            continue
        new = rows(shot.rows)
        changed = compared(last, new)
        if any(row[-1] != ' ' for row in changed):
            about = (inspect.getdoc(PASSES[shot.step]) or '').partition('\n')[0]
            found[-1]['frames'].append({'step': shot.step, 'about': about, 'rows': changed})
            last = new
    return [film for film in found if len(film['frames']) > 1]


def compared(old, new):
    """The rows of a text, and between them those that are gone: ' ', '+' or '-' behind each."""
    matcher = difflib.SequenceMatcher(None, [r[0] for r in old], [r[0] for r in new], autojunk=False)
    found = []
    for what, a, b, c, d in matcher.get_opcodes():
        if what == 'equal':
            found += [[*row, ' '] for row in new[c:d]]
        else:
            found += [[*row, '-'] for row in old[a:b]] + [[*row, '+'] for row in new[c:d]]
    return found


# Around both

def assumptions(view):
    """(name, what is taken for granted of it) for arguments, and for what the function reads from outside."""
    kinds = dict(view.options.kinds)
    of_arguments = [[name, described(kind)] for name, kind in kinds.items()]
    if not kinds:
        of_arguments = [[', '.join(params(view)), 'numbers, arrays, or containers and records of these: for arguments of '
                         'other classes there is another text, made when they come. tangent.view(df, *args) shows the one '
                         'for given arguments']]
    elif not view.args:
        of_arguments.insert(0, [', '.join(kinds), 'as the function lets one expect them, by annotations, defaults and what it '
                                'does with them: others get other texts, as tangent.view(df, *args) shows'])
    seen = [[path, where(thing)] for path, thing in view.own.found if is_users(thing)]
    return of_arguments + [[path, f'{place}: where the name denotes something else, the derivative is made anew']
                           for path, place in seen]


def params(view):
    return list(inspect.signature(view.function).parameters)


def is_users(thing):
    module = getattr(thing, '__module__', None) or ''
    return hasattr(thing, '__code__') and not module.startswith(('numpy', 'scipy', 'tangent'))


def where(thing):
    code = thing.__code__
    return f'{thing.__qualname__}, {os.path.basename(code.co_filename)}:{code.co_firstlineno}'


def without_script(view):
    """Both texts, for pages whose scripts do not run."""
    texts = [block.text for block in view.explanation] + [view.text]
    return ''.join(f'<pre class="code">{chr(10).join(colours.lines_of_html(text))}</pre>' for text in texts)
