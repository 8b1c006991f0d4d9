def _energy(x):
    return x**2


# s2s verify S407_private_rewritten.py::_energy --at "x=0.7"
