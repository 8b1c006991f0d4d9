"""q.d[0] += u behind q.d[0] = q.v: the dict was taken for an array, so that v was left as it was."""

import numpy as np


class Holder:
    def __init__(self, u, v, A):
        self.u = u
        self.v = v
        self.d = {2 * key: A[key] for key in range(2)}

    def swap(self, i):
        self.d[2 * (i % 2)] = self.v


# s2s: u (3,), v (3,), A (2, 3)
def f(u, v, A, n):
    q = Holder(u, v, A)
    for i in range(n):
        q.d[0] += q.u
        q.swap(i)
    return np.sum(q.u * q.v) + np.sum(A[0] ** 2)


ARGS = (np.array([0.6, 0.3, 0.8]), np.array([0.5, -0.2, 0.9]), np.array([[0.1, 0.4, 0.2], [0.3, 0.8, -0.5]]), 3)
WRT = ("u", "v", "A")
SCALAR = True
