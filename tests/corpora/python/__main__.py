"""Counts and a list: `python -m tests.corpora.python [--only TEXT] [--mix r f rr fr rf ff ...] [--verbose] [--all]`."""
import argparse
import collections
import sys

from tests.tools.judge import judge, judge_mixes
from tests.tools.registry import entries

EVERY = 'f rr fr rf ff'.split()


def main(argv=None):
    parser = argparse.ArgumentParser(prog='python -m tests.corpora.python', description='Every program, judged.')
    parser.add_argument('--only', default='', help='programs whose name or feature holds this text; several by commas')
    parser.add_argument('--mix', nargs='*', metavar='LETTERS',
                        help='derivatives of any order, the outermost mode first: `rf` is reverse over forward mode; without '
                             f'letters {", ".join(EVERY)}; by default gradients, in full')
    parser.add_argument('--verbose', action='store_true', help='the whole message')
    parser.add_argument('--all', action='store_true', help='list those that are right, too')
    options = parser.parse_args(argv)
    mixes = ['r'] if options.mix is None else options.mix or EVERY
    counts = {mix: collections.Counter() for mix in mixes}
    for entry in entries():
        if not any(text in entry.name or text in entry.feature for text in options.only.split(',')):
            continue
        outcomes = {'r': judge(entry)} if options.mix is None else judge_mixes(entry, mixes)
        for mix, outcome in outcomes.items():
            counts[mix][outcome.kind] += 1
            if outcome.kind != 'right' or options.all:
                why = outcome.why if options.verbose else outcome.why.partition('\n')[0][:150]
                print(f'{outcome.kind:8} {mix:3} {entry.name:44} {entry.feature:28} {why}', flush=True)
    for mix, found in counts.items():
        print(f'{mix}: ' + ', '.join(f'{found[kind]} {kind}' for kind in ('right', 'wrong', 'refused', 'crashed')))
    return 1 if any(found['wrong'] or found['crashed'] for found in counts.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
