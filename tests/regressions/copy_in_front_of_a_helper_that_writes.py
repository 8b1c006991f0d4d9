"""`f(w.copy(), fill(w, x))`: the copy is made before the helper writes, and so is what a method of `w` gives in a test,
in a display, or where a loop starts. The helper's text stood in front of the statement, and the copy saw its effect."""

import numpy as np


def fill(u, t):
    u[:] = t
    return u


def f(x, v):
    w = v * x
    s = np.dot(w.copy(), fill(w, x))
    if w.sum() > np.sum(fill(w, x * x)):
        s = s * x
    t = [w.copy(), fill(w, s)[1]]
    for q in w.copy() + fill(w, x):
        s = s * 0.5 + q
    return s + np.sum(t[0] * t[1])


ARGS = (0.7, np.array([1.1, -0.7, 0.9]))
WRT = ("x", "v")
SCALAR = True
