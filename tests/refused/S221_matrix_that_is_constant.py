import numpy as np

MASS = np.matrix([[2.0, 1.0], [1.0, 2.0]]) / 6.0


# s2s: u (2,)
def sheared(u, stiffness: float):
    K = stiffness * np.matrix([[2.0, -1.0], [-1.0, 2.0]])
    seen = np.ma.masked_invalid([1.0, np.nan])
    return np.sum((K + MASS) @ u) + np.sum(seen * u)
