def spring(x, n: int):
    xs, vs = [], []
    v = 0.0
    for k in range(n):
        v = v - 0.1 * x
        x = x + 0.1 * v
        xs.append(x)
        vs.append(v)
    return xs[-1] * sum(vs)


# s2s verify S202_dict_of_lists_rewritten.py::spring --at "x=0.7, n=4"
