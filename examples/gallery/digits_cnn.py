"""A convolutional network that reads handwritten digits.

A convolution is a view of all 3 x 3 windows and one `einsum`; both have derivatives. Eight filters, a maximum over 2 x 2
pixels, and a linear layer; the images of 8 x 8 pixels come with scikit-learn.

    python examples/gallery/digits_cnn.py
"""
import matplotlib.pyplot as plt
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.datasets import load_digits

import tangent


def convolve(images, filters):
    """images: n x 8 x 8, filters: c x 3 x 3, result: n x c x 6 x 6."""
    windows = sliding_window_view(images, (3, 3), axis=(1, 2))
    return np.einsum('nijkl,ckl->ncij', windows, filters)


def pooled(x):
    """The greatest of each 2 x 2 pixels."""
    n, c, height, width = x.shape
    return x.reshape(n, c, height // 2, 2, width // 2, 2).max(axis=(3, 5))


def network(p, images):
    h = convolve(images, p['filters']) + p['bias'][:, None, None]
    h = pooled(np.maximum(h, 0.0)).reshape(len(images), -1)
    return h @ p['weights'] + p['out_bias']


def loss(p, images, labels):
    logits = network(p, images)
    logits = logits - logits.max(axis=1, keepdims=True)
    log_probabilities = logits - np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    return -np.mean(log_probabilities[np.arange(len(labels)), labels])


slope = tangent.value_and_grad(loss)


def main(size=12, channels=8, batch=32, rate=0.2):
    rng = np.random.default_rng(8)
    images, labels = load_digits().images / 16, load_digits().target
    order = rng.permutation(len(labels))
    train, test = order[300:], order[:300]
    p = {'filters': 0.4 * rng.normal(size=(channels, 3, 3)), 'bias': np.full(channels, 0.1),
         'weights': rng.normal(size=(9 * channels, 10)) / np.sqrt(9 * channels), 'out_bias': np.zeros(10)}
    losses = []
    for _ in range(size):
        for rows in np.array_split(rng.permutation(train), len(train) // batch):
            value, gradient = slope(p, images[rows], labels[rows])
            p = tangent.tree_map(lambda p, g: p - rate * g, p, gradient)
            losses.append(value)
    answers = np.argmax(network(p, images[test]), axis=1)
    print(f'{np.mean(answers == labels[test]):.1%} of 300 digits never seen are read right after {size} epochs')
    return losses, p['filters'], images[test], answers, labels[test]


def picture(losses, filters, images, answers, labels):
    figure = plt.figure(figsize=(10, 3.6), layout='constrained')
    curve, shown = figure.subfigures(1, 2, width_ratios=(1, 1.4))
    curve.subplots().semilogy(losses, linewidth=0.7)
    curve.suptitle('loss, step by step')
    axes = shown.subplots(3, 8)
    for ax, filter in zip(axes[0], filters):
        ax.imshow(filter, cmap='coolwarm')
    for ax, image, answer, label in zip(axes[1:].flat, images, answers, labels):
        ax.imshow(image, cmap='gray_r')
        ax.set_title(str(answer), color='green' if answer == label else 'red', fontsize=9)
    for ax in axes.flat:
        ax.axis('off')
    shown.suptitle('filters, and answers')
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
