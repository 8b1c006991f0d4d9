def spread(x: float):
    pairs = sum(((x, 2.0 * x), (x * x,)), ())
    return pairs[1] * pairs[2]
