import numpy as np


def f(x: float, w, mode: str):
    s = (mode == "add") * w[1] + x
    t = (mode != "sub") + s * x
    return t * np.sum(w)


WRT = ("x", "w")
ARGS = (0.3, np.array([0.5, 0.7]), "add")
