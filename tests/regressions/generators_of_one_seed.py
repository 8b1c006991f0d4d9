"""Two generators of random numbers that begin with one seed have draws of their own: they are not one value."""

import numpy as np


class Noise:
    def __init__(self):
        self.rng = np.random.default_rng(7)


def run(x, rng):
    return x * rng.normal()


def f(x):
    a, b = Noise(), Noise()
    own = x * a.rng.standard_normal() + x**2 * b.rng.standard_normal()
    return own + run(x, np.random.default_rng(1)) + run(x * x, np.random.default_rng(1))


ARGS = (0.7,)
WRT = ("x",)
SCALAR = True
