"""Counts and a list: `python -m tests.python_corpus [--only TEXT] [--verbose] [--all]`."""
import argparse
import collections
import sys

from tests.python_corpus.judge import judge
from tests.python_corpus.registry import entries


def main(argv=None):
    parser = argparse.ArgumentParser(prog='python -m tests.python_corpus', description='Every program, judged.')
    parser.add_argument('--only', default='', help='programs whose name or feature holds this text')
    parser.add_argument('--verbose', action='store_true', help='the whole message')
    parser.add_argument('--all', action='store_true', help='list those that are right, too')
    options = parser.parse_args(argv)
    counts = collections.Counter()
    for entry in entries():
        if options.only not in entry.name and options.only not in entry.feature:
            continue
        outcome = judge(entry)
        counts[outcome.kind] += 1
        if outcome.kind != 'right' or options.all:
            why = outcome.why if options.verbose else outcome.why.partition('\n')[0][:150]
            print(f'{outcome.kind:8} {entry.name:44} {entry.feature:28} {why}', flush=True)
    print(', '.join(f'{counts[kind]} {kind}' for kind in ('right', 'wrong', 'refused', 'crashed')))
    return 1 if counts['wrong'] or counts['crashed'] else 0


if __name__ == '__main__':
    sys.exit(main())
