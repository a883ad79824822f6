"""Two layers, softmax cross-entropy; helpers called by helpers."""
import numpy as np


def logsumexp(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.log(np.sum(np.exp(x - m), axis=1, keepdims=True)) + m


def logsoftmax(logits):
    return logits - logsumexp(logits)


def softmax_crossentropy(logits, y):
    return -np.mean(np.sum(logsoftmax(logits) * y, axis=1))


def mlp(x, w1, b1, w2, b2, label):
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, w2) + b2
    return softmax_crossentropy(out, label)


ARGS = (np.sin(np.arange(6.0)).reshape(2, 3), np.cos(np.arange(12.0)).reshape(3, 4), np.arange(4.0) / 3,
        np.sin(np.arange(8.0)).reshape(4, 2), np.array([0.1, -0.2]), np.eye(2))
WRT = 'w1', 'b1', 'w2', 'b2'


# --- normal
def mlp(x, w1, b1, w2, b2, label):
    t = np.dot(x, w1)
    t2 = t + b1
    h1 = np.tanh(t2)
    t3 = np.dot(h1, w2)
    out = t3 + b2
    t4 = softmax_crossentropy(out, label)
    return t4


# --- normal
def softmax_crossentropy(logits, y):
    t = logsoftmax(logits)
    t2 = t * y
    t3 = np.sum(t2, axis=1)
    t4 = np.mean(t3)
    t5 = -t4
    return t5


# --- normal
def logsoftmax(logits):
    t = logsumexp(logits)
    t2 = logits - t
    return t2


# --- normal
def logsumexp(x):
    m = np.max(x, axis=1, keepdims=True)
    t = x - m
    t2 = np.exp(t)
    t3 = np.sum(t2, axis=1, keepdims=True)
    t4 = np.log(t3)
    t5 = t4 + m
    return t5


# --- reverse
def logsumexp_primal(x, blogsumexp=1.0):
    m = np.max(x, axis=1, keepdims=True)
    t = x - m
    t2 = np.exp(t)
    t3 = np.sum(t2, axis=1, keepdims=True)
    t4 = np.log(t3)
    t5 = t4 + m

    split_here(t5)
    # Grad of: return np.log(np.sum(np.exp(x - m), axis=1, keepdims=True)) + m
    bt3 = blogsumexp / t3
    bt2 = unreduce_like(bt3, t2, axis=1, keepdims=True)
    bt = bt2 * t2
    bm = blogsumexp + unbroadcast(-bt, m)
    # Grad of: m = np.max(x, axis=1, keepdims=True)
    bx = bt + unreduce_like(bm, x, axis=1, keepdims=True) * ties(
        x, m, axis=1, keepdims=True
    )
    return bx


# --- reverse
def logsoftmax_primal(logits, blogsoftmax=1.0):
    t, logsumexp_saved = logsumexp_primal(logits)
    t2 = logits - t
    split_here(t2)
    # Grad of: return logits - logsumexp(logits)
    bt = unbroadcast(-blogsoftmax, t)
    blogits = logsumexp_adjoint(bt, logsumexp_saved)
    blogits2 = unbroadcast(blogsoftmax, logits) + blogits
    return blogits2


# --- reverse
def softmax_crossentropy_primal(logits, y, bsoftmax_crossentropy=1.0):
    t, logsoftmax_saved = logsoftmax_primal(logits)
    t2 = t * y
    t3 = np.sum(t2, axis=1)
    t4 = np.mean(t3)
    t5 = -t4

    split_here(t5)
    # Grad of: return -np.mean(np.sum(logsoftmax(logits) * y, axis=1))
    bt4 = -bsoftmax_crossentropy
    bt3 = unreduce_like(bt4 / array_size(t3), t3)
    bt2 = unreduce_like(bt3, t2, axis=1)
    bt = unbroadcast(bt2 * y, t)
    blogits = logsoftmax_adjoint(bt, logsoftmax_saved)
    blogits2 = blogits
    return blogits2


# --- reverse
def dmlpdw1db1dw2db2(x, w1, b1, w2, b2, label, bmlp=1.0):
    t = np.dot(x, w1)
    t2 = t + b1
    h1 = np.tanh(t2)
    t3 = np.dot(h1, w2)
    out = t3 + b2
    t4, softmax_crossentropy_saved = softmax_crossentropy_primal(out, label)

    bmlp = check_dims(t4, bmlp)
    # Grad of: return softmax_crossentropy(out, label)
    bout = softmax_crossentropy_adjoint(bmlp, softmax_crossentropy_saved)
    # Grad of: out = np.dot(h1, w2) + b2
    bt3 = unbroadcast(bout, t3)
    bh1 = dot_left(bt3, h1, w2)
    # Grad of: h1 = np.tanh(np.dot(x, w1) + b1)
    bt2 = bh1 * (1 - h1 * h1)
    bt = unbroadcast(bt2, t)
    bw1 = dot_right(bt, x, w1)
    bb1 = unbroadcast(bt2, b1)
    # Grad of: out = np.dot(h1, w2) + b2
    bw2 = dot_right(bt3, h1, w2)
    bb2 = unbroadcast(bout, b2)
    return astype(bw1, w1), bb1, astype(bw2, w2), bb2


# --- optimized
def logsumexp_primal(x):
    m = np.max(x, axis=1, keepdims=True)
    t = np.exp(x - m)
    t2 = np.sum(t, axis=1, keepdims=True)
    return np.log(t2) + m, (x, m, t, t2)


def logsumexp_adjoint(blogsumexp, saved):
    x, m, t, t2 = saved
    # Grad of: return np.log(np.sum(np.exp(x - m), axis=1, keepdims=True)) + m
    bt = blogsumexp / t2 * t
    bm = blogsumexp + unbroadcast(-bt, m)
    # Grad of: m = np.max(x, axis=1, keepdims=True)
    bx = bt + unreduce_like(bm, x, axis=1, keepdims=True) * ties(
        x, m, axis=1, keepdims=True
    )
    return bx


def logsoftmax_primal(logits):
    t, logsumexp_saved = logsumexp_primal(logits)
    return logits - t, (logits, t, logsumexp_saved)


def logsoftmax_adjoint(blogsoftmax, saved):
    logits, t, logsumexp_saved = saved
    # Grad of: return logits - logsumexp(logits)
    blogits = logsumexp_adjoint(unbroadcast(-blogsoftmax, t), logsumexp_saved)
    return unbroadcast(blogsoftmax, logits) + blogits


def softmax_crossentropy_primal(logits, y):
    t, logsoftmax_saved = logsoftmax_primal(logits)
    t2 = t * y
    t3 = np.sum(t2, axis=1)
    return -np.mean(t3), (y, t, logsoftmax_saved, t2, t3)


def softmax_crossentropy_adjoint(bsoftmax_crossentropy, saved):
    y, t, logsoftmax_saved, t2, t3 = saved
    # Grad of: return -np.mean(np.sum(logsoftmax(logits) * y, axis=1))
    bt3 = unreduce_like(-bsoftmax_crossentropy / array_size(t3), t3)
    bt = unbroadcast(unreduce_like(bt3, t2, axis=1) * y, t)
    return logsoftmax_adjoint(bt, logsoftmax_saved)


def dmlpdw1db1dw2db2(x, w1, b1, w2, b2, label, bmlp=1.0):
    t = np.dot(x, w1)
    h1 = np.tanh(t + b1)
    t2 = np.dot(h1, w2)
    out = t2 + b2
    t3, softmax_crossentropy_saved = softmax_crossentropy_primal(out, label)

    bmlp = check_dims(t3, bmlp)
    # Grad of: return softmax_crossentropy(out, label)
    bout = softmax_crossentropy_adjoint(bmlp, softmax_crossentropy_saved)
    # Grad of: out = np.dot(h1, w2) + b2
    bt2 = unbroadcast(bout, t2)
    bh1 = dot_left(bt2, h1, w2)
    # Grad of: h1 = np.tanh(np.dot(x, w1) + b1)
    bt = bh1 * (1 - h1 * h1)
    bw1 = dot_right(unbroadcast(bt, t), x, w1)
    # Grad of: out = np.dot(h1, w2) + b2
    bw2 = dot_right(bt2, h1, w2)
    bb2 = unbroadcast(bout, b2)
    # Grad of: h1 = np.tanh(np.dot(x, w1) + b1)
    return astype(bw1, w1), unbroadcast(bt, b1), astype(bw2, w2), bb2
