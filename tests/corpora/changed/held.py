"""Lists and dicts of arrays that are changed in place (`normal.typed.by_number`, `each_in_turn`, `owned`).
All are structured where kinds are known, but for those marked."""
import numpy as np

from tests.tools.registry import other, program

X = np.array([0.3, 0.8, 1.4, 0.5])
A = np.array([[0.3, 0.8, 1.1], [1.4, 0.5, 0.2], [0.9, 0.7, 0.6]])


@program('arrays in lists', X)
def each_changed_in_place(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for k in range(3):
        for q in ps:
            q -= 0.1 * q ** 2
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', X)
def each_changed_by_another(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for k in range(3):
        gs = [2 * q for q in ps]
        for q, g in zip(ps, gs):
            q -= 0.1 * g
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', X)
def momenta_by_number(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    ms = [np.zeros_like(q) for q in ps]
    for t in range(3):
        gs = [2 * q for q in ps]
        for i in range(len(ps)):
            ms[i] = 0.9 * ms[i] + 0.1 * gs[i]
            ps[i] -= 0.1 * ms[i]
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', X)
def momenta_gone_through_together(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    ms = [np.zeros_like(q) for q in ps]
    for t in range(3):
        gs = [2 * q for q in ps]
        for q, m, g in zip(ps, ms, gs):
            m *= 0.9
            m += 0.1 * g
            q -= 0.1 * m
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', {'w': X, 'b': X * 2})
def a_dict_of_copies(ps):
    m = {k: np.zeros_like(v) for k, v in ps.items()}
    q = {k: v.copy() for k, v in ps.items()}
    for t in range(3):
        g = {k: 2 * v * q['b'] for k, v in q.items()}
        for k in q:
            m[k] = 0.9 * m[k] + 0.1 * g[k]
            q[k] -= 0.1 * m[k]
    return np.sum(q['w'] * q['b'])


@program('arrays in lists', {'w': X, 'b': X * 2})
def items_changed_in_place(ps):
    q = {k: v * 1.0 for k, v in ps.items()}
    for t in range(3):
        g = {k: 2 * v for k, v in q.items()}
        for k, v in q.items():
            v -= 0.1 * g[k]
    return np.sum(q['w'] * q['b'])


@program('arrays in lists', X)
def elements_with_names_for_a_step(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for k in range(3):
        w, b = ps
        g = [2 * w * b, w ** 2]
        for i in range(2):
            ps[i] -= 0.1 * g[i]
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', X)
@other
def elements_with_names_for_good(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    w, b = ps
    for k in range(3):
        g = [2 * w * b, w ** 2]
        for i in range(2):
            ps[i] -= 0.1 * g[i]
    return np.sum(w * b)


@program('arrays in lists', X)
@other
def an_element_with_a_name(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    w = ps[0]
    ps[0] -= 0.1 * ps[1]
    return np.sum(w * ps[1])


@program('arrays in lists', X)
@other
def read_when_the_loop_is_done(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for q in ps:
        q -= 0.1 * q ** 2
    return np.sum(q * ps[0])


@program('arrays in lists', X)
def scaled_by_a_sum(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    total = 0.0
    for k in range(3):
        norm = np.sqrt(sum(np.sum(q ** 2) for q in ps))
        for q in ps:
            q *= 1.0 / norm
        for i, q in enumerate(ps):
            total += np.sum(q) * i
    return total + np.sum(ps[1])


@program('arrays in lists', X)
def a_dict_clipped(x):
    ps = {'a': x[:2] * 1.0, 'b': x[2:] * 1.0}
    for k in range(2):
        g = {n: np.sin(v) for n, v in ps.items()}
        norm = np.sqrt(sum(np.sum(v * v) for v in g.values()))
        for n in g:
            g[n] = g[n] / norm
        for n, v in ps.items():
            v -= 0.1 * g[n]
    return np.sum(ps['a'] * ps['b'])


@program('arrays in lists', X, A)
def a_network_trained(x, a):
    W = [a * 0.5, a.T * 0.3]
    b = [np.zeros(3), x[:3] * 0.1]
    for it in range(3):
        acts = [x[:3]]
        h = x[:3]
        for w, c in zip(W, b):
            h = np.tanh(w @ h + c)
            acts.append(h)
        d = h - 0.2
        gW, gb = [], []
        for l in reversed(range(len(W))):
            d = d * (1 - acts[l + 1] ** 2)
            gW.insert(0, np.outer(d, acts[l]))
            gb.insert(0, d)
            d = W[l].T @ d
        for l in range(len(W)):
            W[l] -= 0.1 * gW[l]
            b[l] -= 0.1 * gb[l]
    return np.sum((h - 0.2) ** 2)


@program('arrays in lists', [X, X * 2])
def copies_of_what_is_given(params):
    ps = [q.copy() for q in params]
    for k in range(3):
        for q in ps:
            q -= 0.1 * np.sin(q)
    return np.sum(ps[0] * ps[1] ** 2)


@program('arrays in lists', X)
@other
def a_number_among_arrays(x):
    ps = [x[0] * 2, x[1:3] * 3]
    for q in ps:
        q -= 0.5 * q
    return ps[0] * np.sum(ps[1])


@program('arrays in lists', X)
@other
def elements_kept_elsewhere(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    kept = []
    for q in ps:
        kept.append(q)
    for q in ps:
        q -= 0.5 * q
    return np.sum(kept[0] * ps[1])


@program('arrays in lists', X)
@other
def a_view_of_an_element(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    v = ps[0][1:]
    for q in ps:
        q -= 0.5 * q
    return np.sum(v * ps[1])


@program('arrays in lists', X)
def one_list_gone_through_twice_at_a_time(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for a, b in zip(ps, ps):
        a -= 0.5 * b
        b *= 2.0
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', X)
@other
def each_changed_by_all(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for a in ps:
        for b in ps:
            a -= 0.5 * b
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', X)
@other
def the_last_one_kept(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    last = None
    for q in ps:
        if last is not None:
            q -= 0.5 * last
        last = q
    for q in ps:
        q *= 3
    return np.sum(last * ps[0])


@program('arrays in lists', X)
@other
def read_by_a_lambda_later_on(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    f = lambda: ps[0] * 2  # noqa: E731
    for q in ps:
        q *= 3
    return np.sum(f() * ps[1])


@program('arrays in lists', X)
@other
def one_taken_out_and_changed(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    q = ps.pop()
    ps[0] *= q
    q *= 2
    return np.sum(ps[0] * q)


@program('arrays in lists', X)
@other
def replaced_and_changed(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for i, q in enumerate(ps):
        ps[i] = q * 2
        q -= 1.0
    return np.sum(ps[0] * ps[1])


@program('arrays in lists', X)
def left_by_a_break(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for i, q in enumerate(ps):
        if np.sum(q) > 1.5:
            break
        q -= 1.0
    return np.sum(ps[0] * ps[1]) * i


@program('arrays in lists', X)
def arrays_with_names(x):
    w, b = x[:2] * 1.0, x[2:] * 1.0
    ps = [w, b]
    for q in ps:
        q -= 0.1 * q ** 2
    return np.sum(w * b)


@program('arrays in lists', A, X[:3])
def a_network_with_names(a, v):
    W1, b1, W2 = a * 0.5, np.zeros(3), a[0] * 1.0
    params = [W1, b1, W2]
    vel = [np.zeros_like(q) for q in params]
    for t in range(3):
        h = np.tanh(W1 @ v + b1)
        y = W2 @ h
        dy = 2 * (y - 1.0)
        dW2 = dy * h
        dh = dy * W2 * (1 - h ** 2)
        grads = [np.outer(dh, v), dh, dW2]
        for q, g, m in zip(params, grads, vel):
            m *= 0.9
            m += g
            q -= 0.1 * m
    return (y - 1.0) ** 2 + np.sum(W1 ** 2)


@program('arrays in lists', A, X[:3])
def names_in_the_loop(a, v):
    W1, b1 = a * 0.5, np.zeros(3)
    for t in range(3):
        h = np.tanh(W1 @ v + b1)
        dh = 2 * (h - 0.5) * (1 - h ** 2)
        for q, g in zip([W1, b1], [np.outer(dh, v), dh]):
            q -= 0.1 * g
    return np.sum((h - 0.5) ** 2) + np.sum(b1)


@program('arrays in lists', A, X[:3])
def pairs_in_the_loop(a, v):
    W1, b1 = a * 0.5, np.zeros(3)
    for t in range(3):
        h = np.tanh(W1 @ v + b1)
        dh = 2 * (h - 0.5) * (1 - h ** 2)
        dW = np.outer(dh, v)
        for q, g in ((W1, dW), (b1, dh)):
            q -= 0.1 * g
    return np.sum((h - 0.5) ** 2) + np.sum(b1)


@program('arrays in lists', X)
@other
def a_list_of_before(x):
    w, b = x[:2] * 1.0, x[2:] * 1.0
    t = 0.0
    for k in range(3):
        if k > 0:
            for q in ps:
                q *= 2.0
            t += np.sum(ps[0])
        w = w * 0.5
        ps = [w, b]  # noqa: F841
    return t + np.sum(w * b)


@program('arrays in lists', X)
@other
def a_name_bound_anew(x):
    w, b = x[:2] * 1.0, x[2:] * 1.0
    ps = [w, b]
    w = w * 3
    for q in ps:
        q *= 2.0
    return np.sum(w * b)


@program('arrays in lists', X)
def one_array_twice(x):
    w = x[:2] * 1.0
    for q in [w, w]:
        q *= 2.0 + q
    return np.sum(w)


@program('arrays in lists', X)
def named_and_counted(x):
    w, b = x[:2] * 1.0, x[2:] * 1.0
    for k, q in enumerate([w, b]):
        q *= 2.0 + k
    return np.sum(w * b)


@program('arrays in lists', X)
@other
def a_list_read_afterwards(x):
    w, b = x[:2] * 1.0, x[2:] * 1.0
    ps = [w, b]
    for q in ps:
        q *= 2.0
    return np.sum(ps[0] * ps[1]) * np.sum(w)


@program('arrays in lists', X)
@other
def a_number_beside_an_array(x):
    w, b = x[0] * 1.0, x[2:] * 1.0
    for q in [w, b]:
        q *= 2.0
    return np.sum(w * b)


@program('arrays in lists', X, X * 2)
def arguments_in_turn(u, v):
    for q in (u, v):
        q -= 0.1 * q ** 2
    return np.sum(u * v)


@program('arrays in lists', X)
@other
def left_half_way(x):
    w, b = x[:2] * 1.0, x[2:] * 1.0
    for q in (w, b):
        if np.sum(q) > 1.5:
            break
        q *= 2.0
    return np.sum(w * b)


@program('arrays in lists', X)
def elements_written_and_changed(x):
    w, b = x[:2] * 1.0, x[2:] * 1.0
    for q in (w, b):
        q[0] = q[1] * 2
        q += 1.0
    return np.sum(w * b)


def sgd(ps, gs, lr):
    for q, g in zip(ps, gs):
        q -= lr * g


@program('arrays in lists', A, X[:3])
def a_step_by_a_function(a, v):
    W1, b1 = a * 0.5, np.zeros(3)
    params = [W1, b1]
    for t in range(3):
        h = np.tanh(W1 @ v + b1)
        dh = 2 * (h - 0.5) * (1 - h ** 2)
        sgd(params, [np.outer(dh, v), dh], 0.1)
    return np.sum((h - 0.5) ** 2) + np.sum(b1)
