"""Derivatives are pickled: what is made is found again by its name.

A function is pickled as the name of a module and a name in it. For what the operators make of functions that can be imported
the module is this one, and the name says how it was made:

    <function dlossdw = tangent/grad(models/loss, wrt='w') at 0x7f...>

So a derivative travels to another process as a function and options, and is made there anew. (Dots in the name would be
attributes to `pickle`.)
"""
import ast
import copyreg
import functools
import itertools
import os
import pkgutil
import runpy
import sys
import types
import weakref
from multiprocessing.reduction import ForkingPickler

from tangent import errors

DOT, DOT_OF_PATH = '/', '|'
IS = ' = '                       # before it the name by which errors call the function
FROM = ' of '                    # behind it the script of a function in `__main__`
MANY = ' #'                      # behind it a number, where several have been made alike
_known: weakref.WeakValueDictionary = weakref.WeakValueDictionary()             # name -> what was made last under it


def name_made(made, title, args, keywords):
    """Give what an operator has made the name that says how."""
    if isinstance(made, functools.partial) and hasattr(made.func, 'variants') and isinstance(args[0], functools.partial):
        question, rest = made.func.variants, {k: v for k, v in keywords.items() if k not in ('wrt', 'argnum', 'argnums')}
        rest['wrt' if question.options.bare else 'argnums'] = question.wrt
        return name_made(made.func, title, (args[0].func,), rest) if len(args) < 3 else None
    if isinstance(made, types.MethodType):                 # by a table, as methods have no word in it themselves
        made.__func__.__dict__['made_by'] = title, getattr(args[0], '__name__', '__call__'), args[1:], keywords
        for register in (copyreg.pickle, ForkingPickler.register):
            register(types.MethodType, of_method)
    function = getattr(made, 'py_func', made)
    if not isinstance(function, types.FunctionType) or function.__module__ == __name__:
        return None
    said = text_of(title, args, keywords)
    if said is not None:
        said = f'{function.__name__}{IS}{said}'
        said = next(name for k in itertools.count(1) if _known.get(name := said + (f'{MANY}{k}' if k > 1 else '')) is None)
        function.__module__, function.__qualname__ = __name__, said
        function.__dict__['made_of'] = innermost(args[0])
        _known[said] = made
        if function is not made:
            copyreg.pickle(type(made), of_dispatcher)          # type: ignore[arg-type]
    elif len(args) == 1 and is_being_decorated(args[0]):
        function.__module__, function.__qualname__ = args[0].__module__, args[0].__qualname__
    return None


def innermost(function):
    """The function that a derivative is of in the end, behind a `functools.partial` or a checkpoint."""
    while isinstance(function, functools.partial) or hasattr(type(function), 'maker'):
        function = function.func if isinstance(function, functools.partial) else function.function
    return getattr(getattr(function, 'py_func', function), 'made_of', function)


def is_being_decorated(function):
    """Whether its name denotes nothing yet in its module: what decorates it will stand there."""
    module = sys.modules.get(getattr(function, '__module__', None))
    return isinstance(function, types.FunctionType) and module is not None and '<' not in function.__qualname__ \
        and attribute(module, function.__qualname__) is None


def of_dispatcher(made):
    """What `pickle` keeps of a function that Numba compiles."""
    function = made.py_func
    return (__getattr__, (function.__qualname__,)) if function.__module__ == __name__ else made.__reduce__()


def of_method(made):
    """What `pickle` keeps of a method: its object and its name; of the derivative of one how it was made, too."""
    function = made.__func__
    if not hasattr(function, 'made_by'):
        return made.__reduce__()
    title, name, args, keywords = function.made_by
    if getattr(made.__self__, name, None) is None:
        raise errors.ArgumentTypeError(f'{function.__name__} is the derivative of a method that its object does not have by '
                                       f'the name {name}: pickle that of a function that takes the object')
    return of_object, (title, made.__self__, name, args, keywords)


def of_object(title, thing, name, args, keywords):
    """The derivative of a method of an object."""
    return pkgutil.resolve_name(title)(getattr(thing, name), *args, **keywords)


def text_of(title, args, keywords):
    """The name of what a call makes; None where nobody could make it again."""
    text = call_of(title, args, keywords)
    script = getattr(sys.modules.get('__main__'), '__file__', None)
    if text is None or DOT in text or MANY in text:
        return None
    place = f'{FROM}{os.path.abspath(script)}' if script and '__main__.' in text else ''
    return text.replace('.', DOT) + place.replace('.', DOT_OF_PATH)


def call_of(title, args, keywords):
    """The text of a call that can be read again, None where a function in it cannot be imported or an option is no literal."""
    given = [('', written(a)) for a in args] + [(f'{key}=', written(value)) for key, value in keywords.items()]
    if not args or any(said is None for _, said in given):
        return None
    return f'{title}({", ".join(key + said for key, said in given)})'


def written(value):
    """The text of an argument; None where it has none that can be read again."""
    if isinstance(value, functools.partial):
        return call_of('functools.partial', (value.func, *value.args), value.keywords)
    if callable(value):
        function = getattr(value, 'py_func', value)
        module, name = getattr(function, '__module__', None), getattr(function, '__qualname__', '<')
        if module == __name__:
            return name.partition(IS)[2].partition(MANY)[0].partition(FROM)[0].replace(DOT, '.')
        if '<' not in name and attribute(sys.modules.get(module), name) is value:
            return f'{module}.{name}'
        maker = getattr(type(value), 'maker', None)
        return call_of(maker, (value.function,), {}) if maker else None
    try:
        return repr(value) if ast.literal_eval(repr(value)) == value else None
    except (ValueError, SyntaxError):
        return None


def attribute(thing, path):
    """What stands at a dotted path in a module; None where nothing does."""
    for name in path.split('.'):
        thing = getattr(thing, name, None)
    return thing


def __getattr__(name):
    """What the call made, or makes, that is written in the name."""
    if '(' not in name:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    text, _, script = name.partition(IS)[2].partition(MANY)[0].partition(FROM)
    call, script = ast.parse(text.replace(DOT, '.'), mode='eval').body, script.replace(DOT_OF_PATH, '.')
    known, inner = _known.get(name), call
    while isinstance(inner, ast.Call):
        inner = inner.args[0]
    if known is not None and getattr(known, 'py_func', known).made_of is innermost(value_of(inner, script)):
        return known
    return value_of(call, script)


def value_of(node, script):
    """What a text of `text_of` stands for."""
    if isinstance(node, ast.Call):
        args = [value_of(arg, script) for arg in node.args]
        called = pkgutil.resolve_name(ast.unparse(node.func))
        return called(*args, **{k.arg: value_of(k.value, script) for k in node.keywords})
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return ast.literal_eval(node)
    path = ast.unparse(node)
    if path.startswith('__main__.'):
        return of_script(path.removeprefix('__main__.'), script)
    return pkgutil.resolve_name(path)


def of_script(path, script):
    """A function of the script that was run; in a process that has not run it (joblib's) it is run as a module."""
    found = attribute(sys.modules['__main__'], path)
    if found is None and script:
        found = attribute(types.SimpleNamespace(**run_once(script)), path)
    if found is None:
        raise AttributeError(f'{path} was defined in __main__, and is not there in this process: put it into a module')
    return found


@functools.lru_cache
def run_once(script):
    return runpy.run_path(script, run_name='__mp_main__')
