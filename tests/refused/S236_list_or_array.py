def filled(x, n: int, buf=None):
    if buf is None:
        buf = [0.0] * n
    for i in range(n):
        buf[i] = x * i
    return buf
