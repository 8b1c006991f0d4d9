def spread(x, y, z):
    ordered = sorted({x, y, z})
    return ordered[-1] - ordered[0] ** 2
