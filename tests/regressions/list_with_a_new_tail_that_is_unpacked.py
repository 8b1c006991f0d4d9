def f(x: float, y: float):
    ls = [x]
    ls[1:] = [y, x * y]
    first, *rest = ls
    return first * sum(rest) + ls[1] * ls[2]


ARGS = (0.3, 0.7)
