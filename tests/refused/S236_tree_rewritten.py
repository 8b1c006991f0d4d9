import numpy as np

LEFT = [1, -1, 3, -1]
RIGHT = [2, -1, -1, -1]


def total(weights, k):
    if k < 0:
        return 0.0
    return weights[k] + 0.5 * total(weights, LEFT[k]) * total(weights, RIGHT[k])


def score(x):
    weights = np.array([x[0], x[1], x[2], x[0] * x[1]])
    return total(weights, 0)


# s2s verify S236_tree_rewritten.py::score --at "x=np.array([0.7, 0.4, 1.1])"
