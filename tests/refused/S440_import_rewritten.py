def march(u):
    return u + 0.1 * u**3


def energy(u):
    return march(u) ** 2


# s2s verify S440_import_rewritten.py::energy --at "u=0.7"
