def periodic(x, n: int):
    values = [x, x**2]
    for k in range(n):
        values = values + values
    return values[0] * values[-1]


# s2s verify S231_joined_rewritten.py::periodic --at "x=0.7, n=2"
