def square(k, x, seen=None):
    if seen is None:
        seen = {}
    if k not in seen:
        seen[k] = x * x
    return seen[k]


def energy(x, y):
    return square(1, x) * square(1, y)


# s2s verify S212_default_that_is_changed_rewritten.py::energy --at "x=0.7, y=1.2"
