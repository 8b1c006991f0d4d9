"""A long short-term memory (Hochreiter and Schmidhuber, 1997) that predicts the next value of a series."""

import numpy as np


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm_cell(W, U, b, x, h, c):
    """One step; W, U and b hold the rows of the four gates one after the other."""
    n = len(h)
    z = W @ x + U @ h + b
    forget = sigmoid(z[:n])
    write = sigmoid(z[n : 2 * n])
    read = sigmoid(z[2 * n : 3 * n])
    candidate = np.tanh(z[3 * n :])
    c = forget * c + write * candidate
    h = read * np.tanh(c)
    return h, c


# s2s: wrt=W,U,b,V emit=value_and_grad
# s2s: W (4*h, d), U (4*h, h), b (4*h,), V (d, h), xs (T, d)
def series_loss(W, U, b, V, xs):
    """Mean squared error of the prediction of each value from those before it."""
    h = np.zeros(U.shape[1])
    c = np.zeros(U.shape[1])
    loss = 0.0
    for t in range(len(xs) - 1):
        h, c = lstm_cell(W, U, b, xs[t], h, c)
        error = V @ h - xs[t + 1]
        loss += np.sum(error**2)
    return loss / (len(xs) - 1)
