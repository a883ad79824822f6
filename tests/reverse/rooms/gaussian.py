"""The log-likelihood of a normal distribution."""
import numpy as np


def log_likelihood(mean, sigma, x):
    z = (x - mean) / sigma
    return -0.5 * np.sum(z * z) - len(x) * np.log(sigma)


ARGS = 0.3, 1.4, np.array([1.0, 2.0, -0.5])
WRT = 'mean', 'sigma'


# --- normal
def log_likelihood(mean, sigma, x):
    t = x - mean
    z = t / sigma
    t2 = z * z
    t3 = np.sum(t2)
    t4 = -0.5 * t3
    t5 = np.log(sigma)
    t6 = len(x) * t5
    t7 = t4 - t6
    return t7


# --- reverse
def dlog_likelihooddmeandsigma(mean, sigma, x, blog_likelihood=1.0):
    t = x - mean
    z = t / sigma
    t2 = z * z
    t3 = np.sum(t2)
    t4 = -0.5 * t3
    t5 = np.log(sigma)
    t6 = len(x) * t5
    t7 = t4 - t6

    blog_likelihood = check_dims(t7, blog_likelihood, t3)
    # Grad of: return -0.5 * np.sum(z * z) - len(x) * np.log(sigma)
    bt6 = -blog_likelihood
    bt5 = bt6 * len(x)
    bt3 = blog_likelihood * -0.5
    bt2 = unreduce_like(bt3, t2)
    bz = 2 * bt2 * z
    # Grad of: z = (x - mean) / sigma
    bt = unbroadcast(bz / sigma, t)
    bmean = unbroadcast(-bt, mean)
    bsigma = bt5 / sigma + unbroadcast(-bz * z / sigma, sigma)
    return bmean, bsigma


# --- optimized
def dlog_likelihooddmeandsigma(mean, sigma, x, blog_likelihood=1.0):
    t = x - mean
    z = t / sigma
    t2 = np.sum(z * z)
    t3 = -0.5 * t2 - len(x) * np.log(sigma)

    blog_likelihood = check_dims(t3, blog_likelihood, t2)
    # Grad of: return -0.5 * np.sum(z * z) - len(x) * np.log(sigma)
    bt = -blog_likelihood * len(x)
    bz = -2 * (0.5 * blog_likelihood) * z
    # Grad of: z = (x - mean) / sigma
    bsigma = bt / sigma + unbroadcast(-bz * z / sigma, sigma)
    return unbroadcast(-unbroadcast(bz / sigma, t), mean), bsigma
