import solver


def energy(u, k):
    v = solver.march(u, rate=k)  # s2s: numeric
    return v**2
