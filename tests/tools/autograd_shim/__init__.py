"""The module names of HIPS/autograd over plain NumPy and tangent, so that its users' code and its own tests run here.

    python -m tests.tools.autograd_shim path/to/autograd/tests [options of pytest]

`install()` puts the modules into `sys.modules`: `autograd.numpy` is NumPy itself, `autograd.grad` is `tangent.grad`.
What belongs to autograd's tracer (`isbox`, `vspace` ...) is there as far as it means something without one.
"""
from __future__ import annotations

import builtins
import importlib
import sys
import types

import numpy as np

import tangent
from tangent.runtime import pytree
from tangent.templates.language import registry
from tests.tools.autograd_shim import spaces, testing

DEFAULTS = {'argnum': 0}


def nary(operator):
    """The operator with autograd's signature `(fun, argnum=0, *args)`."""
    def wrapped(fun, argnum=0, **keywords):
        return operator(fun, argnum=argnum, **keywords)
    wrapped.__name__ = operator.__name__
    return wrapped


def deriv(fun, argnum=0):
    """The derivative by a number, of a result of any shape: forward mode."""
    made = tangent.make_jvp(fun, argnum=argnum)
    return lambda *args, **keywords: made(*args, **keywords)(1.0)[1]


def make_vjp_unary(fun, x):
    return tangent.make_vjp(fun)(x)


def make_jvp_unary(fun, x):
    return tangent.make_jvp(fun)(x)


def flatten(value):
    """(all numbers of the value in a row, the function that undoes it)."""
    kind = complex if any(map(np.iscomplexobj, pytree.leaves(value))) else float
    return pytree.flattened(value).astype(kind, copy=False), lambda row: unflattened(value, row)


def unflattened(value, row):
    """The structure and shapes of `value`, with the numbers of `row` in it."""
    at = 0

    def part(leaf):
        nonlocal at
        start, at = at, at + np.size(leaf)
        return np.reshape(row[start:at], np.shape(leaf)) if hasattr(leaf, '__array_function__') else row[start]
    return pytree.mapped(part, value)


def const_graph(unary, *args, **keywords):
    return lambda x: unary(x, *args, **keywords)


def quick_grad_check(fun, arg0, extra_args=(), kwargs=None, verbose=True, eps=1e-4, rtol=1e-4, atol=1e-6, rs=None):
    tangent.check_grads(fun, order=1, modes=['rev'])(arg0, *extra_args, **(kwargs or {}))


def unary_to_nary(operator):
    """autograd's wrapper: an operator on functions of one argument becomes one on functions of several."""
    def nary_operator(fun, argnum=0, *nary_args, **nary_keywords):
        def nary_f(*args, **keywords):
            def unary_f(x):
                if isinstance(argnum, int):
                    return fun(*args[:argnum], x, *args[argnum + 1:], **keywords)
                own = builtins.list(args)
                for k, v in zip(argnum, x):
                    own[k] = v
                return fun(*own, **keywords)
            x = args[argnum] if isinstance(argnum, int) else builtins.tuple(args[k] for k in argnum)
            return operator(unary_f, x, *nary_args, **nary_keywords)
        return nary_f
    return nary_operator


OPERATORS = ('elementwise_grad', 'grad', 'grad_and_aux', 'hessian', 'hessian_tensor_product', 'hessian_vector_product',
             'holomorphic_grad', 'jacobian', 'make_hvp', 'make_jvp', 'make_vjp', 'tensor_jacobian_product', 'value_and_grad',
             'vector_jacobian_product')
BUILTINS = {name: getattr(builtins, name) for name in ('isinstance', 'list', 'dict', 'tuple', 'type')}
RULES = {name: getattr(tangent, name) for name in ('primitive', 'defvjp', 'defvjp_argnum', 'defvjp_argnums', 'defjvp',
                                                   'defjvp_argnum', 'def_linear')}


def modules():
    """Name -> names defined in it; NumPy's and SciPy's modules stand for themselves."""
    operators = {name: nary(getattr(tangent, name)) for name in OPERATORS}
    top = {**operators, **BUILTINS, 'primitive': tangent.primitive, 'deriv': deriv, 'grad_named': tangent.grad_named,
           'multigrad_dict': tangent.multigrad_dict, 'make_ggnvp': tangent.make_ggnvp, 'checkpoint': tangent.checkpoint}
    test_util = {name: getattr(testing, name) for name in testing.__all__}
    core = {'make_vjp': make_vjp_unary, 'make_jvp': make_jvp_unary, 'vspace': spaces.vspace, 'primitive_vjps': registry.REVERSE, **RULES}
    flattening = {'flatten': flatten}
    return {
        'autograd': top,
        'autograd.differential_operators': top,
        'autograd.builtins': BUILTINS,
        'autograd.core': core,
        'autograd.extend': {**RULES, 'vspace': spaces.vspace},
        'autograd.tracer': {**RULES, 'isbox': lambda value: False, 'notrace_primitive': lambda f: f,
                            'getval': lambda value: value},
        'autograd.wrap_util': {'unary_to_nary': unary_to_nary},
        'autograd.util': {'quick_grad_check': quick_grad_check},
        'autograd.test_util': test_util,
        'autograd.misc': {**flattening, 'const_graph': const_graph},
        'autograd.misc.flatten': flattening,
        'autograd.numpy': np,
        'autograd.numpy.random': np.random,
        'autograd.numpy.linalg': np.linalg,
        'autograd.numpy.fft': np.fft,
        **scipy_modules(),
    }


def scipy_modules():
    names = ('', '.special', '.linalg', '.signal', '.integrate', '.stats', '.stats.norm', '.stats.multivariate_normal',
             '.stats.beta', '.stats.gamma', '.stats.t', '.stats.chi2', '.stats.poisson', '.stats.dirichlet')
    found = {}
    for name in names:
        parent, _, last = name.rpartition('.')
        try:
            found[f'autograd.scipy{name}'] = importlib.import_module(f'scipy{name}')
        except ImportError:                # a distribution, which is an attribute of scipy.stats
            found[f'autograd.scipy{name}'] = getattr(importlib.import_module(f'scipy{parent}'), last)
    return found


def install():
    """Put the modules into `sys.modules`, in place of an autograd that is installed."""
    for name in [n for n in sys.modules if n == 'autograd' or n.startswith('autograd.')]:
        del sys.modules[name]
    for name, content in modules().items():
        module = content
        if builtins.isinstance(content, builtins.dict):
            module = types.ModuleType(name)
            module.__dict__.update(content)
            module.__path__ = []
        sys.modules[name] = module
        parent, _, last = name.rpartition('.')
        if hasattr(sys.modules.get(parent), last):         # `flatten` is a function in autograd.misc, and a module
            continue
        if parent and not getattr(sys.modules[parent], '__name__', '').startswith(('numpy', 'scipy')):
            setattr(sys.modules[parent], last, module)
