"""Derivatives of thomas.py."""

import numpy as np


def thomas_grad(lower, diagonal, upper, b):
    """Gradient of thomas with respect to (lower, diagonal, upper, b).

    Half the squared solution of a tridiagonal system: elimination downwards, then
    substitution upwards.
    Shapes: lower (n,), diagonal (n,), upper (n,), b (n,).
    """
    assert np.ndim(lower) == 1
    assert np.shape(b) == np.shape(upper) == np.shape(diagonal) == np.shape(lower)

    # forward sweep
    n = len(b)
    c = np.zeros(n)
    x = np.zeros(n)
    c[0] = upper[0] / diagonal[0]
    x[0] = b[0] / diagonal[0]
    pivot_saved = []
    for i in range(1, n):
        pivot = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / pivot
        x[i] = (b[i] - lower[i] * x[i - 1]) / pivot
        pivot_saved.append(pivot)
    x_saved = []
    for i in reversed(range(n - 1)):
        x_saved.append(x[i])
        x[i] = x[i] - c[i] * x[i + 1]

    # reverse sweep
    # adjoint of: return 0.5 * np.dot(x, x)
    x_bar = x.copy()
    c_bar = np.zeros_like(c)
    for i in range(n - 1):
        # adjoint of: x[i] = x[i] - c[i] * x[i + 1]
        x[i] = x_saved.pop()
        c_bar[i] -= x[i + 1] * x_bar[i]
        x_bar[i + 1] -= c[i] * x_bar[i]
    lower_bar = np.zeros_like(lower)
    diagonal_bar = np.zeros_like(diagonal)
    upper_bar = np.zeros_like(upper)
    b_bar = np.zeros_like(b)
    for i in reversed(range(1, n)):
        pivot = pivot_saved.pop()
        # adjoint of: x[i] = (b[i] - lower[i] * x[i - 1]) / pivot
        s_bar = x_bar[i]
        b_bar[i] += s_bar / pivot
        lower_bar[i] -= x[i - 1] / pivot * s_bar
        pivot_bar = -(b[i] - lower[i] * x[i - 1]) / pivot**2 * s_bar
        x_bar[i] = 0.0
        x_bar[i - 1] -= lower[i] / pivot * s_bar
        # adjoint of: c[i] = upper[i] / pivot
        upper_bar[i] += c_bar[i] / pivot
        pivot_bar -= upper[i] / pivot**2 * c_bar[i]
        c_bar[i] = 0.0
        # adjoint of: pivot = diagonal[i] - lower[i] * c[i - 1]
        diagonal_bar[i] += pivot_bar
        lower_bar[i] -= c[i - 1] * pivot_bar
        c_bar[i - 1] -= lower[i] * pivot_bar
    # adjoint of: x[0] = b[0] / diagonal[0]
    b_bar[0] += x_bar[0] / diagonal[0]
    diagonal_bar[0] -= b[0] / diagonal[0] ** 2 * x_bar[0]
    # adjoint of: c[0] = upper[0] / diagonal[0]
    upper_bar[0] += c_bar[0] / diagonal[0]
    diagonal_bar[0] -= upper[0] / diagonal[0] ** 2 * c_bar[0]
    return lower_bar, diagonal_bar, upper_bar, b_bar
