def put(row, v):
    row[0] = v * row[1]


def f(x):
    rows = [[x, 2.0], [1.0, x]]
    put(rows[0], x * x)
    return rows[0][0] * rows[0][1] + rows[1][1]
