import numpy as np


class State:
    def __init__(self, u):
        self.u = u

    def inner(self, width):
        return self.u[width : len(self.u) - width]


# s2s: v (n,)
def energy(v, width):
    state = State(v)
    part = state.inner(width)
    part *= 0.5
    return np.sum(v * v)


# s2s: v (n,)
def bounded(v, low, width):
    state = State(v)
    lift(state.inner(width), low)
    return np.sum(v * v)


def lift(a, low):
    a[0] = low


# s2s verify S239_array_of_an_object_that_a_method_returns_rewritten.py::energy --at "v=np.array([0.3, 0.8, 1.1]), width=1"
# s2s verify S239_array_of_an_object_that_a_method_returns_rewritten.py::bounded --at "v=np.array([0.3, 0.8, 1.1]), low=0.2, width=1"
