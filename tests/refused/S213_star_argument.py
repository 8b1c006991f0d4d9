import math


def radius(xs):
    return math.hypot(*xs)
