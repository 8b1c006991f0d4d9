"""Gaussian process regression: the log marginal likelihood of the observations (Rasmussen and Williams, 2006, 2.30)."""

import math

import numpy as np


# s2s: wrt=log_amplitude,log_length,log_noise emit=value_and_grad
# s2s: x (n, d), y (n,)
def log_marginal_likelihood(log_amplitude: float, log_length: float, log_noise: float, x, y):
    """Squared exponential kernel, Gaussian noise; the parameters are logarithms of standard deviations."""
    n = len(y)
    amplitude = np.exp(2.0 * log_amplitude)
    difference = x[:, np.newaxis, :] - x[np.newaxis, :, :]
    distance2 = np.sum(difference**2, axis=2)
    K = amplitude * np.exp(-0.5 * distance2 / np.exp(2.0 * log_length)) + np.exp(2.0 * log_noise) * np.eye(n)
    L = np.linalg.cholesky(K)
    z = np.linalg.solve(L, y)
    return -0.5 * np.sum(z**2) - np.sum(np.log(np.diag(L))) - 0.5 * n * math.log(2.0 * math.pi)
