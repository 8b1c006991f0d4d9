def parities(x, n: int):
    last = {0: x, 1: x**2}
    history = []
    for k in range(n):
        last[k % 2] = last[0] + x * last[1]
        history.append(last)
    return history[-1][1]
