import numpy as np


# s2s: v (5,), u (3,)
def f(v, u):
    v.sort()
    for _ in u:
        d = v  # noqa: F841
    if u[0] > 0.0:
        s = v[1] * u[0]
    else:
        s = v[0]
        e = v  # noqa: F841
    return s + np.sum(u**2)


ARGS = (np.array([0.3, -1.2, 0.8, 0.1, 2.0]), np.array([0.5, -0.7, 1.1]))
