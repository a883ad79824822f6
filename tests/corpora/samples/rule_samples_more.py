"""Calls that exercise the rules with the rarer keywords, and those of the rarer functions; see `rule_samples`."""

QUANTILES = '''linear hazen weibull median_unbiased normal_unbiased interpolated_inverted_cdf lower higher nearest midpoint
    inverted_cdf closest_observation'''.split()
REDUCTIONS = '''
numpy.sum(M, initial=s); numpy.sum(M, axis=0, where=W); numpy.sum(M, axis=1, keepdims=True, initial=2.0, where=W); M.sum(where=W)
numpy.mean(M, where=W); numpy.mean(T, axis=1, where=T > -1.5); numpy.prod(M, where=W); numpy.prod(Z, axis=0, where=W)
numpy.prod(M, initial=3.0); numpy.prod(M, axis=1, initial=s); numpy.max(M, axis=1, initial=s); numpy.nanmin(M, initial=s); numpy.prod(M, axis=1, keepdims=True, initial=2.5); numpy.max(M, initial=0.1); numpy.max(M, axis=0, initial=-9)
numpy.min(M, axis=1, initial=9.0, where=W); numpy.max(M, keepdims=True, initial=5.0); numpy.var(M, where=W); numpy.var(M, correction=1)
numpy.var(T, axis=1, where=T > -1.5, keepdims=True); numpy.var(M, mean=0.3); numpy.std(M, correction=1); numpy.std(T, axis=(0, 1), where=T > -1.5)
numpy.var(M, axis=0, mean=numpy.ones((1, 3)), keepdims=True); numpy.std(M, axis=1, where=W[:, :1] | True, ddof=1)
numpy.nansum(M, where=W, initial=2.0); numpy.nanmean(M, where=W); numpy.nanmean(T, axis=0, where=T > -1.5); numpy.nanprod(M); numpy.nanprod(Z, axis=1)
numpy.nanprod(M, axis=0, initial=2.0); numpy.nanmax(M, initial=0.1, where=W); numpy.nanmin(T, axis=1, initial=9.0); numpy.nanvar(M, where=W)
numpy.nanvar(M, correction=1); numpy.nanstd(T, axis=(0, 2), where=T > -1.5); numpy.nanstd(M, correction=1); numpy.nanvar(M, mean=0.2)
numpy.average(M, axis=1, weights=p, keepdims=True); numpy.average(M, keepdims=True); numpy.average(M, weights=P, keepdims=True)
numpy.cumulative_sum(v); numpy.cumulative_sum(M, axis=1, include_initial=True); numpy.cumulative_prod(v, include_initial=True)
numpy.cumulative_prod(M, axis=0); numpy.nancumsum(M); numpy.nancumsum(T, axis=1); numpy.nancumprod(M, axis=1); numpy.nancumprod(M)
numpy.maximum.accumulate(M, 1); numpy.maximum.accumulate(T); numpy.minimum.accumulate(v); numpy.fmax.accumulate(M); numpy.fmin.accumulate(M, 1)
numpy.logaddexp.accumulate(M, 1); numpy.logaddexp.accumulate(v)
numpy.quantile(v, 0.3); numpy.quantile(T, 0.3, axis=1); numpy.quantile(T, [0.1, 0.77, 0.5], axis=(0, 2)); numpy.quantile(M, s)
numpy.quantile(T, [0.2, 0.9], axis=1, keepdims=True); numpy.percentile(M, 37.0); numpy.percentile(M, [10, 40], axis=0); numpy.percentile(v, r)
numpy.nanquantile(M, 0.4); numpy.nanquantile(T, s, axis=2); numpy.nanpercentile(T, [20.0, 60.0], axis=(0, 1)); numpy.nanmedian(M)
numpy.nanmedian(T, axis=1, keepdims=True); numpy.nanmedian(T, axis=(0, 1)); numpy.quantile(v, 1.0); numpy.quantile(M, 0.0, axis=1)
numpy.quantile(a4, 0.6, method="inverted_cdf", weights=numpy.array([1.0, 2, 1, 0.5]))
numpy.quantile(M, [0.3, 0.6], axis=1, method="inverted_cdf", weights=numpy.ones((2, 3)))
numpy.cov(M); numpy.cov(v, w); numpy.cov(M, M2, rowvar=False); numpy.cov(M, bias=True); numpy.cov(v); numpy.cov(N, ddof=0)
numpy.cov(M, fweights=numpy.array([1, 2, 1])); numpy.cov(N, a4); numpy.cov(M, aweights=numpy.array([1, 2, 0.5]))
numpy.histogram([0.5, 2.0, 3.5, 9.0], [0, 1, 3, 4], weights=a4)
numpy.histogram([0.5, 2.0, 3.5, 2.5], [0, 1, 3, 4], weights=a4, density=True); numpy.bincount(idx, v); numpy.bincount(idx, weights=w, minlength=5)
'''.replace('\n', ';').split(';')
REDUCTIONS += [f'numpy.quantile(T, 0.37, axis=1, method="{m}")' for m in QUANTILES]
REDUCTIONS += [f'numpy.quantile(a4, s, method="{m}")' for m in QUANTILES]
REDUCTIONS += [f'numpy.nanquantile(M, [0.2, 0.8], method="{m}")' for m in QUANTILES]

ARRAYS = '''
numpy.sort(M, stable=True); numpy.partition(a5, 2); numpy.partition(T, 1, axis=1); numpy.partition(M, 2, axis=None); numpy.unique(M)
numpy.sort_complex(v)
numpy.take(v, [0, 5, -1], mode="wrap"); numpy.take(M, [0, 5, -1], axis=1, mode="clip"); numpy.choose(idx % 2, [v, w]); numpy.choose([1, 0, 1], M)
numpy.choose([0, 3, 1], [v, s], mode="wrap"); M.compress([True, False, True], axis=1); numpy.compress([True, False], M, axis=0)
numpy.insert(v, 1, s); numpy.insert(v, [1, 3], [s, r]); numpy.insert(M, 1, v, axis=0); numpy.insert(M, [0, 2], C, axis=1); numpy.insert(M, 2, s)
numpy.insert(M, 1, s, axis=1); numpy.block([[S, S], [v, v]]); numpy.block([v, s]); numpy.block([[M, C], [M2, C]]); numpy.block([M])
numpy.resize(v, (2, 4)); numpy.resize(M, 4); numpy.broadcast_arrays(M, v, s); numpy.meshgrid(v, a4, sparse=True)
numpy.meshgrid(v, a4, w, indexing="ij", sparse=True, copy=False)
numpy.diff(v, prepend=s); numpy.diff(M, append=C); numpy.diff(M, 2, axis=0, prepend=s, append=r); numpy.ediff1d(v, to_end=[s, r])
numpy.ediff1d(M, to_begin=s, to_end=v); numpy.gradient(v); numpy.gradient(T); numpy.gradient(M, 0.5); numpy.gradient(T, axis=1)
numpy.gradient(a5, numpy.array([0, 0.5, 2, 3, 7.0]), edge_order=2); numpy.gradient(T, 2.0, [0, 0.5, 2, 3], axis=(1, 2), edge_order=1); numpy.gradient(a4, edge_order=2)
numpy.gradient(a2); numpy.gradient(S, numpy.array([0.0, 0.5, 2.0]), 1.0, edge_order=2); numpy.unwrap(v, period=1.7); numpy.unwrap(M, axis=0)
numpy.interp(p, grid, a4, left=s); numpy.interp(a5, grid, a4, left=s, right=r); numpy.interp(p, g4, a4); numpy.interp(r, g4, a4)
numpy.interp(a5, grid, a4, period=5.0)
numpy.correlate(a5, v); numpy.correlate(a5, v, "same"); numpy.correlate(a5, v, "full"); numpy.correlate(v, a5); numpy.correlate(v, a5, "same")
numpy.correlate(v, a5, mode="full"); numpy.correlate(a4, v, "same"); numpy.correlate(v, a4, "same"); numpy.correlate(a5, a4, "same")
numpy.linspace(s, r, 5, dtype=float); numpy.logspace(s, r, 4); numpy.logspace(v, 1.5, 3, base=2.0); numpy.geomspace(s, r, 5)
numpy.geomspace(p, g, 4, endpoint=False); numpy.asarray_chkfinite(M); numpy.require(M); numpy.pad(v, 2, constant_values=s)
numpy.pad(M, 1, constant_values=(s, r)); numpy.pad(M, ((1, 2), (2, 1)), constant_values=((s, 1.0), (n, r))); numpy.pad(v, (2, 3), "linear_ramp")
numpy.pad(M, ((1, 2), (3, 1)), "linear_ramp", end_values=((s, r), (n, 1.0))); numpy.pad(M, 2, "linear_ramp", end_values=s)
numpy.pad(M, ((1, 2), (2, 1)), "maximum"); numpy.pad(T, 1, "minimum", stat_length=2); numpy.pad(M, (2, 1), "mean"); numpy.pad(T, 1, "median")
numpy.pad(M, 2, "mean", stat_length=((1, 2), (3, 1))); numpy.pad(a5, 2, "median", stat_length=4); numpy.pad(M, 1, "reflect", reflect_type="odd")
numpy.pad(a5, (3, 2), "symmetric", reflect_type="odd"); numpy.pad(M, (3, 4), "symmetric"); numpy.pad(M, ((0, 3), (5, 0)), "wrap")
numpy.pad(M, ((2, 0), (0, 3)), "edge")
'''.replace('\n', ';').split(';')

MORE = REDUCTIONS + ARRAYS

ALGEBRA = '''
numpy.cross(S, B, axis=1); numpy.cross(S, v, axisa=0, axisc=0); numpy.cross(B, S, axisa=1, axisb=0); numpy.linalg.cross(S, v, axis=-1)
numpy.linalg.cross(B, B, axis=1); numpy.vecdot(T, T, axis=1); numpy.linalg.vecdot(M, v); numpy.matvec(B, v); numpy.matvec(S, B)
numpy.vecmat(v, B); numpy.vecmat(M, N); numpy.linalg.matmul(M, N); numpy.linalg.tensordot(M, N, axes=1); numpy.linalg.trace(B, offset=1)
numpy.linalg.diagonal(B, offset=-1); numpy.linalg.matrix_transpose(B); numpy.linalg.vector_norm(M); numpy.linalg.vector_norm(T, axis=(0, 2))
numpy.linalg.vector_norm(T, axis=1, ord=1, keepdims=True); numpy.linalg.vector_norm(M, ord=numpy.inf); numpy.linalg.vector_norm(M, ord=3, axis=0)
numpy.linalg.vector_norm(M, ord=0); numpy.linalg.vector_norm(v, ord=-1); numpy.linalg.vector_norm(v, ord=-numpy.inf); numpy.linalg.norm(v, 0)
numpy.linalg.matrix_norm(T); numpy.linalg.matrix_norm(M, ord="nuc"); numpy.linalg.matrix_norm(B, ord=2, keepdims=True)
numpy.linalg.matrix_norm(B, ord=-2); numpy.linalg.matrix_norm(B, ord=1); numpy.linalg.matrix_norm(B, ord=-numpy.inf)
numpy.linalg.cond(S); numpy.linalg.cond(B); numpy.linalg.cond(S, -2); numpy.linalg.cond(S, 1); numpy.linalg.cond(S, "fro"); numpy.linalg.cond(S, "nuc")
numpy.linalg.cond(S, numpy.inf); numpy.linalg.cond(M); numpy.linalg.eigvals(spd); numpy.linalg.eig(spd); numpy.linalg.svd(M, False); numpy.linalg.svd(B)
numpy.linalg.svd(N, full_matrices=False); numpy.linalg.svd(N4, full_matrices=False); idx.choose([v, w, v]); numpy.linalg.svd(N, compute_uv=False); numpy.linalg.svdvals(B)
numpy.linalg.qr(N); numpy.linalg.qr(S); numpy.linalg.qr(B, "r"); numpy.linalg.qr(G); numpy.linalg.qr(S, mode="complete")
numpy.linalg.qr(N4); numpy.linalg.pinv(M); numpy.linalg.pinv(B); numpy.linalg.pinv(N, rcond=1e-9)
numpy.linalg.lstsq(S, v, rcond=None); numpy.linalg.lstsq(G4, a4, rcond=None); numpy.linalg.lstsq(G4, N4, rcond=None); numpy.linalg.lstsq(M, a2, rcond=None)
numpy.linalg.multi_dot([M, N, a4]); numpy.linalg.multi_dot([v, N, a4]); numpy.linalg.multi_dot([a2, M, N]); numpy.linalg.multi_dot([M, S, S, N])
numpy.einsum(M, [0, 1], N, [1, 2], [0, 2]); numpy.einsum(M, [0, 1], v, [1]); numpy.einsum(T, [..., 2], a4, [2], [...]); numpy.einsum(S, [0, 0])
numpy.einsum(T, [0, ...], optimize=True); numpy.einsum("i...->...", T); numpy.einsum("iij->j", B3); numpy.einsum("ij,jk,kl->il", M, S, N, optimize="greedy")
numpy.linalg.cond(S, 2); numpy.fft.fftshift(T); numpy.fft.ifftshift(T, axes=1); numpy.fft.fftshift(v, axes=0)
'''.replace('\n', ';').split(';')
MORE += ALGEBRA

OTHERS = '''
numpy.polyval(v, w); numpy.polyval(v, M); numpy.polyval(v, s); numpy.polyval(c1, s); numpy.polyadd(v, a5); numpy.polysub(v, a5); numpy.polysub(a4, v)
numpy.polymul(v, a4); numpy.polymul(a4, v); numpy.polyder(a5); numpy.polyder(a5, 2); numpy.polyint(v); numpy.polyint(v, 3); numpy.poly(v)
numpy.roots(q4)
numpy.modf(v); numpy.frexp(v); numpy.divmod(v, w); numpy.divmod(M, v); numpy.nextafter(v, w); math.modf(s); math.frexp(r); math.nextafter(s, r)
numpy.emath.sqrt(p); numpy.emath.log(p); numpy.emath.log2(p); numpy.emath.log10(p); numpy.emath.logn(g, p); numpy.emath.power(p, v)
numpy.emath.arcsin(u); numpy.emath.arccos(u); numpy.emath.arctanh(u)
'''.replace('\n', ';').split(';')
MORE += OTHERS
MORE += ['numpy.fft.fftfreq(5, s)', 'numpy.fft.rfftfreq(6, d=s)']

# Functions that are differentiated through others in their place, without a rule of their own
REFERENCES = '''
numpy.corrcoef(N); numpy.corrcoef(a4, N); numpy.corrcoef(v, w); numpy.corrcoef(N, rowvar=False)
numpy.linalg.tensorsolve(I4, M); numpy.linalg.tensorsolve(J4, M, axes=(0, 2)); numpy.linalg.tensorinv(I4); numpy.linalg.tensorinv(K4, ind=1)
numpy.polyfit(g4, a4, 1); numpy.polyfit(g4, G4, 2, w=[1.0, 2, 0.5, 1])
'''.strip().replace('\n', '; ').split('; ')
