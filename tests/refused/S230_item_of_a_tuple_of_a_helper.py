import numpy as np


def advance(state, x):
    a, s = state
    return np.sin(a * s), s + 0.3 * x


# s2s: w (3,)
def f(a: float, w, scale):
    state = (w.copy(), np.sum(w * w))
    for k in range(2):
        state = advance(state, scale)
    v, s = state
    ls = [s, a * a]
    ls[0] += a
    return np.sum(ls[0] * ls[1])
