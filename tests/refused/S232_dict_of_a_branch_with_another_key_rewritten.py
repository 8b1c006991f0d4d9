import numpy as np


def energy(x, y, cold: bool):
    if cold:
        state = {"kept": x}
    else:
        state = {"lost": x, "kept": x * y}
    return sum(np.sum(state[k] ** 2) for k in state)


# s2s verify S232_dict_of_a_branch_with_another_key_rewritten.py::energy --at 'x=np.array([0.3, 0.8]), y=np.array([0.5, 0.9]), cold=False'
