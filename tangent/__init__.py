"""Automatic differentiation of ordinary Python, by rewriting its source into source that people read.

    >>> import tangent
    >>> df = tangent.grad(f)
    >>> print(tangent.source(df))

Importing this loads a table of names and nothing else; what a name needs is loaded when it is first asked for.
"""
import importlib

from tangent.numba import entry

__version__ = '0.2.0'

# module -> the names that are its; `__init__.pyi`, for type checkers, is written from it by `pytest --update-docs`
_HOMES = {
    'checkpoint.checkpointed': 'checkpointed',
    'checkpoint.report': 'watch_checkpoints',
    'errors': 'ForwardNotImplementedError ReverseNotImplementedError TangentError TangentParseError',
    'func': 'grad_and_value jacfwd jacrev',
    'interfaces.autograd': '''grad_named hessian_tensor_product hessian_vector_product make_ggnvp make_hvp
        make_jvp make_vjp multigrad_dict tensor_jacobian_product vector_jacobian_product''',
    'interfaces.autograd_rules': 'def_linear defjvp defjvp_argnum defvjp defvjp_argnum defvjp_argnums primitive',
    'interfaces.debugging.nans': 'debug_nans',
    'interfaces.debugging.profile': 'profile',
    'interfaces.custom': 'checkpoint custom_jvp custom_vjp hook nest_level remat stop_gradient',
    'interfaces.grad': 'INPUT_DERIVATIVE autodiff elementwise_grad grad grad_and_aux jvp value_and_grad vjp',
    'interfaces.holomorphic': 'holomorphic_grad',
    'interfaces.insert_grad': 'differentiable insert_grad_of tangent trace',
    'interfaces.jacobians.matrices': 'gauss_newton hessian hvp jacobian taylor',
    'interfaces.loops': 'lower',
    'interfaces.solvers.mixed_mode': 'forward_inside',
    'interfaces.tools.check_grads': 'check_grads',
    'interfaces.tools.coverage': 'coverage',
    'interfaces.tools.explain': 'explain',
    'interfaces.tools.export': 'export_source',
    'interfaces.texts': 'source',
    'interfaces.tools.tape_report': 'tape_report',
    'interfaces.tools.viewer.view': 'view',
    'interfaces.trees': 'ravel_pytree tree_map',
    'interfaces.vmap': 'vmap',
    'utils': '''Stack ZeroGrad add_grad array_size astype balanced_eq copy grad_dot init_grad pop pop_stack push push_stack
        register_grad_type shapes_match unbroadcast unreduce unreduce_like''',
    '': 'errors func grads implicit non_differentiable persistent tangents utils',
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
_GOOGLES = {'tangent': 'differentiable'}      # the name it had in google/tangent

__all__ = sorted(_HOME)
importlib.import_module('tangent.checkpoint')       # a room, and the name of a function: loaded once, it leaves the name alone
globals().pop('checkpoint')
entry.watch()


def __getattr__(name):
    """Load what a name needs: its module, and for a function that derives all that registers itself with the engine."""
    if name not in _HOME:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}{_meant(name)}')
    if _HOME[name].startswith(('checkpoint', 'func', 'interfaces')):
        importlib.import_module('tangent.interfaces.registered')
    found = importlib.import_module(f'tangent.{_HOME[name] or name}')
    if _HOME[name]:
        found = globals()[name] = getattr(found, _GOOGLES.get(name, name))
    return found


def _meant(name):
    """What was probably meant by a name that is none of ours."""
    if name.startswith('_'):
        return ''
    find = importlib.import_module('difflib').get_close_matches
    func = importlib.import_module('tangent.func')
    if name in func.__all__ or name in func.ELSEWHERE:
        return f': {func.ELSEWHERE.get(name, f"it is tangent.func.{name}")}'
    close = [n for n in __all__ if len(n) > 3 and name.lower().startswith(n)][-1:] or find(name.lower(), __all__, 1)
    return f': did you mean tangent.{close[0]}?' if close else ''


def __dir__():
    return sorted([*__all__, *(name for name in globals() if name.startswith('__'))])
