def total(rows: list[list[float]], x):
    row = list(rows[0])
    last = row.pop()
    return last * row[0] + x * len(row)


# s2s verify S202_pop_last_rewritten.py::total --at "rows=[[0.7, 0.4]], x=1.1"
