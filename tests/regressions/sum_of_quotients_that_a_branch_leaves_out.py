import numpy as np


# s2s: w (3,), u (3,)
def f(w, u, b: float):
    s = np.sum(w / u**2)
    y = s if b > 1.0 else u[0]  # where s is left out, the cotangent of w is an array of zeros and no number
    return y * b


ARGS = (np.array([0.3, -0.8, 0.5]), np.array([1.2, 0.7, -0.9]), 0.4)
