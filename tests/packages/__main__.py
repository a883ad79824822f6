"""A line for each function of the packages that are installed: status in each mode, form of the text, times."""
import collections
import statistics
import sys

import tests.packages.judged as judged
from tests.packages.registry import cases


def main(names):
    rows = []
    for case in cases():
        if not names or {case.package, case.field, case.name} & set(names):
            try:
                rows.append((case, judged.judge(case)))
            except Exception as error:                # the function itself
                print(f'{case.package:18} {case.name:34} cannot be called: {type(error).__name__}: {error}', flush=True)
                continue
            show(*rows[-1])
    if rows:
        summary(rows)
    return any(status in ('WRONG', 'raw') for _, found in rows for status in found.status.values())


def show(case, found):
    statuses = ' '.join(f'{found.status.get(mode, "-"):7}' for mode in judged.MODES)
    print(f'{case.package:18} {case.name:34} {statuses} {"log" if found.log else "   "} {found.ratio:6.1f}x {found.deriving:5.2f} s')
    for mode, why in found.why.items():
        if why:
            print(f'    {mode}: ' + '\n        '.join(why.strip().splitlines()[:6]))
    sys.stdout.flush()


def summary(rows):
    print(f'\n{len({case.package for case, _ in rows})} packages, {len({case.field for case, _ in rows})} fields, {len(rows)} functions')
    for mode in judged.MODES:
        counts = collections.Counter(found.status.get(mode, '-') for _, found in rows)
        print(f'{mode:8} ' + ', '.join(f'{counts[s]} {s}' for s in ('right', 'WRONG', 'raw', 'refused', 'slow', '-')))
    ratios = [found.ratio for _, found in rows if found.ratio == found.ratio]
    times = [found.deriving for _, found in rows if found.deriving == found.deriving]
    if ratios:
        print(f'gradient/function: median {statistics.median(ratios):.1f}, largest {max(ratios):.1f}; deriving: median '
              f'{statistics.median(times):.2f} s, largest {max(times):.2f} s; in the log form: {sum(f.log for _, f in rows)}')


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
