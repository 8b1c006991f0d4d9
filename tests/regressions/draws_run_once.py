"""Random numbers drawn in tests, headers, keys and dead code: once each, in the order of the primal."""

import numpy as np


def noise(rng):
    return rng.normal()


def f(v, x):
    rng = np.random.default_rng(3)
    s = x
    for i in range(rng.integers(2, 5)):
        if x > 20.0:
            s = s * v[i]
        elif rng.uniform() > 0.5:
            s = s + s * v[i]
        elif noise(rng) > 0.0 and rng.uniform() > 0.3:
            s = s * np.roll(v, rng.integers(3))[rng.integers(5)]
        z = rng.normal()
    unread = 0.0
    for _ in range(3):
        unread = unread + rng.normal()
    if rng.normal() > 100.0:
        unread = z
    noise(rng)
    k = 0
    while rng.normal() < 1.0 and k < 5:
        s = s * v[k] + 1.0
        k += 1
    w = [e * e for e in v if rng.normal() > 0.0]
    return s * sum(w) + s * rng.normal()


ARGS = (np.array([0.9, 0.3, -1.4, 0.7, 1.2]), 0.6)
