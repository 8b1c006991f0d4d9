from typing import NamedTuple

import numpy as np


class Box(NamedTuple):
    size: float


def _total(boxes: list[Box]):
    return sum(b.size for b in boxes)


def loss(x):
    return _total([Box(x[0]), Box(x[1] * 2.0)]) * np.sum(x)


# s2s verify S216_size_of_objects_rewritten.py::loss --at "x=np.array([0.3, 0.7])"
