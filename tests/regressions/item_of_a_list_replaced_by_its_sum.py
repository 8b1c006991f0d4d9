"""An item of a list or a dict becomes a number, or an array of lower rank, that is reduced from it: its adjoint kept the
shape of the new item, and where the old one was filled with a number, that got a fraction of its cotangent."""

import numpy as np


def f(s, t, n: int):
    rows = [np.full(3, s * t), np.full((2, 3), s + t), np.array([s, t])]
    by_name = {"a": np.full(4, s), "b": np.full(2, t)}
    for i in range(n):
        rows[i] = np.sum(rows[i])
    rows[1] = 2.0 * rows[1].mean(axis=0)
    rows[2] = np.sum(rows[2])
    for k in by_name:
        by_name[k] = np.sum(by_name[k])
    return rows[0] * np.sum(rows[1]) + rows[2] * by_name["a"] * by_name["b"]


ARGS = (0.7, 0.4, 1)
WRT = ("s", "t")
