"""Functions through which no gradient flows: shapes, comparisons, indices, steps, creation from a shape."""
import bisect
import functools
import logging
import operator
import os.path
import time
import warnings

import numpy

from tangent.templates.language.declare import constant


def all_of(module, names):
    """Those of the functions that this version of the module has."""
    return [getattr(module, name) for name in names.split() if hasattr(module, name)]


# Python

constant(print, len, range, int, bool, str, bytes, repr, format, ascii, chr, ord, hex, oct, bin, isinstance, issubclass,
         id, type, hash, callable, hasattr, all, any, round, open, input, dir, slice, object.__new__, object.__init__,
         list.index, list.count)
constant(time.time, time.perf_counter, time.monotonic, time.sleep, warnings.warn, os.path.join, os.path.exists,
         logging.debug, logging.info, logging.warning, logging.error, logging.getLogger,
         operator.attrgetter, operator.itemgetter, functools.cmp_to_key, bisect.bisect_left, bisect.bisect_right)

# Of a shape, a type, an order: zero wherever it has a derivative

constant(*all_of(numpy, '''shape size ndim ndarray zeros ones empty zeros_like ones_like empty_like eye identity tri indices
    broadcast_shapes result_type promote_types can_cast dtype finfo iinfo isscalar iscomplexobj isrealobj
    issubdtype isdtype argmax argmin nanargmax nanargmin argsort lexsort argpartition argwhere nonzero flatnonzero
    searchsorted digitize count_nonzero unravel_index ravel_multi_index diag_indices diag_indices_from tril_indices
    tril_indices_from triu_indices triu_indices_from mask_indices'''))
constant(*all_of(numpy, 'floor ceil trunc rint round around floor_divide'), elementwise=True, gives='same')
constant(*all_of(numpy, '''signbit equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor
    logical_not isnan isinf isfinite'''), elementwise=True, gives='bool')
constant(*all_of(numpy, '''fix bitwise_and bitwise_or bitwise_xor bitwise_not invert left_shift right_shift isneginf isposinf
    isclose allclose array_equal array_equiv all any iscomplex isreal isin in1d shares_memory may_share_memory'''))
constant(*all_of(numpy, '''bitwise_count gcd lcm spacing iterable isfortran typename min_scalar_type base_repr
    binary_repr common_type einsum_path int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp bool_ seterr geterr errstate
    printoptions set_printoptions array2string array_repr array_str save savez load savetxt loadtxt'''))

# Methods and attributes of arrays

for name in '''argmax argmin argsort all any nonzero searchsorted round tobytes tofile dump dumps'''.split():
    constant(f'x.{name}()')
for name in '''shape ndim size dtype itemsize nbytes flags strides maxlen'''.split():
    constant(f'x.{name}')
