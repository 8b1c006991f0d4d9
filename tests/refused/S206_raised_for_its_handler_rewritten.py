import numpy as np


def work(x, k):
    if k < 0.0:
        energy = np.sum(x)
    else:
        energy = k * np.sum(x**2)
    return energy


# s2s verify S206_raised_for_its_handler_rewritten.py::work --at "x=np.array([0.4, 0.9, 1.3]), k=-0.5"
