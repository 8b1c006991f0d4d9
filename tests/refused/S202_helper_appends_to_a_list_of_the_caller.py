def add(values, v):
    values.append(v * v)


def f(values, x):
    add(values, 2.0 * x)
    return sum(values) * x
