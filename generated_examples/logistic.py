"""Logistic regression with labels -1 and +1."""

import numpy as np


def softplus(z):
    """log(1 + exp(z)), without overflow."""
    return np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z)))


# s2s: wrt=w,bias emit=value_and_grad
# s2s: w (d,), X (n, d), y (n,)
def logistic_loss(w, bias: float, X, y, penalty: float = 0.0):
    """Mean negative log-likelihood of the labels y, plus an L2 penalty on w."""
    scores = X @ w + bias
    loss = np.mean(softplus(-y * scores))
    return loss + 0.5 * penalty * np.sum(w**2)
