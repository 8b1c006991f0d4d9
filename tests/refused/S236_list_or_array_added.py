def doubled(x, n: int):
    u = x * x if n > 5 else [x[0], 2.0 * x[1]]
    w = u + u
    return w[0] * w[-1]
