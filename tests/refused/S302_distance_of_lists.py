import math


def gap(xs, ys):
    return math.dist(xs, ys)
