"""A picture of the ratios of the kernels."""
from benchmarks.tools import pages

COLOURS = {'primal': 'tab:grey', 'C': 'tab:orange', 'JAX': 'tab:blue'}
MARKS = {'small': 'v', 'medium': 'o', 'large': '^', '-': 'o'}


def plot(path, found):
    """A point for each ratio: how many times longer than a peer the gradient takes; left of the line it is faster."""
    names = list(dict.fromkeys(line.name for line in found))
    figure, axes = pages.axes_of('kernels', (7, 0.22 * len(names) + 1.5))
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
    pages.save(figure, path)
