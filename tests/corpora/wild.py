# ruff: noqa: B007 - programs as people write them
"""Programs found in the wild: classics from textbooks, and pure-Python functions of SciPy and NumPy.

:data:`CASES` are programs written the way books write them. :data:`LIBRARY` names functions of the two libraries that
are differentiated through their own source, with arguments.
"""
import functools
import math

import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


def newton_square_root(a):
    x = a
    while abs(x * x - a) > 1e-13:
        x = (x + a / x) / 2
    return x


case(newton_square_root, 2.7)


def newton_root(a, b):
    """The root of cos(a x) = b x."""
    x = 0.5
    for _ in range(20):
        f = math.cos(a * x) - b * x
        df = -a * math.sin(a * x) - b
        step = f / df
        x = x - step
        if abs(step) < 1e-15:
            break
    return x


case(newton_root, 1.2, 0.9)


def bisection(c):
    """A bracket by bisection, then one Newton step; the bracket itself does not move with c."""
    low, high = 0.0, 2.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if middle ** 3 + middle > c:
            high = middle
        else:
            low = middle
    x = (low + high) / 2
    return x - (x ** 3 + x - c) / (3 * x ** 2 + 1)


case(bisection, 1.7)


def fixed_point(k, m):
    """Kepler's equation."""
    e = m
    for i in range(60):
        new = m + k * math.sin(e)
        if abs(new - e) < 1e-14:
            return new
        e = new
    return e


case(fixed_point, 0.3, 1.1)


def horner(coefficients, x):
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


case(horner, [2.0, -1.0, 0.5, 3.0], 1.3)
case(horner, np.array([2.0, -1.0, 0.5, 3.0]), 1.3)


def derivative_of_oscillator(state, k, c):
    q, p = state
    return p, -k * q - c * p


def runge_kutta(q, p, k, c, steps):
    h = 0.1
    for _ in range(steps):
        a1, b1 = derivative_of_oscillator((q, p), k, c)
        a2, b2 = derivative_of_oscillator((q + h / 2 * a1, p + h / 2 * b1), k, c)
        a3, b3 = derivative_of_oscillator((q + h / 2 * a2, p + h / 2 * b2), k, c)
        a4, b4 = derivative_of_oscillator((q + h * a3, p + h * b3), k, c)
        q = q + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        p = p + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return q * q + p


case(runge_kutta, 1.0, 0.0, 2.0, 0.1, 12)


def lotka_volterra(y, rates):
    return np.array([y[0] * (rates[0] - rates[1] * y[1]), y[1] * (rates[2] * y[0] - rates[3])])


def predator_and_prey(y, rates, steps=10):
    for _ in range(steps):
        middle = y + 0.05 * lotka_volterra(y, rates)
        y = y + 0.1 * lotka_volterra(middle, rates)
    return np.sum(y ** 2)


case(predator_and_prey, np.array([1.0, 0.5]), np.array([1.1, 0.4, 0.1, 0.4]))


def pendulum(theta, length, steps):
    g, dt = 9.81, 0.01
    omega = 0.0
    for _ in range(steps):
        omega -= dt * g / length * math.sin(theta)
        theta += dt * omega
    return theta


case(pendulum, 0.4, 1.3, 30)


def lorenz(x, y, z, sigma=10.0, rho=28.0, beta=8 / 3):
    dt = 0.01
    for _ in range(15):
        x, y, z = x + dt * sigma * (y - x), y + dt * (x * (rho - z) - y), z + dt * (x * y - beta * z)
    return x + y * z


case(lorenz, 1.0, 1.1, 1.2)
case(lorenz, 1.0, 1.1, 1.2, 9.0, 27.0, 2.5)


def n_body_energy(positions, velocities, masses):
    kinetic = 0.5 * np.sum(masses * np.sum(velocities ** 2, axis=1))
    potential = 0.0
    n = len(masses)
    for i in range(n):
        for j in range(i + 1, n):
            d = positions[i] - positions[j]
            potential -= masses[i] * masses[j] / np.sqrt(np.dot(d, d))
    return kinetic + potential


case(n_body_energy, np.array([[0.1, 0.2, 0.0], [1.0, -0.3, 0.5], [-0.7, 0.9, -0.4]]),
     np.array([[0.1, 0.0, 0.3], [0.2, 0.1, 0.0], [0.0, -0.4, 0.2]]), np.array([1.0, 2.0, 0.5]))


def leapfrog(x, v, masses):
    """Two bodies on a plane, in complex-free coordinates."""
    for _ in range(4):
        d = x[1] - x[0]
        r3 = np.sum(d * d) ** 1.5
        a = np.stack([masses[1] * d / r3, -masses[0] * d / r3])
        v = v + 0.1 * a
        x = x + 0.1 * v
    return np.sum(x[0] * v[1])


case(leapfrog, np.array([[0.0, 0.1], [1.0, 0.4]]), np.array([[0.1, -0.3], [-0.2, 0.5]]), np.array([1.0, 0.6]))


def lennard_jones(x):
    energy = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            r2 = np.sum((x[i] - x[j]) ** 2)
            s6 = 1.0 / r2 ** 3
            energy = energy + 4 * (s6 * s6 - s6)
    return energy


case(lennard_jones, np.array([[0.0, 0.1], [1.1, 0.4], [0.3, 1.2]]))


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def logistic_regression(w, b, x, t, penalty=0.1):
    p = sigmoid(np.dot(x, w) + b)
    return -np.mean(t * np.log(p) + (1 - t) * np.log(1 - p)) + penalty * np.sum(w ** 2)


X = np.array([[0.5, 1.2], [-0.3, 0.8], [1.4, -0.6], [0.2, 0.1]])
case(logistic_regression, np.array([0.3, -0.4]), 0.1, X, np.array([1, 0, 1, 0]))


def softmax(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def softmax_regression(w, b, x, labels):
    p = softmax(x @ w + b)
    return -np.mean(np.log(p[np.arange(len(labels)), labels]))


case(softmax_regression, np.array([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]]), np.array([0.1, 0.0, -0.1]), X,
     np.array([0, 2, 1, 1]))


def k_means_cost(centers, x):
    cost = 0.0
    for point in x:
        best = np.inf
        for center in centers:
            d = np.sum((point - center) ** 2)
            if d < best:
                best = d
        cost += best
    return cost / len(x)


case(k_means_cost, np.array([[0.0, 1.0], [1.0, 0.0]]), X)


def k_means_vectorized(centers, x):
    d = np.sum((x[:, None, :] - centers[None, :, :]) ** 2, axis=2)
    return np.mean(np.min(d, axis=1))


case(k_means_vectorized, np.array([[0.0, 1.0], [1.0, 0.0]]), X)


def gaussian_log_likelihood(mean, log_std, x):
    z = (x - mean) / np.exp(log_std)
    return np.sum(-0.5 * z ** 2 - log_std - 0.5 * np.log(2 * np.pi))


case(gaussian_log_likelihood, np.array([0.1, 0.2]), np.array([-0.3, 0.1]), X)


def mixture_log_likelihood(logits, means, x):
    total = 0.0
    weights = np.exp(logits) / np.sum(np.exp(logits))
    for v in x:
        total += np.log(np.sum(weights * np.exp(-0.5 * (v - means) ** 2)))
    return total


case(mixture_log_likelihood, np.array([0.1, 0.4]), np.array([-1.0, 1.0]), np.array([0.3, -0.8, 1.1]))


def normal_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def black_scholes(spot, strike, years, rate, volatility):
    d1 = (math.log(spot / strike) + (rate + volatility ** 2 / 2) * years) / (volatility * math.sqrt(years))
    d2 = d1 - volatility * math.sqrt(years)
    return spot * normal_cdf(d1) - strike * math.exp(-rate * years) * normal_cdf(d2)


case(black_scholes, 100.0, 95.0, 0.7, 0.03, 0.25)


def spline(knots, values, x):
    """Piecewise linear interpolation, smoothed by a quadratic bump in each interval."""
    for i in range(len(knots) - 1):
        if knots[i] <= x < knots[i + 1]:
            t = (x - knots[i]) / (knots[i + 1] - knots[i])
            return (1 - t) * values[i] + t * values[i + 1] + 0.5 * t * (1 - t)
    return 0.0 * x


case(spline, [0.0, 1.0, 2.5, 4.0], [1.0, 3.0, -1.0, 2.0], 1.7)
case(spline, [0.0, 1.0, 2.5, 4.0], [1.0, 3.0, -1.0, 2.0], 5.0)


def cubic_hermite(p, t):
    """Catmull-Rom through four points."""
    m1, m2 = (p[2] - p[0]) / 2, (p[3] - p[1]) / 2
    t2 = t * t
    t3 = t2 * t
    return (2 * t3 - 3 * t2 + 1) * p[1] + (t3 - 2 * t2 + t) * m1 + (-2 * t3 + 3 * t2) * p[2] + (t3 - t2) * m2


case(cubic_hermite, [0.2, 1.0, 0.7, -0.4], 0.3)


def de_boor(control, t):
    """Bezier curve by de Casteljau, on arrays."""
    while len(control) > 1:
        control = (1 - t) * control[:-1] + t * control[1:]
    return control[0]


case(de_boor, np.array([0.2, 1.0, 0.7, -0.4]), 0.3)


def integrand(x, a):
    return math.exp(-a * x * x)


def simpson(a, b, n):
    h = b / n
    s = integrand(0.0, a) + integrand(b, a)
    for i in range(1, n):
        s += (4 if i % 2 else 2) * integrand(i * h, a)
    return s * h / 3


case(simpson, 0.7, 1.5, 10)


def adaptive(a, low, high, depth):
    middle = (low + high) / 2
    whole = (high - low) * integrand(middle, a)
    halves = (high - low) / 2 * (integrand((low + middle) / 2, a) + integrand((middle + high) / 2, a))
    if depth == 0 or abs(whole - halves) < 1e-3:
        return halves
    return adaptive(a, low, middle, depth - 1) + adaptive(a, middle, high, depth - 1)


case(adaptive, 2.0, 0.0, 1.3, 6)


def trapezoid_rule(y, x):
    return np.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1])) / 2


case(trapezoid_rule, np.array([1.0, 2.0, 0.5, 0.7]), np.array([0.0, 0.4, 1.1, 1.5]))


def kalman_filter(q, r, observations):
    x, p, cost = 0.0, 1.0, 0.0
    for z in observations:
        p = p + q
        s = p + r
        gain = p / s
        cost += 0.5 * ((z - x) ** 2 / s + math.log(s))
        x = x + gain * (z - x)
        p = (1 - gain) * p
    return cost


case(kalman_filter, 0.1, 0.5, [0.3, 0.5, 0.1, 0.9])


def kalman_step(x, p, z, f, h, q, r):
    x = f @ x
    p = f @ p @ f.T + q
    s = h @ p @ h.T + r
    k = p @ h.T @ np.linalg.inv(s)
    return x + k @ (z - h @ x), p - k @ h @ p


def kalman_matrix(f, h, q, r, zs):
    x, p, cost = np.zeros(2), np.eye(2), 0.0
    for z in zs:
        x, p = kalman_step(x, p, z, f, h, q, r)
        cost = cost + np.sum((z - h @ x) ** 2)
    return cost


case(kalman_matrix, np.array([[1.0, 0.1], [0.0, 0.9]]), np.array([[1.0, 0.2]]), 0.1 * np.eye(2), np.array([[0.5]]),
     np.array([[0.3], [0.5], [0.1]]))


def lstm_cell(p, x, h, c):
    z = np.dot(p['w'], np.concatenate((x, h))) + p['b']
    i, f, o, g = np.split(z, 4)
    c = sigmoid(f + 1.0) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def lstm(p, xs):
    h, c = np.zeros(2), np.zeros(2)
    for x in xs:
        h, c = lstm_cell(p, x, h, c)
    return np.sum(h ** 2)


case(lstm, {'w': np.sin(np.arange(32.0)).reshape(8, 4), 'b': np.cos(np.arange(8.0))}, X[:3])


def gru_scores(w, u, xs):
    h = np.zeros_like(xs[0])
    for x in xs:
        z = sigmoid(w @ x + u @ h)
        h = (1 - z) * h + z * np.tanh(x + u @ (z * h))
    return np.sum(h)


case(gru_scores, np.array([[0.3, 0.2], [-0.5, 0.1]]), np.array([[0.7, -0.2], [0.4, 0.6]]), X)


def recursive_power(x, n):
    if n == 0:
        return 1.0
    if n % 2:
        return x * recursive_power(x, n - 1)
    half = recursive_power(x, n // 2)
    return half * half


case(recursive_power, 1.3, 11)


def fibonacci(x, n):
    if n < 2:
        return x
    return fibonacci(x, n - 1) + x * fibonacci(x, n - 2)


case(fibonacci, 0.8, 6)


def tree_sum(tree):
    if isinstance(tree, float):
        return tree * tree
    total = 0.0
    for branch in tree:
        total = total + tree_sum(branch)
    return total


case(tree_sum, [1.0, [2.0, 3.0], [[0.5], 1.5]])


def ackermann_like(x, m, n):
    if m == 0:
        return x + n
    if n == 0:
        return ackermann_like(x * x, m - 1, 1)
    return ackermann_like(ackermann_like(x, m, n - 1) * 0.1, m - 1, n)


case(ackermann_like, 1.1, 2, 2)


def continued_fraction(x, n):
    return x if n == 0 else n + x / continued_fraction(x, n - 1)


case(continued_fraction, 0.8, 5)


def gram_schmidt(a, b):
    u = a / np.sqrt(np.dot(a, a))
    v = b - np.dot(u, b) * u
    return np.sum(v) + np.linalg.norm(v)


case(gram_schmidt, np.array([0.3, 1.2, -0.7]), np.array([1.1, 0.4, 0.95]))


def power_method(a, steps):
    v = np.ones(a.shape[0])
    for _ in range(steps):
        v = a @ v
        v = v / np.linalg.norm(v)
    return v @ a @ v


case(power_method, np.array([[2.0, 0.3, 0.1], [0.2, 1.5, -0.4], [0.3, 0.1, 1.8]]), 7)


def conjugate_gradient(a, b):
    x, r = np.zeros_like(b), b
    p, rr = r, np.dot(r, r)
    for _ in range(2):
        ap = np.dot(a, p)
        alpha = rr / np.dot(p, ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = np.dot(r, r)
        p = r + new / rr * p
        rr = new
    return np.dot(x, x)


case(conjugate_gradient, np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.4], [0.1, -0.4, 1.8]]), np.array([1.0, 0.5, -0.3]))


def ray_sphere(origin, direction, radius):
    b = np.dot(origin, direction)
    c = np.dot(origin, origin) - radius ** 2
    disc = b * b - np.dot(direction, direction) * c
    if disc < 0:
        return 0.0
    return (-b - np.sqrt(disc)) / np.dot(direction, direction)


case(ray_sphere, np.array([0.0, 0.1, -3.0]), np.array([0.05, 0.0, 1.0]), 1.0)
case(ray_sphere, np.array([0.0, 5.0, -3.0]), np.array([0.05, 0.0, 1.0]), 1.0)


def great_circle(lat1, lon1, lat2, lon2):
    a = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(a))


case(great_circle, 0.3, 0.5, 0.9, -0.4)


def rosenbrock(x):
    return sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0)


case(rosenbrock, np.array([1.3, 0.7, 0.8, 1.9]))


def ackley(x):
    n = len(x)
    return (-20 * np.exp(-0.2 * np.sqrt(np.sum(x ** 2) / n)) - np.exp(np.sum(np.cos(2 * np.pi * x)) / n) + 20 + np.e)


case(ackley, np.array([0.3, 0.7]))


def convolution(x, k):
    out = 0.0
    for i in range(len(x) - len(k) + 1):
        out = out + np.sum(x[i:i + len(k)] * k) ** 2
    return out


case(convolution, np.array([0.3, 1.2, -0.7, 0.4, 0.1]), np.array([0.5, -0.2]))


def markov_chain(logits, start, steps):
    p = np.exp(logits) / np.sum(np.exp(logits), axis=1, keepdims=True)
    s = start
    entropy = 0.0
    for t in range(steps):
        s = s @ p
        entropy = entropy - np.sum(s * np.log(s))
    return entropy


case(markov_chain, np.array([[0.1, 0.5], [-0.3, 0.2]]), np.array([0.7, 0.3]), 4)


def hmm_forward(a, b, start, observed):
    alpha = start * b[:, observed[0]]
    for o in observed[1:]:
        alpha = (alpha @ a) * b[:, o]
    return np.log(np.sum(alpha))


case(hmm_forward, np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.1, 0.9], [0.6, 0.4]]), np.array([0.5, 0.5]),
     [0, 1, 1])


# name -> arguments: functions of NumPy and SciPy through their own source
P = np.array([1.0, -2.0, 0.5, 0.3])
Q = np.array([0.2, 0.9, 0.4, 1.1])
PROBABLE = np.array([0.1, 0.2, 0.3, 0.4])
LIBRARY = {
    'scipy.optimize.rosen': (P,),
    'scipy.optimize.rosen_hess_prod': (P, Q),
    'numpy.polyval': (P, 1.3),
    'numpy.trapezoid': (P, Q),
    'numpy.polynomial.polynomial.polyval': (1.3, P),
    'numpy.polynomial.chebyshev.chebval': (0.3, P),
    'numpy.polynomial.legendre.legval': (0.3, P),
    'numpy.polynomial.hermite.hermval': (0.3, P),
    'numpy.polynomial.hermite_e.hermeval': (0.3, P),
    'numpy.polynomial.laguerre.lagval': (0.3, P),
    'numpy.polynomial.polynomial.polyval2d': (0.3, 0.4, np.outer(P, Q)),
    'numpy.polyadd': (P, Q),
    'numpy.polymul': (P, Q),
    'numpy.polyder': (P,),
    'numpy.vander': (P,),
    'numpy.kron': (P, Q),
    'numpy.cov': (np.outer(P, Q) + np.diag(P),),
    'numpy.average': (P, None, Q),
    'numpy.gradient': (P,),
    'numpy.cross': (P[:3], Q[:3]),
    'numpy.sinc': (P,),
    'numpy.linalg.multi_dot': ([np.outer(P, Q), np.outer(Q, Q), P],),
    'scipy.special.logsumexp': (P,),
    'scipy.special.softmax': (P,),
    'scipy.special.log_softmax': (P,),
    'scipy.special.multigammaln': (3.3, 2),
    'scipy.integrate.simpson': (P,),
    'scipy.integrate.trapezoid': (P, Q),
    'scipy.integrate.cumulative_trapezoid': (P, Q),
    'scipy.spatial.distance.euclidean': (P, Q),
    'scipy.spatial.distance.sqeuclidean': (P, Q),
    'scipy.spatial.distance.minkowski': (P, Q, 3),
    'scipy.spatial.distance.cosine': (P, Q),
    'scipy.spatial.distance.correlation': (P, Q),
    'scipy.spatial.distance.cityblock': (P, Q),
    'scipy.spatial.distance.braycurtis': (P, Q),
    'scipy.spatial.distance.canberra': (P, Q),
    'scipy.spatial.distance.mahalanobis': (P, Q, np.diag(Q)),
    'scipy.spatial.distance.jensenshannon': (PROBABLE, PROBABLE[::-1].copy()),
    'scipy.signal.gausspulse': (0.1,),
    'scipy.signal.chirp': (0.3, 1.0, 2.0, 3.0),
    'scipy.stats.gmean': (Q,),
    'scipy.stats.hmean': (Q,),
    'scipy.stats.moment': (P, 3),
    'scipy.stats.skew': (P,),
    'scipy.stats.entropy': (PROBABLE,),
    'scipy.linalg.norm': (P,),
}
