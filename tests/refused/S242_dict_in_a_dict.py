def total(x, y):
    inner = {"k": 0.0}
    outer = {"a": inner}
    outer["a"]["k"] = x * y
    return inner["k"] ** 2
