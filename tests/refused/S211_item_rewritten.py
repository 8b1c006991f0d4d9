def total(x, y, drop: bool):
    parts = {"a": x, "b": y, "c": x * y}
    return parts["a"] + parts["c"] if drop else sum(parts.values())


# s2s verify S211_item_rewritten.py::total --at "x=0.7, y=0.4, drop=True"
