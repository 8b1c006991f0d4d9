def parities(x, n: int):
    last = {0: x, 1: x**2}
    for k in range(n):
        last[k % 2] = last[0] + x * last[1]
    return last[1]
