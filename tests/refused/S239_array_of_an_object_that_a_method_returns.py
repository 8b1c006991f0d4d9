import numpy as np


class State:
    def __init__(self, u):
        self.u = u

    def inner(self, width):
        if width > 0:
            return self.u[width:-width]
        return self.u


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
