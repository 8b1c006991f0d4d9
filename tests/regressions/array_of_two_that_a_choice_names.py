import numpy as np


# s2s: u (m,), v (m,)
def f(u, v, k: float):
    for _ in range(2):
        first = u
        u = u - v
        v = v + first
        v[0] -= u[0] * v[1]
        chosen = v if k > 0.4 else u
        u = u + chosen
        v = v * k - chosen * u
    return u, v


ARGS = (np.array([0.3, 0.5, 0.7]), np.array([0.2, 0.9, -0.4]), 0.5)
SCALAR = False
