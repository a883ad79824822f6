"""Dask's bags: which of their methods are followed, and by what (see `functions.parallel.bags`)."""
import dask.bag

from tangent.runtime.functions.parallel import bags, tasks
from tangent.templates.language.registry import DISPATCHED

FOLLOWED = 'map map_partitions starmap filter remove pluck'.split()
FACTS = 'count any all'.split()
MIXED_IN = 'compute persist visualize'.split()

bags.register(dask.bag.Bag, bags.of_list)
tasks.register(dask.bag.Item)
for name, function in list(vars(dask.bag.Bag).items()):
    pull = bags.method(name) if name in FOLLOWED else bags.total(name, bags.TOTALS) if name in bags.TOTALS else \
        bags.pull_flatten if name == 'flatten' else bags.fact(name) if name in FACTS else bags.of_data(f'Bag.{name}')
    if not name.startswith('_') and callable(function) and name not in MIXED_IN:
        DISPATCHED[function] = pull, tasks.refused(f'Bag.{name}')[1]
for name in ('from_sequence', 'from_delayed', 'map', 'map_partitions', 'zip', 'concat'):
    DISPATCHED[getattr(dask.bag, name)] = tasks.refused(f'dask.bag.{name}')
