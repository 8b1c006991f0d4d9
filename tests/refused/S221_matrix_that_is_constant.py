import numpy as np


# s2s: u (2,)
def sheared(u, stiffness: float):
    K = stiffness * np.matrix([[2.0, -1.0], [-1.0, 2.0]])
    seen = np.ma.masked_invalid([1.0, np.nan])
    return np.sum(K @ u) + np.sum(seen * u)
