"""The rule tables. Importing this package fills the registry of `templates.language`."""
from tangent.templates.python import operators, mathematics  # noqa: F401,I001
from tangent.templates.numpy import elementwise, reductions, shapes, algebra  # noqa: F401,I001
from tangent.templates.python import containers  # noqa: F401,I001
from tangent.templates.derivatives import runtime  # noqa: F401,I001
from tangent.templates.numpy import constants  # noqa: F401,I001
from tangent.templates.derivatives import complexes  # noqa: F401,I001
from tangent.templates.numpy import fourier, polynomials, masked  # noqa: F401,I001
from tangent.templates.python import persistent  # noqa: F401,I001
from tangent.templates.numpy import ufuncs  # noqa: F401,I001
from tangent.templates.derivatives import second, series, nan_safe  # noqa: F401,I001
