"""The words of the command line: subcommands and their options, each with examples."""
import argparse
import pathlib
import sys

from tangent.interfaces.tools.cli import commands
from tangent.interfaces.tools.cli.targets import wrt

EPILOG = """\
examples:
  tangent show examples/mlp.py:loss --wrt w1,b1
  tangent check examples/mlp.py:softmax_crossent --at "np.array([0.1, 0.7])" --at "np.array([0.0, 1.0])"
  tangent export examples/mlp.py:loss --wrt w1,b1,w2,b2 -o dloss.py
  tangent view examples/mlp.py:loss --wrt w1 -o loss.html

exit codes:
  0 all is well, 1 a check found a difference, or what was asked for is not there, 2 the command cannot be carried out,
  130 it was interrupted
"""
EXAMPLES = {
    'show': ['show examples/mlp.py:loss --wrt w1,b1', 'show examples/mlp.py:logsumexp --mode forward'],
    'check': ['check examples/mlp.py:softmax_crossent --at "np.array([0.1, 0.7])" --at "np.array([0.0, 1.0])"'],
    'export': ['export examples/mlp.py:loss --wrt w1,b1,w2,b2 -o dloss.py'],
    'view': ['view examples/mlp.py:loss --wrt w1 -o loss.html',
             'view examples/mlp.py:logsumexp --at "np.ones((2, 3))"'],
    'explain': ['explain examples/mlp.py:loss --wrt w1', 'explain examples/mlp.py:loss -o loss.html'],
    'profile': ['profile examples/mlp.py:softmax_crossent --at "np.ones(9)" --at "np.eye(9)[2]"'],
    'coverage': ['coverage', 'coverage numpy.linalg scipy.special.gamma'],
}
AT = ("an argument as a Python expression over the function's module, np and math; once for each argument, or once with a "
      'tuple of all of them')


def parser():
    top = argparse.ArgumentParser(
        prog='tangent', description='Derivatives of Python functions, as Python functions.', epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument('--version', action='version', version=f'tangent {sys.modules["tangent"].__version__}')
    found = top.add_subparsers(title='commands', metavar='COMMAND', required=True)

    show = command(found, 'show', "print a derivative's source", mode=True)
    show.add_argument('--verbose', action='store_true', help='print also what each step of the compiler made of it')

    check = command(found, 'check', 'compare a derivative with finite differences')
    check.add_argument('--at', action='append', required=True, metavar='EXPR', help=AT)
    check.add_argument('--rtol', type=float, default=1e-5, help='largest relative error (default: %(default)s)')

    export = command(found, 'export', 'write a module that runs on its own', mode=True)
    export.add_argument('--standalone', action='store_true', help='write what it needs of tangent into the module')
    export.add_argument('-o', '--output', type=pathlib.Path, metavar='FILE', help='default: standard output')

    view = command(found, 'view', 'the function and its derivative side by side, as a page', mode=True)
    view.add_argument('-o', '--output', type=pathlib.Path, metavar='FILE',
                      help='an HTML file that needs no network (default: a temporary one, shown in a browser)')
    view.add_argument('--at', action='append', metavar='EXPR', help='the text for arguments such as this one: ' + AT)
    view.add_argument('--profile', action='store_true', help='say what each line takes, at the arguments of --at')

    explain = command(found, 'explain', 'line by line: what is active, kept, and dispatched', raw=False)
    explain.add_argument('-o', '--output', type=pathlib.Path, metavar='FILE', help='an HTML file, in place of text')
    explain.add_argument('--at', action='append', metavar='EXPR', help='explain it for arguments such as this one: ' + AT)

    profile = command(found, 'profile', 'time and memory of each line, forward and backward')
    profile.add_argument('--at', action='append', required=True, metavar='EXPR', help=AT)

    coverage = command(found, 'coverage', 'which functions have a derivative', raw=False, target=False)
    coverage.add_argument('names', nargs='*', metavar='NAME', help='show these alone: a function, or how its name begins')
    coverage.add_argument('--markdown', action='store_true', help='the table of the documentation')
    return top


def command(found, name, about, mode=False, raw=True, target=True):
    """A subcommand with the options that most have."""
    lines = '\n'.join(f'  tangent {line}' for line in EXAMPLES[name])
    made = found.add_parser(name, help=about, description=f'{about[0].upper()}{about[1:]}.',
                            epilog=f'example{"s" * (len(EXAMPLES[name]) > 1)}:\n{lines}\n',
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    made.set_defaults(run=getattr(commands, f'run_{name}'), mode='reverse', raw=False)
    if target:
        made.add_argument('target', metavar='TARGET', help='FILE.py:FUNCTION or MODULE:FUNCTION')
        made.add_argument('--wrt', type=wrt, default=(0,), metavar='NAMES',
                          help='arguments to differentiate by, names or positions: w1,b1 or 0,1 (default: the first)')
    if raw:
        made.add_argument('--raw', action='store_true', help='the derivative as generated, without the optimizer')
    if mode:
        made.add_argument('--mode', choices=['reverse', 'forward'], default='reverse')
    made.add_argument('--color', choices=['auto', 'always', 'never'], default='auto',
                      help='colours in what is printed (auto: on a terminal; sources need pygments)')
    return made
