"""Automatic differentiation of ordinary Python, by rewriting its source into source that people read.

    >>> import tangent
    >>> df = tangent.grad(f)
    >>> print(tangent.source(df))
"""
from tangent import (  # noqa: F401
    errors,
    func,
    grads,
    implicit,
    non_differentiable,
    persistent,
    tangents,
    templates,
    utils,
)
from tangent.checkpoint.checkpointed import checkpointed
from tangent.checkpoint.report import watch_checkpoints
from tangent.errors import (
    ForwardNotImplementedError,
    ReverseNotImplementedError,
    TangentError,
    TangentParseError,
)
from tangent.interfaces.autograd import (
    grad_named,
    hessian_tensor_product,
    hessian_vector_product,
    holomorphic_grad,
    make_ggnvp,
    make_hvp,
    make_jvp,
    make_vjp,
    multigrad_dict,
    tensor_jacobian_product,
    vector_jacobian_product,
)
from tangent.interfaces.autograd_rules import (
    def_linear,
    defjvp,
    defjvp_argnum,
    defvjp,
    defvjp_argnum,
    defvjp_argnums,
    primitive,
)
from tangent.interfaces.custom import checkpoint, custom_jvp, custom_vjp, hook, nest_level, remat, stop_gradient
from tangent.interfaces.grad import (
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
from tangent.interfaces.insert_grad import differentiable, insert_grad_of, trace
from tangent.interfaces.jacobians.matrices import gauss_newton, hessian, hvp, jacobian, taylor
from tangent.interfaces.loops import lower
from tangent.interfaces.solvers.mixed_mode import forward_inside
from tangent.interfaces.tools.check_grads import check_grads
from tangent.interfaces.tools.coverage import coverage
from tangent.interfaces.tools.explain import explain
from tangent.interfaces.tools.export import export_source
from tangent.interfaces.tools.tape_report import tape_report
from tangent.numba import options
from tangent.runtime.api import (
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
    register_grad_type,
    shapes_match,
    unbroadcast,
    unreduce,
    unreduce_like,
)
from tangent.runtime.tangents import batched_numpy  # noqa: F401 it registers

tangent = differentiable      # the name it had in google/tangent
options.watch()
__version__ = '0.2.0.dev0'

__all__ = [
    'ForwardNotImplementedError', 'ReverseNotImplementedError', 'Stack', 'TangentError', 'TangentParseError', 'ZeroGrad',
    'INPUT_DERIVATIVE', 'add_grad', 'array_size', 'astype', 'autodiff', 'balanced_eq', 'check_grads', 'checkpoint',
    'checkpointed', 'copy', 'coverage', 'custom_jvp', 'custom_vjp', 'def_linear', 'defjvp', 'defjvp_argnum', 'defvjp',
    'defvjp_argnum', 'defvjp_argnums', 'differentiable', 'elementwise_grad', 'errors', 'explain', 'export_source',
    'forward_inside', 'func', 'gauss_newton', 'grad', 'grad_and_aux', 'grad_dot', 'grad_named', 'grads', 'hessian',
    'hessian_tensor_product', 'hessian_vector_product', 'holomorphic_grad', 'hook', 'hvp', 'implicit', 'init_grad',
    'insert_grad_of', 'jacobian', 'jvp', 'lower', 'make_ggnvp', 'make_hvp', 'make_jvp', 'make_vjp', 'multigrad_dict',
    'nest_level', 'non_differentiable', 'pop', 'pop_stack', 'primitive', 'push', 'push_stack', 'register_grad_type', 'remat',
    'shapes_match', 'source',
    'stop_gradient', 'tangent', 'tangents', 'tape_report', 'taylor', 'tensor_jacobian_product', 'trace', 'unbroadcast',
    'unreduce', 'unreduce_like', 'utils', 'value_and_grad', 'vector_jacobian_product', 'vjp', 'watch_checkpoints',
]
