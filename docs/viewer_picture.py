"""`python -m docs.viewer_picture` writes docs/viewer.svg: what `tangent.view` shows, a line lit with what was made of it."""
import html
import pathlib

import numpy as np
from pygments import lexers
from pygments.token import Token

import tangent

PICTURE = pathlib.Path(__file__).parent / 'viewer.svg'
LIT = 'stretch'                       # the line that begins so is pointed at
COLOURS = {Token.Keyword: '#8250df', Token.Comment: '#57606a', Token.Literal.Number: '#0550ae', Token.Literal.String: '#0a7a3c',
           Token.Name.Function: '#953800'}
ROW, LETTER, TOP, GAP = 20, 7.3, 54, 70
STYLE = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12" xml:space="preserve"'


def energy(x, k):
    wave = np.cos(4.0 * x)
    stretch = x[1:] - x[:-1] - 1.0
    return 0.5 * k * np.sum(stretch ** 2) + np.sum(wave)


def picture():
    """The picture, as SVG."""
    shown = tangent.view(tangent.grad(energy), np.arange(4.0), 2.0)
    own = [(line.text, line.number) for line in shown.explanation[0].lines]
    made = [(row.text, row.place and row.place[1]) for row in shown.own.rows if row.role != 'docstring']
    lit = next(number for text, number in own if text.strip().startswith(LIT))
    wide, wider = (LETTER * max(len(text) for text, _ in texts) + 24 for texts in (own, made))
    height = TOP + ROW * len(made) + 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + wider + GAP:g} {height}">',
           f'<rect width="{wide + wider + GAP:g}" height="{height}" fill="white"/>',
           *pane(0, wide, height, 'your function', own, lit), *pane(wide + GAP, wider, height, 'its derivative', made, lit)]
    here = TOP + ROW * [number for _, number in own].index(lit)
    for k, (_, number) in enumerate(made):
        if number == lit:
            there = TOP + ROW * k
            middle = f'{wide + GAP / 2:g}'
            out.append(f'<path d="M{wide:g},{here} C{middle},{here} {middle},{there} {wide + GAP:g},{there}" fill="none" '
                       'stroke="#bf8700" stroke-width="1.5"/>')
    return '\n'.join([*out, '</svg>']) + '\n'


def pane(left, width, height, title, rows, lit):
    yield (f'<rect x="{left + 0.5:g}" y="0.5" width="{width - 1:g}" height="{height - 1}" rx="6" fill="#f6f8fa" '
           'stroke="#d0d7de"/>')
    yield f'<text x="{left + 12:g}" y="22" font-family="sans-serif" font-size="13" fill="#57606a">{title}</text>'
    for k, (text, number) in enumerate(rows):
        y = TOP + ROW * k
        if number == lit:
            yield f'<rect x="{left + 1:g}" y="{y - 13}" width="{width - 2:g}" height="{ROW - 1}" fill="#fff1c2"/>'
        yield f'<text x="{left + 12:g}" y="{y}" {STYLE}>{coloured(text)}</text>'


def coloured(text):
    """The tokens of a line, in colours."""
    found = ''
    for kind, token in lexers.PythonLexer(ensurenl=False, stripnl=False).get_tokens(text):
        colour = next((COLOURS[parent] for parent in reversed(kind.split()) if parent in COLOURS), '#1f2328')
        found += f'<tspan fill="{colour}">{html.escape(token, quote=False)}</tspan>'
    return found


if __name__ == '__main__':
    PICTURE.write_text(picture(), encoding='utf-8')
