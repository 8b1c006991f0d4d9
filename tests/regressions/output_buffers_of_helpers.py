"""Reverses of helpers are not given the arrays that they need not read; what they do read still comes back."""

import numpy as np


def fill(x, out):
    out[:] = np.exp(x)


def half(x, out):
    out[1:] = x[1:] ** 2


def scale(x, out):
    out[:] = out * x


def shape_only(x, out):
    n = len(out)
    out[:] = x[:n] * n


def nested(x, out):
    half(x, out)
    out[0] = x[0] ** 3


def both(x, out, w):
    out[:] = x * w
    w[0] = np.sum(out**2)


def f1(x):
    a = np.zeros_like(x)
    s = 0.0
    for k in range(3):
        s = s + np.sum(a**2)
        fill(x * (k + 1.0) * 0.3, a)
        s = s + np.sum(np.sin(a))
        half(x * 2.0, a)
        s = s + np.sum(a**3)
    return s


def f2(x):
    a = np.sin(x)
    s = np.sum(a**2)
    scale(x, a)
    s = s + np.sum(a**2)
    shape_only(x, a)
    s = s + np.sum(a**3)
    nested(x, a)
    return s + np.sum(a**2)


def f3(x):
    a = np.cos(x)
    w = x**2
    s = 0.0
    for k in range(2):
        both(x, a, w)
        s = s + np.sum(a**2) + w[0] * w[1]
    return s


def f4(x):
    a = np.cos(x)
    b = a[1:]
    s = 0.0
    for k in range(3):
        s = s + np.sum(b**2)
        if k != 1:
            fill(x, a)
        s = s + np.sum(np.sin(a) * x)
    return s


def f(x):
    return f1(x) + f2(x) + f3(x) + f4(x)


ARGS = (np.array([0.3, -0.8, 1.1, 0.5]),)
