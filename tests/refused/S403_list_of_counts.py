def total(rows: list[list[int]], x: float):
    return x * sum(rows[0])
