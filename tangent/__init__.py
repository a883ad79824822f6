"""Automatic differentiation of ordinary Python, by rewriting its source into source that people read.

    >>> import tangent
    >>> df = tangent.grad(f)
    >>> print(tangent.source(df))
"""
from tangent import errors, templates  # noqa: F401  (the rule tables fill their registries)
from tangent.grad_util import INPUT_DERIVATIVE, autodiff, grad, source, value_and_grad, vjp

__all__ = ['INPUT_DERIVATIVE', 'autodiff', 'errors', 'grad', 'source', 'value_and_grad', 'vjp']
