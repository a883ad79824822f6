"""A loop that only adds needs no tape."""


def f(x, w):
    s = 0.0
    for i in range(len(x)):
        s += w * x[i]
    return s


ARGS = [1.0, 2.0, 3.0], 0.7
WRT = 'w',


# --- normal
def f(x, w):
    s = 0.0
    s2 = s
    for i in range(len(x)):
        t = w * x[i]
        s3 = s2 + t
        s2 = s3
    return s2


# --- reverse
def dfdw(x, w, bs=1.0):
    s = 0.0
    s2 = s
    for i in range(len(x)):
        t = w * x[i]
        s3 = s2 + t
        s2 = s3

    bs = check_dims(s2, bs, w)
    bs2 = bs
    # Grad of: for i in range(len(x)):
    bw = init_grad(w)
    for i in range(len(x) - 1, -1, -1):
        # Grad of: s += w * x[i]
        bw += bs2 * x[i]
    bw2 = bw
    return bw2


# --- optimized
def dfdw(x, w, bs=1.0):
    s = 0.0
    for i in range(len(x)):
        s = s + w * x[i]

    bs = check_dims(s, bs, w)
    # Grad of: for i in range(len(x)):
    bw = init_grad(w)
    for i in range(len(x) - 1, -1, -1):
        # Grad of: s += w * x[i]
        bw += bs * x[i]
    return bw
