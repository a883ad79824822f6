"""Which functions of `dask.delayed` and of `distributed` are followed, and by what (see `functions.parallel.tasks`)."""
import sys

import dask
from dask.base import DaskMethodsMixin
from dask.delayed import Delayed, DelayedAttr, DelayedLeaf

from tangent.runtime import facts
from tangent.runtime.functions.parallel import tasks
from tangent.templates.language.registry import DISPATCHED


def declare(function, name):
    DISPATCHED[function] = getattr(tasks, f'pull_{name}'), getattr(tasks, f'push_{name}', tasks.refused(name)[1])


def of_delayed():
    for kind in (Delayed, DelayedLeaf, DelayedAttr):
        tasks.register(kind)
    declare(Delayed.__call__, 'call')
    declare(DelayedLeaf.__call__, 'call')
    declare(DelayedAttr.__call__, 'method')
    facts.IN_TABLES[id(dask.delayed)] = dask.delayed            # a function with arguments, which is equal to others by these
    declare(dask.delayed, 'delayed')
    declare(dask.compute, 'compute')
    declare(dask.persist, 'persist_all')
    DISPATCHED[dask.optimize] = tasks.refused('dask.optimize')
    declare(DaskMethodsMixin.compute, 'computed')
    declare(DaskMethodsMixin.persist, 'persist')


def of_distributed():
    distributed = sys.modules['distributed']
    client, future = distributed.Client, distributed.Future
    tasks.register(future)
    for name in ('submit', 'map', 'gather', 'scatter'):
        declare(getattr(client, name), name)
    declare(client.compute, 'client_compute')
    declare(client.persist, 'client_persist')
    DISPATCHED[client.get] = tasks.refused('client.get')
    declare(distributed.wait, 'wait')
    for name in ('worker_client', 'fire_and_forget'):
        DISPATCHED[getattr(distributed, name)] = tasks.refused(name)
    declare(future.result, 'result')
    declare(future.release, 'release')
    DISPATCHED[future.cancel] = tasks.refused('Future.cancel')
    declare(distributed.as_completed, 'completed')
