"""Arguments for the programs: read from the files of ADBench (`data/`, with their licence), or made as GradBench makes them."""
import pathlib
from typing import NamedTuple

import numpy as np

FOLDER = pathlib.Path(__file__).parent / 'data'
SEED = 31337


class Model(NamedTuple):
    """A hand: its bones (parents come first), and the vertices that they move."""
    parents: list
    base_relatives: np.ndarray
    inverse_base_absolutes: np.ndarray
    base_positions: np.ndarray
    weights: np.ndarray
    triangles: np.ndarray
    is_mirrored: bool


def numbers(path):
    return iter((FOLDER / path).read_text().split())


def take(words, *shape):
    return np.array([float(next(words)) for _ in range(int(np.prod(shape)))]).reshape(shape)


def gmm(name='gmm/1k/gmm_d2_K5.txt'):
    """alpha, mu, q, l, x, gamma, m of a file."""
    words = numbers(name)
    d, k, n = (int(next(words)) for _ in range(3))
    alpha, mu, factors = take(words, k), take(words, k, d), take(words, k, d + d * (d - 1) // 2)
    x = take(words, n, d)
    gamma, m = float(next(words)), int(next(words))
    return alpha, mu, factors[:, :d].copy(), factors[:, d:].copy(), x, gamma, m


def random_gmm(d, k, n=1000):
    """The same, as GradBench draws them."""
    rng = np.random.default_rng(SEED)
    x = np.array([rng.normal(size=d) for _ in range(n)])
    alpha = rng.normal(size=k)
    mu = np.array([rng.uniform(size=d) for _ in range(k)])
    q = np.array([rng.normal(size=d) for _ in range(k)])
    l = np.array([rng.normal(size=d * (d - 1) // 2) for _ in range(k)])  # noqa: E741 - the name of the specification
    return alpha, mu, q, l, x, 1.0, 0


def lstm(name='lstm/lstm_l2_c1024.txt'):
    """main, extra, state, sequence of a file."""
    words = numbers(name)
    layers, c, b = (int(next(words)) for _ in range(3))
    return take(words, 2 * layers, 4 * b), take(words, 3, b), take(words, 2 * layers, b), take(words, c, b)


def ba(name='ba/ba1_n49_m7776_p31843.txt'):
    """cameras, points, weights, features, and for each observation its camera and its point."""
    words = numbers(name)
    n, m, p = (int(next(words)) for _ in range(3))
    cam, x, weight, feature = take(words, 11), take(words, 3), take(words, 1), take(words, 2)
    seen = np.arange(p)
    return (np.tile(cam, (n, 1)), np.tile(x, (m, 1)), np.tile(weight, p), np.tile(feature, (p, 1)), seen % n, seen % m)


def model():
    bones = [line.split(':') for line in (FOLDER / 'hand/model/bones.txt').read_text().split()]
    lines = [line.split(':') for line in (FOLDER / 'hand/model/vertices.txt').read_text().split()]
    positions, weights = np.ones((len(lines), 4)), np.zeros((len(lines), len(bones)))
    for v, line in enumerate(lines):
        positions[v, :3] = [float(word) for word in line[:3]]
        for k in range(int(line[8])):
            weights[v, int(line[9 + 2 * k])] = float(line[10 + 2 * k])
    triangles = [[int(word) for word in line.split(':')]
                 for line in (FOLDER / 'hand/model/triangles.txt').read_text().split()]
    matrices = np.array([[float(word) for word in bone[2:34]] for bone in bones]).reshape(-1, 2, 4, 4)
    return Model([int(bone[1]) for bone in bones], matrices[:, 0].copy(), matrices[:, 1].copy(), positions, weights,
                 np.array(triangles), False)


def hand(kind='simple', number=1, count=100):
    """theta, us (None for the simple kind), the model, correspondences, points of a file."""
    words = numbers(f'hand/{kind}_small/hand{number}_t26_c{count}.txt')
    n = int(next(words))
    next(words)
    rows = take(words, n, 4)
    us = take(words, n, 2) if kind == 'complicated' else None
    return take(words, 26), us, model(), rows[:, 0].astype(int), rows[:, 1:].copy()


def llsq(n=64, m=128):
    rng, size = np.random.RandomState(SEED), 16
    while size < n:                       # each size has fresh draws
        rng.uniform(size=m)
        size *= 2
    return rng.uniform(size=m), n


def lse(n=2500):
    return (np.random.RandomState(SEED).uniform(size=n),)


def kmeans(k=10, n=1000, d=8):
    points = np.random.RandomState(SEED).uniform(size=(n, d))
    return points[-k:].copy(), points


def ode(n=40, s=20):
    return np.random.RandomState(SEED).uniform(size=n), s


def det(ell=5):
    return (np.random.RandomState(SEED).uniform(size=(ell, ell)),)
