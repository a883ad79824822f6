"""Dask's data frames: `map_partitions` with a function of the part, and its sum (see `functions.parallel.bags`).

The frames are data: what they are given in a function that has a derivative, pandas' numbers, has none.
"""
import dask.dataframe
from dask.dataframe.dask_expr._collection import FrameBase

from tangent.runtime.functions.parallel import bags, tasks
from tangent.templates.language.registry import DISPATCHED

MIXED_IN = 'compute persist visualize'.split()

for kind in (dask.dataframe.DataFrame, dask.dataframe.Series, dask.dataframe.Index):
    bags.register(kind)
tasks.register(dask.dataframe.dask_expr._collection.Scalar)
for name, function in list(vars(FrameBase).items()):
    pull = bags.method(name) if name == 'map_partitions' else bags.total(name, bags.OF_FRAMES) if name in bags.OF_FRAMES else \
        bags.of_data(f'FrameBase.{name}')
    if not name.startswith('_') and callable(function) and name not in MIXED_IN:
        DISPATCHED[function] = pull, tasks.refused(f'{name} of a data frame')[1]
DISPATCHED[dask.dataframe.map_partitions] = tasks.refused('dask.dataframe.map_partitions')
