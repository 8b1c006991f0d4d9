"""x = np.tanh(mix(s, np.sin(x))): the tangent of the sine, which had a line of its own, read the new x."""

import numpy as np


def mix(x, y, t=0.4):
    return x * t + np.sin(y) * (1.0 - t)


# s2s: u (3,), x ()
def f(u, x):
    s = u[-1] * 0.5
    x = x * mix(x, 0.5, t=x)
    for _ in range(2):
        x = np.tanh(mix(s + s, np.sin(x)))
    return x


ARGS = (np.array([0.6, 0.3, 0.8]), 0.3)
WRT = ("u", "x")
SCALAR = True
