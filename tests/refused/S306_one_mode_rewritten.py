def energy(u):
    return (u + 0.1 * u**3) ** 2


# s2s verify S306_one_mode_rewritten.py::energy --at "u=0.7"
