"""What reads the adjoint of an array that is updated comes before what is added to parts of it."""

import numpy as np

ARGS = (np.array([0.3, 0.5, -0.6, 0.7]), np.array([0.4]))


# s2s: u (4,), w (1,)
def f(u, w):
    w += np.sum(np.outer(u, w[:2:2]) * w, axis=0)
    return np.sum(w)
