def periodic(x, n: int):
    values = [x, x**2]
    for k in range(n):
        values = values * 2
    return values[0] * values[-1]
