"""Loops that keep a few states for the backward pass and compute the others again.

    for i in tangent.checkpointed(range(n), budget=20):
        u = step(u, w)

The compiler makes of such a loop a function of its state (see `checkpointed_loops`) and of that a primal and an adjoint. These
are run forward with some states kept, and backward from kept states, in the order that `schedules` gives (see
`checkpointing_loop`).
"""
from tangent.checkpoint import calls
from tangent.checkpoint.iterables import check_sized, unending  # noqa: F401 (for emitted code)
from tangent.checkpoint.run import Loop
from tangent.driver.dispatch.reverse import pullback
from tangent.reverse.custom_calls import Custom
from tangent.runtime.references import checkpointed as substitutes_checkpointed
from tangent.runtime.references.table import SUBSTITUTES
from tangent.runtime.zeros import init_grad
from tangent.templates.language import registry


def checkpointed(iterable, budget=None, storage='memory', tape=None):
    """What a loop runs over, marked: the gradient of the loop keeps a few of its states, and computes the others again.

    Outside of differentiation, and in forward mode, it is what it is given.

    Parameters
    ----------
    iterable : iterable, or any value
        What a `for` loop runs over: a `range`, a sequence, an iterator, `itertools.count()`; the test of a `while` loop.
    budget : int
        How many states are kept at a time. By default twice the number of binary digits of the number of steps.
    storage : str or path
        'memory', 'disk' (a temporary directory), or a directory; files are removed when the gradient is there.
    tape : int
        How many steps are taped at a time. By default as many as make a tape no larger than the states that are kept; at
        least one.

    Returns
    -------
    iterable

    Notes
    -----
    With a known number of steps `n` and `k` states, steps are run again as rarely as is possible, `r n - binomial(k + r, r -
    1)` times in all, where `binomial(k + r, k)` is the first that is not less than `n` (Griewank and Walther, "Algorithm 799:
    Revolve", ACM TOMS 26(1), 2000). With an unknown number (`while`, `break`, iterators) the states to keep are chosen on
    the way (Wang, Moin and Iaccarino, SIAM J. Sci. Comput. 31(4), 2009), and no step is run again more than `r + 1` times.

    Examples
    --------
    >>> def f(x, n):
    ...     for i in checkpointed(range(n), budget=3):
    ...         x = x + 0.1 * numpy.sin(x)
    ...     return x
    """
    return iterable


class Looped:
    """The values behind a loop. `steps` runs some of its iterations; `plan` says how (see :class:`Loop`)."""

    __name__ = 'checkpointed_loop'

    def __call__(self, steps, wanted, plan, items, *inputs):
        loop = Loop(steps, wanted, plan, items, inputs)
        return loop.value(loop.plainly())


checkpointed_loop = Looped()


def checkpointed_forward(steps, primal, wanted, plan, items, *inputs):
    """The values behind a loop, and what is needed to go back through it.

    primal : the primal twin of `steps`; None where it is found now
    wanted : which of the parameters of `steps` get gradients
    """
    loop = Loop(steps, wanted, plan, items, inputs)
    loop.primal = primal or pullback(steps, wanted)
    return loop.forward(), loop


def checkpointed_backward(loop, adjoint, gradient):
    """The gradients of the parameters `wanted`; of everything that the loop took where its twins were found when running.

    adjoint : the adjoint twin of the function of the loop
    """
    found = loop.backward(adjoint, gradient)
    if adjoint is not None:
        return found[0] if len(found) == 1 else found
    given = dict(zip(loop.wanted, found))
    lead = max(loop.ranged, 1)
    inputs = [given[k + lead] if k + lead in given else init_grad(x) for k, x in enumerate(loop.inputs)]
    return None, None, None, given.get(0), *inputs


registry.CUSTOM[checkpointed_loop] = Custom(checkpointed_loop, checkpointed_forward, checkpointed_backward,
                                         write=calls.adjoint_of_loop)


SUBSTITUTES[checkpointed_forward] = substitutes_checkpointed.forward
SUBSTITUTES[checkpointed_backward] = substitutes_checkpointed.backward
