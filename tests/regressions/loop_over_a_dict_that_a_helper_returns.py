"""Loops over dicts which helpers return, and which have no name: the reverse sweep took entries for keys."""

import numpy as np


def places(z):
    return {i: (i + 1) % 3 for i in range(len(z))}


def beside(z, flag):
    if flag:
        return places(z), z * z
    return {0: 1, 2: 2}, z


def f(z, flag: bool):
    s = 0.0
    for k in places(z):
        s = s * z[1] + z[k]
    for i, k in enumerate(places(z)):
        s = s * z[0] + z[k] * i
    for k, e in zip(reversed(places(z)), z):
        s = s * z[2] + z[k] * e
    for k in beside(z, flag)[0]:
        if k == 1:
            continue
        s = s * z[1] + z[k]
    items = [z[k] * z[1] for k in places(z)]
    return s * items[0] * items[2]


ARGS = (np.array([0.3, 0.8, -0.5]), True)
WRT = ("z",)
