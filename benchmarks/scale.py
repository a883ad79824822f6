"""Gradients on several workers: what a cluster of Dask's on this machine takes, and what a model says of more than it has.

    python -m benchmarks.scale                 # measures strong and weak scaling with 1 and 2 workers, and calibrates the model
    python -m benchmarks.scale --model         # the model and the simulator alone, with the numbers of `MEASURED`

The model is of one gradient of a sum over partitions: each rank goes through its share of the work, and what its share owes to
the parameters is added up by a binary tree. The simulator plays the messages of each rank and knows no formula.
"""
from __future__ import annotations

import argparse
import heapq
import math
import statistics
import time
from typing import NamedTuple

import numpy as np


class Machine(NamedTuple):
    """What a rank and the way between two ranks are able to do: seconds."""
    task: float             # to start a task
    flop: float             # for an operation on numbers
    latency: float          # of a message
    byte: float             # for each byte of it
    dispatch: float = 0.0   # that the scheduler, of which there is one, needs for each task


# operations, tasks and messages as measured (1.5 ms, 14 ms for 8 MB), rounded up; the scheduler as Dask's documentation has it
MEASURED = Machine(task=2e-3, flop=2.8e-10, latency=4e-3, byte=2.5e-9, dispatch=1e-3)
MPI = Machine(task=0.0, flop=2.5e-10, latency=5e-6, byte=2.5e-10)       # of a usual network; see `scale_mpi`


class Program(NamedTuple):
    """A gradient: operations of all work together, bytes of the parameters (or of the edge of a domain), steps, tape."""
    flops: float
    size: float
    steps: int = 1
    tape: float = 0.0       # bytes that all work together keeps


# The cost model: seconds, bytes that the busiest rank receives, bytes that a rank keeps

def data_parallel(m, p, ranks):
    """A sum over partitions; gradients are added up by a tree."""
    levels = math.ceil(math.log2(ranks)) if ranks > 1 else 0
    started = m.dispatch * ranks                     # one scheduler starts all, the last one then
    seconds = started + m.task + p.flops / ranks * m.flop + levels * (m.latency + p.size * m.byte + m.task)
    return seconds, levels * p.size, p.tape / ranks


def domain_decomposed(m, p, ranks):
    """A stencil in slabs: at every step, there and back, each rank sends its two edges to its neighbours."""
    edges = 2 * 2 * p.steps if ranks > 1 else 0
    return p.flops / ranks * m.flop + edges * (m.latency + p.size * m.byte), edges * p.size, p.tape / ranks


def pipelined(m, p, ranks):
    """Layers on ranks one behind the other, `steps` micro-batches through all of them and back: a bubble at both ends."""
    each = p.flops / ranks / p.steps * m.flop + (m.latency + p.size * m.byte if ranks > 1 else 0)
    return (p.steps + ranks - 1) * each, 2 * p.steps * p.size, p.tape / ranks


# The simulator: each rank's clock, and messages that arrive

def play_data_parallel(m, p, ranks):
    """The clock when the sum is at rank 0."""
    clock = [m.dispatch * (k + 1) * (m.dispatch > 0) + m.task + p.flops / ranks * m.flop for k in range(ranks)]
    step = 1
    while step < ranks:
        for k in range(0, ranks - step, 2 * step):
            arrives = clock[k + step] + m.latency + p.size * m.byte
            clock[k] = max(clock[k], arrives) + m.task
        step *= 2
    return clock[0]


def play_domain_decomposed(m, p, ranks):
    """All ranks' clocks through all steps and back; a rank waits for its neighbours' edges."""
    clock, work = np.zeros(ranks), p.flops / ranks / (2 * p.steps) * m.flop
    for _ in range(2 * p.steps):
        clock += work
        sent = clock + 2 * (m.latency + p.size * m.byte) * (ranks > 1)
        clock = np.maximum(sent, np.maximum(np.append(sent[1:], 0), np.append(0, sent[:-1])))
    return float(clock.max())


def play_pipelined(m, p, ranks):
    """Events in the order of time: a micro-batch reaches a rank, which takes one after the other."""
    work = p.flops / ranks / p.steps * m.flop
    send = m.latency + p.size * m.byte if ranks > 1 else 0.0
    free, events, last = [0.0] * ranks, [(0.0, batch, 0) for batch in range(p.steps)], 0.0
    heapq.heapify(events)
    while events:
        at, batch, rank = heapq.heappop(events)
        done = free[rank] = max(at, free[rank]) + work + send
        last = max(last, done)
        if rank + 1 < ranks:
            heapq.heappush(events, (done, batch, rank + 1))
    return last


KINDS = {'data-parallel': (data_parallel, play_data_parallel), 'domain-decomposed': (domain_decomposed, play_domain_decomposed),
         'pipelined': (pipelined, play_pipelined)}
PROGRAMS = {'data-parallel': Program(flops=4e12, size=8e6, tape=1e12), 'domain-decomposed': Program(4e12, 8e4, 100, 1e12),
            'pipelined': Program(4e12, 8e5, 64, 1e12)}


def table(machine, ranks=(1, 2, 4, 16, 64, 256, 1024, 4096, 10_000)):
    """Rows of (kind, ranks, seconds by the model, by the simulator, efficiency, bytes received, tape of a rank)."""
    for kind, (model, play) in KINDS.items():
        p = PROGRAMS[kind]
        alone = play(machine, p, 1)
        for n in ranks:
            seconds, received, tape = model(machine, p, n)
            played = play(machine, p, n)
            yield kind, n, seconds, played, alone / played / n, received, tape


def show(machine, name):
    print(f'\n{name}: {machine}')
    print(f'{"program":18} {"ranks":>6} {"model s":>10} {"played s":>10} {"efficiency":>10} {"received":>10} {"tape/rank":>10}')
    for kind, n, seconds, played, efficiency, received, tape in table(machine):
        print(f'{kind:18} {n:6} {seconds:10.3g} {played:10.3g} {efficiency:10.1%} {received:10.2g} {tape:10.2g}')


# What is measured here

def partition(seed, rows, columns):
    return np.random.default_rng(seed).normal(size=(rows, columns))


def work(w, x):
    """The loss of one partition."""
    return np.sum(np.tanh(x @ w) ** 2)


def loss(w, parts, client):
    return sum(client.gather(client.map(work, [w] * len(parts), parts, pure=False)))


def timed(f, *args, repeats=3):
    f(*args)
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        f(*args)
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def measure(rows=150_000, columns=50, partitions=8):
    import distributed

    import tangent
    w = np.linspace(-1, 1, columns) / columns
    gradient = tangent.grad(loss)
    print(f'{"":8} {"workers":>8} {"rows":>9} {"loss s":>8} {"gradient s":>11} {"beside one":>11}')
    alone = {}
    for kind in ('strong', 'weak'):
        for workers in (1, 2):
            with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, \
                    distributed.Client(cluster) as client:
                each = rows if kind == 'strong' else rows * workers // 2
                parts = client.map(partition, range(partitions), rows=each, columns=columns)
                seconds = [timed(f, w, parts, client) for f in (loss, gradient)]
                first = alone.setdefault(kind, seconds[1])
                print(f'{kind:8} {workers:8} {each * partitions:9} {seconds[0]:8.3f} {seconds[1]:11.3f} '
                      f'{first / seconds[1]:10.2f}x')
                if kind == 'strong' and workers == 2:
                    calibrate(client)


def calibrate(client):
    """What a task takes, and a message: the best of several, since others may be at work here."""
    import distributed
    one, other = sorted(client.scheduler_info()['workers'])
    tasks, moves = [], []
    for _ in range(5):
        start = time.perf_counter()
        client.gather(client.map(abs, range(100), pure=False))
        tasks.append((time.perf_counter() - start) / 100)
        block = client.submit(np.zeros, 10 ** 6, workers=[one], pure=False)
        distributed.wait(block)
        start = time.perf_counter()
        client.submit(np.size, block, workers=[other], pure=False).result()
        moves.append(time.perf_counter() - start)
    print(f'a task {min(tasks) * 1e3:.2f} ms; 8 MB from one worker to the other and a task there {min(moves) * 1e3:.1f} ms')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--model', action='store_true', help='the model and the simulator alone')
    if not parser.parse_args().model:
        measure()
    show(MEASURED, 'a cluster of Dask, one machine')
    show(MPI, 'a network of MPI ranks, assumed')


if __name__ == '__main__':
    main()
