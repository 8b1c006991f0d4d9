def total(rows: list[list[float]], x):
    row = rows[0]
    last = row.pop()
    return last * row[0] + x * len(row)
