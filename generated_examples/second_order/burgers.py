"""Burgers' equation, stepped in place: how well an initial profile leads to a measured one, to second order."""

import numpy as np


# s2s: wrt=u emit=hvp
# s2s: u (n,), target (n,)
def misfit(u, target, nu: float, dt: float, steps: int):
    """Half the squared distance to `target` after some upwind steps."""
    u = u.copy()
    for _ in range(steps):
        slope = u[1:-1] - u[:-2]
        bend = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u[1:-1] += dt * (nu * bend - u[1:-1] * slope)
    return 0.5 * np.sum((u - target) ** 2)
