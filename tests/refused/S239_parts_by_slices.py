import numpy as np


# s2s: u (n,)
def heat(u, nu: float, steps: int = 3):
    u = np.array(u)
    for _ in range(steps):
        middle, left, right = (u[s] for s in (slice(1, -1), slice(None, -2), slice(2, None)))
        u[1:-1] = middle + nu * (left - 2.0 * middle + right)
    return u.sum()
