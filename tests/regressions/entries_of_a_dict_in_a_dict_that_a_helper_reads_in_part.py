import numpy as np


def make(u, v):
    return {"pair": [v - 1.0, u * 1.0], "by": {"x": u * v, "y": v * 1.0}, "z": u}


def use(u, d):
    return d["pair"][0] + u * d["by"]["x"]


def f(u, v):
    made = []
    for _ in range(2):
        made.append(make(u, v))
    total = 0.0
    for k in range(2):
        total = total + use(u, made[k])
    return total * made[0]["by"]["y"] * use(v, make(v, u))


ARGS = (np.array([0.3, 1.2, 0.8]), np.array([0.5, -0.7, 1.1]))
SCALAR = False
