import numpy as np


def f(x, limit: float):
    z = x * x
    active = np.ones(len(x), dtype=bool)
    for _ in range(4):
        z[active] = np.sin(z[active]) * x[active]
        active[active] = z[active] > limit
        if not active.any():
            break
    return np.sum(z * x)


WRT = ("x",)
ARGS = (np.array([0.4, -0.3, 1.75, 2.5]), 0.55)
