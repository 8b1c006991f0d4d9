from typing import NamedTuple


class Cell(NamedTuple):
    low: float
    high: float


def f(cell: Cell, x, name):
    v = cell.high
    if name == "low":
        v = cell.low
    return v * x


# s2s verify S301_attribute_by_a_name_rewritten.py::f --wrt x --at "cell=Cell(0.3, 0.4), x=0.7, name='low'"
