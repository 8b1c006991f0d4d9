def product(p):
    return p["a"] * p["b"]


def both(x, n):
    p = {"a": 0.0, "b": 0.0}
    for _ in range(n):
        p["a"] = x
        p["b"] = x
    return product(p)


# s2s verify S232_handed_on_rewritten.py::both --at "x=0.7, n=2"
