def merged(x, base):
    p = {**base, "x": x}
    total = 0.0
    for key, value in p.items():
        total = total + value**2
    return total
