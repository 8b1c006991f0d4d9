def final(k, y0, n: int):
    def rhs(t, y):
        return -k * y

    h = 1.0 / n
    y = y0
    for i in range(n):
        t = i * h
        half = y + 0.5 * h * rhs(t, y)
        y = y + h * rhs(t + 0.5 * h, half)
    return y


# s2s verify S217_solver_rewritten.py::final --at "k=0.8, y0=1.2, n=6"
