"""The command `tangent`: derivatives of functions in files and modules, shown, checked, exported, measured.

Enters: words of a command line. Leaves: a text on standard output, a file, an exit code.
May import: what `interfaces` may.
Start with: `main`, then `parser`, which says what there is; `commands` carries it out.

Exit codes: 0 all is well, 1 a check found a difference, or what was asked for is not there, 2 the command cannot be carried
out (the reason is on stderr), 130 it was interrupted.
"""
import os
import sys

from tangent.errors import TangentError
from tangent.interfaces import registered  # noqa: F401
from tangent.interfaces.tools.cli.parser import parser

INTERRUPTED = 130


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
    except KeyboardInterrupt:
        print('tangent: interrupted', file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough, as in `tangent show ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
