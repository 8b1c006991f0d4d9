"""Log-likelihood of a Gaussian mixture with a Wishart prior on the precisions.

The objective of the benchmark ADBench (Srajer, Kukelova, Fitzgibbon, 2018). The precision of a component is Q.T @ Q,
where Q is lower triangular: a row of `icf` holds the logarithms of its diagonal, then its columns below the diagonal.
"""

import math

import numpy as np


def logsumexp(x):
    """log(sum(exp(x))) along the last axis, without overflow."""
    m = np.max(x, axis=-1, keepdims=True)
    return np.log(np.sum(np.exp(x - m), axis=-1)) + np.squeeze(m, axis=-1)


def log_gamma_distrib(a, p):
    """Logarithm of the multivariate gamma function."""
    result = 0.25 * p * (p - 1) * math.log(math.pi)
    for j in range(1, p + 1):
        result += math.lgamma(a + 0.5 * (1 - j))
    return result


def lower_triangle(d, row):
    """The strictly lower triangle of a component, from the entries of its columns."""
    columns = []
    start = d
    for i in range(d):
        stop = start + d - i - 1
        columns.append(np.concatenate([np.zeros(i + 1), row[start:stop]]))
        start = stop
    return np.stack(columns, axis=1)


# s2s: wrt=alphas,means,icf
# s2s: alphas (k,), means (k, d), icf (k, p), x (n, d)
def gmm_objective(alphas, means, icf, x, wishart_gamma: float, wishart_m: int):
    """Log-likelihood of the points x, plus the log-density of the prior."""
    n, d = x.shape
    k = len(alphas)

    terms = []
    prior = 0.0
    for j in range(k):
        L = lower_triangle(d, icf[j])
        log_diagonal = icf[j, :d]
        scale = np.exp(log_diagonal)
        centred = x - means[j]
        mapped = centred * scale + centred @ L.T
        terms.append(alphas[j] + np.sum(log_diagonal) - 0.5 * np.sum(mapped**2, axis=1))

        frobenius = np.sum(scale**2) + np.sum(L**2)
        prior += 0.5 * wishart_gamma**2 * frobenius - wishart_m * np.sum(log_diagonal)

    likelihood = np.sum(logsumexp(np.stack(terms, axis=1))) - n * logsumexp(alphas)

    dof = d + wishart_m + 1
    constant = dof * d * (math.log(wishart_gamma) - 0.5 * math.log(2.0)) - log_gamma_distrib(0.5 * dof, d)
    return -0.5 * n * d * math.log(2.0 * math.pi) + likelihood + prior - k * constant
