import numpy as np


# s2s: w (n,), v (n,)
def weigh(w, v):
    v[0] = np.sum(2.0 * (w - np.mean(w)) / w.size * v)
    w[0] = np.var(w)
    return np.sum(w * w), np.sum(2.0 * w * v)


# s2s: w (n,), v (n,)
def f(w, v):
    w, v = w * 1.0, v * 1.0
    a, b = weigh(w, v)
    return a * b


ARGS = (np.array([0.4, -0.3, 0.7]), np.array([0.5, 0.6, 0.9]))
