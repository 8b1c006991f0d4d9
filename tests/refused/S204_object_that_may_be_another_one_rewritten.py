from typing import NamedTuple


class Spring(NamedTuple):
    half: float


def softened(spring, c):
    return Spring(spring.half * c)


def f(k, x):
    first = Spring(0.5 * k)
    if x > 0.5:
        first = softened(first, x)
        spring = first
    else:
        spring = softened(Spring(k), x)
    return first.half * spring.half


# s2s verify S204_object_that_may_be_another_one_rewritten.py::f --at "k=1.3, x=0.7"
