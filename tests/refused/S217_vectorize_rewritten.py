import numpy as np


def law(a, b):
    return a * b if a > 0.5 else a + b


def f(x, k):
    # s2s: x (n,), k ()
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = law(x[i], k)
    return np.sum(y**2)


# s2s verify S217_vectorize_rewritten.py::f --at "x=np.array([0.3, 0.9]), k=0.7"
