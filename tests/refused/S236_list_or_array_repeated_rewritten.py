def repeated(x, n: int):
    if n > 5:
        w = x * x * n
    else:
        w = [v for _ in range(n) for v in (x[0], 2.0 * x[1])]
    return w[0] * w[-1]


# s2s verify S236_list_or_array_repeated_rewritten.py::repeated --at "x=np.array([0.3, 1.2]), n=3"
