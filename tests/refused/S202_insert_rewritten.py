def ordered(x, y, n: int):
    values = [x, x + 1.0, x + 2.0]
    values = [*values[:n], y, *values[n:]]
    return values[0] * values[1] + values[2]


# s2s verify S202_insert_rewritten.py::ordered --at "x=0.7, y=0.4, n=1"
