def filled(x, n: int, buf: list[float] | None = None):
    if buf is None:
        buf = [0.0] * n
    for i in range(n):
        buf[i] = x * i
    return buf


# s2s verify S236_list_or_array_rewritten.py::filled --at "x=0.3, n=3"
