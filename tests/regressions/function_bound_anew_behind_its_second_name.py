"""`fs = [h]`, `k = h`: they are the function of that moment; the one that h was bound to later was called, silently."""

import numpy as np


def f(x: float, y: float, n: int) -> float:
    h = lambda t: t * x  # noqa: E731
    fs = [h, np.sin]
    table = {"h": h}
    k = h
    for _ in range(n):
        h = lambda t: t * 2.0  # noqa: E731
        x = x + h(y) * fs[0](y)
    picked = [g for g in (h, np.cos)]
    if n > 1:

        def h(t):
            return t * t + y

        x = x * h(y)
    return table["h"](y) + k(x) * h(x) + fs[0](x) + picked[0](y)


ARGS = (1.3, 0.7, 2)
WRT = ("x", "y")
SCALAR = True
