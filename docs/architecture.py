"""`python -m docs.architecture` writes docs/architecture.md and docs/architecture.svg from the docstrings of the rooms."""
import ast
import html
import pathlib

ROOT = pathlib.Path(__file__).parent.parent
PAGE, PICTURE = ROOT / 'docs/architecture.md', ROOT / 'docs/architecture.svg'

# lowest first: a room may import what stands before it
ROOMS = '''runtime persistent frontend templates emit analysis normal optimize reverse forward eventlog numba driver checkpoint
    cuda interfaces'''.split()

START = '''# Architecture

A function of the user's walks through the rooms of the compiler, and comes out as its derivative. A room is a folder of
`tangent/`; it may import what stands below it in this picture's order, and nothing above it (`tests/test_house.py` reads the
imports). The compiler knows syntax trees and never touches an array; the run time knows arrays and never sees a tree.

![The rooms](architecture.svg)

[The tour](tour.md) shows one function in every room. How to add a rule, a pass, a kind of statement or a run-time function:
[CONTRIBUTING](../CONTRIBUTING.md). This page is made of the docstrings of the rooms (`python -m docs.architecture`).

In the order of who may import whom, lowest first; `errors`, which all may import, stands below them, and the faces that scripts
import (`tangent`, `tangent.func`, `tangent.grads`, `tangent.tangents`, `tangent.utils` ...) above.
'''

# the picture: room -> (left, top, width, height), what stands below its name
PLACES = {
    'interfaces': (20, 20, 560, 50, 'what users call: grad, jacobian, jvp, rules, tools'),
    'driver': (20, 95, 860, 50, 'the corridor: walks a function through the rooms'),
    'checkpoint': (600, 20, 130, 50, 'loops in little memory'),
    'cuda': (750, 20, 130, 50, 'kernels'),
    'frontend': (20, 190, 130, 60, 'source to tree'),
    'normal': (190, 190, 140, 60, 'one operation a line'),
    'reverse': (370, 165, 150, 42, 'adjoints, tape'),
    'forward': (370, 215, 150, 42, 'tangents'),
    'eventlog': (370, 265, 150, 42, 'any writes, by a log'),
    'optimize': (560, 190, 140, 60, 'passes, fixed point'),
    'emit': (740, 190, 140, 60, 'text, then function'),
    'analysis': (20, 335, 410, 50, 'one question, one answer'),
    'templates': (450, 335, 250, 50, 'the rules, a line each'),
    'numba': (720, 335, 160, 50, 'machine code'),
    'runtime': (20, 435, 560, 50, 'what emitted code calls: zeros, sums, tape, formulas'),
    'persistent': (600, 435, 280, 50, 'all versions of an array'),
}
ARROWS = [('frontend', 'normal'), ('normal', 'reverse'), ('normal', 'forward'), ('normal', 'eventlog'), ('reverse', 'optimize'),
          ('forward', 'optimize'), ('eventlog', 'optimize'), ('optimize', 'emit')]
COLOURS = {'interfaces': '#dbe9f6', 'driver': '#dbe9f6', 'checkpoint': '#dbe9f6', 'cuda': '#dbe9f6', 'runtime': '#e3f1dc',
           'persistent': '#e3f1dc', 'analysis': '#f6edd5', 'templates': '#f6edd5', 'numba': '#f6edd5'}


def rooms():
    """(path, docstring) of each room and each sub-room, a room's own after it."""
    for room in ROOMS:
        folder = ROOT / 'tangent' / room
        for path in [folder / '__init__.py', *sorted(folder.rglob('*/__init__.py'))]:
            yield path.parent.relative_to(ROOT / 'tangent').as_posix(), docstring(path)


def docstring(path):
    return ast.get_docstring(ast.parse(path.read_text(encoding='utf-8'))) or ''


def page():
    """The text of the page."""
    parts = [START]
    for room, text in rooms():
        parts.append(f'{"###" if "/" in room else "##"} {room}\n\n{marked(text)}\n')
    return '\n'.join(parts)


def marked(text):
    """A docstring as Markdown: what is indented is code, and what enters and leaves stands on lines of its own."""
    out = []
    for line in text.splitlines():
        for word in ('Enters', 'Leaves', 'May import', 'Start with', 'Start reading'):
            if line.startswith(f'{word}:'):
                line = ('\n' if out and out[-1] else '') + f'*{word}*:' + line.removeprefix(f'{word}:')
        out.append(line)
    return '\n'.join(out)


def picture():
    """The picture, as SVG: who the rooms are, how a function walks, and what the derivative calls."""
    assert PLACES.keys() == set(ROOMS), 'a room without a place in the picture'
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 505" font-family="sans-serif">',
           '<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
           '<path d="M0,0 L9,4 L0,8 z" fill="#555"/></marker></defs>', '<rect width="900" height="505" fill="white"/>']
    for room, (left, top, width, height, caption) in PLACES.items():
        out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="6" fill="{COLOURS.get(room, "#f3e3e8")}" '
                   'stroke="#777"/>')
        out.append(text(left + width / 2, top + height / 2 - 4, room, 15, 'bold'))
        out.append(text(left + width / 2, top + height / 2 + 14, caption, 11))
    for one, other in ARROWS:
        (left, top, width, height, _), (x, y, _, high, _) = PLACES[one], PLACES[other]
        out.append(arrow(left + width, top + height / 2, x, y + high / 2))
    out.append(arrow(85, 145, 85, 190) + text(96, 172, 'a function', 12, anchor='start'))
    out.append(arrow(810, 190, 810, 145) + text(802, 172, 'its derivative', 12, anchor='end'))
    out.append(arrow(260, 335, 260, 250, 'dashed') + text(270, 325, 'facts', 12, anchor='start'))
    out.append(arrow(490, 335, 490, 307, 'dashed') + text(500, 327, 'rules', 12, anchor='start'))
    out.append(arrow(810, 335, 810, 250, 'dashed') + text(818, 325, 'for Numba', 12, anchor='start'))
    out.append(arrow(300, 410, 300, 435) + text(310, 420, 'the derivative calls these while it runs', 12, anchor='start'))
    return '\n'.join([*out, '</svg>']) + '\n'


def text(x, y, words, size, weight='normal', anchor='middle'):
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{html.escape(words)}</text>'


def arrow(x, y, to_x, to_y, kind=''):
    style = 'stroke="#555" stroke-width="1.5" marker-end="url(#tip)"' + ' stroke-dasharray="5 4"' * bool(kind)
    return f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" {style}/>'


if __name__ == '__main__':
    PAGE.write_text(page(), encoding='utf-8')
    PICTURE.write_text(picture(), encoding='utf-8')
