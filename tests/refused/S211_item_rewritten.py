def product(x, y):
    parts = {"a": x, "c": x * y}
    return parts["a"] * parts["c"]


# s2s verify S211_item_rewritten.py::product --at "x=0.7, y=0.4"
