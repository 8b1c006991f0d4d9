import numpy as np


# s2s: wrt=x emit=hessian
def loss(x, noise):
    return np.sum(x**3 * noise)


# s2s verify S202_hessian_draws_rewritten.py::loss --at "x=np.array([0.7, 0.2, 0.4]), noise=np.array([0.3, -0.8, 1.1])"
