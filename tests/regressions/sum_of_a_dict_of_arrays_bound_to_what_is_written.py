"""`sum` begins with the integer 0: zeros like it were integers, to which the cotangent could not be added."""

import numpy as np


# s2s: u (5,), v (5,), A (4, 5)
def f(u, v, A, k: float, n: int):
    d = {key: A for key in range(2)}
    for i in range(n):
        j = np.argmin(u)
        v[j] = k
        v = sum(d.values())
        d[0] = v
    return np.sum(v)


ARGS = (
    np.array([-0.66, 0.82, 0.75, -0.01, -0.11]),
    np.array([-0.31, -0.68, 0.07, -0.16, -0.37]),
    np.linspace(-0.8, 0.9, 20).reshape(4, 5),
    0.6,
    2,
)
WRT = ("v", "A", "k")
SCALAR = True
