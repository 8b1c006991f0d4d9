import solver


def energy(x):
    return solver.softplus(x) ** 2
