from dataclasses import dataclass

import numpy as np


@dataclass
class Truss:
    stiffness: np.ndarray

    def assemble(self):
        return np.diag(self.stiffness)


def _energy(truss, u):
    total = 0.0
    for _ in range(2):
        total = total + u @ truss.assemble() @ u
    return total


def loss(u, truss):
    return _energy(truss, u) + _energy(truss, 2.0 * u)
