"""Rosenbrock's valley (1960): products with its Hessian for a Newton-CG step, and the whole matrix."""

import numpy as np


# s2s: x (n,) emit=grad,hvp,hessian
def rosenbrock(x):
    """Sum of 100 (x[i+1] - x[i]**2)**2 + (1 - x[i])**2: the minimum is 0, at ones."""
    valley = x[1:] - x[:-1] ** 2
    slope = 1.0 - x[:-1]
    return np.sum(100.0 * valley**2 + slope**2)
