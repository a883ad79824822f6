"""The picture of a tape report: how many bytes the tapes held over the run, and for which lines. matplotlib draws it."""
import html
import io

from tangent.checkpoint.memory_size import shown
from tangent.errors import ArgumentError

BARS = 12                      # lines of the user's that have a bar
LETTERS = 44                   # of their texts
UNITS = [(10**9, 'GB'), (10**6, 'MB'), (10**3, 'kB'), (1, 'B')]


def picture(report):
    """A matplotlib Figure of a TapeReport."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ArgumentError('a picture of a tape report needs the package matplotlib: pip install matplotlib') from None
    rows = sorted(report.lines, key=lambda line: -line.bytes)[:BARS][::-1]
    figure = Figure(figsize=(10, 1.8 + 0.28 * max(len(rows), 4)), layout='constrained')
    run, lines = figure.subplots(1, 2, width_ratios=(3, 2))
    size, unit = next((size, unit) for size, unit in UNITS if report.peak >= size or size == 1)
    curve = [0, *report.curve]
    run.fill_between(range(len(curve)), [b / size for b in curve], alpha=0.35, step='post')
    run.step(range(len(curve)), [b / size for b in curve], where='post')
    top = curve.index(max(curve))
    run.annotate(f'at most {shown(report.peak)}', (top, curve[top] / size), xytext=(0, 4), textcoords='offset points',
                 ha='center')
    run.set(xlabel='writes and reads of the tape, in the order of the run', ylabel=f'{unit} on the tape', xticks=[])
    run.margins(x=0, y=0.15)
    run.set_ylim(bottom=0)
    lines.barh([label(line) for line in rows], [line.bytes / size for line in rows])
    lines.set(xlabel=f'{unit} written in all')
    lines.tick_params(axis='y', labelfontfamily='monospace', labelsize=8)
    return figure


def label(line):
    text = line.text.strip().replace('$', r'\$')               # no formula
    return f'{line.line or ""}: {text if len(text) <= LETTERS else text[:LETTERS - 3] + "..."}'


def in_html(report):
    """The table, under the picture where matplotlib is there."""
    table = f'<pre>{html.escape(str(report))}</pre>'
    if not report.lines:
        return table
    try:
        figure = picture(report)
    except ArgumentError:
        return table
    drawn = io.StringIO()
    figure.savefig(drawn, format='svg')
    text = drawn.getvalue()
    return text[text.index('<svg'):] + table
