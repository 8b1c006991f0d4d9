import numpy as np


def spectrum(x):
    u = 2.0 * x
    return u, 3.0


# s2s: x (n,)
def f(x):
    u, scale = spectrum(x)
    u[2] *= 3.0
    return u @ x + scale * np.sum(u[1:] ** 2)



# s2s verify S242_parts_of_one_buffer_rewritten.py::f --at "x=np.linspace(0.3, 1.1, 6)"
