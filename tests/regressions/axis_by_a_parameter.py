"""Reductions over an axis that a parameter says have one shape, and broadcast against what is reduced."""

import numpy as np


def log_sum_exp(a, axis=None):
    m = np.max(a, axis=axis, keepdims=True)
    s = np.sum(np.exp(a - m), axis=axis, keepdims=True)
    return np.squeeze(np.log(s) + m, axis=axis) + np.sum(a * a, axis=axis) * np.mean(a, axis=axis)


def f(A, w):
    return log_sum_exp(A) + np.sum(w * log_sum_exp(A, axis=0)) + log_sum_exp(A, axis=(0, 1)) * w[0]


ARGS = (np.array([[0.7, -0.3, -1.1], [0.2, 0.9, -0.4]]), np.array([0.6, 0.9, 1.4]))
