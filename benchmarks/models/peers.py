"""The same models for JAX, in its own style and compiled, and for PyTorch in eager mode: model -> gradient."""
import functools

import numpy as np

from benchmarks.treelstm import encoder


def jax_gradients(models):
    """Compiled, in double precision, given arrays of their own, waited for."""
    import jax
    import jax.numpy as jnp
    jax.config.update('jax_enable_x64', True)
    jax.config.update('jax_cpu_enable_async_dispatch', False)

    def rebound(x, w):
        x = jnp.sin(x * w) + x * w
        return jnp.sum(x * x)

    def lattice(x0, w, m):
        n = len(x0)

        def walk(w_k, k):
            def update(x, j):
                r = (7 * j + k) % n
                return x.at[r].set(jnp.tanh(w_k * x[r] + x[(r + 1) % n])), None
            x, _ = jax.lax.scan(update, x0, jnp.arange(m))
            return jnp.dot(x[k % n], x[(k + 7) % n])
        return jnp.sum(jax.vmap(walk)(w, jnp.arange(len(w))))

    def cross_entropy(logits, labels):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))

    def mlp(w1, b1, w2, b2, x, labels):
        return cross_entropy(jnp.tanh(x @ w1 + b1) @ w2 + b2, labels)

    def rnn(w_in, w_state, b_state, w_out, b_out, texts):
        def step(h, pair):
            h = jnp.tanh(w_in[pair[0]] + h @ w_state + b_state)
            return h, cross_entropy(h @ w_out + b_out, pair[1])
        start = jnp.zeros((texts.shape[1], len(b_state)))
        return jnp.sum(jax.lax.scan(step, start, (texts[:-1], texts[1:]))[1])

    def lstm(w_in, w_state, b_state, w_out, b_out, texts):
        def step(carried, pair):
            h, c = carried
            forget, new, output, update = jnp.split(w_in[pair[0]] + h @ w_state + b_state, 4, axis=1)
            c = jax.nn.sigmoid(forget) * c + jax.nn.sigmoid(new) * jnp.tanh(update)
            h = jax.nn.sigmoid(output) * jnp.tanh(c)
            return (h, c), cross_entropy(h @ w_out + b_out, pair[1])
        start = jnp.zeros((texts.shape[1], len(w_state)))
        return jnp.sum(jax.lax.scan(step, (start, start), (texts[:-1], texts[1:]))[1])

    def convolved(x, kernels):
        x = jax.lax.conv_general_dilated(x, kernels, (1, 1), 'VALID', dimension_numbers=('CNHW', 'OIHW', 'CNHW'))
        return jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), 'VALID')

    def cnn(kernels1, kernels2, w1, b1, w2, b2, images, labels):
        h = convolved(convolved(images, kernels1), kernels2)
        h = jax.nn.relu(h.transpose(1, 0, 2, 3).reshape(len(labels), -1) @ w1 + b1)
        return cross_entropy(h @ w2 + b2, labels)

    def treelstm(p, tree):
        def encode(tree):
            if tree.left is None:
                new, output, update = jnp.split(p.leaf @ p.embedding[tree.word] + p.leaf_bias, 3)
                c, below = jax.nn.sigmoid(new) * jnp.tanh(update), 0.0
            else:
                (left_loss, left_h, left_c), (right_loss, right_h, right_c) = encode(tree.left), encode(tree.right)
                gates = p.node @ jnp.concatenate([left_h, right_h]) + p.node_bias
                new, left, right, output, update = jnp.split(gates, 5)
                c = jax.nn.sigmoid(new) * jnp.tanh(update) + jax.nn.sigmoid(left) * left_c + jax.nn.sigmoid(right) * right_c
                below = left_loss + right_loss
            h = jax.nn.sigmoid(output) * jnp.tanh(c)
            return below - jax.nn.log_softmax(p.out @ h + p.out_bias)[tree.label], h, c
        return encode(tree)[0]

    found = {}
    written = {'rebound': rebound, 'lattice': lattice, 'mlp': mlp, 'rnn': rnn, 'lstm': lstm, 'cnn': cnn}
    for name, function in written.items():
        if name not in models:
            continue
        args, wrt = models[name]
        static = {'static_argnums': 2} if name == 'lattice' else {}
        compiled = jax.jit(jax.grad(function, wrt), **static)
        there = [jnp.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
        found[name] = lambda compiled=compiled, there=there: jax.block_until_ready(compiled(*there))
    if 'treelstm' in models:
        (p, tree), _ = models['treelstm']
        p = type(p)(*map(jnp.asarray, p))
        one_tree = jax.jit(jax.grad(functools.partial(treelstm, tree=tree)))
        found['treelstm'] = lambda: tuple(jax.block_until_ready(one_tree(p)))
    return found


def torch_gradients(models):
    """In eager mode, on one thread, given tensors of their own."""
    import torch
    from torch.nn import functional
    torch.set_num_threads(1)

    def rebound(x, w):
        x = torch.sin(x * w) + x * w
        return torch.sum(x * x)

    def lattice(x0, w, m):
        n, total = len(x0), 0.0
        for k in range(len(w)):
            x = x0.clone()
            for j in range(m):
                r = (7 * j + k) % n
                x[r] = torch.tanh(w[k] * x[r].clone() + x[(r + 1) % n].clone())
            total = total + torch.dot(x[k % n], x[(k + 7) % n])
        return total

    def mlp(w1, b1, w2, b2, x, labels):
        return functional.cross_entropy(torch.tanh(x @ w1 + b1) @ w2 + b2, labels)

    def rnn(w_in, w_state, b_state, w_out, b_out, texts):
        h, loss = torch.zeros((texts.shape[1], len(b_state)), dtype=torch.float64), 0.0
        for t in range(len(texts) - 1):
            h = torch.tanh(w_in[texts[t]] + h @ w_state + b_state)
            loss = loss + functional.cross_entropy(h @ w_out + b_out, texts[t + 1])
        return loss

    def lstm(w_in, w_state, b_state, w_out, b_out, texts):
        h = c = torch.zeros((texts.shape[1], len(w_state)), dtype=torch.float64)
        loss = 0.0
        for t in range(len(texts) - 1):
            forget, new, output, update = (w_in[texts[t]] + h @ w_state + b_state).chunk(4, 1)
            c = torch.sigmoid(forget) * c + torch.sigmoid(new) * torch.tanh(update)
            h = torch.sigmoid(output) * torch.tanh(c)
            loss = loss + functional.cross_entropy(h @ w_out + b_out, texts[t + 1])
        return loss

    def cnn(kernels1, kernels2, w1, b1, w2, b2, images, labels):
        h = functional.max_pool2d(torch.relu(functional.conv2d(images.transpose(0, 1), kernels1)), 2)
        h = functional.max_pool2d(torch.relu(functional.conv2d(h, kernels2)), 2)
        h = torch.relu(h.reshape(len(labels), -1) @ w1 + b1)
        return functional.cross_entropy(h @ w2 + b2, labels)

    def gradient(function, args, wrt):
        there = [torch.tensor(a) if isinstance(a, np.ndarray) or k in wrt else a for k, a in enumerate(args)]
        by = [there[k].requires_grad_() for k in wrt]
        return lambda: [g.numpy() for g in torch.autograd.grad(function(*there), by)]

    written = {'rebound': rebound, 'lattice': lattice, 'mlp': mlp, 'rnn': rnn, 'lstm': lstm, 'cnn': cnn}
    found = {name: gradient(function, *models[name]) for name, function in written.items() if name in models}
    if 'treelstm' in models:
        (p, tree), _ = models['treelstm']
        there = [torch.tensor(a).requires_grad_() for a in p]
        encode = encoder(torch)
        found['treelstm'] = lambda: [g.numpy() for g in torch.autograd.grad(encode(tree, type(p)(*there))[0], there)]
    return found


MAKERS = {'JAX': jax_gradients, 'PyTorch': torch_gradients}


def gradients(models):
    """Library -> (model -> call without arguments that gives the gradients), for the libraries that are installed."""
    found = {}
    for name, make in MAKERS.items():
        try:
            found[name] = make(models)
        except ImportError:
            print(f'{name} is not installed: skipped')
    return found
