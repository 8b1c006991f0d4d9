def double(p, n):
    if n > 0:
        p["rate"] = 2.0 * p["rate"]
        double(p, n - 1)


def growth(p, t, n: int):
    double(p, n)
    return p["size"] * p["rate"] * t
