"""The text of what `dataclasses` generates: an `__init__` that is called by name, `super().__init__(a, b)`.

    def __init__(self, a, b=None):
        self.a=a
        self.b=_dflt_b() if b is _HAS_DEFAULT_FACTORY else b
        self.__post_init__()

It says what the generated code does, by the names that this has captured (others since Python 3.12); its defaults are those of
the function.
"""
import ast
import dataclasses
import functools
import inspect
import sys


def text_of(function):
    """The lines of a generated `__init__`; None for any other function."""
    code = function.__code__
    if code.co_filename != '<string>' or code.co_name != '__init__':
        return None
    owner = _class_of(function)
    if not dataclasses.is_dataclass(owner) or vars(owner).get('__init__') is not function:
        return None
    first, *names = _parameters(function)
    fields = dataclasses.fields(owner)
    body = [line for f in fields if (line := _set(f, first, code.co_freevars)) is not None]
    if hasattr(owner, '__post_init__'):
        passed = [n for n, f in owner.__dataclass_fields__.items() if n in names and f not in fields]     # InitVar
        body.append(f'{first}.__post_init__({", ".join(passed)})')
    return [f'def __init__{_head(function)}:\n', *(f'    {line}\n' for line in body or ['pass'])]


def found(function):
    """(the lines, the definition, its ancestors) of a generated `__init__`; None for any other function."""
    lines = text_of(function)
    if lines is None:
        return None
    module = _parsed(''.join(lines))
    return lines, module.body[0], (module,)


@functools.lru_cache(maxsize=256)
def _parsed(text):
    return ast.parse(text)


def _class_of(function):
    found = sys.modules.get(function.__module__)
    for name in function.__qualname__.split('.')[:-1]:
        found = getattr(found, name, None)
    return found if isinstance(found, type) else None


def _parameters(function):
    return list(inspect.signature(function, follow_wrapped=False).parameters)


def _head(function):
    """The parameters, with None for each default."""
    signature = inspect.signature(function, follow_wrapped=False)
    empty = inspect.Parameter.empty
    return str(signature.replace(return_annotation=inspect.Signature.empty, parameters=[
        p.replace(annotation=empty, default=empty if p.default is empty else None) for p in signature.parameters.values()]))


def _set(f, owner, captured):
    """The statement that gives a field its value; None for one that its default in the class serves."""
    unset, default = (next((n for n in captured if n.strip('_').removeprefix('dataclass_') == name), '')
                      for name in ('HAS_DEFAULT_FACTORY', f'dflt_{f.name}'))
    if f.default_factory is not dataclasses.MISSING:
        value = f'{default}() if {f.name} is {unset} else {f.name}' if f.init else f'{default}()'
    elif f.init:
        value = f.name
    else:
        return None
    frozen = '__dataclass_builtins_object__' in captured
    return f'__dataclass_builtins_object__.__setattr__({owner},"{f.name}",{value})' if frozen else f'{owner}.{f.name}={value}'
