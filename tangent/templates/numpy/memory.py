"""What functions of NumPy and of Python make, hand on and write into: facts beside their derivatives (see `runtime.facts`)."""
from tangent.runtime.facts import note

ANY = tuple(range(32))          # of any number of arguments

# New arrays and numbers, which share nothing with what they are made from

note('''arange argmax argmin argsort bool cholesky cross cumprod cumsum dot eye float identity inner int inv kron len
    linspace matmul max mean min norm outer prod range shape size solve std str sum tensordot trace tril triu var
    vdot''', fresh=True)
note('zeros ones empty full', fresh=True, fills=True)
note('zeros_like ones_like empty_like full_like', fresh=True, like=0, casts=True, shape_of=0)
note('copy', fresh=True, like=0, copies=True)
note('einsum', fresh_of=3)                                     # of one array it may be a view
note('array', copies=True)
note('arange linspace', rank=1)
note('eye identity', rank=2)
note('''array asarray asanyarray ascontiguousarray copy zeros ones empty full zeros_like ones_like empty_like full_like eye
    arange linspace diag outer concatenate stack hstack vstack dstack column_stack tile repeat reshape ravel roll dot matmul
    cross solve inv''', numeric=True)
note('shape ndim len size', shape_of=0)
note('print range len', harmless=True)

# The first argument, or a part of it, whatever the others are

note('''reshape transpose broadcast_to swapaxes moveaxis rollaxis squeeze expand_dims ravel diagonal asarray asanyarray
    ascontiguousarray real split array_split hsplit vsplit dsplit flip fliplr flipud rot90 sliding_window_view as_strided astype
    conj conjugate''', view=0)
note('atleast_1d atleast_2d atleast_3d', view=ANY)

# What is written into, and where what is written stands

note('copyto(dst, src, casting, where)', writes='dst', values='src')
note('fill_diagonal(a, val, wrap)', writes='a', values='val')
note('put(a, ind, v, mode)', writes='a', values='v')
note('place(arr, mask, vals)', writes='arr', values='vals')
note('putmask(a, mask, values)', writes='a', values='values')
note('at(a, indices, b)', writes='a', values='b')
note('put_along_axis(arr, indices, values, axis)', writes='arr', values='values')
note('shuffle(x)', writes='x')
note('insort_left insort_right(a, x)', writes='a')
note('__setattr__(instance, name, value)', writes='instance', values='value')
note('setattr setitem heapify heappush heappop heappushpop heapreplace', writes=0)

# The place of `out`, for those that take it without its name

note('''dot matmul outer max min amax amin nanmax nanmin ptp median nanmedian argmax argmin all any round around concatenate
    choose''', out=2)
note('''clip cumsum cumprod nancumsum nancumprod sum prod mean std var nansum nanprod nanmean nanstd nanvar take compress
    quantile percentile nanquantile nanpercentile''', out=3)
note('trace', out=5)

# Values that are sequences: lists and tuples of arrays and numbers

note('''numpy.split numpy.array_split numpy.hsplit numpy.vsplit numpy.dsplit numpy.unstack numpy.meshgrid numpy.broadcast_arrays
    numpy.gradient numpy.modf numpy.frexp numpy.divmod numpy.histogram numpy.ix_ numpy.unique_all numpy.unique_counts
    numpy.unique_inverse numpy.polydiv numpy.linalg.slogdet numpy.linalg.lstsq numpy.linalg.eig numpy.linalg.eigh
    numpy.linalg.svd numpy.linalg.qr scipy.linalg.lu scipy.linalg.cho_factor scipy.linalg.lu_factor scipy.optimize.minimize
    scipy.optimize.minimize_scalar scipy.optimize.least_squares scipy.optimize.root cmath.polar scipy.integrate.quad''',
     sequence=True)

# Python's own functions that take tangents in several directions as they are

note('zip enumerate reversed list tuple dict sum iter next getattr setattr hasattr isinstance len type', directions=True)
