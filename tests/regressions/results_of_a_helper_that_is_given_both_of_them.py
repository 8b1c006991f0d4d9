"""The adjoints of two names that a helper binds anew, of their old values, were set aside under one name."""

import numpy as np


def pair(q, r):
    return q * r, q - 0.3 * r


def step(s, k, dt):
    if s["v"][1] < k:
        s["u"], s["v"] = pair(s["u"], s["v"])
        for j in range(1, len(s["u"])):
            s["u"][j] = s["v"][j]
    s["u"] = dt * (0.5 * (s["u"] if k > 0.4 else s["v"]))


def f(u, v, k: float, dt: float):
    s = {"u": u, "v": v}
    step(s, k, dt)
    return np.sum(s["u"])


ARGS = (np.array([0.6, 0.6, -0.35]), np.array([0.58, -0.003, 0.78]), 0.6, 0.3)
WRT = ("u", "v", "dt")
