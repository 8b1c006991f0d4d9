from itertools import chain


def total(x):
    values = [x, x * x]
    s = 0.0
    for v in chain(values, [x]):
        if len(values) < 4:
            values.append(s)
        s = s * x + v
    return s
