def middle(x: float, y: float):
    values = [x * y, x + y, x]
    ranked = values
    values.sort()
    return ranked[1] * x
