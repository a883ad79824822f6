"""Bundle adjustment: cameras and points of a scene from where the points are in the pictures.

Every camera has a rotation (a vector along its axis, as long as its angle), a place and a focal length. All cameras and all
points move until the points are seen where the pictures have them. The parameters are a dictionary; `tangent.ravel_pytree`
makes a vector of them for SciPy.

    python examples/gallery/bundle.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent


def rotate(points, vector):
    """Rodrigues' formula."""
    angle = np.sqrt(vector @ vector + 1e-12)
    axis = vector / angle
    along = (points @ axis)[:, None] * axis
    return along + np.cos(angle) * (points - along) + np.sin(angle) * np.cross(axis, points)


def project(camera, points):
    """Where a camera sees the points: three numbers of the rotation, three of the place, the focal length."""
    x = rotate(points, camera[:3]) + camera[3:6]
    return camera[6] * x[:, :2] / x[:, 2:]


def cost(scene, pictures):
    total = 0.0
    for camera, picture in zip(scene['cameras'], pictures):
        total += np.sum((project(camera, scene['points']) - picture) ** 2)
    return total / len(pictures) / len(scene['points'])


slope = tangent.value_and_grad(cost)


def main(size=60, cameras=6):
    rng = np.random.default_rng(4)
    t = np.linspace(0, 4 * np.pi, size)
    truth = {'points': np.stack([np.cos(t), np.sin(t), t / 6 - 1], axis=1),
             'cameras': np.array([[0.3 * np.sin(k), 0.4 * k - 1, 0.1 * k, 0.0, 0.0, 5.0, 1.0] for k in range(cameras)])}
    pictures = [project(c, truth['points']) + 0.001 * rng.normal(size=(size, 2)) for c in truth['cameras']]
    start = {'points': truth['points'] + 0.2 * rng.normal(size=(size, 3)),
             'cameras': truth['cameras'] + 0.05 * rng.normal(size=(cameras, 7))}
    vector, unravel = tangent.ravel_pytree(start)

    def flat(v):
        value, gradient = slope(unravel(v), pictures)
        return value, tangent.ravel_pytree(gradient)[0]

    found = minimize(flat, vector, jac=True, method='L-BFGS-B', options={'maxiter': 400, 'maxfun': 1000, 'ftol': 1e-14})
    error = lambda scene: np.sqrt(cost(scene, pictures))
    adjusted = unravel(found.x)
    print(f'{len(vector)} parameters; error in the pictures {error(start):.4f} at first, {error(adjusted):.5f} at the end')
    return start, adjusted, pictures


def picture(start, found, pictures):
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout='constrained')
    for k, ax in zip((0, len(pictures) // 2, len(pictures) - 1), axes):
        ax.plot(*project(start['cameras'][k], start['points']).T, '.', color='lightgray', label='before')
        ax.plot(*pictures[k].T, 'k.', label='in the picture')
        ax.plot(*project(found['cameras'][k], found['points']).T, 'o', markerfacecolor='none', label='after')
        ax.set(title=f'camera {k}', aspect='equal')
    axes[0].legend(loc='upper center', bbox_to_anchor=(0.5, -0.08), ncols=3, frameon=False)
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
