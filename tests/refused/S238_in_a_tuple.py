import numpy as np


def mirror(*ends):
    ends[0][0] = ends[-1][1]


def close(u):
    mirror(u, u)  # writes into u, through the tuple that `*ends` makes
    return u


# s2s: u (n,), k (n,)
def energy(u, k):
    close(u)
    return np.sum(k * u**2)
