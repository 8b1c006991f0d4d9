def newest_first(x, n: int):
    values = [x]
    for k in range(n):
        values = [x * values[0]] + values
    return values[0] * values[1]
