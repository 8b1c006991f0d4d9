import numpy as np

MASS = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0


# s2s: u (2,)
def sheared(u, stiffness: float):
    K = stiffness * np.array([[2.0, -1.0], [-1.0, 2.0]])
    data = np.array([1.0, np.nan])
    seen = np.where(np.isfinite(data), data, 0.0)
    return np.sum((K + MASS) @ u) + np.sum(seen * u)


# s2s verify S221_matrix_that_is_constant_rewritten.py::sheared --at "u=np.array([0.3, 0.8]), stiffness=0.7"
