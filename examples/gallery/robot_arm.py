"""A robot arm: how does it reach a place behind an obstacle, without touching it?

An arm of several links in a plane moves from a given posture, and its hand shall be at the target at the end. Every posture
on the way is free. The cost adds what is wanted: the hand at the target, small changes from one posture to the next, and
joints that keep away from the obstacle.

    python examples/gallery/robot_arm.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent

LINK, OBSTACLE, RADIUS, TARGET = 0.5, np.array([1.45, 0.8]), 0.3, np.array([0.6, 1.3])


def joints(angles):
    """Places of the joints and of the hand; every angle is relative to the link before."""
    directions = np.cumsum(angles)
    x, y = np.cumsum(LINK * np.cos(directions)), np.cumsum(LINK * np.sin(directions))
    return np.stack([x, y], axis=1)


def near(places):
    """How deep the joints, and the middles of the links between them, are in the obstacle."""
    everywhere = np.concatenate([places, 0.5 * (places[1:] + places[:-1])])
    distance = np.sqrt(np.sum((everywhere - OBSTACLE) ** 2, axis=1))
    return np.sum(np.maximum(RADIUS + 0.05 - distance, 0.0) ** 2)


def cost(motion, rest):
    posture, total = rest, 0.0
    for angles in motion:
        halfway = 0.5 * (angles + posture)
        total += np.sum((angles - posture) ** 2) + 100.0 * (near(joints(angles)) + near(joints(halfway)))
        posture = angles
    hand = joints(posture)[-1]
    return total + 100.0 * np.sum((hand - TARGET) ** 2)


slope = tangent.value_and_grad(cost)


def main(size=24, links=4):
    rest = np.array([-0.6, 0.3, 0.2, 0.1] + [0.0] * (links - 4))
    folded = np.array([0.0] + [1.0] * (links - 1))
    start = rest + np.linspace(0, 1, size)[:, None] * (folded - rest)       # the arm folds, and so passes the obstacle

    def flat(v):
        value, gradient = slope(v.reshape(start.shape), rest)
        return value, gradient.ravel()

    found = minimize(flat, start.ravel(), jac=True, method='L-BFGS-B', options={'maxiter': 500})
    motion = found.x.reshape(start.shape)
    miss = np.linalg.norm(joints(motion[-1])[-1] - TARGET)
    print(f'cost {cost(start, rest):.2f} at first, {found.fun:.3f} at the end; the hand misses the target by {miss:.4f}')
    return motion, rest


def picture(motion, rest):
    figure, axes = plt.subplots(figsize=(5.5, 5), layout='constrained')
    axes.add_patch(plt.Circle(OBSTACLE, RADIUS, color='lightgray'))
    for k, angles in enumerate([rest, *motion]):
        places = np.concatenate([np.zeros((1, 2)), joints(angles)])
        axes.plot(*places.T, '.-', color=plt.cm.viridis(k / len(motion)), linewidth=1)
    axes.plot(*np.array([joints(a)[-1] for a in [rest, *motion]]).T, 'r', label='the hand')
    axes.plot(*TARGET, 'r*', markersize=15, label='target')
    axes.set_aspect('equal')
    axes.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
