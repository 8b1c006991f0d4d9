import numpy as np


def joined(x, index):
    parts = [x[i] for i in index]
    return np.sum(np.stack(parts) ** 2)


# s2s verify S302_rank_rewritten.py::joined --at "x=np.array([0.3, 0.8, 0.5]), index=[0, 2]"
