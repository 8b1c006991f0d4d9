def ordered(x, y, n: int):
    values = [x, x + 1.0, x + 2.0]
    values.insert(n, y)
    return values[0] * values[1] + values[2]
