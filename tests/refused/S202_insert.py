def newest_first(x, n: int):
    values = [x]
    for k in range(n):
        values.insert(0, x * values[0])
    return values[0] + values[1]
