def energy(x):
    history = [x]
    return history[0] ** 3


# s2s verify S201_module_list_rewritten.py::energy --at "x=0.7"
