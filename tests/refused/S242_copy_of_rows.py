def clamped(x):
    y = x * 2.0
    y[[0, 2]][0] = 7.0
    return (y**2).sum()
