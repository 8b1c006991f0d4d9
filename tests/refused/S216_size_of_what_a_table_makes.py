from typing import NamedTuple


class Box(NamedTuple):
    size: float
    shape: float


MAKERS = {"flat": lambda x: Box(x[0], 1.0), "square": lambda x: Box(x[0], x[0])}


def f(x, kind):
    box = MAKERS[kind](x)
    return box.size * x[1]
