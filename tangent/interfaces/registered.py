"""All that registers itself: what differentiates the library's own functions again, and serves several directions in one call.

A derivative finds these by tables that their modules fill. Whoever lets users derive imports this, once.
"""
from tangent.checkpoint import checkpointed  # noqa: F401
from tangent.driver import second_order  # noqa: F401
from tangent.eventlog.shadow import operators  # noqa: F401
from tangent.interfaces.jacobians import matrices  # noqa: F401
from tangent.interfaces.solvers import implicit, integrals, mixed_mode, ode  # noqa: F401
from tangent.numba import entry
from tangent.runtime.tangents import batched_numpy  # noqa: F401

entry.ready()
