import numpy as np


def work(k, n: int):
    t, w = np.polynomial.legendre.leggauss(n)
    t = 0.5 * (t + 1.0)
    return 0.5 * np.sum(w * k * t**2)


# s2s verify S217_quadrature_rewritten.py::work --at "k=0.8, n=3"
