"""Classes of records: what calling them makes is what they are given, under the names of their fields."""
import dataclasses
import keyword

from tangent.frontend.dependencies import remembered
from tangent.runtime.objects import ObjectGrad


def fields_of_named(kind):
    """The fields of a class of namedtuples that does nothing else than hold them; None for any other class."""
    plain = (getattr(kind.__new__, '__module__', None) or '').startswith('namedtuple_') and kind.__init__ is object.__init__
    return getattr(kind, '_fields', None) if plain and type(kind) is type else None


@remembered
def maker_of_gradients(kind, keys):
    """What is called with the fields `keys` to make the gradient that people get of an instance of a class; None where no call
    makes it, as where `__init__` is the user's own."""
    if not all(isinstance(key, str) and key.isidentifier() and not keyword.iskeyword(key) for key in keys):
        return None
    if issubclass(kind, tuple):
        return kind if fields_of_named(kind) == keys else None
    if not dataclasses.is_dataclass(kind):
        return ObjectGrad
    return kind if is_plain_dataclass(kind, keys) else None


def is_plain_dataclass(kind, keys):
    """Whether the `__init__` of a dataclass sets these fields and does nothing else."""
    code = getattr(kind.__init__, '__code__', None)
    wanted = {field.name for field in dataclasses.fields(kind) if field.init}
    made = code is not None and code.co_filename == '<string>' and {*code.co_names} <= {*keys, '__setattr__'}
    return made and wanted == {*keys} and type(kind) is type and kind.__new__ is object.__new__ \
        and (kind.__setattr__ is object.__setattr__ or kind.__dataclass_params__.frozen)
