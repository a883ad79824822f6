"""Checkpointed loops that are differentiated once more: the whole tape of the first derivative is kept then."""

def forward(steps, primal, wanted, plan, items, *inputs):
    lead = leading(plan, items)
    if len(lead) == 1:
        values, saved = primal(lead[0], *inputs)
    elif len(lead) == 2:
        values, saved = primal(lead[0], lead[1], *inputs)
    else:
        values, saved = primal(lead[0], lead[1], lead[2], *inputs)
    if plan.get('breaks'):
        values = values[:-1]
    return values, saved


def backward(saved, adjoint, gradient):
    return adjoint(gradient, saved)


def leading(plan, items):
    """The arguments that say that all iterations are to be run."""
    if plan.get('ranged'):
        return (int(items.start), int(items.stop), int(items.step))[:plan['ranged']]        # which have no derivative
    return (items if hasattr(items, '__getitem__') and not isinstance(items, dict) else list(items),)
