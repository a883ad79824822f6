"""Tables between marks of a page, and pictures of ratios beside it."""
import pathlib

COLOURS = ('tab:grey', 'tab:blue', 'tab:red', 'tab:orange')


def write(folder, name, command, lines, day, picture=True):
    """Put a table into `benchmarks.md`, between its marks or at the end."""
    page = pathlib.Path(folder) / 'benchmarks.md'
    start, end = f'<!-- {name}: what `{command}` measured -->', f'<!-- end of {name} -->'
    text = page.read_text()
    if start not in text:
        text = f'{text.rstrip()}\n\n{start}\n{end}\n'
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    shown = [f'![{name}]({name}.svg)', ''] if picture else []
    page.write_text(before + '\n'.join([start, '', f'One run on one thread, {day}:', '', *lines, '', *shown, end]) + after)


def axes_of(name, size, columns=1):
    """(figure, axes) of a picture that is the same text for the same numbers."""
    import matplotlib
    matplotlib.use('svg')
    matplotlib.rcParams['svg.hashsalt'] = name
    from matplotlib import pyplot
    return pyplot.subplots(1, columns, figsize=size)


def save(figure, path):
    from matplotlib import pyplot
    figure.tight_layout()
    figure.savefig(path, metadata={'Date': None})
    pyplot.close(figure)


def ratios(path, found, one, others):
    """A bar for each program and peer: how many times longer than the peer `one` takes; left of the line it is faster.

    found : program -> {name: seconds}
    """
    figure, axes = axes_of(path.stem, (7, 0.45 * len(found) + 1.5))
    for k, (other, colour) in enumerate(zip(others, COLOURS)):
        places = [(at + (k - 1) * 0.25, times[one] / times[other]) for at, times in enumerate(found.values()) if other in times]
        axes.barh([at for at, _ in places], [ratio for _, ratio in places], 0.24, color=colour, label=f'{one} / {other}')
    axes.axvline(1.0, color='black', linewidth=0.8)
    axes.set(xscale='log', xlabel='ratio of times', yticks=range(len(found)))
    axes.set_yticklabels(list(found), fontsize=8)
    axes.invert_yaxis()
    axes.grid(axis='x', alpha=0.3)
    axes.legend(fontsize=7)
    save(figure, path)
