import atexit


def energy(x):
    return x**2


at_exit = atexit.register(energy)


# s2s verify S212_decorated_rewritten.py::energy --at "x=0.7"
