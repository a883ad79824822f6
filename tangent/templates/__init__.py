"""What is known of functions: the rules of their derivatives, declared a line each.

Enters: declarations, ours and the user's, in the language of `templates.language.declare`.
Leaves: a registry that says of a function object, a method's or an operator's name which rule it has; the rule makes trees.
May import: `frontend` for trees, `runtime` for what texts of rules call, `persistent`. A declaration never sees a program.
Start with: `language.declare`, whose docstring is the grammar; then `numpy.elementwise`, which is nothing but lines of it.

Importing this package declares all rules but those of optional libraries, which are declared once their library is there:
so no rule of ours comes after one that a user has registered.
"""
from tangent.templates.python import operators, mathematics  # noqa: F401,I001
from tangent.templates.numpy import elementwise, reductions, shapes, algebra  # noqa: F401,I001
from tangent.templates.python import containers, functions  # noqa: F401,I001
from tangent.templates.derivatives import runtime  # noqa: F401,I001
from tangent.templates.numpy import constants  # noqa: F401,I001
from tangent.templates.derivatives import complexes  # noqa: F401,I001
from tangent.templates.numpy import fourier, polynomials, masked  # noqa: F401,I001
from tangent.templates.python import persistent  # noqa: F401,I001
from tangent.templates.numpy import ufuncs  # noqa: F401,I001
from tangent.templates.derivatives import second, series, nan_safe  # noqa: F401,I001
from tangent.templates.numpy import memory  # noqa: F401,I001
from tangent.templates.derivatives import helpers  # noqa: F401,I001
