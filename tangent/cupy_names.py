"""What CuPy does not have of what NumPy has: functions, and keywords of functions that it has (as of CuPy 14).

The tables are data, so that the coverage table and the tests say the same where CuPy is not installed; where it is, a test
reads the real module and compares.
"""
from __future__ import annotations

LACKING = frozenset('''asmatrix block bmat busday_count busday_offset datetime_as_string datetime_data einsum_path frompyfunc
    fromregex geomspace get_include getbufsize geterr geterrcall histogram_bin_edges info insert is_busday isnat matvec
    nanpercentile nanquantile nested_iters polyder polydiv polyint setbufsize seterr seterrcall show_runtime spacing test
    unstack vecdot vecmat linalg.diagonal linalg.matrix_norm linalg.multi_dot linalg.outer linalg.svdvals linalg.tensordot
    linalg.test linalg.trace linalg.vecdot linalg.vector_norm fft.test'''.split())

KEYWORDS = {name: frozenset(words.split()) for name, words in {
    'all': 'where', 'amax': 'initial where', 'amin': 'initial where', 'any': 'where', 'arange': 'start_or_stop',
    'argpartition': 'kind order', 'argsort': 'order stable', 'array': 'object ndmax', 'array_str': 'a',
    'broadcast_arrays': 'subok', 'broadcast_to': 'subok', 'clip': 'min max kwargs', 'concat': 'arrays',
    'concatenate': 'arrays', 'copy': 'subok', 'corrcoef': 'x', 'count_nonzero': 'keepdims', 'cov': 'm', 'delete': 'obj',
    'ediff1d': 'ary', 'extract': 'arr', 'flip': 'm', 'fliplr': 'm', 'flipud': 'm', 'histogram': 'a', 'indices': 'sparse',
    'intersect1d': 'ar1 ar2', 'isin': 'kind', 'lexsort': 'axis', 'load': 'fix_imports encoding max_header_size',
    'max': 'initial where', 'mean': 'where', 'min': 'initial where', 'nanmax': 'initial where', 'nanmean': 'where',
    'nanmin': 'initial where', 'nanprod': 'initial where', 'nanstd': 'where mean correction', 'nansum': 'initial where',
    'nanvar': 'where mean correction', 'partition': 'kind order', 'percentile': 'weights', 'piecewise': 'args kw',
    'prod': 'initial where', 'quantile': 'weights', 'reshape': 'shape', 'rot90': 'm', 'show_config': 'mode',
    'sort': 'order stable', 'stack': 'arrays', 'std': 'where mean correction', 'sum': 'initial where', 'take': 'mode',
    'take_along_axis': 'arr', 'trim_zeros': 'axis', 'union1d': 'ar1 ar2', 'unique': 'sorted', 'unpackbits': 'count',
    'unravel_index': 'shape', 'var': 'where mean correction', 'linalg.cholesky': 'upper', 'linalg.matmul': 'x1 x2',
    'linalg.matrix_power': 'a', 'linalg.matrix_rank': 'A hermitian rtol', 'linalg.matrix_transpose': 'x',
    'linalg.pinv': 'hermitian rtol', 'linalg.svd': 'hermitian'}.items()}

METHODS_LACKING = frozenset('byteswap getfield resize setfield setflags to_device newbyteorder'.split())
