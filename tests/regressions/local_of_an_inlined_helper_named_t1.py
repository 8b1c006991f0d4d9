"""A helper that is written out where it is called may have names that look like those of temporaries."""

import numpy as np

ARGS = (np.array([0.3, -0.5, 0.8]), 0.4)


def turn(q, x):
    q[:] = 0.5 * q
    t1 = q[::-1]
    t1 *= np.tanh(x)


# s2s: v (3,)
def f(v, x: float):
    turn(v[:2], x)
    return np.sum(v**2)
