"""Programs that hand calls to a cluster of Dask's, or to `dask.delayed`; workers import them from here."""
import os
import signal
import struct

import dask
import dask.array
import numpy as np
from distributed import as_completed, wait, worker_client


def work(w, x):
    return np.sum(np.tanh(x @ w) ** 2)


def scale(w, s):
    return w * s


def model(p, x):
    return np.sum(np.tanh(x @ p['a']) * p['b'])


def both(w, x):
    return np.sum(w * w), work(w, x)


def submitted(w, xs, client):
    futures = [client.submit(work, w, x) for x in xs]
    return sum(u.result() for u in futures)


def mapped(w, xs, client):
    return sum(client.gather(client.map(work, [w] * len(xs), xs)))


def mapped_by_keyword(w, xs, client):
    total = 0.0
    for u in as_completed(client.map(lambda x, w: np.sum(np.tanh(x @ w) ** 2), xs, w=w)):
        total = total + u.result()
    return total


def chained(w, xs, client):
    u = client.submit(scale, w, 2.0)
    total = client.submit(sum, [client.submit(work, u, x) for x in xs])
    return total.result() * np.sum(w)


def captured(w, xs, client):
    return sum(client.gather([client.submit(lambda x: work(w, x), x) for x in xs]))


def in_a_dict(w, xs, client):
    found = client.gather({k: client.submit(work, w, x) for k, x in enumerate(xs)})
    return sum(found.values())


def prepared(w, xs, client):
    futures = []
    for k, x in enumerate(xs):
        u = w * (k + 1)
        futures.append(client.submit(work, u, x))
    return sum(client.gather(futures))


def of_parameters(w, xs, client):
    p = {'a': w, 'b': w[0] * 2}
    return sum(client.gather([client.submit(model, p, x) for x in xs]))


def with_results(w, xs, client):
    total = 0.0
    for _, value in as_completed(client.map(work, [w] * len(xs), xs), with_results=True):
        total += value * value
    return total


def back_and_forth(w, xs, client):
    y = client.submit(np.sin, w).result()
    futures = client.map(work, [y * k for k in range(len(xs))], xs)
    return sum([u.result() for u in as_completed(futures)])


def scattered(w, xs, client):
    at = client.scatter(w, broadcast=True)
    a, *rest = client.gather(client.map(work, [at] * len(xs), xs))
    return a * sum(rest)


def computed(w, xs):
    return sum(dask.compute(*[dask.delayed(work)(w, x) for x in xs]))


def summed(w, xs):
    return dask.delayed(sum)([dask.delayed(work)(w, x) for x in xs]).compute()


def captured_by_tasks(w, xs):
    """What a delayed function has captured is owed something by each of its tasks: dicts were added."""
    @dask.delayed
    def part(x):
        return np.sum(np.tanh(x @ w))
    return sum(dask.compute(*[part(x) for x in xs]))


def kept_lazy(w, xs):
    return dask.delayed(sum)([dask.delayed(work)(w, x) for x in xs])


def added(w, xs):
    u, total = dask.delayed(scale)(w, 2.0), 0
    for x in xs:
        total = total + dask.delayed(work)(u, x)
    return (total * 0.5).compute()


delayed_work = dask.delayed(work)


def decorated(w, xs):
    return sum([delayed_work(w, x) for x in xs]).compute()


def arithmetic(w, xs):
    a, b = delayed_work(w, xs[0]), delayed_work(w, xs[1])
    return (a * b + a / b - 2.0 * a).compute()


def elements(w, xs):
    pair = dask.delayed(both)(w, xs[0])
    return (pair[0] * pair[1]).compute()


def method(w, xs):
    return (dask.delayed(np.multiply)(w, 3.0).sum() * 2).compute()


def of_a_list(w, xs):
    parts = [dask.delayed(scale)(w, k) for k in (1.0, 2.0, 3.0)]
    return dask.delayed(lambda ps: sum(np.sum(p ** 2) for p in ps))(parts).compute()


def pair(w, x):
    return w * 2, np.sum(np.tanh(x @ w))


class Layer:
    """Holds what has a derivative; so do its methods, and it itself when it is called."""

    def __init__(self, w):
        self.w = w

    def apply(self, x):
        return np.sum(np.tanh(x @ self.w) ** 2)

    def scaled(self, s, x):
        return np.sum(np.tanh(x @ self.w) * s)

    __call__ = apply


def element_of_an_element(w, xs):
    return dask.delayed(pair)(w, xs[0])[0][1].compute()


def slice_then_method(w, xs):
    return dask.delayed(w)[1:].sum().compute() * w[0]


def element_then_method(w, xs):
    return (dask.delayed(pair)(w, xs[0])[0].sum(axis=0) ** 2).compute()


def elements_of_two_kinds(w, xs):
    p = dask.delayed(pair)(w, xs[0])
    return (dask.delayed(np.sum)(p[0]) * p[1] * p[0][2]).compute()


def unpacked(w, xs):
    a, b = dask.delayed(pair, nout=2)(w, xs[0])
    return (dask.delayed(np.sum)(a) * b).compute()


def unpacked_and_computed(w, xs):
    a, b = dask.compute(*dask.delayed(pair, nout=2)(w, xs[0]))
    return np.sum(a) * b


def product_and_size(w, xs):
    return abs(dask.delayed(xs[0]) @ dask.delayed(w)).sum().compute()


def bound_method(w, xs):
    layer = Layer(w)
    return dask.delayed(layer.apply)(xs[0]).compute()


def callable_object(w, xs):
    return dask.delayed(Layer(w * w))(xs[0]).compute()


def method_of_a_delayed_object(w, xs):
    return dask.delayed(lambda m, x: m.apply(x))(dask.delayed(Layer(w)), xs[0]).compute()


def remainder(w, xs):
    return (dask.delayed(w) % 0.35).sum().compute()


def object_as_argument(w, xs):
    return dask.delayed(Layer.apply)(Layer(w), xs[0]).compute()


def written_before(w, xs):
    """What is undone in the backward pass is what it was for the tasks."""
    a, held = np.zeros(3), [w * 0.0]
    a[:] = w
    held[0] = w * 2
    u = dask.delayed(lambda s: np.sin(a * s))(2.0)
    return dask.delayed(lambda a, w, held, u: np.sum(np.sin(a) * w * held[0] * u))(a, w, held, u).compute()


def of_delayed_data(w, xs):
    at = dask.delayed(w)
    return dask.compute([dask.delayed(work)(at, x) for x in xs])[0][2] * 1.0


def by_method(w, xs, client):
    futures = client.map(Layer(w).apply, xs)
    return sum(client.gather(futures)) + client.submit(Layer(w * 2), xs[0]).result() + client.submit(apply, Layer(w), xs[1]).result()


def apply(layer, x):
    return layer.apply(x)


def part_of_a_result(w, xs, client):
    return client.submit(pair, w, xs[0]).result()[0][1] * 2.0


def lazy_data(w, xs, client):
    x = dask.array.from_array(xs[0], chunks=(2, 3))
    return client.compute(np.sin(x @ w).sum()).result() * client.gather(client.compute((x * w[None, :]).sum()))


def persisted(w, xs, client):
    a, = dask.persist(dask.delayed(work)(w, xs[0]))
    return a.compute() * client.persist(dask.delayed(work)(w, xs[1])).compute()


CLUSTER_AND_DELAYED = [by_method, part_of_a_result, lazy_data, persisted]          # with a cluster of their own to compare with
CLUSTER = [submitted, mapped, mapped_by_keyword, chained, captured, in_a_dict, prepared, of_parameters, with_results, back_and_forth,
           scattered]
DELAYED = [computed, summed, kept_lazy, captured_by_tasks, added, decorated, arithmetic, elements, method, of_a_list, of_delayed_data,
           element_of_an_element, slice_then_method, element_then_method, elements_of_two_kinds, unpacked,
           unpacked_and_computed, product_and_size, bound_method, callable_object, method_of_a_delayed_object, remainder,
           object_as_argument, written_before]


def keyed(w, client):
    """A dict whose keys are futures, which are gone through and read."""
    futures = {client.submit(scale, w, k + 1.0): k for k in range(3)}
    total = 0.0
    for u in as_completed(futures):
        total = total + np.sum(u.result()) * futures[u]
    return total


def by_batches(w, client):
    total = 0.0
    for batch in as_completed(client.map(scale, [w, w], [1.0, 2.0])).batches():
        for u in batch:
            total = total + np.sum(u.result())
    return total


def of_what_is_done(w, client):
    done, _ = wait(client.map(scale, [w, w], [1.0, 2.0]))
    return sum([np.sum(u.result()) for u in done])


def optimized(w, client):
    a, = dask.optimize(dask.delayed(np.sum)(w))
    return a.compute()


def asks_for_a_client(w):
    with worker_client() as client:
        return np.sum(client.submit(scale, w, 3.0).result())


def client_in_a_task(w, client):
    return client.submit(asks_for_a_client, w).result()


REFUSED = {keyed: 'keys of dicts', by_batches: 'go through it by `for`', of_what_is_done: r'distributed\.wait',
           optimized: r'dask\.optimize', client_in_a_task: 'client of its own'}


def deadly(w, x, path):
    """As `work`; the process in which it is called the fourth time dies there, once."""
    with open(path, 'a') as log:
        log.write('x')
    if os.path.getsize(path) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return np.sum(np.tanh(x @ w) ** 2)


def with_a_death(w, xs, client, path):
    return sum(client.gather(client.map(deadly, [w] * len(xs), xs, path=path)))


def coded(w):
    return float(struct.pack('d', w)[0])


def product(w, x):
    return np.sum(w * x)


def of_partitions(w, parts, client):
    """A loss that is a sum over partitions, which are on the workers already."""
    return sum(client.gather(client.map(product, [w] * len(parts), parts)))
