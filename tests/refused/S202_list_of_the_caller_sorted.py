def middle(values: list[float]):
    values.sort()
    return values[len(values) // 2] ** 2
