"""The one solver for facts that flow along a control-flow graph."""
import heapq
from collections.abc import Callable
from typing import Any, NamedTuple


class Analysis(NamedTuple):
    """forward : with the program or against it; start : the value that a join begins from
    join : of the values of the neighbours that come before; step : (node, value before it) -> value after it
    """
    forward: bool
    start: Any
    join: Callable
    step: Callable


def solve(analysis, graph):
    """(before, after): the value on each side of each node, as the flow meets them (`before` a node is after its
    neighbours; in a backward analysis `before` is what holds at the end of the statement)."""
    count = len(graph.nodes)
    sources, sinks = (graph.pred, graph.succ) if analysis.forward else (graph.succ, graph.pred)
    before, after = [analysis.start] * count, [None] * count
    order = 1 if analysis.forward else -1
    queue = sorted(order * index for index in range(count))
    waiting = [True] * count
    while queue:
        index = order * heapq.heappop(queue)
        waiting[index] = False
        value = analysis.start
        for source in sources[index]:
            if after[source] is not None:
                value = analysis.join(value, after[source])
        before[index], old = value, after[index]
        after[index] = analysis.step(graph.nodes[index], value)
        if after[index] != old:
            for sink in sinks[index]:
                if not waiting[sink]:
                    waiting[sink] = True
                    heapq.heappush(queue, order * sink)
    return before, after


def closure(start, graph):
    """Everything that can be reached from the names of `start`."""
    reached, pending = set(start), list(start)
    while pending:
        for name in graph.get(pending.pop(), ()):
            if name not in reached:
                reached.add(name)
                pending.append(name)
    return reached
