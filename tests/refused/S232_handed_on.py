def product(p):
    return p["a"] * p["b"]


def both(x):
    p = {}
    for name in ("a", "b"):
        p[name] = x
    return product(p)
