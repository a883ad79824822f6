"""The optimizer: a list of passes from function to function, run to a fixed point.

Enters: what reverse or forward mode has written: right, with every tape operation and no care for beauty.
Leaves: the text a person would have written: formulas, few names, a tape only where it is needed.
May import: `normal`, `analysis` and what stands before them.
Start with: any pass: its docstring begins with a program before and after. `rewrite` has the tools for changed copies.

Each pass is one function on a page of its own, and returns the very same record where there is nothing to do, so that a fixed
point is `new is old`. Facts come from `analysis.dataflow`.
"""
from tangent.analysis.dataflow import effects, statements
from tangent.optimize.expressions.breaks import breaks
from tangent.optimize.expressions.cheap import cheap
from tangent.optimize.expressions.coalesce import coalesce
from tangent.optimize.expressions.constants import constants, forget
from tangent.optimize.expressions.copies import copies
from tangent.optimize.expressions.cse import cse
from tangent.optimize.expressions.dead import dead
from tangent.optimize.expressions.flags import flags
from tangent.optimize.expressions.fold import fold
from tangent.optimize.expressions.hoist import hoist
from tangent.optimize.expressions.owned import owned
from tangent.optimize.expressions.sink import sink
from tangent.optimize.expressions.spread import spread
from tangent.optimize.expressions.stores import stores
from tangent.optimize.kinds.displays import displays
from tangent.optimize.kinds.elements import elements
from tangent.optimize.kinds.endings import endings
from tangent.optimize.kinds.known import known
from tangent.optimize.kinds.lasting import lasting
from tangent.optimize.kinds.walks import walks
from tangent.optimize.kinds.words import words
from tangent.optimize.tape.counts import counts
from tangent.optimize.tape.independent import independent
from tangent.optimize.tape.kept_tests import kept_tests
from tangent.optimize.tape.one_path import one_path
from tangent.optimize.tape.operands import operands
from tangent.optimize.tape.recompute import recompute
from tangent.optimize.tape.restores import restores
from tangent.optimize.tape.tape import tape
from tangent.optimize.tape.versions import versions


def shorter(func):
    """Where kinds are known, what stands once since nobody asks for its shape any longer goes into the formula, too, and signs
    to where they cost nothing."""
    return constants(cheap(fold(dead(func), wide=True))) if func.known is not None else func


ROUNDS = 4
FIRST = [known, displays, versions, owned, dead, restores]
REPEATED = [copies, constants, cse, copies, recompute, dead]
FINAL = [operands, recompute, dead, hoist, stores, cheap, fold, stores, spread, words, constants, flags, fold, words, shorter,
         dead, sink, lasting, tape, coalesce, one_path, independent, kept_tests, breaks, counts, dead, elements, walks, endings]


def optimize(func, log=None):
    """The function with the same results and effects, as short and readable as the passes can make it.

    Parameters
    ----------
    func : tree.Func
    log : callable, optional
        Called as `log(pass_name, func)` after each pass that changed something.
    """
    idle = {}
    try:
        func = run(FIRST, func, log, idle)
        for _ in range(ROUNDS):
            before = func
            func = run(REPEATED, func, log, idle)
            if func is before:
                break
        return run(FINAL, func, log, idle)
    finally:
        forget()
        statements.forget()
        effects.forget()


def run(passes, func, log, idle):
    """The function after each of the passes in turn; `idle` (pass -> the last function it found nothing to do in) spares
    the passes that have seen it already."""
    for step in passes:
        if idle.get(step) is func:
            continue
        new = step(func)
        if new is func:
            idle[step] = func
        if log and new is not func:
            log(step.__name__, new)
        func = new
    return func
