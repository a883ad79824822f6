"""Programs that nobody wrote for tangent: textbook classics, and SciPy's and NumPy's own Python."""
import copy
import importlib

import numpy as np
import pytest

import tangent
from tests.corpora.wild import CASES, LIBRARY
from tests.tools.checking import active, assert_close, differences, random_like, seed_name

# Those of LIBRARY that must work; the others may be refused with an error of our own, but never be wrong.
# (Other releases of the libraries may have other source; these have not changed for years.)
WORKS = {'scipy.optimize.rosen', 'numpy.polyval', 'numpy.sinc', 'numpy.polynomial.polynomial.polyval',
         'numpy.polynomial.chebyshev.chebval', 'numpy.polynomial.legendre.legval', 'numpy.polynomial.hermite.hermval',
         'numpy.polynomial.hermite_e.hermeval', 'numpy.polynomial.laguerre.lagval',
         'scipy.spatial.distance.sqeuclidean'}


@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
def test_classic(case, optimized):
    args = copy.deepcopy(case.args)
    gradients = tangent.grad(case.function, wrt=case.wrt, optimized=optimized)(*args)
    gradients = [gradients] if len(case.wrt) == 1 else gradients
    for actual, right in zip(gradients, differences(case.function, case.args, case.wrt), strict=True):
        assert_close(actual, right)
    np.testing.assert_equal(args, case.args)


@pytest.mark.parametrize('name', LIBRARY)
def test_library(name):
    module, _, attribute = name.rpartition('.')
    if module.startswith('scipy'):
        pytest.importorskip('scipy', reason='SciPy is not installed')
    function, args = getattr(importlib.import_module(module), attribute), LIBRARY[name]
    wrt = tuple(i for i, a in enumerate(args) if active(a))
    seed = random_like(function(*copy.deepcopy(args)))
    try:
        df = tangent.vjp(function, wrt=wrt)
        gradients = df(*copy.deepcopy(args), **{seed_name(df): seed})
    except tangent.errors.TangentError as error:
        assert name not in WORKS, error
        pytest.xfail(f'refused: {error}')
    gradients = [gradients] if len(wrt) == 1 else gradients
    for actual, right in zip(gradients, differences(function, args, wrt, seed), strict=True):
        assert_close(actual, right)
