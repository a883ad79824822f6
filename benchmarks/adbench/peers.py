"""The derivatives of the same programs by other libraries: program -> function of the same arguments."""
import pathlib
import types

import numpy as np

TEXT = pathlib.Path(__file__).with_name('programs.py')


def autograd_gradients():
    """Those of the plain programs that run with autograd's NumPy as they stand."""
    import autograd
    programs = types.ModuleType('programs')
    text = TEXT.read_text().replace('import numpy as np', 'import autograd.numpy as np')
    exec(compile(text, str(TEXT), 'exec'), programs.__dict__)
    found = {name: autograd.grad(getattr(programs, name)) for name in ('llsq', 'lse', 'kmeans', 'ode', 'det')}

    def lstm(main, extra, state, sequence):
        return autograd.grad(lambda both: programs.lstm(*both, state, sequence))((main, extra))
    return {**found, 'lstm': lstm}


def jax_gradients():
    """In JAX's own style, compiled, in double precision, waited for."""
    import jax
    import jax.numpy as jnp
    from jax.scipy.special import multigammaln
    jax.config.update('jax_enable_x64', True)

    def llsq(x, n):
        t = jnp.linspace(-1.0, 1.0, n)
        return 0.5 * jnp.sum((jnp.sign(t) - jnp.vander(t, len(x), increasing=True) @ x) ** 2)

    def lse(x):
        top = jnp.max(x)
        return top + jnp.log(jnp.sum(jnp.exp(x - top)))

    def kmeans(centroids, points):
        return jnp.sum(jnp.min(jnp.sum((points[:, None, :] - centroids) ** 2, axis=2), axis=1))

    def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741 - the names of the specification
        n, d = x.shape
        k = len(alpha)
        columns, rows = np.triu_indices(d, 1)
        factor = jnp.zeros((k, d, d)).at[:, rows, columns].set(l).at[:, np.arange(d), np.arange(d)].set(jnp.exp(q))
        y = jnp.einsum('cij,ncj->nci', factor, x[:, None, :] - mu)
        beta = alpha + jnp.sum(q, axis=1) - 0.5 * jnp.sum(y * y, axis=2)
        lik = jnp.sum(jax.scipy.special.logsumexp(beta, axis=1)) - n * (d / 2 * np.log(2 * np.pi) + lse(alpha))
        nu = d + m + 1
        constant = k * (nu * d * (jnp.log(gamma) - 0.5 * np.log(2)) - multigammaln(nu / 2, d))
        return lik + constant - 0.5 * gamma ** 2 * (jnp.sum(jnp.exp(2 * q)) + jnp.sum(l ** 2)) + m * jnp.sum(q)

    def lstm(main, extra, state, sequence):
        layers, b = len(state) // 2, state.shape[1]

        def step(carried, pair):
            h, s = list(carried[0]), list(carried[1])
            u = pair[0] * extra[0]
            for j in range(layers):
                w, v = main[2 * j], main[2 * j + 1]
                forget, ingate = jax.nn.sigmoid(u * w[:b] + v[:b]), jax.nn.sigmoid(h[j] * w[b:2 * b] + v[b:2 * b])
                outgate = jax.nn.sigmoid(u * w[2 * b:3 * b] + v[2 * b:3 * b])
                s[j] = s[j] * forget + ingate * jnp.tanh(h[j] * w[3 * b:] + v[3 * b:])
                u = h[j] = outgate * jnp.tanh(s[j])
            y = u * extra[1] + extra[2]
            return (jnp.stack(h), jnp.stack(s)), jnp.sum(pair[1] * (y - jnp.log(2 + jnp.sum(jnp.exp(y)))))
        _, parts = jax.lax.scan(step, (state[0::2], state[1::2]), (sequence[:-1], sequence[1:]))
        return -jnp.sum(parts) / (b * (len(sequence) - 1))

    def waiting(function, **options):
        compiled = jax.jit(function, **options)
        return lambda *args: jax.block_until_ready(compiled(*args))

    return {'llsq': waiting(jax.grad(llsq), static_argnums=1), 'lse': waiting(jax.grad(lse)),
            'kmeans': waiting(jax.grad(kmeans)), 'gmm': waiting(jax.grad(gmm, (0, 1, 2, 3)), static_argnums=6),
            'lstm': waiting(jax.grad(lstm, (0, 1)))}


def torch_gradients():
    """In PyTorch's eager mode, on one thread."""
    import torch
    torch.set_num_threads(1)

    def gradient(function, count):
        def run(*args):
            args = [torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in args]
            given = [a.requires_grad_() for a in args[:count]]
            return torch.autograd.grad(function(*args), given)
        return run

    def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741 - the names of the specification
        n, d = x.shape
        k = len(alpha)
        columns, rows = np.triu_indices(d, 1)
        places = torch.arange(k)[:, None], torch.as_tensor(rows), torch.as_tensor(columns)
        factor = torch.diag_embed(torch.exp(q)).index_put(places, l)
        y = torch.einsum('cij,ncj->nci', factor, x[:, None, :] - mu)
        beta = alpha + torch.sum(q, 1) - 0.5 * torch.sum(y * y, 2)
        lik = torch.sum(torch.logsumexp(beta, 1)) - n * torch.logsumexp(alpha, 0)
        return lik - 0.5 * gamma ** 2 * (torch.sum(torch.exp(2 * q)) + torch.sum(l ** 2)) + m * torch.sum(q)

    def lstm(main, extra, state, sequence):
        layers, b = len(state) // 2, state.shape[1]
        h, s, total = list(state[0::2]), list(state[1::2]), 0.0
        for t in range(len(sequence) - 1):
            u = sequence[t] * extra[0]
            for j in range(layers):
                w, v = main[2 * j], main[2 * j + 1]
                forget, ingate = torch.sigmoid(u * w[:b] + v[:b]), torch.sigmoid(h[j] * w[b:2 * b] + v[b:2 * b])
                outgate = torch.sigmoid(u * w[2 * b:3 * b] + v[2 * b:3 * b])
                s[j] = s[j] * forget + ingate * torch.tanh(h[j] * w[3 * b:] + v[3 * b:])
                u = h[j] = outgate * torch.tanh(s[j])
            y = u * extra[1] + extra[2]
            total = total + torch.sum(sequence[t + 1] * (y - torch.log(2 + torch.sum(torch.exp(y)))))
        return -total / (b * (len(sequence) - 1))
    return {'gmm': gradient(gmm, 4), 'lstm': gradient(lstm, 2)}


MAKERS = {'autograd': autograd_gradients, 'JAX': jax_gradients, 'PyTorch': torch_gradients}


def gradients():
    """Library -> (program -> derivative), for the libraries that are installed."""
    found = {}
    for name, make in MAKERS.items():
        try:
            found[name] = make()
        except ImportError:
            print(f'{name} is not installed: skipped')
    return found
