import math


def radius(xs):
    return math.hypot(xs[0], xs[1], xs[2])


# s2s verify S213_star_argument_rewritten.py::radius --at "xs=np.array([0.7, 1.3, 0.4])"
