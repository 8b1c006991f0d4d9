def largest(x, y):
    return max(x, y, key=lambda v: v * v) ** 2
