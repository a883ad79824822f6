"""Programs of the names that NPBench has, and `polybench` not, as people write them for Numba."""
import numpy as np


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    """Distances of pairs of points on the sphere."""
    temp = (np.sin((theta_2 - theta_1) / 2)**2 + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2)**2)
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))


def azimint_naive(data, radius, npt):
    """Means of the data in rings."""
    rmax = radius.max()
    res = np.zeros(npt)
    for i in range(npt):
        r1 = rmax * i / npt
        r2 = rmax * (i + 1) / npt
        mask_r12 = np.logical_and((r1 <= radius), (radius < r2))
        res[i] = data[mask_r12].mean()
    return res


def compute(array_1, array_2, a, b, c):
    return np.clip(array_1, 0.4, 1.0) * a + array_2 * b + c


def cholesky2(A):
    A[:] = np.linalg.cholesky(A) + np.triu(A, 1)


def softmax(x):
    """Over the last axis of four."""
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                e = np.exp(x[i, j, k] - np.max(x[i, j, k]))
                out[i, j, k] = e / np.sum(e)
    return out


def mlp(x, w1, b1, w2, b2, w3, b3):
    """Three layers."""
    x = np.maximum(x @ w1 + b1, 0)
    x = np.maximum(x @ w2 + b2, 0)
    return x @ w3 + b3


def conv2d_bias(input, weights, bias):
    """A convolution over windows of all images, and a bias."""
    K = weights.shape[0]
    N = input.shape[0]
    H_out = input.shape[1] - K + 1
    W_out = input.shape[2] - K + 1
    C_out = weights.shape[3]
    output = np.empty((N, H_out, W_out, C_out))
    for n in range(N):
        for i in range(H_out):
            for j in range(W_out):
                for c in range(C_out):
                    output[n, i, j, c] = np.sum(input[n, i:i + K, j:j + K, :] * weights[:, :, :, c]) + bias[c]
    return output
