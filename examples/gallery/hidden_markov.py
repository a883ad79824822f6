"""A hidden Markov model: when was the loaded die in play?

The forward algorithm gives the logarithm of the likelihood of all throws. Its gradient by the logarithms of the probabilities
of transitions and faces fits them. Its gradient by the logarithm of what each throw says of each state is the posterior
probability of that state: the backward algorithm need not be written, it is the derivative of the forward one.

    python examples/gallery/hidden_markov.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent


def logsumexp(x, axis=None):
    top = np.max(x, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(x - top), axis=axis)) + np.squeeze(top, axis=axis)


def log_likelihood(log_evidence, log_change):
    """`log_evidence[t, s]` is the logarithm of the probability of throw `t` in state `s`."""
    alpha = log_evidence[0] - np.log(2.0)
    for evidence in log_evidence[1:]:
        alpha = logsumexp(alpha[:, None] + log_change, axis=0) + evidence
    return logsumexp(alpha)


def normal(logits):
    """Logarithms of probabilities, one row for each state."""
    return logits - logsumexp(logits, axis=1)[:, None]


def cost(logits, throws):
    log_change, log_faces = normal(logits[:, :2]), normal(logits[:, 2:])
    return -log_likelihood(log_faces.T[throws], log_change) / len(throws)


slope = tangent.value_and_grad(cost)
posterior = tangent.grad(log_likelihood)


def casino(size):
    """States and throws: a fair die, and one that shows its last face every other time."""
    rng = np.random.default_rng(3)
    state, states, throws = 0, [], []
    for _ in range(size):
        state = 1 - state if rng.uniform() < 0.02 else state
        states.append(state)
        throws.append(rng.choice(6, p=[np.full(6, 1 / 6), np.array([0.1, 0.1, 0.1, 0.1, 0.1, 0.5])][state]))
    return np.array(states), np.array(throws)


def main(size=1000):
    states, throws = casino(size)
    start = np.zeros((2, 8))
    start[[0, 1], [0, 1]], start[1, 7] = 3.0, 1.0          # one stays in a state; the second one likes the last face
    flat = lambda logits: (lambda value, gradient: (value, gradient.ravel()))(*slope(logits.reshape(2, 8), throws))
    found = minimize(flat, start.ravel(), jac=True, method='L-BFGS-B').x.reshape(2, 8)
    log_change, log_faces = normal(found[:, :2]), normal(found[:, 2:])
    loaded = posterior(log_faces.T[throws], log_change)
    print('faces of the loaded die', np.round(np.exp(log_faces[1]), 2))
    print(f'the right die in {np.mean((loaded[:, 1] > 0.5) == states):.0%} of the throws')
    return loaded, states, np.exp(log_faces)


def picture(loaded, states, faces):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3), width_ratios=(3, 1), layout='constrained')
    left.fill_between(range(len(states)), states, step='mid', color='lightgray', label='the loaded die was in play')
    left.plot(loaded[:, 1], label='posterior probability')
    left.set(xlabel='throw')
    left.legend(loc='lower center', bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    right.bar(np.arange(1, 7) - 0.2, faces[0], 0.4, label='fair')
    right.bar(np.arange(1, 7) + 0.2, faces[1], 0.4, label='loaded')
    right.set(title='faces, as learned')
    right.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
