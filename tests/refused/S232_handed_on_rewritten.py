def product(p):
    return p["a"] * p["b"]


def both(x):
    return product({"a": x, "b": x})


# s2s verify S232_handed_on_rewritten.py::both --at "x=0.7"
