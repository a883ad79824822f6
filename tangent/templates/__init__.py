"""The rule tables. Importing this package fills the registries of `tangent.rules`."""
from tangent.templates import operators, mathematics, elementwise, reductions, shapes, algebra, containers  # noqa: F401,I001
from tangent.templates import runtime, constants, complexes, fourier, polynomials, masked, persistent, ufuncs, second, series  # noqa: F401,I001
from tangent.templates import nan_safe  # noqa: F401,I001
