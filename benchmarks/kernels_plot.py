"""The table of the kernels as a page's section, and a picture of its ratios."""
import pathlib

START, END = '<!-- kernels: what `python -m benchmarks.kernels --write docs` measured -->', '<!-- end of kernels -->'
COLOURS = {'primal': 'tab:grey', 'C': 'tab:orange', 'JAX': 'tab:blue'}
MARKS = {'small': 'v', 'medium': 'o', 'large': '^', '-': 'o'}


def write(folder, found, text, day):
    """Put the table between its marks in `benchmarks.md`, and the picture beside it."""
    page = pathlib.Path(folder) / 'benchmarks.md'
    before, _, rest = page.read_text().partition(START)
    _, _, after = rest.partition(END)
    lines = [START, '', f'One run on one thread, {day}:', '', *text, '', '![ratios](kernels.svg)', '', END]
    page.write_text(before + '\n'.join(lines) + after)
    plot(pathlib.Path(folder) / 'kernels.svg', found)


def plot(path, found):
    """A point for each ratio: how many times longer than a peer the gradient takes; left of the line it is faster."""
    import matplotlib
    matplotlib.use('svg')
    matplotlib.rcParams['svg.hashsalt'] = 'kernels'            # the same text for the same numbers
    from matplotlib import pyplot
    names = list(dict.fromkeys(line.name for line in found))
    figure, axes = pyplot.subplots(figsize=(7, 0.22 * len(names) + 1.5))
    for peer, colour in COLOURS.items():
        for size, mark in MARKS.items():
            points = [(line.times['gradient'] / line.times[peer], names.index(line.name))
                      for line in found if line.size == size and peer in line.times]
            if points:
                axes.scatter(*zip(*points), s=14, color=colour, marker=mark, label=f'{peer} {size}'.rstrip(' -'))
    axes.axvline(1.0, color='black', linewidth=0.8)
    axes.set(xscale='log', xlabel='gradient / ...', yticks=range(len(names)))
    axes.set_yticklabels(names, fontsize=7)
    axes.invert_yaxis()
    axes.grid(axis='x', alpha=0.3)
    axes.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path, metadata={'Date': None})
    pyplot.close(figure)
