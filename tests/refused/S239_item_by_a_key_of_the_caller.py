import numpy as np


# s2s: v (3,)
def f(v, keys):
    w = v
    w[1:] = w[1:] * v[0]
    picked = []
    for k in keys:
        picked.append(w[k])
    return np.sum(picked[1])
