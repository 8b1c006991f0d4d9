"""A cotangent that is a view of the place of the store is copied before the place starts from zero."""

import numpy as np

ARGS = (np.array([0.3, 0.5]),)


# s2s: u (2,)
def f(u):
    u[0:1] = (u[:1] * u[1:]).reshape(1)
    u[0:-3:-2][...] = (np.atleast_2d(u)[:-2:-1, 0] * u[:0:-2]).reshape(1)
    return np.sum(u * np.array([0.7, 1.3]))
