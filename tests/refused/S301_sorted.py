def spread(x, y, z):
    values = sorted([x, y, z])
    return values[-1] - values[0] ** 2
