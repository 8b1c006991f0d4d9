import numpy as np


def relax(u, k):
    u[1:-1] = k * (u[:-2] + u[2:])
    return True


def energy(u, k):
    u = np.copy(u)
    ok = relax(u, k)
    return np.sum(u**2)


# s2s verify S202_call_whose_value_nobody_reads_rewritten.py::energy --at "u=np.array([0.7, 1.2, 0.4]), k=0.3"
