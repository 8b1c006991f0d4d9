def total(x, y, drop: bool):
    parts = {"a": x, "b": y, "c": x * y}
    if drop:
        del parts["b"]
    return sum(parts.values())
