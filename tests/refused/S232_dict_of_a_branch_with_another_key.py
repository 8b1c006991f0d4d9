import numpy as np


def energy(x, y, cold: bool):
    if cold:
        state = {"kept": x}
    else:
        state = {"lost": x}
        state["kept"] = x * y
    return sum(np.sum(state[k] ** 2) for k in state)
