"""The command `tangent`: show a derivative, check it against finite differences, export it as a module.

Exit codes: 0 all is well, 1 a check found a difference, 2 the command cannot be carried out (the reason is on stderr).
"""
from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import math
import os
import pathlib
import sys
import traceback

import numpy

from tangent.errors import ArgumentError, TangentError
from tangent.interfaces import registered  # noqa: F401
from tangent.interfaces.grad import autodiff, grad
from tangent.interfaces.texts import source
from tangent.interfaces.tools import finite_differences
from tangent.interfaces.tools.export import export_source

EPILOG = """\
examples:
  tangent show examples/mlp.py:loss --wrt w1,b1
  tangent check scipy.optimize:rosen --at "np.linspace(-1, 1, 5)"
  tangent export examples/mlp.py:loss --wrt w1,b1,w2,b2 -o dloss.py

exit codes:
  0 all is well, 1 the check found a difference, 2 the command cannot be carried out
"""


def main(argv=None):
    """Run the command line `argv` (by default that of the process) and return the exit code."""
    options = parser().parse_args(argv)
    try:
        code = options.run(options)
        sys.stdout.flush()
        return code
    except TangentError as error:
        print(f'tangent: {error}', file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough, as in `tangent show ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def parser():
    top = argparse.ArgumentParser(
        prog='tangent', description='Derivatives of Python functions, as Python functions.', epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument('--version', action='version', version=f'tangent {sys.modules["tangent"].__version__}')
    commands = top.add_subparsers(title='commands', metavar='COMMAND', required=True)

    derivative = argparse.ArgumentParser(add_help=False)
    derivative.add_argument('target', metavar='TARGET', help='FILE.py:FUNCTION or MODULE:FUNCTION')
    derivative.add_argument('--wrt', type=wrt, default=(0,), metavar='NAMES',
                            help='arguments to differentiate by, names or positions: w1,b1 or 0,1 (default: the first)')
    derivative.add_argument('--raw', action='store_true', help='the derivative as generated, without the optimizer')

    show = commands.add_parser('show', parents=[derivative], help="print a derivative's source",
                               description="Print a derivative's source.")
    show.add_argument('--mode', choices=['reverse', 'forward'], default='reverse')
    show.add_argument('--verbose', action='store_true', help='print also what each step of the compiler made of it')
    show.add_argument('--color', choices=['auto', 'always', 'never'], default='auto',
                      help='highlight the source (auto: on a terminal; needs pygments)')
    show.set_defaults(run=run_show)

    check = commands.add_parser('check', parents=[derivative], help='compare a derivative with finite differences',
                                description='Compare a derivative with central finite differences.')
    check.add_argument('--at', action='append', required=True, metavar='EXPR',
                       help="an argument as a Python expression over the function's module, np and math; once for each "
                            'argument, or once with a tuple of all of them')
    check.add_argument('--rtol', type=float, default=1e-5, help='largest relative error (default: %(default)s)')
    check.set_defaults(run=run_check)

    export = commands.add_parser('export', parents=[derivative], help='write a module that runs on its own',
                                 description='Write a derivative as a module that runs on its own.')
    export.add_argument('--mode', choices=['reverse', 'forward'], default='reverse')
    export.add_argument('-o', '--output', type=pathlib.Path, metavar='FILE', help='default: standard output')
    export.set_defaults(run=run_export)
    return top


def wrt(text):
    """('w1', 2) from 'w1,2'."""
    return tuple(int(part) if part.isdigit() else part for part in (p.strip() for p in text.split(',')) if part)


def run_show(options):
    df = derive(options, load(options.target), verbose=2 if options.verbose else 0)
    text = source(df).rstrip('\n')
    if options.verbose:
        print('# --- emit')
    print(highlight(text) if colorful(options.color) else text)
    return 0


def run_check(options):
    func = load(options.target)
    args = arguments(func, options.at)
    df = grad(func, wrt=options.wrt, optimized=not options.raw)
    positions = finite_differences.positions(func, options.wrt)
    rows = users_code(finite_differences.compare, func, df, args, positions)
    print(table([('argument', 'at', 'derivative', 'difference', 'error', '')]
                + [(r.place, f'{r.checked} of {r.size}', number(r.derivative), number(r.difference), f'{r.error:.1e}',
                    'ok' if r.error <= options.rtol else 'WRONG') for r in rows]))
    return 0 if all(r.error <= options.rtol for r in rows) else 1


def run_export(options):
    text = export_source(derive(options, load(options.target)))
    if options.output is None:
        print(text, end='')
        return 0
    try:
        options.output.write_text(text, encoding='utf-8')
    except OSError as error:
        raise ArgumentError(f'cannot write {options.output}: {error.strerror}') from None
    return 0


def derive(options, func, **keywords):
    """The derivative that the options ask for."""
    keywords.update(wrt=options.wrt, optimized=not options.raw)
    if options.mode == 'reverse':
        return grad(func, **keywords)
    return autodiff(func, mode=options.mode, **keywords)


def load(target):
    """The function that FILE.py:FUNCTION or MODULE:FUNCTION names; FUNCTION may be dotted."""
    place, colon, name = target.rpartition(':')
    if not (place and name):
        raise ArgumentError(f'{target!r}: expected FILE.py:FUNCTION or MODULE:FUNCTION')
    found = load_file(pathlib.Path(place)) if place.endswith('.py') else load_module(place)
    for part in name.split('.'):
        if not hasattr(found, part):
            raise ArgumentError(f'{place} has no function {name!r}')
        found = getattr(found, part)
    return found


def load_file(path):
    """The module of a file, executed as `python FILE` would: modules beside it can be imported."""
    if not path.is_file():
        raise ArgumentError(f'{path}: no such file')
    path = path.resolve()
    other = getattr(sys.modules.get(path.stem), '__file__', str(path)) != str(path)
    name = f'{path.stem}_file' if other else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    sys.modules[name] = module
    users_code(spec.loader.exec_module, module)
    module.__spec__ = None  # as a script has none: an exported module must not import it
    return module


def load_module(name):
    sys.path.insert(0, os.getcwd())
    return users_code(importlib.import_module, name)


def arguments(func, expressions):
    """The values of the expressions of `--at`; one tuple alone is the list of all arguments."""
    names = {'np': numpy, 'numpy': numpy, 'math': math, **vars(inspect.getmodule(func) or math)}
    values = [users_code(eval, f'({text})', names) for text in expressions]
    return values[0] if len(values) == 1 and isinstance(values[0], tuple) else tuple(values)


def users_code(run, *args):
    """`run(*args)`; an exception in the user's code becomes an error that says where it was raised."""
    try:
        return run(*args)
    except TangentError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        message = ''.join(traceback.format_exception_only(error)).rstrip()
        if not isinstance(error, SyntaxError) and last.line and last.filename != '<frozen importlib._bootstrap>':
            message = f'File "{last.filename}", line {last.lineno}, in {last.name}\n    {last.line}\n{message}'
        raise ArgumentError(message.strip()) from None


def colorful(color):
    return color == 'always' or color == 'auto' and sys.stdout.isatty() and 'NO_COLOR' not in os.environ


def highlight(text):
    """The source in colors, if pygments is there."""
    try:
        from pygments import formatters, lexers
        from pygments import highlight as paint
    except ImportError:
        return text
    return paint(text, lexers.PythonLexer(), formatters.TerminalFormatter()).rstrip('\n')


def number(value):
    return f'{value:.6g}'


def table(rows):
    """The rows in columns that line up."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return '\n'.join('  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
