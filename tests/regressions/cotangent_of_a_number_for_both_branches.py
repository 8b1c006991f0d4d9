import numpy as np


def total(q, u, w):
    return q + u + np.sum(w)


# s2s: v (3,), w (3,)
def f(v, b: float, w):
    c2 = b / 2.0
    t1 = sum([e for e in w])
    parts = np.array([t1, b])
    b = total(
        np.where(c2 + t1 >= b + t1, parts.sum(), np.linalg.norm(w)),
        np.where(1.0 / 2.0 < b, np.sum(parts), 0.5),
        w=parts,
    )
    return b


ARGS = (np.array([0.9, -0.7, -0.5]), -1.1, np.array([-1.2, -1.3, 0.9]))
WRT = ("b", "w")
