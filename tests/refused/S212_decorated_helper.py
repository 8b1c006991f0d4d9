import numpy as np


def _doubled(function):
    def inner(*args):
        return 2.0 * function(*args)

    return inner


@_doubled
def _apply(function, x):
    return function(x) * x


def energy(x):
    return _apply(np.sin, x)
