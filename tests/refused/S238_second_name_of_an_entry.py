import numpy as np


def damp(state, k):
    u = state["u"]
    u *= k


# s2s: u (n,), v (n,), k ()
def loss(u, v, k):
    state = {"u": u, "v": v}
    damp(state, k)
    return np.sum(state["u"] * state["v"])
