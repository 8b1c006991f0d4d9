import numpy as np
import scipy.sparse as sp


def weighted(d, x):
    return np.sum((sp.diags(d) @ x) ** 2)
