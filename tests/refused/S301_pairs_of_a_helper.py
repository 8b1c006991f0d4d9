def pairs(a, b):
    return zip(a, b)


def weighted(x, w):
    total = 0.0
    for u, v in pairs(x, w):
        total += u * v
    return total
