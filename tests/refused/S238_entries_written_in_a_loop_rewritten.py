import numpy as np


def damp(u, k):
    u[0] = k


# s2s: u (n,), v (n,), k ()
def loss(u, v, k):
    state = {"u": u, "v": v}
    damp(state["u"], k)
    damp(state["v"], k)
    return np.sum(state["u"] * state["v"])


# s2s verify S238_entries_written_in_a_loop_rewritten.py::loss --at "u=np.array([0.3, 0.5]), v=np.array([0.2, 0.4]), k=0.7"
