import numpy as np


def damp(state, k):
    for u in state.values():
        u[0] = k


# s2s: u (n,), v (n,), k ()
def loss(u, v, k):
    state = {"u": u, "v": v}
    damp(state, k)
    return np.sum(state["u"] * state["v"])
