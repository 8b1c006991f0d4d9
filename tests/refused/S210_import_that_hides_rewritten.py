def tanh(x):
    return x / (1.0 + x)


def energy(x, exact):
    from math import tanh as own_tanh

    return own_tanh(x) * x


# s2s verify S210_import_that_hides_rewritten.py::energy --wrt x --at "x=0.7, exact=False"
