import numpy as np


# s2s: v (3,)
def f(x: float, v):
    w = v
    w[1:] = w[1:] * x
    picked = []
    for k in sorted(range(len(w)), key=lambda k: w[k]):
        picked.append(w[k])
    return x + picked[1] * 2.0 + picked[0] ** 2 + np.sum(v)


ARGS = (0.7, np.array([0.6, -0.5, 1.4]))
