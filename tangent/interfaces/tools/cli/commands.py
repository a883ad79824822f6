"""What each subcommand does: from its options to what it prints, and its exit code."""
import os
import pathlib
import re
import tempfile
import webbrowser

from tangent.errors import ArgumentError
from tangent.interfaces.debugging.profile import profile
from tangent.interfaces.grad import autodiff, grad
from tangent.interfaces.texts import source
from tangent.interfaces.tools import coverage, finite_differences
from tangent.interfaces.tools.cli.tables import Paint, number, table
from tangent.interfaces.tools.cli.targets import arguments, load, users_code
from tangent.interfaces.tools.explain import explain
from tangent.interfaces.tools.export import export_source
from tangent.interfaces.tools.viewer import colours, progress
from tangent.interfaces.tools.viewer.view import View

WELL, DIFFERS = 0, 1


def run_show(options):
    df = derive(options, load(options.target), verbose=2 if options.verbose else 0)
    text = source(df).rstrip('\n')
    if options.verbose:
        print('# --- emit')
    print(colours.painted(text) if colours.is_wanted(choice=options.color) else text)
    return WELL


def run_check(options):
    func = load(options.target)
    args = arguments(func, options.at)
    df = derive(options, func)
    positions = finite_differences.positions(func, options.wrt)
    rows = users_code(finite_differences.compare, func, df, args, positions)
    paint = Paint(options.color)
    print(table([('argument', 'at', 'derivative', 'difference', 'error', '')]
                + [(r.place, f'{r.checked} of {r.size}', number(r.derivative), number(r.difference), f'{r.error:.1e}',
                    paint.good('ok') if r.error <= options.rtol else paint.bad('WRONG')) for r in rows]))
    return WELL if all(r.error <= options.rtol for r in rows) else DIFFERS


def run_export(options):
    text = export_source(derive(options, load(options.target)), standalone=options.standalone)
    if options.output is not None:
        written(options.output, text)
    else:
        text = text.rstrip('\n')
        print(colours.painted(text) if colours.is_wanted(choice=options.color) else text)
    return WELL


def run_view(options):
    func = load(options.target)
    df = derive(options, func)
    args = arguments(func, options.at or ())
    if options.profile and not args:
        raise ArgumentError('--profile runs the derivative: give its arguments, each by --at')
    found = View(df, args, users_code(profile, df, *args) if options.profile else None)
    with progress.waiting('writing the page'):
        text = found.html
    path = options.output or pathlib.Path(tempfile.mkdtemp(prefix='tangent-')) / f'{func.__name__}.html'
    written(path, text)
    if options.output is None:
        print(path)
        webbrowser.open(path.as_uri())
    return WELL


def run_explain(options):
    func = load(options.target)
    with progress.waiting('explaining'):
        found = explain(func, options.wrt, show=False, args=arguments(func, options.at or ()))
    if options.output is not None:
        written(options.output, found.html)
    else:
        print(found.painted() if colours.is_wanted(choice=options.color) else found)
    return WELL


def run_profile(options):
    func = load(options.target)
    df = derive(options, func)
    args = arguments(func, options.at)
    with progress.waiting('running'):
        found = users_code(profile, df, *args)
    print(found)
    return WELL


def run_coverage(options):
    with progress.waiting('looking up'):
        found = coverage.entries()
    names = [re.sub('^np(?=[.]|$)', 'numpy', name.replace(':', '.')) for name in options.names]
    known = [e for e in found if not names or any(is_named(e.name, name) for name in names)]
    if options.markdown:
        print(coverage.table(known), end='')
    elif known:
        print(coverage_table(known, Paint(options.color)))
    missing = [name for name in names if not any(is_named(e.name, name) for e in known)]
    for name in missing:
        like = [e.name for e in found if e.name.rpartition('.')[2] == name][:3]
        way = f'; there is {", ".join(like)}' if like else '; of a function in Python the source is differentiated'
        print(f'{name}: no rule{way}')
    return DIFFERS if missing else WELL


def is_named(name, asked):
    """Whether `asked` is the name of a function, or of a module or class that it belongs to."""
    return name == asked or name.startswith(asked.rstrip('.') + '.')


def coverage_table(entries, paint):
    def mark(yes):
        return paint.good('yes') if yes else paint.faint('no')
    rows = [('function', 'reverse', 'forward', 'complex form', 'CuPy', 'Numba', 'refused where active')]
    for e in entries:
        marks = [paint.faint('constant')] * 2 if e.constant else [mark(e.reverse), mark(e.forward)]
        rows.append((e.name, *marks, *map(mark, (e.in_complex, e.cupy, e.numba)), ', '.join(e.refused)))
    both = sum(e.reverse and e.forward for e in entries)
    return f'{table(rows)}\n{len(entries)} functions, {both} with both modes, {sum(e.constant for e in entries)} constant'


def derive(options, func, **keywords):
    """The derivative that the options ask for."""
    keywords.update(wrt=options.wrt, optimized=not options.raw)
    with progress.waiting('deriving'):
        if options.mode == 'reverse':
            return grad(func, **keywords)
        return autodiff(func, mode=options.mode, **keywords)


def written(path, text):
    try:
        path.write_text(text, encoding='utf-8')
    except OSError as error:
        raise ArgumentError(f'cannot write {os.fspath(path)}: {error.strerror}') from None
