def doubling(x):
    values = [x]
    for v in values:
        if len(values) < 5:
            values.append(2.0 * v)
    return values[-1]
