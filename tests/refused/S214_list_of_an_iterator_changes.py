from itertools import islice


def total(x):
    values = [x, x * x, 1.0]
    s = 0.0
    for v in islice(values, 2):
        values[1] = s * x
        s = s * x + v
    return s
