def square(k, x, seen={}):
    if k not in seen:
        seen[k] = x * x
    return seen[k]


def energy(x, y):
    return square(1, x) * square(1, y)
