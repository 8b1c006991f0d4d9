import numpy as np


def _held(x):
    """The last array with a number that is even, for each number."""
    out = []
    for k in range(4):
        if k % 2 == 0:
            last = x * (k + 1.0)
        out.append(last)
    return out


# s2s: x (n,)
def moved(x):
    r = _held(x)
    r[1] *= 2.0
    return np.sum(r[0] * r[1])
