"""Second and higher derivatives of functions whose first derivative has the log form, or finds its callees when running."""
import numpy as np
import pytest

import tangent
from tests.tools.judge import first_number
from tests.tools.registry import entries, get, leaves, put


def in_place(x, w=2.0):
    y = [x, x * w]
    y[0] = y[1] * x
    try:
        y[1] = y[1] * 1.0
        z = y[0] / (x - x)
    except ZeroDivisionError:
        z = y[0] * y[1] * x                     # x**4 * w**2
    return z


def matrix(a):
    b = a * 1.0
    rows = [b, b.T]
    for k in range(3):
        rows[0][k] *= np.sum(rows[1][k])
    return np.sum(b * b)


def many(x, w, *, k=3):
    out = {}
    for i in range(k):
        out[i] = x * w if i == 0 else out[i - 1] * np.sin(x)
    del out[0]
    return out[k - 1], len(out)


def gives(n):
    for k in range(1, 4):
        yield n ** k


def generated(x):
    total = 0.0
    for v in gives(x):
        total = total + v * x
    return total


def outer(w):
    def power(x):
        values = []
        append = values.append
        append(x)
        values[0] = values[0] * x * w
        return values[0] * x                    # w * x**3
    return tangent.grad(power)(2.0) * w         # 12 * w**2


def test_by_hand():
    second = tangent.grad(tangent.grad(in_place))
    assert second(1.5) == pytest.approx(12 * 1.5 ** 2 * 4)
    assert tangent.grad(second)(1.5) == pytest.approx(24 * 1.5 * 4)
    assert tangent.grad(tangent.grad(second))(1.5) == pytest.approx(24 * 4)
    assert tangent.jvp(tangent.grad(in_place))(1.5, 2.0, 1.0, 1.0) == pytest.approx(12 * 1.5 ** 2 * 4)
    assert tangent.grad(tangent.grad(in_place), wrt='w')(1.5, 2.0) == pytest.approx(4 * 1.5 ** 3 * 2 * 2)
    assert tangent.hvp(in_place)(1.5, 1.0) == pytest.approx(108.0)
    np.testing.assert_allclose(tangent.hessian(in_place, wrt=(0, 1))(1.5, 2.0), [[108, 54], [54, 2 * 1.5 ** 4]])


def test_seeds_have_a_derivative():
    by_seed = tangent.grad(tangent.grad(in_place), wrt=2)
    assert by_seed(1.5, 2.0, 3.0) == pytest.approx(4 * 1.5 ** 3 * 4)
    assert tangent.jvp(tangent.grad(in_place), wrt=(0, 2))(1.5, 2.0, 3.0, 1.0, 0.5) == pytest.approx(3 * 108 + 0.5 * 54)


def test_values_beside_the_gradient():
    assert tangent.grad(tangent.value_and_grad(in_place))(1.5) == pytest.approx(54.0)
    both = tangent.vjp(tangent.value_and_grad(in_place))(1.5, 2.0, 1.0, (10.0, 1.0))
    assert both == pytest.approx(10 * 54 + 108)
    moved = tangent.jvp(tangent.grad(in_place, preserve_result=True))(1.5, 2.0, 1.0, 1.0)
    assert moved == pytest.approx((108.0, 54.0))


def test_what_a_closure_has_captured():
    assert tangent.grad(outer)(3.0) == pytest.approx(72.0)
    assert tangent.jvp(outer)(3.0, 1.0) == pytest.approx(72.0)
    assert tangent.grad(tangent.grad(outer))(3.0) == pytest.approx(24.0)


def test_generators():
    assert tangent.grad(tangent.grad(generated))(1.5) == pytest.approx(2 + 6 * 1.5 + 12 * 1.5 ** 2)


def test_keywords_and_the_first_of_a_tuple():
    second = tangent.grad(tangent.grad(many, wrt=(0, 1)), wrt=(0, 1))
    x, w, h = 0.7, 1.3, 1e-5
    first = tangent.grad(many, wrt=(0, 1))
    right = (first(x + h, w, k=4)[0] - first(x - h, w, k=4)[0]) / (2 * h)
    np.testing.assert_allclose(second(x, w, k=4)[0], right, rtol=1e-8)


def test_hessian_is_symmetric_and_costs_little():
    a = np.arange(9.0).reshape(3, 3) / 7 + 0.3
    hessian = tangent.hessian(matrix)(a).reshape(9, 9)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-12)
    direction = np.cos(np.arange(9.0)).reshape(3, 3)
    np.testing.assert_allclose(tangent.hvp(matrix)(a, direction).ravel(), hessian @ direction.ravel(), rtol=1e-12)


def test_the_text_reads_like_the_rest():
    text = tangent.source(tangent.grad(tangent.grad(in_place)))
    assert 'dfdx' not in text and '_grads' not in text
    assert 'din_placedx_back(x, w, bz, bdin_placedx, as_it_was(t))' in text


RANDOM = np.random.RandomState(0)


def noisy(x):
    try:
        y = x * x * RANDOM.rand()
    finally:
        x = x * 2
    return y * x


def bent(x):
    try:
        y = x * x
    finally:
        x = x * 2
    return tangent.hook(lambda g: 2 * g, y) * x


@pytest.mark.parametrize('f', [noisy, bent])
def test_what_forward_mode_does_not_see_is_an_error(f):
    with pytest.raises(tangent.errors.RecomputeError, match='forward mode'):
        tangent.grad(tangent.grad(f))(1.5)


def starred(*xs):
    try:
        y = xs[0] * xs[1]
    finally:
        z = xs[1] * 2
    return y * z


def test_what_is_refused():
    with pytest.raises(tangent.ReverseNotImplementedError, match='log form'):
        tangent.grad(tangent.grad(starred))(1.5, 2.0)


NAMES = '''inplace.item_overwritten inplace.slice_broadcast inplace.fancy_repeated aliases.view_written effects.kernel_call
    effects.through_levels effects.list_effect closures.two_closures closures.dispatch_table closures.composed
    closures.perturbation_captured containers.dict_filled containers.popped control.raise_and_catch
    comprehensions.user_generator objects.object_made objects.attribute_written kernels_linear.cholesky_loss
    kernels_stencils.jacobi_1d_loss models.meta_loss models.gru_loss'''.split()
CORPUS = {e.name: e for e in entries() if e.name in NAMES}


def direction(entry, args, seed):
    """For each argument asked for, numbers for all its leaves in the structure of its gradient."""
    random, found = np.random.RandomState(seed), []
    template = tangent.grad(entry.function, wrt=entry.wrt)(*entry.make())
    for position, t in zip(entry.wrt, template if len(entry.wrt) > 1 else (template,)):
        for path, leaf in leaves(args[position]):
            t = put(t, path, random.uniform(0.5, 1.5, np.shape(leaf))[()])
        found.append(t)
    return found


def along(entry, args, gradients, v):
    gradients = gradients if len(entry.wrt) > 1 else (gradients,)
    return sum(np.sum(get(g, path) * get(t, path)) for p, g, t in zip(entry.wrt, gradients, v)
               for path, _ in leaves(args[p]))


def moved(entry, v, h):
    args = list(entry.make())
    for position, t in zip(entry.wrt, v):
        for path, leaf in list(leaves(args[position])):
            args[position] = put(args[position], path, leaf + h * get(t, path))
    return args


@pytest.mark.parametrize('name', NAMES)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_corpus(name):
    """Reverse over reverse, forward over reverse and reverse over forward, against differences of the gradient."""
    entry, h = CORPUS[name], 1e-4
    args = entry.make()
    v, u = direction(entry, args, 1), direction(entry, args, 2)
    df = tangent.grad(entry.function, wrt=entry.wrt)
    at = [along(entry, args, df(*moved(entry, v, k * h)), u) for k in (-2, -1, 1, 2)]
    right = (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * h)
    seed = v[0] if len(v) == 1 else tuple(v)
    found = [along(entry, args, tangent.vjp(df, wrt=entry.wrt)(*entry.make(), 1.0, seed), u),
             along(entry, args, tangent.jvp(df, wrt=entry.wrt)(*entry.make(), 1.0, *v), u),
             along(entry, args, tangent.vjp(tangent.jvp(entry.function, wrt=entry.wrt), wrt=entry.wrt)(
                 *entry.make(), *v, 1.0), u)]
    np.testing.assert_allclose(found, right, rtol=1e-6, atol=1e-6)
    assert first_number(entry.function(*entry.make())) == first_number(entry.function(*args))
