"""Residuals of a decay curve: their Jacobian is what Gauss-Newton and Levenberg-Marquardt ask for."""

import numpy as np


# s2s: wrt=theta emit=jacobian
# s2s: theta (3,), t (n,), y (n,)
def residuals(theta, t, y):
    """amplitude * exp(-rate * t) + offset - y, for theta = (amplitude, rate, offset)."""
    return theta[0] * np.exp(-theta[1] * t) + theta[2] - y
