def residuals(x):
    return x[1:] - x[:-1]
