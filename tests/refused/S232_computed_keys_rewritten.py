def parities(x, n: int):
    last = [x, x**2]
    for k in range(n):
        last[k % 2] = last[0] + x * last[1]
    return last[1]


# s2s verify S232_computed_keys_rewritten.py::parities --at "x=0.7, n=5"
