"""Tasks and queues, as in the Zygote papers: programs that run in parallel, and whose adjoints run in parallel in reverse.

    python examples/papers/tasks.py
"""
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import tangent


def column_energy(column, w):
    return np.sum(np.tanh(w * column) ** 2)


def total_energy(columns, w):
    """Work mapped over threads."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        return sum(pool.map(lambda column: column_energy(column, w), columns))


def submitted(x, y):
    """Two tasks, one of which needs the other's result."""
    with ThreadPoolExecutor() as pool:
        first = pool.submit(np.sin, x)
        second = pool.submit(lambda a: a * y, first.result())
        return second.result() * first.result()


def pipeline(xs, w):
    """A producer and a consumer with a queue between them."""
    channel = queue.Queue()
    total = [0.0]

    def produce():
        for x in xs:
            channel.put(w * x)
        channel.put(None)

    def consume():
        while (item := channel.get()) is not None:
            total[0] = total[0] + item ** 2

    threads = [threading.Thread(target=produce), threading.Thread(target=consume)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return total[0]


if __name__ == '__main__':
    columns = np.random.RandomState(0).randn(4, 1000)
    print('mapped:', tangent.grad(total_energy, wrt=1)(list(columns), 0.7))
    print('submitted:', tangent.grad(submitted, wrt=(0, 1))(0.3, 2.0))
    print('pipeline:', tangent.grad(pipeline, wrt=(0, 1))([1.0, 2.0], 0.5))
