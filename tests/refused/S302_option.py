def largest(x, y):
    return max((v * v for v in (x, y) if v > 0.0), default=0.0)
