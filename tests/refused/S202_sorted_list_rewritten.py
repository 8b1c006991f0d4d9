def middle(x: float, y: float):
    values = [x * y, x + y, x]
    ranked = sorted(values)
    return ranked[1] * x


# s2s verify S202_sorted_list_rewritten.py::middle --at "x=0.3, y=0.8"
