import numpy as np


# s2s: lower (n,), diagonal (n,), upper (n,), b (n,)
def thomas(lower, diagonal, upper, b):
    """Half the squared solution of a tridiagonal system: elimination downwards, then substitution upwards."""
    n = len(b)
    c = np.zeros(n)
    x = np.zeros(n)
    c[0] = upper[0] / diagonal[0]
    x[0] = b[0] / diagonal[0]
    for i in range(1, n):
        pivot = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / pivot
        x[i] = (b[i] - lower[i] * x[i - 1]) / pivot
    for i in reversed(range(n - 1)):
        x[i] = x[i] - c[i] * x[i + 1]
    return 0.5 * np.dot(x, x)
