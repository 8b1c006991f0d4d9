import numpy as np


# s2s: emit=hessian
def loss(x):
    noise = np.random.standard_normal(3)
    return np.sum(x**3 * noise)
