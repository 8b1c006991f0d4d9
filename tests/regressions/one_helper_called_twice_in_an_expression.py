"""What a helper gives for other arguments has another shape: one is broadcast against the other."""

import numpy as np


def large(a, t):
    return a[a > t] * 1.5


def total(a, axis):
    return np.sum(a * a, axis=axis)


def kept(a, axis):
    return np.sum(a * a, axis=axis, keepdims=True)


def f(u, v, A):
    s = np.sum(large(u, 0.0) * large(v, 0.5))
    s += np.sum(total(A, 0) * total(A, 1) ** 2)
    return s + np.sum(kept(A, 0) * kept(A, 1))


ARGS = (np.array([0.7, -0.3, -1.1]), np.array([0.6, 0.9, 1.4]), np.array([[0.2, 0.9, -0.4, 1.1]]))
