from dataclasses import dataclass

import numpy as np


@dataclass
class Truss:
    stiffness: np.ndarray

    def assemble(self):
        return np.diag(self.stiffness)


def _energy(K, u):
    total = 0.0
    for _ in range(2):
        total = total + u @ K @ u
    return total


def loss(u, truss):
    K = truss.assemble()
    return _energy(K, u) + _energy(K, 2.0 * u)


# s2s verify S202_unknown_method_rewritten.py::loss --wrt u --at "u=np.array([0.3, 0.7]), truss=Truss(np.array([1.2, 0.4]))"
