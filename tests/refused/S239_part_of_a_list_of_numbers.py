def f(x, y):
    row = [x, 0.2]
    row[0] = y
    if len(row) > 1:
        last = row.pop()
    return sum(row) * x
