def doubling(x):
    values = [x]
    known = {"values": values}
    for v in known["values"]:
        if len(values) < 5:
            values.append(2.0 * v)
    return values[-1]
