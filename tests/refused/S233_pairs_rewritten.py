def area(x, n: int):
    us, vs = [], []
    for k in range(n):
        us.append(x * k)
        vs.append(x**k)
    s = 0.0
    for a, b in zip(us, vs):
        s = s + a * b
    return s


# s2s verify S233_pairs_rewritten.py::area --at "x=0.7, n=4"
