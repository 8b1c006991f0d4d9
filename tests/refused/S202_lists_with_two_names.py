def f(x, bins):
    rows = [[] for _ in range(3)]
    first = rows[0]
    for i in range(len(x)):
        rows[bins[i]].append(x[i] ** 2)
    return sum(first) * sum(rows[1])
