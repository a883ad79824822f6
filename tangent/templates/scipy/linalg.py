"""`scipy.linalg`: what NumPy has too, by the same run-time functions, and functions of matrices."""
import scipy.linalg  # noqa: F401

from tangent.runtime.references import matrices
from tangent.runtime.references import scipy as plain
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import constant, general, linear, only

L = 'scipy.linalg.'
FLAGS = 'overwrite_a=False, check_finite=True'

general(f'y = {L}det(a, {FLAGS})', 'undet(d[y], a)', forward='numpy.sum(d[a] * cofactors(a), axis=(-1, -2))')
general(f'y = {L}inv(a, {FLAGS})', '-(numpy.swapaxes(y, -1, -2) @ d[y] @ numpy.swapaxes(y, -1, -2))', forward='-(y @ d[a] @ y)',
        shape='a')
SOLVE = 'lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False'
general(f'y = {L}solve(a, b, {SOLVE})',
        'unsolve(d[y], a, b, y)[0]', 'unsolve(d[y], a, b, y)[1]', forward='numpy.linalg.solve(a, d[b] - d[a] @ y)',
        prepare=only('scipy.linalg.solve', transposed=False))
CHOLESKY = f'y = {L}cholesky(a, lower=False, {FLAGS})'
LOWER, UPPER = 'uncholesky(numpy.tril(d[y]), y)', 'uncholesky(numpy.triu(d[y]).T, y.T).T'
PUSH_LOWER, PUSH_UPPER = 'push_cholesky(d[a], y)', 'push_cholesky(d[a].T, y.T).T'
general(CHOLESKY, f'{LOWER} if lower else {UPPER}', forward=f'{PUSH_LOWER} if lower else {PUSH_UPPER}', shape='a')
general(CHOLESKY, LOWER, forward=PUSH_LOWER, when='lower')
general(CHOLESKY, UPPER, forward=PUSH_UPPER, when='not lower')
UPLO = '"L" if lower else "U"'
EIGH = f'y = {L}eigh(a, b=None, lower=True, eigvals_only=False)'
VALUES, PUSH_VALUES = f'uneigvalsh(d[y], a, {UPLO})', f'push_eigvalsh(d[a], a, {UPLO})'
BOTH, PUSH_BOTH = 'uneigh(d[y], y, not lower)', 'push_eigh(d[a], y, not lower)'
general(EIGH, f'{VALUES} if eigvals_only else {BOTH}', refuse=['b'],
        forward=f'{PUSH_VALUES} if eigvals_only else {PUSH_BOTH}')
general(EIGH, VALUES, forward=PUSH_VALUES, when='eigvals_only')
general(EIGH, BOTH, forward=PUSH_BOTH, when='not eigvals_only')
general(f'y = {L}eigvalsh(a, b=None, lower=True)', f'uneigvalsh(d[y], a, {UPLO})', refuse=['b'],
        forward=f'push_eigvalsh(d[a], a, {UPLO})')
general(f'y = {L}svdvals(a, {FLAGS})', 'unsvdvals(d[y], a)', forward='push_svdvals(d[a], a)')
SVD = f'y = {L}svd(a, full_matrices=True, compute_uv=True, {FLAGS})'
general(SVD, 'unsvd(d[y], a, y) if compute_uv else unsvdvals(d[y], a)',
        forward='push_svd(d[a], a, y) if compute_uv else push_svdvals(d[a], a)')
general(SVD, 'unsvd(d[y], a, y)', forward='push_svd(d[a], a, y)', when='compute_uv')
general(SVD, 'unsvdvals(d[y], a)', forward='push_svdvals(d[a], a)', when='not compute_uv')
general(f'y = {L}pinv(a)', 'unpinv(d[y], a, y)', forward='push_pinv(d[a], a, y)')
general(f'y = {L}norm(a, ord=None, axis=None, keepdims=False)',
        'unreduce_like(d[y], a, axis=axis, keepdims=keepdims) * norm_slope(a, ord=ord, axis=axis)',
        forward='numpy.sum(d[a] * norm_slope(a, ord=ord, axis=axis), axis=axis, keepdims=keepdims)', shape='reduction')

# Functions of matrices: of the block matrix [[a, e], [0, a]] they have the derivative in the upper right corner
for name in ['expm', 'logm', 'sinm', 'cosm', 'tanm', 'sinhm', 'coshm', 'tanhm']:
    general(f'y = {L}{name}(A)', f'unmatrix_function({L}{name}, d[y], A)',
            forward=f'push_matrix_function({L}{name}, d[A], A)')

# The root Y of a matrix: Y dY + dY Y = dA (Higham, Functions of Matrices, 6.1); blocks with equal eigenvalues below zero would
# have roots on either side of the cut
general(f'y = {L}sqrtm(A)', f'{L}solve_sylvester(numpy.transpose(y), numpy.transpose(y), d[y])',
        forward=f'{L}solve_sylvester(y, y, d[A])')

# Equations
TRIANGLE = 'trans=trans, lower=lower, unit_diagonal=unit_diagonal'
general(f'y = {L}solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False)',
        f'unsolve_triangular(d[y], a, b, y, {TRIANGLE})[0]', f'unsolve_triangular(d[y], a, b, y, {TRIANGLE})[1]',
        forward=f'push_solve_triangular(d[a], d[b], a, y, {TRIANGLE})')
general(f'y = {L}solve_sylvester(a, b, q)', 'unsylvester(d[y], a, b, y)[0]', 'unsylvester(d[y], a, b, y)[1]',
        'unsylvester(d[y], a, b, y)[2]', forward='scipy.linalg.solve_sylvester(a, b, d[q] - d[a] @ y - y @ d[b])')
general(f'y = {L}lu(a, permute_l=False)', 'unlu(d[y], y)', forward='push_lu(d[a], y)')

BANDS = 'overwrite_ab=False, overwrite_b=False, check_finite=True'
general(f'y = {L}solve_banded(l_and_u, ab, b, {BANDS})', None, 'unsolve_banded(d[y], l_and_u, ab, b, y)[0]',
        'unsolve_banded(d[y], l_and_u, ab, b, y)[1]',
        forward=f'{L}solve_banded(l_and_u, ab, d[b] - banded_product(l_and_u, d[ab], y))')
general(f'y = {L}solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True)',
        'unsolveh_banded(d[y], ab, b, y, lower)[0]', 'unsolveh_banded(d[y], ab, b, y, lower)[1]',
        forward=f'{L}solveh_banded(ab, d[b] - bandedh_product(d[ab], y, lower), lower=lower)')

# Matrices of given form
linear(f'y = {L}block_diag(*arrs)', 'unblock_diag(d[y], arrs, i)')

constant(scipy.linalg.hadamard, scipy.linalg.hilbert, scipy.linalg.pascal)
SUBSTITUTES.update({getattr(scipy.linalg, f.__name__): f
                    for f in (plain.solve_toeplitz, plain.solve_circulant, plain.solve_continuous_lyapunov)})

# In functions above
SUBSTITUTES.update(matrices.TABLE)
constant('check_branch(function, found)', 'pivots_of(a)', 'order_of(piv)', scipy.linalg.dft, scipy.linalg.helmert,
         scipy.linalg.invhilbert, scipy.linalg.invpascal, scipy.linalg.bandwidth, scipy.linalg.issymmetric,
         scipy.linalg.ishermitian)
