import numpy as np


# s2s: v (5,), M (5, 3)
def f(v, M, b: float):
    rng = np.random.default_rng(40)
    if b > 1.0:
        v = v * 2.0
    else:
        M[:, 2] = np.arctan(rng.normal() + b)
    if M[4, 2] < b:
        with np.errstate(all="ignore"):
            y = np.log(v)
    return b + np.sum(v)


WRT = ("v", "b")
ARGS = (np.array([0.8, 1.1, 1.2, 1.0, 1.4]), np.linspace(0.1, 0.9, 15).reshape(5, 3), 0.4)
