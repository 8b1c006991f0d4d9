def put(row, v):
    return [v * row[1], *row[1:]]


def f(x):
    rows = [[x, 2.0], [1.0, x]]
    rows[0] = put(rows[0], x * x)
    return rows[0][0] * rows[0][1] + rows[1][1]


# s2s verify S238_row_that_a_helper_writes_rewritten.py::f --at "x=0.7"
