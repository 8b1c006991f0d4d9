import numpy as np


# s2s: emit=jacobian
def noisy(x):
    rng = np.random.default_rng(0)
    return x * (1.0 + 0.1 * rng.standard_normal(3))


# s2s verify S202_jacobian_draws_rewritten.py::noisy --at "x=np.array([0.7, 0.2, 0.4])"
