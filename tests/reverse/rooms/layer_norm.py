"""Layer normalisation."""
import numpy as np


def layer_norm(x, gain, bias):
    mean = np.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    scale = np.sqrt(np.mean(centred ** 2, axis=-1, keepdims=True) + 1e-5)
    return np.sum(np.cos(gain * centred / scale + bias))


ARGS = np.array([[1.0, 2.0, 4.0], [3.0, 4.5, 1.0]]), np.array([1.0, 1.1, 0.9]), np.array([0.1, 0.2, 0.3])


# --- normal
def layer_norm(x, gain, bias):
    mean = np.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    t = centred**2
    t2 = np.mean(t, axis=-1, keepdims=True)
    t3 = t2 + 1e-5
    scale = np.sqrt(t3)
    t4 = gain * centred
    t5 = t4 / scale
    t6 = t5 + bias
    t7 = np.cos(t6)
    t8 = np.sum(t7)
    return t8


# --- reverse
def dlayer_normdxdgaindbias(x, gain, bias, blayer_norm=1.0):
    mean = np.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    t = centred**2
    t2 = np.mean(t, axis=-1, keepdims=True)
    t3 = t2 + 1e-5
    scale = np.sqrt(t3)
    t4 = gain * centred
    t5 = t4 / scale
    t6 = t5 + bias
    t7 = np.cos(t6)
    t8 = np.sum(t7)

    blayer_norm = check_scalar(blayer_norm)
    # Grad of: return np.sum(np.cos(gain * centred / scale + bias))
    bt7 = unreduce_like(blayer_norm, t7)
    bt6 = -bt7 * np.sin(t6)
    bt5 = unbroadcast(bt6, t5)
    bt4 = bt5 / scale
    bscale = unbroadcast(-bt5 * t5 / scale, scale)
    # Grad of: scale = np.sqrt(np.mean(centred ** 2, axis=-1, keepdims=True) + 1e-5)
    bt3 = bscale / (2 * scale)
    bt = unreduce_like(bt3 / array_size(t, axis=-1), t, axis=-1, keepdims=True)
    bcentred = unbroadcast(bt4 * gain, centred) + 2 * bt * centred
    # Grad of: centred = x - mean
    bmean = unbroadcast(-bcentred, mean)
    # Grad of: mean = np.mean(x, axis=-1, keepdims=True)
    bx = bcentred + unreduce_like(
        bmean / array_size(x, axis=-1), x, axis=-1, keepdims=True
    )
    # Grad of: return np.sum(np.cos(gain * centred / scale + bias))
    bgain = unbroadcast(bt4 * centred, gain)
    bbias = unbroadcast(bt6, bias)
    return bx, bgain, bbias


# --- optimized
def dlayer_normdxdgaindbias(x, gain, bias, blayer_norm=1.0):
    mean = np.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    scale = np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + 1e-5)
    t = gain * centred / scale

    blayer_norm = check_scalar(blayer_norm)
    # Grad of: return np.sum(np.cos(gain * centred / scale + bias))
    bt = -blayer_norm * np.sin(t + bias)
    bt2 = unbroadcast(bt, t)
    bt3 = bt2 / scale
    bscale = unbroadcast(-bt2 * t / scale, scale)
    # Grad of: scale = np.sqrt(np.mean(centred ** 2, axis=-1, keepdims=True) + 1e-5)
    bt4 = bscale / (2 * scale)
    bt5 = unreduce_like(
        bt4 / array_size(centred, axis=-1), centred, axis=-1, keepdims=True
    )
    bcentred = unbroadcast(bt3 * gain, centred) + 2 * bt5 * centred
    # Grad of: centred = x - mean
    bmean = unbroadcast(-bcentred, mean)
    # Grad of: mean = np.mean(x, axis=-1, keepdims=True)
    bx = bcentred + unreduce_like(
        bmean / array_size(x, axis=-1), x, axis=-1, keepdims=True
    )
    # Grad of: return np.sum(np.cos(gain * centred / scale + bias))
    bbias = unbroadcast(bt, bias)
    return bx, unbroadcast(bt3 * centred, gain), bbias
