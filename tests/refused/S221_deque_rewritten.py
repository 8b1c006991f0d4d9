def smoothed(x, n: int):
    window = [x]
    for k in range(n):
        window = [*window, x * window[-1]][-(n - 2) :]
    return sum(window)


# s2s verify S221_deque_rewritten.py::smoothed --at "x=0.7, n=5"
