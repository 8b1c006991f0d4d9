def energy(x, calls: int):
    calls += 1
    return x**2, calls


# s2s verify S210_global_rewritten.py::energy --at "x=0.7, calls=1"
