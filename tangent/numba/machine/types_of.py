"""What Numba finds out about the variables of a function."""
import inspect

import numba
from numba.core import compiler, ir, types
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import NopythonTypeInference


@register_pass(mutates_CFG=False, analysis_only=True)
class Told(AnalysisPass):
    """Ends a compilation when the types are known; these are its result."""
    _name = 'tangent_told'

    def __init__(self):
        AnalysisPass.__init__(self)

    def run_pass(self, state):
        raise compiler._EarlyPipelineCompletion((state.typemap, state.calltypes))


class Inference(compiler.CompilerBase):
    """Numba's compiler as far as the types of variables."""

    def define_pipelines(self):
        manager = PassManager('nopython')
        manager.passes.extend(compiler.DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        manager.add_pass(NopythonTypeInference, 'nopython frontend')
        manager.add_pass(Told, 'types are known')
        manager.finalize()
        return [manager]


def facts(function, args):
    """What the variables of a function, and of those that it calls, hold for these types of arguments.

    Gives, for each code object, name -> 'int', 'number', how many axes an array has, or a compiled function; a name that
    holds different things is left out.
    """
    found: dict = {}
    collect(function, tuple(args), found, set())
    return {code: {name: kind for name, kind in names.items() if kind is not None} for code, names in found.items()}


def collect(function, args, found, seen):
    plain = getattr(function, 'py_func', function)
    if (plain.__code__, args) in seen:
        return
    seen.add((plain.__code__, args))
    flags = compiler.Flags()
    flags.nrt, flags.auto_parallel = True, compiler.cpu.ParallelOptions(False)
    typemap, calls = compiler.compile_extra(cpu_target.typing_context, cpu_target.target_context, plain, args, None, flags,
                                            {}, pipeline_class=Inference)
    names = found.setdefault(plain.__code__, {})
    for variable, t in typemap.items():
        name, dot, version = variable.partition('.')
        if name.isidentifier() and (not dot or version.isdigit()):
            names[name] = joined(names.get(name, kind(t)), kind(t))
    for expr, signature in calls.items():
        if not isinstance(expr, ir.Expr) or expr.op != 'call':
            continue
        callee = typemap.get(expr.func.name)
        callee = getattr(callee, 'dispatcher', getattr(getattr(callee, 'dispatcher_type', None), 'dispatcher', None))
        if callee is not None and hasattr(callee, 'py_func'):
            collect(callee, signature.args, found, seen)


def kind(t):
    if isinstance(t, types.Integer):
        return 'int'
    if isinstance(t, (types.Number, types.Boolean)):
        return 'number'
    if isinstance(t, types.Dispatcher):
        return t.dispatcher
    return t.ndim if isinstance(t, types.Array) else None


def joined(one, other):
    """What a variable holds that holds one of two things."""
    if one == other:
        return one
    return 'number' if {one, other} == {'int', 'number'} else None


def of_values(function, args):
    """The types of all arguments of a function that is called with these."""
    bound = inspect.signature(function).bind(*args)
    bound.apply_defaults()
    return tuple(numba.typeof(value) for value in bound.arguments.values())
