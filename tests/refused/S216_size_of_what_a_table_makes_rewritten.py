from typing import NamedTuple


class Box(NamedTuple):
    size: float
    shape: float


def f(x, square):
    box = Box(x[0], x[0] if square else 1.0)
    return box.size * x[1]


# s2s verify S216_size_of_what_a_table_makes_rewritten.py::f --at "x=np.array([0.3, 0.7]), square=True"
