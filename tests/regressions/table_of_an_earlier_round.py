"""`if i == 0: k = fs`: k keeps the functions of that round, and which one a variable held then; later ones were called."""

import numpy as np


def f(x: float, y: float, n: int) -> float:
    r = 0.0
    h = np.sin
    for i in range(n):
        s = x * (i + 1)
        fs = [lambda t, q=s: t * q, lambda t: t * s]  # noqa: B023
        gs = {"h": h}
        g = h
        if i == 0:
            k = fs
            m = gs
            j = g
        h = np.cos
        r += k[0](y) * fs[0](x) + k[1](y)
        r += m["h"](y) * gs["h"](x) + j(r) * g(y)
    return r


ARGS = (1.3, 0.7, 3)
WRT = ("x", "y")
SCALAR = True
