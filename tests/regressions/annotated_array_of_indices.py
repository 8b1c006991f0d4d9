"""An annotation that says integers says nothing of the rank: an array of indices may name an item twice."""

import numpy as np
from numpy.typing import NDArray


def f(x, k: NDArray[np.intp]):
    return np.sum(np.sin(x[k]) * x[k])


ARGS = (np.array([0.7, -1.2, 0.4, 1.6, -0.3]), np.array([0, 2, 2, 4]))
WRT = ("x",)
