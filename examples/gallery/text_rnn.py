"""A recurrent network that writes: it reads a text character by character, and guesses the next one.

The loss runs through a sentence of any length in a plain `for` loop. The parameters are a dictionary, so are their gradients,
and `tangent.tree_map` lets Adam go over both.

    python examples/gallery/text_rnn.py
"""
import matplotlib.pyplot as plt
import numpy as np

import tangent

TEXT = '''the sun did not shine on the sea. the sea did not care for the sun. the wind went over the water, and the water went
over the sand. then the sun came out, and the sand was warm, and the wind was still. '''.replace('\n', ' ')
LETTERS = sorted(set(TEXT))
CODES = np.array([LETTERS.index(c) for c in TEXT])


def step(p, h, code):
    """The next state, and the logarithms (up to a constant) of how probable each letter is."""
    h = np.tanh(p['embedding'][code] + p['recurrent'] @ h + p['bias'])
    return h, p['out'] @ h + p['out_bias']


def loss(p, codes):
    h = np.zeros(len(p['bias']))
    total = 0.0
    for code, following in zip(codes[:-1], codes[1:]):
        h, logits = step(p, h, code)
        top = np.max(logits)
        total += top + np.log(np.sum(np.exp(logits - top))) - logits[following]
    return total / (len(codes) - 1)


slope = tangent.value_and_grad(loss)


def parameters(hidden, rng):
    n = len(LETTERS)
    return {'embedding': 0.3 * rng.normal(size=(n, hidden)), 'recurrent': rng.normal(size=(hidden, hidden)) / np.sqrt(hidden),
            'bias': np.zeros(hidden), 'out': 0.3 * rng.normal(size=(n, hidden)), 'out_bias': np.zeros(n)}


def adam(p, steps, length, rng, rate=0.01):
    m = v = tangent.tree_map(np.zeros_like, p)
    losses = []
    for k in range(1, steps + 1):
        start = rng.integers(len(CODES) - length)
        value, g = slope(p, CODES[start:start + length])
        m = tangent.tree_map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = tangent.tree_map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
        now = rate * np.sqrt(1 - 0.99 ** k) / (1 - 0.9 ** k)
        p = tangent.tree_map(lambda p, m, v, now=now: p - now * m / (np.sqrt(v) + 1e-8), p, m, v)
        losses.append(value)
    return p, losses


def written(p, count, first='t'):
    """The most probable letter after each letter."""
    h, code, letters = np.zeros(len(p['bias'])), LETTERS.index(first), first
    for _ in range(count):
        h, logits = step(p, h, code)
        code = int(np.argmax(logits))
        letters += LETTERS[code]
    return letters


def main(size=700, hidden=48, length=60):
    rng = np.random.default_rng(7)
    p, losses = adam(parameters(hidden, rng), size, length, rng)
    words = written(p, 110)
    print(f'loss {losses[0]:.2f} at first, {np.mean(losses[-20:]):.2f} at the end; it writes:\n{words}')
    return losses, words


def picture(losses, words):
    figure, axes = plt.subplots(figsize=(8, 3.2), layout='constrained')
    axes.plot(losses)
    axes.set(xlabel='step', ylabel='nats a letter', title='\n'.join([words[:70], words[70:]]))
    axes.title.set_fontfamily('monospace')
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
