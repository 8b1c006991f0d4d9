def energy(x):
    return x**2


# s2s verify S208_async_rewritten.py::energy --at "x=0.7"
