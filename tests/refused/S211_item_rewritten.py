def total(x, y, drop: bool):
    parts = {"a": x, "b": y, "c": x * y}
    keys = ["a", "b", "c"]
    if drop:
        keys = ["a", "c"]
    return sum(parts[k] for k in keys)


# s2s verify S211_item_rewritten.py::total --at "x=0.7, y=0.4, drop=True"
