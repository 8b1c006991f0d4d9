import numpy as np


# s2s: x (n,)
def saturate(x, limit: float, softness: float):
    """Compresses what exceeds a limit, and sums the squares."""
    y = x.copy()
    over = y > limit
    y[over] = limit + softness * np.log1p((y[over] - limit) / softness)
    y[y < 0.0] = 0.0
    return np.sum(y**2)
