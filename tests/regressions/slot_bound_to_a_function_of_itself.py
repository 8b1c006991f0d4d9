"""What a slot is bound to is read by the adjoint of the store, before the slot holds again what it held."""

import numpy as np

ARGS = (np.array([[0.5, -0.6, 0.7], [0.1, 0.2, -0.3]]),)


# s2s: W (2, 3)
def f(W):
    W[1] = np.tanh(W[0])
    rows = [W, W[0] * 2.0]
    same = rows
    same[1] = np.sqrt(1.0 + rows[1] ** 2)
    rows[0] = np.tanh(rows[0][1:] * same[1])
    return np.sum(rows[1] * rows[0])
