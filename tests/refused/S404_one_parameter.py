def interpolate(x, y):
    k = int(y)
    return x[k] * (1.0 + k)
