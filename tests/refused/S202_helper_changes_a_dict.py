def double(p):
    p["rate"] = 2.0 * p["rate"]


def growth(p, t):
    double(p)
    return p["size"] * p["rate"] * t
