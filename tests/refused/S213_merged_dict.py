def merged(x, base):
    p = {**base, "x": x}
    return p["x"] * p["k"]
