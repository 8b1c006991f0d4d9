def product(x, y):
    parts = {"a": x, "b": y, "c": x * y}
    del parts["b"]
    return parts["a"] * parts["c"]
