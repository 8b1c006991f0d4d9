def total(rows: list[list[float]], x: float):
    return x * sum(rows[0])


# s2s verify S403_list_of_counts_rewritten.py::total --wrt rows --at "rows=[[0.4, 0.7], [0.2]], x=0.9"
