def product(p):
    return p["a"] * p["b"]


def both(x, n):
    p = {}
    for _ in range(n):
        p["a"] = x
        p["b"] = x
    return product(p)
