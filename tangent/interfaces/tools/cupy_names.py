"""What CuPy does not have of what NumPy has (as of CuPy 14).

The tables are data, so that the coverage table and the tests say the same where CuPy is not installed; where it is, a test
reads the real module and compares.
"""
LACKING = frozenset('''asmatrix block bmat busday_count busday_offset datetime_as_string datetime_data einsum_path frompyfunc
    fromregex geomspace get_include getbufsize geterr geterrcall histogram_bin_edges info insert is_busday isnat matvec
    nanpercentile nanquantile ndenumerate nested_iters polyder polydiv polyint setbufsize seterr seterrcall show_runtime spacing
    test unstack vecdot vecmat linalg.diagonal linalg.matrix_norm linalg.multi_dot linalg.outer linalg.svdvals linalg.tensordot
    linalg.test linalg.trace linalg.vecdot linalg.vector_norm fft.test'''.split())

METHODS = frozenset('''all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum
    diagonal dot dump dumps fill flatten item max mean min nonzero partition prod ptp put ravel repeat reshape round
    searchsorted sort squeeze std sum swapaxes take tobytes tofile tolist trace transpose var view'''.split())
ATTRIBUTES = frozenset('T base dtype flags flat imag itemsize mT nbytes ndim real shape size strides'.split())

# Functions of SciPy's that `cupyx.scipy` has

SCIPY = frozenset('''fft.dct fft.dctn fft.dst fft.dstn fft.fft fft.fft2 fft.fftfreq fft.fftn fft.fftshift fft.fht
    fft.hfft fft.hfft2 fft.hfftn fft.idct fft.idctn fft.idst fft.idstn fft.ifft fft.ifft2 fft.ifftn fft.ifftshift
    fft.ifht fft.ihfft fft.ihfft2 fft.ihfftn fft.irfft fft.irfft2 fft.irfftn fft.next_fast_len fft.rfft fft.rfft2
    fft.rfftfreq fft.rfftn special.bdtr special.bdtrc special.bdtri special.beta special.betainc special.betaincinv
    special.betaln special.binom special.boxcox special.boxcox1p special.cbrt special.chdtr special.chdtrc
    special.chdtri special.cosdg special.cosm1 special.cotdg special.digamma special.ellipeinc special.ellipj
    special.ellipk special.ellipkinc special.ellipkm1 special.entr special.erf special.erfc special.erfcinv
    special.erfcx special.erfinv special.exp1 special.exp10 special.exp2 special.expi special.expit special.expm1
    special.expn special.exprel special.fdtr special.fdtrc special.fdtri special.gamma special.gammainc
    special.gammaincc special.gammainccinv special.gammaincinv special.gammaln special.gammasgn special.gdtr
    special.gdtrc special.huber special.i0 special.i0e special.i1 special.i1e special.inv_boxcox special.inv_boxcox1p
    special.j0 special.j1 special.k0 special.k0e special.k1 special.k1e special.kl_div special.lambertw special.log1p
    special.log_expit special.log_ndtr special.log_softmax special.loggamma special.logit special.logsumexp special.lpmv
    special.multigammaln special.nbdtr special.nbdtrc special.nbdtri special.ndtr special.ndtri special.pdtr
    special.pdtrc special.pdtri special.poch special.polygamma special.pseudo_huber special.psi special.radian
    special.rel_entr special.rgamma special.round special.shichi special.sici special.sinc special.sindg special.softmax
    special.sph_harm_y special.spherical_yn special.tandg special.wright_bessel special.xlog1py special.xlogy special.y0
    special.y1 special.yn special.zeta special.zetac'''.split())
