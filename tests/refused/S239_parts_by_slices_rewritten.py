import numpy as np


# s2s: u (n,)
def heat(u, nu: float, steps: int = 3):
    u = np.array(u)
    for _ in range(steps):
        middle, left, right = (1.0 * u[s] for s in (slice(1, -1), slice(None, -2), slice(2, None)))
        u[1:-1] = middle + nu * (left - 2.0 * middle + right)
    return u.sum()


# s2s verify S239_parts_by_slices_rewritten.py::heat --at "u=np.array([0.4, 0.9, -0.5, 0.7]), nu=0.2"
