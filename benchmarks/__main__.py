"""`python -m benchmarks [mlp] [scalars] [deriving] [treelstm] [calling] [checkpointing] [lattice] [stencils] [matrices] ...`"""
import argparse

from benchmarks import calling, checkpointing, deriving, gpu, lattice, matrices, mlp, scalars, stencils, treelstm
from benchmarks.readability import report as readability
from benchmarks.tools import peers


def threads(others, **more):
    """Needs Numba, of whose loops its programs are made."""
    if peers.present(['numba']):
        from benchmarks import threads as programs
        yield from programs.run(others, **more)


ALL = {'mlp': mlp.run, 'scalars': scalars.run, 'deriving': deriving.run, 'treelstm': treelstm.run,
       'calling': calling.run, 'checkpointing': checkpointing.run, 'lattice': lattice.run,
       'stencils': stencils.run, 'matrices': matrices.run, 'threads': threads, 'gpu': gpu.run,
       'readability': readability.run}


def main(argv=None):
    parser = argparse.ArgumentParser(prog='python -m benchmarks', description='Ratios, measured in one run on one thread.')
    parser.add_argument('names', nargs='*', metavar='name', help=f'which ones: {", ".join(ALL)} (all)')
    parser.add_argument('--repeats', type=int, help='how many turns each program gets')
    parser.add_argument('--without', nargs='+', default=[], choices=peers.NAMES, help='libraries not to compare with')
    options = parser.parse_args(argv)
    for name in options.names:
        if name not in ALL:
            parser.error(f'{name!r} is none of {", ".join(ALL)}')
    others = peers.present([name for name in peers.NAMES if name not in options.without])
    for name in options.names or ALL:
        more = {'repeats': options.repeats} if options.repeats else {}
        for row in ALL[name](others, **more):
            print(row, flush=True)


if __name__ == '__main__':
    main()
