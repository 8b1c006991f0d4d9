import numpy as np


def _norm(d):
    return sum(np.sum(d[k] ** 2) for k in d)


def _keep(d, held):
    held.append(d)


def energy(x, key: str):
    held = []
    d = {}
    d[key] = 0.5 * x
    _keep(d, held)
    boxes = [held]
    boxes[0][0]["more"] = 2.0 * x
    return _norm(d)
