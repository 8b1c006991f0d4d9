import numpy as np


def relax(u):
    u[1:-1] = 0.5 * (u[2:] + u[:-2])
    return np.max(np.abs(np.diff(u)))


def energy(u):
    u = u * 1.0
    print(f"largest step: {relax(u):.3f}")
    order = sorted([0, 1], key=lambda k: relax(u[k:]))
    return np.sum(u**2) * (1 + order[0])


def sorted_sum(u):
    u = u * 1.0
    print(f"{u.sort()} {np.multiply(u, 2.0, out=u)}")
    return np.sum(u * np.arange(u.size))


def any_small(m):
    m = m * 1.0
    if any(relax(row) < 0.1 for row in m):
        return np.sum(m)
    return np.sum(m**2)
