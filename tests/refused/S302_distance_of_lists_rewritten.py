import math


def gap(xs, ys):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(xs, ys)))


# s2s verify S302_distance_of_lists_rewritten.py::gap --at "xs=[0.4, 0.9], ys=[0.1, -0.3]"
