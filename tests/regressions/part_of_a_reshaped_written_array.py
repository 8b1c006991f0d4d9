"""A reshape of a matrix may be a copy: what is added to a part of it has to reach the matrix."""

import numpy as np

ARGS = (np.asfortranarray([[0.1, 0.2], [0.3, -0.4], [0.7, 0.8]]), 0.7)


# s2s: W (3, 2)
def f(W, u):
    W[0] *= u
    W[1] = np.sum(W.reshape(-1)[1:] ** 2) * u
    return np.sum(W.T.reshape(-1)[1:] * W.ravel()[:-1])
