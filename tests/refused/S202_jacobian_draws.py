import numpy as np


# s2s: emit=jacobian
def noisy(x):
    return x * (1.0 + 0.1 * np.random.randn(3))
