def f(x: float, y: float):
    row = [x, 0.2]
    row[0] = y
    if len(row) > 1:
        last = row.pop()
    return sum(row) * x


# s2s verify S239_part_of_a_list_of_numbers_rewritten.py::f --at "x=0.3, y=0.8"
