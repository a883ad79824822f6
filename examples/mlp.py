"""A two-layer perceptron that reads handwritten digits, trained by plain gradient descent.

The network is Listing 9 of the Tangent paper (van Merrienboer, Moldovan, Wiltschko, NeurIPS 2018): ordinary NumPy in
small functions that call each other. The digits come with scikit-learn.

    python -m tangent show examples/mlp.py:loss --wrt w1,b1
    python examples/mlp.py
"""
import numpy as np

import tangent


def logsumexp(x):
    return np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


def logsoftmax(logits):
    return logits - logsumexp(logits)


def softmax_crossent(logits, y):
    return -np.sum(logsoftmax(logits) * y, axis=-1)


def mlp(x, w1, b1, w2, b2):
    h = np.tanh(np.dot(x, w1) + b1)
    return np.dot(h, w2) + b2


def loss(w1, b1, w2, b2, x, y):
    logits = mlp(x, w1, b1, w2, b2)
    return np.mean(softmax_crossent(logits, y))


def initial_parameters(rng, inputs=64, hidden=64, classes=10):
    w1 = rng.normal(size=(inputs, hidden)) / np.sqrt(inputs)
    w2 = rng.normal(size=(hidden, classes)) / np.sqrt(hidden)
    return w1, np.zeros(hidden), w2, np.zeros(classes)


def digits():
    """Images of 64 pixels with one-hot labels to train on, and others with their labels as numbers to test with."""
    from sklearn.datasets import load_digits  # the other functions of this file can be used without scikit-learn
    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(labels))
    train, test = order[360:], order[:360]
    return images[train] / 16, np.eye(10)[labels[train]], images[test] / 16, labels[test]


def accuracy(parameters, x, labels):
    return np.mean(np.argmax(mlp(x, *parameters), axis=-1) == labels)


def train(x, y, epochs=30, batch=16, rate=0.2):
    from tqdm import tqdm
    rng = np.random.default_rng(1)
    parameters = initial_parameters(rng)
    dloss = tangent.value_and_grad(loss, wrt=(0, 1, 2, 3))
    for _ in (bar := tqdm(range(epochs), desc='training', unit='epoch')):
        order = rng.permutation(len(x))
        total = 0.0
        for rows in np.split(order[:len(x) // batch * batch], len(x) // batch):
            value, gradients = dloss(*parameters, x[rows], y[rows])
            parameters = [p - rate * g for p, g in zip(parameters, gradients)]
            total += value
        bar.set_postfix(loss=f'{total * batch / len(x):.4f}')
    return parameters


def main():
    x, y, test_x, test_labels = digits()
    score = accuracy(train(x, y), test_x, test_labels)
    print(f'accuracy on {len(test_labels)} digits never seen: {score:.1%}')
    return score


if __name__ == '__main__':
    main()
