"""Samples of SciPy's functions of matrices, and of images at other places."""
from tests.corpora.samples.rule_samples_scipy_data import POINTS
from tests.tools.sampling import Sample

CALLS = '''
linalg.lu_factor(q)[0]
linalg.lu_solve(linalg.lu_factor(h), v)
linalg.lu_solve(linalg.lu_factor(h), h, trans=1)
linalg.polar(q)
linalg.polar(q, side='left')
linalg.expm_frechet(h, q)
linalg.solve_discrete_lyapunov(0.3 * q, h)
linalg.signm(q)
linalg.pinvh(h @ h.T)
linalg.companion(p)
linalg.leslie(p, u[:2])
linalg.fiedler(v)
linalg.convolution_matrix(v, 4)
linalg.convolution_matrix(v, 4, mode='same')
linalg.convolution_matrix(v, 4, mode='valid')
linalg.matmul_toeplitz((p, v), h)
linalg.matmul_toeplitz(p, v)
linalg.eigvalsh_tridiagonal(p, v[:2])
linalg.eigh_tridiagonal(p, v[:2])[0]
linalg.orthogonal_procrustes(q, h)
linalg.qr(q)
linalg.lstsq(q, v)[0]
linalg.expm_frechet(h, q, compute_expm=False)
linalg.fractional_matrix_power(q @ q.T, 0.4)
linalg.eigvals(q @ q.T).real
linalg.eig(q @ q.T)[0].real
linalg.qr(m.T, mode='economic')
linalg.qr(q, mode='r')[0]
linalg.subspace_angles(q[:, :2], h[:, :1])
'''.strip().splitlines()


def matrices():
    """Factors, equations and functions of matrices."""
    for text in CALLS:
        yield Sample(text, POINTS, exact=1e-11, smooth=1e-5, without=('long', 'complex', 'numpy.longdouble', 'integers'))


PLACES = '''
ndimage.map_coordinates(h, [p - 0.33, u + 0.7])
ndimage.map_coordinates(h, [p - 0.33, u + 0.7], order=1)
ndimage.map_coordinates(h, [p - 0.33, u + 0.7], order=2, mode='mirror')
ndimage.map_coordinates(h, [2 * p - 1.3, 3 * u + 0.7], mode='nearest')
ndimage.map_coordinates(h, [2 * p - 1.3, 3 * u + 0.7], mode='reflect')
ndimage.map_coordinates(h, [2 * p - 1.3, 3 * u + 0.7], mode='grid-wrap', order=1)
ndimage.shift(x, 0.3, order=3)
ndimage.shift(h, [s, 0.4], mode='nearest')
ndimage.zoom(h, 2, order=1)
ndimage.zoom(x, 1.5)
ndimage.affine_transform(h, 0.4 * q[:2, :2], 0.1)
ndimage.affine_transform(h, [0.9, 1.1], u[:2], order=1)
ndimage.rotate(h, 30.0 * s, reshape=False)
ndimage.rotate(h, 25.0, reshape=False, order=1, mode='reflect')
'''.strip().splitlines()

SIGNALS = '''
signal.resample_poly(x, 3, 2)
signal.decimate(numpy.tile(x, 4), 3)
signal.upfirdn([1.0, 0.5, 0.2], x, 2, 3)
signal.sosfiltfilt([[1.0, 0.5, 0.2, 1.0, 0.3, -0.1]], numpy.tile(x, 3))
fft.dctn(h)
fft.idctn(t, axes=(0, 2), norm='ortho')
fft.dstn(h, type=3)
fft.idstn(h)
'''.strip().splitlines()


def images():
    """Images at other places, and what is linear along axes."""
    for text in PLACES + SIGNALS:
        yield Sample(text, POINTS, exact=1e-11, smooth=1e-5, without=('long', 'complex', 'numpy.longdouble', 'integers'))


GENERATORS = [matrices, images]
