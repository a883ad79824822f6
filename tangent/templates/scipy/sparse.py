"""`scipy.sparse`: products, and matrices made of numbers and places. Gradients of sparse matrices have their pattern."""
import scipy.sparse
import scipy.sparse.linalg

from tangent.runtime.references import sparse as plain
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import constant, general, linear

SUBSTITUTES.update({getattr(scipy.sparse, f.__name__): f for f in (*plain.KINDS, plain.diags, plain.diags_array)
                    if hasattr(scipy.sparse, f.__name__)})

linear('y = built(kind, values, row, column, shape=None)', None, 'unbuilt(d[y], values, row, column)')
linear('y = unbuilt(g, values, row, column)', 'sparse_rebuilt(d[y], g, row, column)')
linear('y = on_pattern(g, matrix)', 'off_pattern(d[y], g)')
linear('y = check_right_side(b)', 'd[y]')
constant('places_of(x)', 'check_dense(x)', 'every_place(x)', 'diagonal_places(x)', 'pattern(x)')
for name in ['tocsr', 'tocsc', 'tocoo', 'toarray']:
    linear(f'y = x.{name}()', 'on_pattern(d[y], x)')
L = 'scipy.sparse.linalg.'
general(f'y = {L}spsolve(A, b, permc_spec=None, use_umfpack=True)', 'outer_part(A, -turned_solve(A, d[y]), y)',
        'numpy.reshape(turned_solve(A, d[y]), numpy.shape(check_right_side(b)))',
        forward=f'{L}spsolve(A, check_right_side(d[b]) - d[A] @ y)')
general('y = turned_solve(a, d)', f'outer_part(a, -y, {L}spsolve(a, d[y]))', f'{L}spsolve(a, d[y])',
        forward='turned_solve(a, d[d] - d[a].T @ y)')
general('y = of_pattern(matrix, values)', None, 'unof_pattern(d[y], matrix)', forward='of_pattern(matrix, d[values])')
