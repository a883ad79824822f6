"""Sampling with NUTS: what eight schools say of a coaching programme.

The No-U-Turn sampler of Hoffman and Gelman (2014), Algorithm 6, in sixty lines. It needs the logarithm of a density, and its
gradient. The model is that of Rubin's eight schools: effects around a common mean, with a spread that is not known.

    python examples/gallery/nuts.py
"""
import matplotlib.pyplot as plt
import numpy as np

import tangent

EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def log_density(q):
    """Of the mean, the logarithm of the spread, and how many spreads each school is from the mean."""
    mean, log_spread, away = q[0], q[1], q[2:]
    schools = mean + np.exp(log_spread) * away
    prior = -0.5 * (mean / 5) ** 2 - np.log1p((np.exp(log_spread) / 5) ** 2) + log_spread - 0.5 * np.sum(away ** 2)
    return prior - 0.5 * np.sum(((EFFECTS - schools) / ERRORS) ** 2)


slope = tangent.value_and_grad(log_density)


def leapfrog(q, p, gradient, step):
    p = p + 0.5 * step * gradient
    q = q + step * p
    value, gradient = slope(q)
    return q, p + 0.5 * step * gradient, value, gradient


def turns(first, last):
    """Whether the ends of a trajectory begin to move towards each other."""
    return (last[0] - first[0]) @ first[1] < 0 or (last[0] - first[0]) @ last[1] < 0


def tree(end, depth, step, log_slice, energy, rng):
    """2 ** depth steps from an end: (first, last, a point taken, how many could be, goes on, sum of acceptance, steps)."""
    if depth == 0:
        q, p, value, gradient = leapfrog(end[0], end[1], end[2], step)
        joint = value - 0.5 * p @ p
        new = q, p, gradient
        return new, new, q, int(log_slice < joint), log_slice < joint + 1000, min(1.0, np.exp(min(joint - energy, 0.0))), 1
    first, last, taken, count, goes_on, accepted, steps = tree(end, depth - 1, step, log_slice, energy, rng)
    if goes_on:
        one, other, taken2, count2, goes_on, accepted2, steps2 = \
            tree(last if step > 0 else first, depth - 1, step, log_slice, energy, rng)
        first, last = (first, other) if step > 0 else (one, last)
        if rng.uniform() * max(count + count2, 1) < count2:
            taken = taken2
        count, accepted, steps = count + count2, accepted + accepted2, steps + steps2
        goes_on = goes_on and not turns(first, last)
    return first, last, taken, count, goes_on, accepted, steps


def draw(q, step, rng):
    """The next point, and how well the step does: the mean probability of acceptance along the trajectory."""
    value, gradient = slope(q)
    p = rng.normal(size=q.shape)
    energy = value - 0.5 * p @ p
    log_slice = energy - rng.exponential()
    first = last = q, p, gradient
    total, depth, goes_on = 1, 0, True
    while goes_on and depth < 8:
        forward = rng.uniform() < 0.5
        one, other, taken, count, goes_on, accepted, steps = \
            tree(last if forward else first, depth, step if forward else -step, log_slice, energy, rng)
        first, last = (first, other) if forward else (one, last)
        if goes_on and rng.uniform() * total < count:
            q = taken
        total, depth, goes_on = total + count, depth + 1, goes_on and not turns(first, last)
    return q, accepted / steps


def sample(q, draws, rng, wanted=0.8):
    """Draws after as many to warm up, in which the step follows the acceptance (dual averaging)."""
    target, log_step, mean_log_step, error = np.log(1.0), np.log(0.1), 0.0, 0.0
    chain = []
    for k in range(1, 2 * draws + 1):
        q, acceptance = draw(q, np.exp(log_step if k <= draws else mean_log_step), rng)
        error += (wanted - acceptance - error) / (k + 10)
        log_step = target - error * np.sqrt(k) / 0.05
        mean_log_step += k ** -0.75 * (log_step - mean_log_step) if k <= draws else 0.0
        chain.append(q)
    return np.array(chain[draws:])


def main(size=1000):
    chain = sample(np.zeros(10), size, np.random.default_rng(9))
    schools = chain[:, :1] + np.exp(chain[:, 1:2]) * chain[:, 2:]
    print(f'mean {chain[:, 0].mean():.2f} (4.4 is known of long runs), spread {np.exp(chain[:, 1]).mean():.2f} (3.6)')
    return chain, schools


def picture(chain, schools):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout='constrained')
    left.plot(chain[:, 0], chain[:, 1], '.', markersize=2)
    left.set(xlabel='mean', ylabel='logarithm of the spread')
    right.errorbar(np.arange(8) - 0.1, EFFECTS, ERRORS, fmt='o', color='gray', label='measured')
    right.errorbar(np.arange(8) + 0.1, schools.mean(axis=0), schools.std(axis=0), fmt='o', label='posterior')
    right.set(xlabel='school', ylabel='effect')
    right.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
