from typing import NamedTuple


class Cell(NamedTuple):
    low: float
    high: float


def f(cell: Cell, x, name):
    return getattr(cell, name) * x
