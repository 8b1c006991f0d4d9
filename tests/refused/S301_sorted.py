def spread(x, y, z):
    values = {"x": x, "y": y, "z": z}
    ordered = sorted(values.values())
    return ordered[-1] - ordered[0] ** 2
