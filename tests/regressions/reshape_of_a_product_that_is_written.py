"""A reshape of what is computed has memory of its own: no assertion says that it shares that of the product."""

import numpy as np

ARGS = (np.array([0.3, -0.5, 0.7]),)


# s2s: u (3,)
def f(u):
    z = (u[1:] * u[:2]).reshape(1, 2)
    z[0, 1] = 0.5
    q = z.ravel()
    q[0] *= 2.0
    return np.sum(z * u[0])
