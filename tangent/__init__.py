"""Automatic differentiation of ordinary Python, by rewriting its source into source that people read.

    >>> import tangent
    >>> df = tangent.grad(f)
    >>> print(tangent.source(df))
"""
from tangent import compiled, errors, grads, non_differentiable, tangents, templates, utils  # noqa: F401
from tangent.custom import checkpoint, custom_jvp, custom_vjp, hook, nest_level, remat, stop_gradient
from tangent.errors import (
    ForwardNotImplementedError,
    ReverseNotImplementedError,
    TangentError,
    TangentParseError,
)
from tangent.export import export_source
from tangent.grad_util import (
    INPUT_DERIVATIVE,
    autodiff,
    elementwise_grad,
    grad,
    grad_and_aux,
    jvp,
    source,
    value_and_grad,
    vjp,
)
from tangent.surgery import differentiable, insert_grad_of, trace
from tangent.utils import (
    Stack,
    ZeroGrad,
    add_grad,
    array_size,
    astype,
    balanced_eq,
    copy,
    grad_dot,
    init_grad,
    pop,
    pop_stack,
    push,
    push_stack,
    shapes_match,
    unbroadcast,
    unreduce,
    unreduce_like,
)

tangent = differentiable      # the name it had in google/tangent
compiled.watch()
__version__ = '0.2.0.dev0'

__all__ = [
    'INPUT_DERIVATIVE', 'ForwardNotImplementedError', 'ReverseNotImplementedError', 'Stack', 'TangentError',
    'TangentParseError', 'ZeroGrad', 'add_grad', 'array_size', 'astype', 'autodiff', 'balanced_eq', 'checkpoint', 'copy',
    'custom_jvp', 'custom_vjp',
    'differentiable', 'elementwise_grad', 'errors', 'export_source', 'grad', 'grad_and_aux', 'grad_dot', 'grads', 'hook', 'init_grad', 'insert_grad_of', 'jvp',
    'nest_level', 'non_differentiable', 'pop', 'pop_stack', 'push', 'push_stack', 'remat', 'shapes_match', 'source', 'stop_gradient', 'tangent', 'tangents',
    'trace', 'unbroadcast', 'unreduce', 'unreduce_like', 'utils', 'value_and_grad', 'vjp',
]
