"""Functions of the coverage table that Numba compiles with their gradients, as `python -m tests.numba.numba_claims` finds them.

COMPILED are those of which a sample and its gradient compile, and the gradient is what it is without Numba; of those in PRIMAL
Numba compiles the function, and not the gradient. Found with Numba 0.68.1.
"""
COMPILED = frozenset([
    '+x', '-x', '.T', '.clip()', '.conj()', '.conjugate()', '.copy()', '.cumprod()', '.cumsum()', '.dot()',
    '.flatten()', '.imag', '.max()', '.mean()', '.min()', '.prod()', '.ravel()', '.real', '.repeat()', '.reshape()',
    '.std()', '.sum()', '.swapaxes()', '.take()', '.trace()', '.transpose()', '.var()', 'abs', 'complex', 'divmod',
    'float', 'math.acos', 'math.acosh', 'math.asin', 'math.asinh', 'math.atan', 'math.atan2', 'math.atanh',
    'math.copysign', 'math.cos', 'math.cosh', 'math.degrees', 'math.erf', 'math.erfc', 'math.exp', 'math.exp2',
    'math.expm1', 'math.fabs', 'math.frexp', 'math.gamma', 'math.hypot', 'math.ldexp', 'math.lgamma', 'math.log',
    'math.log10', 'math.log1p', 'math.log2', 'math.nextafter', 'math.pow', 'math.radians', 'math.sin', 'math.sinh',
    'math.sqrt', 'math.tan', 'math.tanh', 'max', 'min', 'numpy.abs', 'numpy.add', 'numpy.amax', 'numpy.amin',
    'numpy.angle', 'numpy.append', 'numpy.arange', 'numpy.arccos', 'numpy.arccosh', 'numpy.arcsin', 'numpy.arcsinh',
    'numpy.arctan', 'numpy.arctan2', 'numpy.arctanh', 'numpy.array', 'numpy.asarray', 'numpy.asarray_chkfinite',
    'numpy.ascontiguousarray', 'numpy.asfortranarray', 'numpy.atleast_1d', 'numpy.atleast_2d', 'numpy.atleast_3d',
    'numpy.average', 'numpy.bincount', 'numpy.broadcast_arrays', 'numpy.broadcast_to', 'numpy.cbrt', 'numpy.clip',
    'numpy.column_stack', 'numpy.concatenate', 'numpy.conj', 'numpy.convolve', 'numpy.copy', 'numpy.copysign',
    'numpy.corrcoef', 'numpy.correlate', 'numpy.cos', 'numpy.cosh', 'numpy.cov', 'numpy.cross', 'numpy.cumprod',
    'numpy.cumsum', 'numpy.deg2rad', 'numpy.degrees', 'numpy.diag', 'numpy.diagflat', 'numpy.diff', 'numpy.divide',
    'numpy.divmod', 'numpy.dot', 'numpy.dstack', 'numpy.ediff1d', 'numpy.exp', 'numpy.exp2', 'numpy.expand_dims',
    'numpy.expm1', 'numpy.extract', 'numpy.fabs', 'numpy.flip', 'numpy.fliplr', 'numpy.flipud', 'numpy.float32',
    'numpy.float64', 'numpy.float_power', 'numpy.fmax', 'numpy.fmin', 'numpy.fmod', 'numpy.full', 'numpy.full_like',
    'numpy.hstack', 'numpy.hypot', 'numpy.imag', 'numpy.interp', 'numpy.kron', 'numpy.ldexp', 'numpy.linalg.cholesky',
    'numpy.linalg.cond', 'numpy.linalg.det', 'numpy.linalg.eigh', 'numpy.linalg.eigvals', 'numpy.linalg.eigvalsh',
    'numpy.linalg.inv', 'numpy.linalg.lstsq', 'numpy.linalg.matrix_power', 'numpy.linalg.norm', 'numpy.linalg.pinv',
    'numpy.linalg.qr', 'numpy.linalg.slogdet', 'numpy.linalg.solve', 'numpy.linalg.svd', 'numpy.linspace', 'numpy.log',
    'numpy.log10', 'numpy.log1p', 'numpy.log2', 'numpy.logaddexp', 'numpy.logaddexp2', 'numpy.max', 'numpy.maximum',
    'numpy.mean', 'numpy.median', 'numpy.min', 'numpy.minimum', 'numpy.moveaxis', 'numpy.multiply', 'numpy.nan_to_num',
    'numpy.nancumprod', 'numpy.nancumsum', 'numpy.nanmax', 'numpy.nanmean', 'numpy.nanmedian', 'numpy.nanmin',
    'numpy.nanpercentile', 'numpy.nanquantile', 'numpy.nanstd', 'numpy.nansum', 'numpy.nanvar', 'numpy.negative',
    'numpy.nextafter', 'numpy.outer', 'numpy.partition', 'numpy.percentile', 'numpy.positive', 'numpy.power',
    'numpy.prod', 'numpy.ptp', 'numpy.quantile', 'numpy.rad2deg', 'numpy.radians', 'numpy.ravel', 'numpy.real',
    'numpy.reciprocal', 'numpy.remainder', 'numpy.repeat', 'numpy.reshape', 'numpy.resize', 'numpy.roll', 'numpy.rot90',
    'numpy.select', 'numpy.sin', 'numpy.sinc', 'numpy.sinh', 'numpy.sort', 'numpy.sqrt', 'numpy.square', 'numpy.stack',
    'numpy.std', 'numpy.subtract', 'numpy.sum', 'numpy.swapaxes', 'numpy.take', 'numpy.take_along_axis', 'numpy.tan',
    'numpy.tanh', 'numpy.trace', 'numpy.transpose', 'numpy.trapezoid', 'numpy.tril', 'numpy.triu', 'numpy.unwrap',
    'numpy.vander', 'numpy.var', 'numpy.vdot', 'numpy.vstack', 'numpy.where', 'operator.getitem', 'operator.pow', 'pow',
    'sum', 'x % y', 'x * y', 'x ** y', 'x + y', 'x - y', 'x / y', 'x @ y'])

PRIMAL = frozenset([
    '.astype()', '.flat', '.item()', 'enumerate', 'list', 'math.cbrt', 'numpy.array_split', 'numpy.delete',
    'numpy.geomspace', 'numpy.hsplit', 'numpy.insert', 'numpy.intersect1d', 'numpy.kaiser', 'numpy.linalg.eig',
    'numpy.logspace', 'numpy.nanprod', 'numpy.polynomial.polynomial.polyadd', 'numpy.polynomial.polynomial.polydiv',
    'numpy.polynomial.polynomial.polyint', 'numpy.polynomial.polynomial.polymul', 'numpy.polynomial.polynomial.polysub',
    'numpy.roots', 'numpy.setdiff1d', 'numpy.setxor1d', 'numpy.split', 'numpy.trim_zeros', 'numpy.union1d',
    'numpy.unique', 'numpy.vsplit', 'sorted', 'zip'])
