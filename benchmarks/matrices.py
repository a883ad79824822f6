"""Forward mode and what is made of it: products with the Jacobian and the Hessian, whole Jacobians, dense and by colouring."""
from functools import partial

import numpy as np

import tangent
from benchmarks.tools.timing import Row, measure


def layers(x, w):
    h = np.tanh(w @ x)
    h = np.tanh(w @ h + np.sin(h))
    return h * x / np.sqrt(1 + x * x)


def network(x, w, b):
    h = np.tanh(x @ w + b)
    h = np.tanh(h @ w + b)
    return np.sum(h * h)


def scalar_loop(x):
    y, s = np.zeros(len(x)), 0.0
    for i in range(len(x)):
        s = 0.9 * s + np.sin(x[i]) * x[i]
        y[i] = s * s
    return y


def band(x):
    """Each element of the result is made of three neighbours."""
    left, middle, right = x[:-2], x[1:-1], x[2:]
    return np.concatenate([x[:1], left * middle + np.sin(right) * middle * middle, x[-1:]])


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def run(peers, repeats=9, sizes=(10, 100, 300), inputs=200, banded=1000):
    """The report, line by line."""
    random = np.random.default_rng(0)
    for n in sizes:
        yield from products(n, random, repeats)
    x, w = random.normal(size=inputs), random.normal(size=(inputs, inputs)) / inputs ** 0.5
    for name, f, args in [('two layers', layers, (x, w)), ('a scalar loop', scalar_loop, (x,))]:
        taken = measure({'one': partial(one_by_one, tangent.jvp(f), *args),
                         'all': partial(tangent.jacobian(f, mode='forward'), *args),
                         'rows': partial(tangent.jacobian(f, mode='reverse'), *args)}, repeats)
        yield Row(f'Jacobian of {name}, {inputs} inputs: one by one / at once', taken['one'] / taken['all'])
        yield Row(f'Jacobian of {name}, {inputs} inputs: by rows / at once', taken['rows'] / taken['all'])
    taken = measure({'one': partial(one_by_one, tangent.hvp(rosenbrock), x),
                     'all': partial(tangent.hessian(rosenbrock), x)}, repeats)
    yield Row(f'Hessian, {inputs} inputs: one by one / at once', taken['one'] / taken['all'])
    yield from colouring(random.normal(size=banded), repeats)


def one_by_one(push, x, *more):
    return np.stack([push(x, *more, d) for d in np.eye(len(x))], axis=1)


def products(n, random, repeats):
    args = random.normal(size=(n, n)), random.normal(size=(n, n)) / n ** 0.5, random.normal(size=n)
    v = random.normal(size=(n, n))
    taken = measure({'primal': partial(network, *args), 'jvp': partial(tangent.jvp(network), *args, v),
                     'gradient': partial(tangent.grad(network), *args),
                     'hvp': partial(tangent.hvp(network), *args, v)}, repeats)
    yield Row(f'jvp, two layers of {n}: (jvp - 5 us) / primal', max(0.0, taken['jvp'] - 5e-6) / taken['primal'], 2)
    yield Row(f'hvp, two layers of {n}: hvp / gradient', taken['hvp'] / taken['gradient'], 4)


def colouring(x, repeats):
    """A banded Jacobian by its three colours, with its pattern given and found, against the dense one."""
    sparse = tangent.jacobian(band, sparsity=pattern(len(x)))
    detected = tangent.jacobian(band, sparsity='detect')
    found = detected(x)                                          # from now on it knows the pattern
    assert abs(found - sparse(x)).max() < 1e-12 * abs(found).max()
    dense = {'one by one': partial(one_by_one, tangent.jvp(band), x),
             'by rows': partial(tangent.jacobian(band, mode='reverse'), x),
             'at once': partial(tangent.jacobian(band, mode='forward'), x)}
    taken = measure({'coloured': partial(sparse, x), 'detected': partial(detected, x), **dense}, repeats)
    for name in dense:
        target = {'target': 100, 'least': True} if name != 'at once' else {}
        yield Row(f'banded Jacobian, {len(x)}: dense {name} / coloured', taken[name] / taken['coloured'], **target)
    yield Row(f'banded Jacobian, {len(x)}: pattern found before / given', taken['detected'] / taken['coloured'])


def pattern(n):
    from scipy import sparse
    found = sparse.lil_array(sparse.diags([np.ones(n - 1), np.ones(n), np.ones(n - 1)], [-1, 0, 1]))
    found[0, 1] = found[n - 1, n - 2] = 0
    return found
