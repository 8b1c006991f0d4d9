def newest_first(x, n: int):
    values = [x]
    for k in range(n):
        values.append(x * values[-1])
    return values[-1] + values[-2]


# s2s verify S202_insert_rewritten.py::newest_first --at "x=0.7, n=3"
