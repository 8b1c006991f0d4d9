def replaced(x, y, first: bool):
    values = [x, y, x * y]
    chosen = values if first else [y, x]
    chosen = [*chosen[:1], x * x, y * y, *chosen[2:]]
    return chosen[0] * chosen[1] + chosen[2]


# s2s verify S236_slice_with_more_items_rewritten.py::replaced --at "x=0.7, y=0.4, first=True"
