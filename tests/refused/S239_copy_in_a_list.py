def f(x, n: int):
    row = [x, 0.2]
    history = []
    for _ in range(n):
        row[0] = row[0] * row[1] + x
        history.append(row[:])
    history[0][1] = x
    return history[0][0] * history[-1][1]
