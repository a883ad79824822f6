"""`python -m benchmarks.readability [names] [--repeats N] [--write docs]`: what people read, beside what they would write.

Statements, expressions, names and calls of helpers in the text of each derivative, and the time it takes, beside an adjoint
written by hand. With `--write` the table goes to that folder.
"""
import argparse
import datetime
import pathlib

from benchmarks.readability import report
from benchmarks.tools import pages, tables


def main(argv=None):
    known = report.programs()
    parser = argparse.ArgumentParser(prog='python -m benchmarks.readability', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='*', metavar='name', help=f'which ones: {", ".join(known)} (all)')
    parser.add_argument('--repeats', type=int, default=7, help='how many turns each program gets')
    parser.add_argument('--write', type=pathlib.Path, help='a folder for the table')
    options = parser.parse_args(argv)
    for name in options.names:
        if name not in known:
            parser.error(f'{name!r} is none of {", ".join(known)}')
    found = list(report.measured(options.names, options.repeats))
    lines = [*tables.lines(report.HEAD, [line.cells() for line in found]), '',
             *(f'* {what}: {value:.2f}' for what, value in report.means(found))]
    print('\n'.join(lines))
    if options.write:
        pages.write(options.write, 'readability', 'python -m benchmarks.readability --write docs', lines, datetime.date.today(),
                    picture=False)


if __name__ == '__main__':
    main()
