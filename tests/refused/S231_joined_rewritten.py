def newest_first(x, n: int):
    values = [x]
    for k in range(n):
        new = [x * values[0]]
        new.extend(values)
        values = new
    return values[0] * values[1]


# s2s verify S231_joined_rewritten.py::newest_first --at "x=0.7, n=3"
