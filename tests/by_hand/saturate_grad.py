"""Derivatives of saturate.py."""

import numpy as np


def saturate_grad(x, limit: float, softness: float):
    """Gradient of saturate with respect to (x, limit, softness).

    Compresses what exceeds a limit, and sums the squares.
    Shapes: x (n,).
    """
    assert np.ndim(x) == 1 and np.ndim(limit) == np.ndim(softness) == 0

    # forward sweep
    y = x.copy()
    over = y > limit
    log1p = np.log1p((y[over] - limit) / softness)
    y_saved = y[over]
    y[over] = limit + softness * log1p
    less = y < 0.0
    y1_saved = y[less]
    y[less] = 0.0

    # reverse sweep
    # adjoint of: return np.sum(y**2)
    y_bar = 2.0 * y
    # adjoint of: y[y < 0.0] = 0.0
    y[less] = y1_saved
    y_bar[less] = 0.0
    # adjoint of: y[over] = limit + softness * np.log1p((y[over] - limit) / softness)
    y[over] = y_saved
    a_bar = softness / (1.0 + (y[over] - limit) / softness) * y_bar[over]
    limit_bar = np.sum(y_bar[over]) - np.sum(a_bar / softness)
    softness_bar = np.sum(log1p * y_bar[over])
    softness_bar -= np.sum((y[over] - limit) / softness**2 * a_bar)
    y_bar[over] = a_bar / softness
    # adjoint of: y = x.copy()
    return y_bar, limit_bar, softness_bar
