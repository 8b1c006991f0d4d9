"""u[-1] may be u[1] or u[2]: what is restored there changes neither. (A false alarm of the checker.)"""

import numpy as np


# s2s: u (3,)
def f(b: float, u, y: float):
    u[2], u[-1] = (np.sin(u[2]), u[1])
    u[1] = u[1]
    return np.sum(u)


ARGS = (0.4, np.array([0.9, 0.3, -1.4]), 0.3)
WRT = ("u",)
