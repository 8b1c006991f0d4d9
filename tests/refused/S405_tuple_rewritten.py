def both(x):
    return x**2, x**3


# s2s verify S405_tuple_rewritten.py::both --at "x=0.7"
