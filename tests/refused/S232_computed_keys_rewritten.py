def parities(x, n: int):
    last = {0: x, 1: x**2}
    history = []
    for k in range(n):
        last[k % 2] = last[0] + x * last[1]
        history.append(last[1])
    return history[-1]


# s2s verify S232_computed_keys_rewritten.py::parities --at "x=0.7, n=5"
