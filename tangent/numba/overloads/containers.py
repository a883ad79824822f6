"""Gradients of lists and dicts of Numba's own kind, typed, inside Numba-compiled code: they are such lists and dicts, too."""
from numba.core import types
from numba.core.errors import TypingError
from numba.np.numpy_support import from_dtype
from numba.typed import Dict, List

from tangent.numba.overloads.core import add_to_item, gradient_dtype, is_array, is_number, stands_for
from tangent.numba.overloads.optional import overload
from tangent.runtime.api import add_at, add_grad, astype, copy, init_grad


def gradient_type(t):
    """The type of the gradient of a value of this type."""
    if is_array(t):
        return types.Array(from_dtype(gradient_dtype(t)), t.ndim, 'C')
    if is_number(t):
        return from_dtype(gradient_dtype(t))
    if isinstance(t, types.ListType):
        return types.ListType(gradient_type(t.item_type))
    if isinstance(t, types.DictType):
        return types.DictType(t.key_type, gradient_type(t.value_type))
    raise TypingError(f'gradients of lists and dicts of {t} are not supported')


@overload(init_grad)
def _init_grad(obj, allow_lazy_initializer=False):
    if isinstance(obj, types.DictType):
        key, value = obj.key_type, gradient_type(obj.value_type)

        def of_dict(obj, allow_lazy_initializer=False):
            found = Dict.empty(key, value)
            for k in obj:
                found[k] = init_grad(obj[k])
            return found
        return of_dict
    if isinstance(obj, types.ListType):
        item = gradient_type(obj.item_type)

        def of_list(obj, allow_lazy_initializer=False):
            found = List.empty_list(item)
            for v in obj:
                found.append(init_grad(v))
            return found
        return of_list
    return None


stands_for(add_at, add_to_item, complex_too=True,
           when=lambda bx, index, v: isinstance(bx, (types.DictType, types.ListType)))


@overload(copy)
def _copy(x):
    if isinstance(x, types.DictType):
        key, value = x.key_type, x.value_type

        def of_dict(x):
            found = Dict.empty(key, value)
            for k in x:
                found[k] = copy(x[k])
            return found
        return of_dict
    if isinstance(x, types.ListType):
        item = x.item_type

        def of_list(x):
            found = List.empty_list(item)
            for v in x:
                found.append(copy(v))
            return found
        return of_list
    return None


@overload(add_grad)
def _add_grad(left, right):
    if isinstance(left, types.DictType) and isinstance(right, types.DictType):
        def of_dicts(left, right):
            found = copy(left)
            for k in right:
                found[k] = add_grad(found[k], right[k]) if k in found else copy(right[k])
            return found
        return of_dicts
    if isinstance(left, types.ListType) and isinstance(right, types.ListType):
        def of_lists(left, right):
            found = copy(left)
            for k in range(len(right)):
                found[k] = add_grad(found[k], right[k])
            return found
        return of_lists
    return None


@overload(astype)
def _astype(b, x):
    if isinstance(x, types.DictType) and isinstance(b, types.DictType):
        def of_dicts(b, x):
            found = init_grad(x)
            for k in x:
                if k in b:
                    found[k] = astype(b[k], x[k])
            return found
        return of_dicts
    if isinstance(x, types.ListType) and isinstance(b, (types.List, types.ListType)):
        def of_lists(b, x):
            found = init_grad(x)
            for k in range(len(x)):
                found[k] = astype(b[k], x[k])
            return found
        return of_lists
    return None
