"""Of two arguments of one structure one is asked whether it is a list: the other one is a list there, too."""

import numpy as np


def total(tree, weights):
    if isinstance(tree, (list, tuple)):
        s = 0.0
        for i in range(len(tree)):
            s = s + total(tree[i], weights[i])
    else:
        s = np.sin(tree) * weights
    return s


def f(tree, weights):
    return total(tree, weights) ** 2


ARGS = ([0.3, [0.7, [0.2]], 0.9], [1.3, [0.5, [0.4]], -0.6])
