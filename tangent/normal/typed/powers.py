"""Powers of floats are taken for floats, and asked whether they are: that of a number below 0 may be complex.

    def f(x, p):                           def f(x, p):
        return 2.0 * x ** p       ->           return 2.0 * float(x ** p)

That is done in texts for known kinds, of functions that may be run again from the beginning: where `float` refuses what it is
given, the text for all arguments is called, which takes nothing for granted.
"""
import inspect
import types

import gast

from tangent.analysis.effects import Effects, source_of
from tangent.analysis.kinds.infer import Inference
from tangent.analysis.kinds.program import is_followed
from tangent.analysis.kinds.records import fields_of_named
from tangent.analysis.kinds.values import FLOAT
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.nested import NestedSource
from tangent.frontend.resolve import UNKNOWN, Resolver, resolver_of
from tangent.frontend.source import original, unwrap
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

ENOUGH = 200                     # functions that are looked at
SEEN = (gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom, gast.Await, gast.With, gast.ClassDef)
SETTINGS = 'set', 'save', 'print'                    # how names of NumPy's functions begin that do more than give a value
METHODS = mutations.names(lambda m: True).union(dir(str), dir(list), dir(dict))


def asked(source, given, program):
    """The Source with a look at each power, and at each value of a function, that is a float unless a power is complex.

    given : parameter -> kind
    """
    resolver = Resolver(source, None, getattr(source, 'visible', {}))
    if not program.checks or resolver.name('float') is not float:
        return source
    found = Inference(source.tree, dict(given), resolver, program.presuming)
    presumed = {id(n) for n in found.presumed if found.of(n) == FLOAT}

    def change(node):
        new = tree.with_children(node, change)
        return gast.copy_location(tree.call('float', new), node) if id(node) in presumed else new
    return NestedSource.rewritten(source, tree.replace(source.tree, body=list(map(change, source.tree.body)))) \
        if presumed else source


def may_be_run_again(function):
    """Whether a function raises to powers, and nobody sees how often it has been run: all that it does is to give a value."""
    function, raises = unwrap(original(function))[0], False
    pending, known = [function], {function}
    if any(callable(cell.cell_contents) for cell in function.__closure__ or () if is_filled(cell)):
        return False                               # of which another closure may have another
    try:
        while pending:
            source = source_of(pending.pop())
            resolver = resolver_of(source)
            if len(known) > ENOUGH or any(isinstance(n, SEEN) or isinstance(n, gast.Call) and not is_quiet(n, resolver)
                                          for n in source.nodes):
                return False
            raises = raises or any(isinstance(n, gast.BinOp) and isinstance(n.op, gast.Pow) for n in source.nodes)
            named = {thing for n in source.nodes if isinstance(n, (gast.Name, gast.Attribute)) and tree.dotted(n)
                     for thing in [resolver(n)] if isinstance(thing, types.FunctionType) and is_followed(thing)}
            pending += named - known
            known |= named
    except TangentError:
        return False
    return raises and not Effects().acts(function)


def is_filled(cell):
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def is_quiet(call, resolver):
    """Whether all that the call of what is not the user's does is to give a value."""
    called = resolver(call.func)
    if called is UNKNOWN:
        method = isinstance(call.func, gast.Attribute)
        return method and (registry.method(call.func.attr) is not None or call.func.attr in METHODS)
    if isinstance(called, types.FunctionType) and is_followed(called):
        return not inspect.isgeneratorfunction(called)
    if isinstance(called, type) and issubclass(called, BaseException):
        return not any(isinstance(made, types.FunctionType) for made in (called.__init__, called.__new__))
    if isinstance(called, type) and fields_of_named(called) is not None:
        return True
    named = getattr(called, '__name__', '')
    return registry.is_pure(called) and not (facts.is_numpy(called) and named.startswith(SETTINGS)) \
        and not any(k.arg == 'out' for k in call.keywords)
