"""The names under which `tangent.utils` shows run-time functions, so that texts that are kept name no room of ours.

A name stands for what derivatives by real numbers call; with `_in_complex` or `_nan_safe` behind it for what others call in
its place.
"""
from tangent.emit import library
from tangent.errors import RegistrationError
from tangent.runtime import facts

FORMS = {'': {}, '_in_complex': {'in_complex': True}, '_nan_safe': {'nan_safe': True}}


def function_of(name):
    """The run-time function of a public name, or None."""
    for form, options in FORMS.items():
        if name.endswith(form):
            try:
                found = library.find(name.removesuffix(form), **options)
            except RegistrationError:
                continue
            if facts.is_ours(found):
                return found
    return None


def name_of(function):
    """The public name of a run-time function, or None."""
    name = getattr(function, '__name__', None)
    if not facts.is_ours(function) or name is None:
        return None
    return next((name + form for form in FORMS if function_of(name + form) is function), None)
