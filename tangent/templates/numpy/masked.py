"""Masked arrays: no rules. Their functions are refused by name, before anybody reads their source."""
import numpy

from tangent import errors
from tangent.templates.language.registry import FORWARD, REVERSE, Rule


def refused(name):
    """A rule that refuses every call."""
    def prepare(args, keywords):
        raise errors.ArgumentError(f'{name}: masked arrays have no derivative rules; use numpy.where with the mask, or where=')
    rule = Rule(name, 'general', ('y', ('data',), {}, None, None))
    rule.prepare = prepare
    return rule


for _name in numpy.ma.__all__:
    _function = getattr(numpy.ma, _name)
    if callable(_function) and str(getattr(_function, '__module__', '')).startswith('numpy.ma'):
        try:
            REVERSE[_function] = FORWARD[_function] = refused(f'numpy.ma.{_name}')
        except TypeError:                      # what cannot be hashed
            continue
